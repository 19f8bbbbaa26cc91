package environments

import (
	"slices"

	"sonde/ui/tui/keymap"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

type need = keymap.Need[*Box]

var needAny = need{Met: func(b *Box) bool { return len(b.all) > 0 }}

// keys are the keys of the box.
var keys = keymap.Map[*Box]{{Rows: slices.Concat(
	[]keymap.Row[*Box]{{Key: keymap.Bind("⏎", "use it", "enter"), Needs: []need{needAny}, Do: (*Box).use}},
	keymap.Each([]key.Binding{widget.Down, widget.Up}, (*Box).move, needAny),
	keymap.Hide(keymap.Each([]key.Binding{widget.PageUp, widget.PageDown, widget.Home, widget.End}, (*Box).move, needAny)),
	[]keymap.Row[*Box]{{Key: keymap.Bind("esc", "close", "esc", "q", "ctrl+e"), Do: keymap.Act(func(b *Box) { b.closed = true })}},
)}}

func (b *Box) move(k tea.KeyMsg) tea.Cmd {
	b.list.Key(k)
	return nil
}

// Keys returns the keys that are active now.
func (b *Box) Keys() []key.Binding { return keys.Keys(b) }

// Listed returns all keys of the box, for docs/keys.md.
func Listed() []key.Binding { return keys.Listed() }
