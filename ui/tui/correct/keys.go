package correct

import (
	"sonde/ui/tui/keymap"

	"github.com/charmbracelet/bubbles/key"
)

type need = keymap.Need[*Box]

var (
	needChoice    = need{Met: func(b *Box) bool { return b.form.Field().Choices != nil }}
	completable   = need{Met: func(b *Box) bool { return b.found.isNew(b.form.Typed.is) && len(b.form.Completions()) > 0 }}
	notComplete   = keymap.Not(completable.Met, "")
	needCorrected = need{Met: func(b *Box) bool { return b.scope().now != nil }}
)

// keys are the keys of the box.
var keys = keymap.Map[*Box]{{
	Rows: []keymap.Row[*Box]{
		{Key: keymap.Bind("ctrl+s", "save"), Do: (*Box).save},
		{Key: keymap.Bind("←→", "choose", "left", "right", " "), Needs: []need{needChoice}, Take: (*Box).choose},
		{Key: keymap.Bind("tab", "complete"), Needs: []need{completable}, Do: keymap.Act((*Box).complete)},
		{Key: keymap.Bind("ctrl+o", "remove the correction"), Needs: []need{needCorrected}, Do: (*Box).remove},
		{Key: keymap.Bind("⏎", "next", "enter", "down"), Take: (*Box).next},
		{Key: keymap.Bind("tab", "next"), Needs: []need{notComplete}, Take: (*Box).next, Hidden: true},
		{
			Key:    keymap.Bind("↑", "before", "shift+tab", "up"),
			Do:     keymap.Act(func(b *Box) { b.form.Move(-1) }),
			Hidden: true,
		},
		{Key: keymap.Bind("esc", "cancel"), Do: keymap.Act(func(b *Box) { b.closed = true })},
	},
	Rest: (*Box).typed,
}}

// Keys returns the keys that are active now.
func (b *Box) Keys() []key.Binding { return keys.Keys(b) }

// Listed returns all keys of the box, for docs/keys.md.
func Listed() []key.Binding { return keys.Listed() }
