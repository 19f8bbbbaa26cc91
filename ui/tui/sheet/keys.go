package sheet

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Keys are four bindings that move the window: left, down, up, right.
type Keys [4]key.Binding

// Three sets of keys, because a screen may need some of them for itself.
var (
	Shifts  = keys([4]string{"shift+left", "shift+down", "shift+up", "shift+right"}, [4]string{"⇧←", "⇧↓", "⇧↑", "⇧→"})
	Letters = keys([4]string{"h", "j", "k", "l"}, [4]string{"h", "j", "k", "l"})
	Arrows  = keys([4]string{"left", "down", "up", "right"}, [4]string{"←", "↓", "↑", "→"})
)

func keys(names, shown [4]string) (k Keys) {
	for i, way := range [4]string{"left", "down", "up", "right"} {
		k[i] = key.NewBinding(key.WithKeys(names[i]), key.WithHelp(shown[i], "scroll "+way))
	}
	return k
}

// Across returns the bindings for left and right, Along those for down and up.
func (k Keys) Across() []key.Binding { return []key.Binding{k[0], k[3]} }

// Along is described at Across.
func (k Keys) Along() []key.Binding { return []key.Binding{k[1], k[2]} }

// Bindings returns those of several sets, for a list of keys.
func Bindings(sets ...Keys) []key.Binding {
	var all []key.Binding
	for _, k := range sets {
		all = append(all, k[:]...)
	}
	return all
}

// Key moves the window if the key is in one of the sets, and reports whether it
// is.
func (s *Sheet) Key(msg tea.KeyMsg, sets ...Keys) bool {
	ways := [4][2]int{{-8, 0}, {0, 3}, {0, -3}, {8, 0}}
	for _, k := range sets {
		i := slices.IndexFunc(k[:], func(b key.Binding) bool { return key.Matches(msg, b) })
		if i >= 0 {
			s.Pan(ways[i][0], ways[i][1])
			return true
		}
	}
	return false
}
