package pane

import (
	"sonde/ui/theme"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
)

// Field returns a one-line text field for filters. Its cursor stands still, so
// that nothing is drawn while nobody types.
func Field(placeholder string) textinput.Model {
	t := textinput.New()
	t.Prompt = "/ "
	t.PromptStyle = theme.Accent
	t.Placeholder = placeholder
	t.PlaceholderStyle = theme.Dim
	t.Cursor.SetMode(cursor.CursorStatic)
	return t
}
