package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
)

// rowStates has the states whose rows TestEnterShowsEachRow visits: names of screens and panes, and the keys that lead
// to them.
var rowStates = map[string][]string{
	"explore":            {"1"},
	"explore, filtered":  {"1", "/", "c", "a", "r", "t", "enter"},
	"explore, operation": {"1", "/", "o", "r", "d", "e", "r", "s", "enter", "esc", "enter"},
	"explore, folder":    {"1", "left", "v"},
	"explore, paths":     {"1", "/", "o", "r", "d", "e", "r", "s", "enter", "esc", "p"},
	"explore, impact":    {"1", "/", "o", "r", "d", "e", "r", "s", "enter", "esc", "I"},
	"groups":             {"2"},
	"groups, members":    {"2", "v"},
	"groups, figure":     {"2", "v", "v"},
	"groups, seqs":       {"2", "d"},
	"groups, unused":     {"2", "u"},
	"graph":              {"3"},
	"graph, whole":       {"3", "w"},
	"graph, resources":   {"3", "o"},
	"seqs":               {"4"},
	"seqs, page":         {"4", "enter"},
	"seqs, next pane":    {"4", "v"},
	"search, form":       {"5"},
	"search, knobs":      {"5"},
	"search, answers":    {"5", "v"},
	"search, faults":     {"5", "v", "v"},
	"search, notes":      {"5", "v", "v", "v"},
	"search, tests":      {"5", "v", "v", "v", "v"},
	"search, why":        {"5", "v", "v", "v", "v", "v"},
	"search, open":       {"5", "v", "v", "v", "v", "v", "v"},
	"search, chart":      {"5", "V"},
	"search, source":     {"5", "c"},
	"search, events":     {"5", "E"},
	"export":             {"4", " ", "down", " ", "6"},
	"export, preview":    {"4", " ", "6", "v"},
	"network":            {"7"},
	"record":             {"8"},
	"record, next pane":  {"8", "v"},
	"palette":            {"ctrl+p"},
}

// Each row that can have the cursor has an action for ⏎, on all screens.
func TestEnterShowsEachRow(t *testing.T) {
	for name, keys := range rowStates {
		for _, width := range []int{60, 120} {
			t.Run(fmt.Sprintf("%s %d", name, width), func(t *testing.T) {
				d := open(shop(), nil).size(width, 36)
				if !strings.HasSuffix(name, "form") {
					d.send(halfway)
				}
				d.press(keys...)
				seen := map[string]bool{}
				for range 150 {
					view := d.app.View()
					if seen[view] {
						return
					}
					seen[view] = true
					if hasCursor(view) && !enters(d) {
						t.Fatalf("⏎ has no action in\n%s", view)
					}
					d.press("down")
				}
			})
		}
	}
}

// hasCursor reports whether the cursor is on a row of a pane.
func hasCursor(view string) bool {
	lines := strings.Split(view, "\n")
	body := strings.Join(lines[above:len(lines)-1], "\n")
	return strings.Contains(body, "│▸") || strings.Contains(body, "│ ▸ ")
}

// enters reports whether the screen or the overlay that is shown has an action for ⏎ now.
func enters(d *driver) bool {
	shown, _ := d.app.keys()
	return slices.ContainsFunc(shown, func(b key.Binding) bool { return b.Enabled() && slices.Contains(b.Keys(), "enter") })
}
