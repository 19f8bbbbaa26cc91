package tui

import (
	"slices"
	"testing"

	"sonde/ui/tui/finder"
	"sonde/ui/tui/save"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/send"

	"github.com/charmbracelet/bubbles/key"
)

// In any state that keys lead to, no key of a screen has two actions.
func TestNoKeyDoesTwoThings(t *testing.T) {
	keys := []string{
		"down", "enter", "v", "t", "esc", "r", "down", " ", "v", "esc", "/", "x", "enter", "esc", "w", "o", "o", "+", "-", "n", "v",
		"g", "backspace", "f", "c", "F", "C", "a", "m", "z", "z", "Z", "enter", "d", "s", "b", "V", "e", "down", "enter", "esc", "p",
		"right", "left", "A", "E", "c", "u", "esc",
	}
	for _, tab := range []string{"1", "2", "3", "4", "5", "6", "7", "8"} {
		for _, width := range []int{60, 120} {
			d := open(shop(), nil).size(width, 36).send(halfway).press(tab)
			for i, k := range keys {
				d.press(k)
				for _, s := range d.app.screens.all {
					checkConflicts(t, s, keys[:i+1])
				}
			}
		}
	}
}

func checkConflicts(t *testing.T, s screen.Screen, pressed []string) {
	t.Helper()
	taken := map[string]string{}
	for _, b := range s.Keys() {
		for _, k := range b.Keys() {
			if other, ok := taken[k]; ok && other != b.Help().Desc {
				t.Errorf("%s: %q is for %q and for %q after %v", s.Name(), k, other, b.Help().Desc, pressed)
			}
			taken[k] = b.Help().Desc
		}
	}
}

// No screen uses the frame's keys for switching screens, for help and for quitting. Only text fields
// receive all keys.
func TestFrameKeepsItsKeys(t *testing.T) {
	frame := []string{"1", "2", "3", "4", "5", "6", "7", "8", "tab", "shift+tab", "ctrl+p", "ctrl+r", "ctrl+t", "!", "?", "q", "ctrl+c"}
	for _, s := range open(shop(), nil).size(120, 36).send(halfway).app.screens.all {
		for _, b := range allKeysOf(s) {
			typing := slices.Concat(finder.Keys(), save.Keys(), send.TypingKeys())
			if slices.ContainsFunc(typing, func(k key.Binding) bool { return k.Help() == b.Help() }) {
				continue
			}
			if i := slices.IndexFunc(b.Keys(), func(k string) bool { return slices.Contains(frame, k) }); i >= 0 {
				t.Errorf("%s takes %q to %s", s.Name(), b.Keys()[i], b.Help().Desc)
			}
		}
	}
}

// Every key of the frame has a name and a help text, and no two rows have the same key.
func TestFrameKeys(t *testing.T) {
	a := open(shop(), nil).size(120, 36).app
	if all := a.frame.Conflicts(a); len(all) > 0 {
		t.Error(all)
	}
	check := func(where string, all []key.Binding) {
		for _, b := range all {
			if b.Help().Key == "" || b.Help().Desc == "" {
				t.Errorf("%s: %v has no name or no help", where, b.Keys())
			}
		}
	}
	check("the frame", a.frame.Listed())
	for _, s := range a.screens.all {
		check(s.Name(), allKeysOf(s))
	}
}
