package tui

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"sonde/ui/tui/campaign"
	"sonde/ui/tui/commandlog"
	"sonde/ui/tui/correct"
	"sonde/ui/tui/environments"
	"sonde/ui/tui/saverequest"
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
	keyTable(&b, "Environments", withoutMoves(environments.Listed()))
	keyTable(&b, "Save to a file", withoutMoves(saverequest.Listed()))
	keyTable(&b, "Command log", withoutMoves(commandlog.Listed()))
	keyTable(&b, "Correct a value", withoutMoves(correct.Listed()))
	keyTable(&b, "Campaigns (sonde --nats)", withoutMoves(campaign.Listed()))
	return b.String()
}

// allKeysOf returns all keys of a screen, including those that are inactive now.
func allKeysOf(s screen.Screen) []key.Binding {
	return s.(interface{ Listed() []key.Binding }).Listed()
}

func withoutMoves(keys []key.Binding) []key.Binding { return slices.DeleteFunc(keys, movesCursor) }

// keyTable writes a table of keys, with all actions of each key, and the other keys that have the same effect.
func keyTable(b *strings.Builder, title string, keys []key.Binding) {
	fmt.Fprintf(b, "\n## %s\n\n| key | what it does |\n|---|---|\n", title)
	var order []string
	does, others := map[string][]string{}, map[string]string{}
	for _, k := range keys {
		name, what := k.Help().Key, k.Help().Desc
		if slices.Contains(does[name], what) {
			continue
		}
		if does[name] == nil {
			order = append(order, name)
		}
		does[name] = append(does[name], what)
		others[name+what] = otherKeys(k)
	}
	for _, name := range order {
		for i, what := range does[name] {
			does[name][i] += others[name+what]
		}
		fmt.Fprintf(b, "| `%s` | %s |\n", name, strings.ReplaceAll(strings.Join(does[name], "; "), "|", `\|`))
	}
}

// displayNames replaces bubbletea's names of keys by the names that the app displays.
var displayNames = strings.NewReplacer(
	"shift+tab", "shift+tab", "shift+", "⇧", "pgup", "pgup", "pgdown", "pgdn", "left", "←", "right", "→", "up", "↑", "down", "↓",
	"enter", "⏎", "backspace", "⌫", " ", "space",
)

// otherKeys returns a remark with the keys of a binding that are missing in its displayed name, "" if none are.
func otherKeys(k key.Binding) string {
	name := k.Help().Key
	if name == keyNumber.Help().Key { // a range, such as 1-8
		return ""
	}
	var all []string
	for _, other := range k.Keys() {
		if other = displayNames.Replace(other); !strings.Contains(name, other) {
			all = append(all, "`"+other+"`")
		}
	}
	if all == nil {
		return ""
	}
	return " (also " + strings.Join(all, ", ") + ")"
}
