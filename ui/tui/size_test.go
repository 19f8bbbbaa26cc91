package tui

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// After any keys, clicks and sizes, the view has the exact size of the terminal.
func TestNoLineBreaks(t *testing.T) {
	specs := []*model.Spec{shop(), hostile(), large(40), {}}
	keys := append(strings.Split(
		"12345678v?!/:gGptds+-hjklq eixnawozZcCfFmNVb", "",
	), "up", "down", "left", "right", "enter", "esc", "tab", "shift+tab",
		"pgdown", "end", "home", "backspace", "shift+right", "shift+down", "ctrl+r", "ctrl+p", "[", "]", "J", "J", "u", "ctrl+y", "~")
	rapid.Check(t, func(t *rapid.T) {
		d := open(specs[rapid.IntRange(0, len(specs)-1).Draw(t, "spec")], nil)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				d.size(rapid.IntRange(1, 300).Draw(t, "width"), rapid.IntRange(1, 100).Draw(t, "height"))
			case 1:
				d.send(mouse(t, d.app.width, d.app.height))
			default:
				d.press(rapid.SampledFrom(keys).Draw(t, "key"))
			}
			whole(t, d)
		}
	})
}

// mouse generates a mouse event at a random cell.
func mouse(t *rapid.T, width, height int) tea.MouseMsg {
	return tea.MouseMsg{
		X: rapid.IntRange(0, width-1).Draw(t, "x"), Y: rapid.IntRange(0, height-1).Draw(t, "y"),
		Button: rapid.SampledFrom([]tea.MouseButton{
			tea.MouseButtonLeft, tea.MouseButtonWheelUp, tea.MouseButtonWheelDown,
		}).Draw(t, "button"),
		Shift: rapid.Bool().Draw(t, "shift"),
	}
}

// whole checks that the view has the exact size of the terminal.
func whole(t rapid.TB, d *driver) {
	t.Helper()
	lines := strings.Split(d.app.View(), "\n")
	if len(lines) != d.app.height {
		t.Fatalf("%d lines in a terminal of %d", len(lines), d.app.height)
	}
	for i, l := range lines {
		if w := ansi.StringWidth(l); w != d.app.width {
			t.Fatalf("line %d is %d cells wide in a terminal of %d: %q", i, w, d.app.width, l)
		}
	}
}

// Every visible key has an effect, perhaps only after the opposite key.
func TestEveryKeyDoesSomething(t *testing.T) {
	leaveOutIfShort(t)
	middle := append(slices.Clone(orders), "down")
	at := func(keys ...string) []string { return slices.Concat(middle, keys) }
	for name, way := range map[string][]string{
		"tree":                 middle,
		"folder":               {":", ":", "down"},
		"filtered":             {"/", "c", "a", "enter", "down"},
		"page":                 at("enter", "down"),
		"groups":               {"2"},
		"groups filtered":      {"2", "/", "g", "e", "t", "enter"},
		"members":              {"2", "enter", "down"},
		"figure":               {"2", "v", "v"},
		"seqs":                 {"2", "v", "v", "v", "down"},
		"graph":                at("g"),
		"treemap":              {"2", "b"},
		"graph at 2 hops":      at("g", "+", "right"),
		"graph as tree":        at("g", "t", "down"),
		"graph of all":         at("g", "w", "right"),
		"graph of resources":   at("g", "w", "o"),
		"graph of signs":       at("g", "w", "Z"),
		"graph found":          at("g", "w", "/", "c", "a", "r", "t", "enter"),
		"graph folded":         at("g", "w", "f"),
		"graph of all as tree": at("g", "w", "t", "down"),
	} {
		t.Run(name, func(t *testing.T) {
			ready := func() *driver { return open(shop(), nil).size(100, 30).press(way...) }
			a := ready().app
			for _, b := range withHelp(a.screens.visible().Keys()) {
				for _, k := range b.Keys() {
					if !ready().changes(k) && !ready().press(opposite[k]).changes(k) {
						t.Errorf("%q (%s) does nothing in\n%s", k, b.Help().Desc, ready().app.View())
					}
				}
			}
		})
	}
}

func (d *driver) changes(key string) bool {
	before := d.app.View()
	return d.press(key).app.View() != before || d.quit
}

var opposite = map[string]string{
	"up": "down", "down": "up", "left": "right", "right": "left", "h": "l", "j": "k", "k": "j", "l": "h", "home": "end", "end": "home",
	"pgup": "pgdown", "pgdown": "pgup", "z": "Z", "n": "N", "N": "n", "ctrl+u": "ctrl+d", "ctrl+d": "ctrl+u",
	"shift+up": "shift+down", "shift+down": "shift+up", "shift+left": "shift+right", "shift+right": "shift+left",
}
