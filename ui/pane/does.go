package pane

import (
	"sonde/ui/theme"

	"github.com/charmbracelet/bubbles/key"
)

// Does is a key and what it does, for a text.
func Does(b key.Binding) string { return theme.Accent.Render(b.Help().Key) + " " + b.Help().Desc }
