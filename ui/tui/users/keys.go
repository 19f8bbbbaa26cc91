package users

import (
	"slices"

	"sonde/ui/tui/keymap"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// keyPrev is not drawn in the foot of the box; see shownKeys.
var keyPrev = keymap.Bind("↑", "before", "shift+tab", "up")

type need = keymap.Need[*Box]

var (
	needService = need{Met: func(b *Box) bool { return b.logins.All != nil }}
	needUsers   = need{Met: func(b *Box) bool { return len(b.all) > 0 }}
	needChoice  = need{Met: func(b *Box) bool { return b.form.Field().Choices != nil }}
)

// keys are the keys of the box.
var keys = keymap.Map[*Box]{
	{
		On: func(b *Box) bool { return b.form != nil },
		Rows: []keymap.Row[*Box]{
			{Key: keymap.Bind("ctrl+s", "add it"), Do: (*Box).save},
			{Key: keymap.Bind("←→", "choose", "left", "right", " "), Needs: []need{needChoice}, Take: (*Box).choose},
			{Key: keymap.Bind("⏎", "next", "tab", "down", "enter"), Take: (*Box).next},
			{Key: keyPrev, Do: keymap.Act(func(b *Box) { b.form.Move(-1) })},
			{Key: keymap.Bind("esc", "cancel"), Do: keymap.Act(func(b *Box) { b.form = nil })},
		},
		Rest: (*Box).typeKey,
	},
	{Rows: slices.Concat(
		[]keymap.Row[*Box]{
			{Key: keymap.Bind("a", "add a user", "a", "n"), Needs: []need{needService}, Do: (*Box).add},
			{Key: keymap.Bind("w", "write it to sonde.yaml"), Needs: []need{needService, needUsers}, Do: (*Box).write},
			{Key: keymap.Bind("d", "remove it"), Needs: []need{needService, needUsers}, Do: (*Box).remove},
		},
		keymap.Each([]key.Binding{widget.Down, widget.Up}, (*Box).move, needUsers),
		keymap.Hide(keymap.Each([]key.Binding{widget.PageUp, widget.PageDown, widget.Home, widget.End}, (*Box).move, needUsers)),
		[]keymap.Row[*Box]{{Key: keymap.Bind("esc", "close", "esc", "q"), Do: keymap.Act(func(b *Box) { b.closed = true })}},
	)},
}

func (b *Box) move(k tea.KeyMsg) tea.Cmd {
	b.list.Key(k)
	return nil
}

// Keys returns the keys that are active now.
func (b *Box) Keys() []key.Binding { return keys.Keys(b) }

// Listed returns all keys of the box, for docs/keys.md.
func Listed() []key.Binding { return keys.Listed() }
