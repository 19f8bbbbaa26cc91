package sheet

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// ScrollKeys are the bindings that scroll left, down, up and right.
type ScrollKeys [4]key.Binding

// Sets of scroll keys. A screen uses the sets whose keys have no other meaning on it.
var (
	ShiftArrowKeys = keys([4]string{"shift+left", "shift+down", "shift+up", "shift+right"}, [4]string{"⇧←", "⇧↓", "⇧↑", "⇧→"})
	LetterKeys     = keys([4]string{"h", "j", "k", "l"}, [4]string{"h", "j", "k", "l"})
	ArrowKeys      = keys([4]string{"left", "down", "up", "right"}, [4]string{"←", "↓", "↑", "→"})
)

func keys(names, shown [4]string) (k ScrollKeys) {
	for i, direction := range [4]string{"left", "down", "up", "right"} {
		k[i] = key.NewBinding(key.WithKeys(names[i]), key.WithHelp(shown[i], "scroll "+direction))
	}
	return k
}

// Horizontal returns the bindings for left and right.
func (k ScrollKeys) Horizontal() []key.Binding { return []key.Binding{k[0], k[3]} }

// Vertical returns the bindings for down and up.
func (k ScrollKeys) Vertical() []key.Binding { return []key.Binding{k[1], k[2]} }

// AllBindings returns the bindings of several sets as a list.
func AllBindings(sets ...ScrollKeys) []key.Binding {
	var all []key.Binding
	for _, k := range sets {
		all = append(all, k[:]...)
	}
	return all
}

// HandleKey scrolls for a key of one of the sets. It reports whether the key is in a set.
func (s *Viewport) HandleKey(msg tea.KeyMsg, sets ...ScrollKeys) bool {
	steps := [4][2]int{{-8, 0}, {0, 3}, {0, -3}, {8, 0}}
	for _, k := range sets {
		i := slices.IndexFunc(k[:], func(b key.Binding) bool { return key.Matches(msg, b) })
		if i >= 0 {
			s.ScrollBy(steps[i][0], steps[i][1])
			return true
		}
	}
	return false
}
