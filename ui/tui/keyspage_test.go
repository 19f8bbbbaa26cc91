package tui

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"sonde/ui/tui/correct"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/users"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
)

// docs/keys.md has the keys of all screens. To update it:
//
//	go test ./ui/tui -run KeysPage -update
func TestKeysPage(t *testing.T) {
	const path = "../../docs/keys.md"
	page := keysPage(open(shop(), nil).size(200, 60).send(halfway).press("3", "1").app)
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != page {
		t.Errorf("%s is not what the screens do: go test ./ui/tui -run KeysPage -update", path)
	}
}

// keysPage lists the keys of the frame, of each screen and of every list.
func keysPage(a *app) string {
	var b strings.Builder
	b.WriteString("# Keys\n\nGenerated from the code by `go test ./ui/tui -run KeysPage -update`. " +
		"In the app, `?` shows the keys of the visible screen, and `ctrl+p` finds all of them.\n")
	keyTable(&b, "Everywhere", a.frame.Listed())
	keyTable(&b, "In every list", widget.MoveKeys())
	for i, s := range a.screens.all {
		keyTable(&b, fmt.Sprintf("%d %s", i+1, s.Name()), withoutMoves(allKeysOf(s)))
	}
	keyTable(&b, "Users and log-ins", withoutMoves(users.Listed()))
	keyTable(&b, "Correct a value", withoutMoves(correct.Listed()))
	return b.String()
}

// allKeysOf returns all keys of a screen, including those that are inactive now.
func allKeysOf(s screen.Screen) []key.Binding {
	return s.(interface{ Listed() []key.Binding }).Listed()
}

func withoutMoves(keys []key.Binding) []key.Binding { return slices.DeleteFunc(keys, movesCursor) }

// keyTable writes a table of keys, with all actions of each key.
func keyTable(b *strings.Builder, title string, keys []key.Binding) {
	fmt.Fprintf(b, "\n## %s\n\n| key | what it does |\n|---|---|\n", title)
	var order []string
	does := map[string][]string{}
	for _, k := range keys {
		name, what := k.Help().Key, k.Help().Desc
		if slices.Contains(does[name], what) {
			continue
		}
		if does[name] == nil {
			order = append(order, name)
		}
		does[name] = append(does[name], what)
	}
	for _, name := range order {
		fmt.Fprintf(b, "| `%s` | %s |\n", name, strings.ReplaceAll(strings.Join(does[name], "; "), "|", `\|`))
	}
}
