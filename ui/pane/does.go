package pane

import (
	"sonde/ui/theme"

	"github.com/charmbracelet/bubbles/key"
)

// Does is a key and what it does, for a text.
func Does(b key.Binding) string { return theme.Accent.Render(Key(b)) + " " + b.Help().Desc }

// Key is a key's name. What no key is bound to is a sign of a legend, not a name.
func Key(b key.Binding) string {
	if len(b.Keys()) == 0 {
		return b.Help().Key
	}
	return theme.Spell(b.Help().Key)
}
