package widget

import (
	"sonde/ui/theme"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textarea"
	"github.com/charmbracelet/bubbles/textinput"
)

// FilterField returns a one-line text field for filters. Its cursor does not blink, so that
// the screen is drawn only after a key.
func FilterField(placeholder string) textinput.Model {
	t := textinput.New()
	t.Prompt = "/ "
	t.PromptStyle = theme.Accent.Lipgloss()
	t.Placeholder = placeholder
	t.PlaceholderStyle = theme.Dim.Lipgloss()
	t.Cursor.SetMode(cursor.CursorStatic)
	return t
}

// ValueField returns a one-line text field for a value, with the focus.
func ValueField(text string) textinput.Model {
	t := textinput.New()
	t.Prompt = ""
	t.Cursor.SetMode(cursor.CursorStatic)
	t.SetValue(text)
	t.Focus()
	return t
}

// TextArea returns a text field of several lines, with the focus and the cursor at the
// beginning of the text. The cursor does not blink.
func TextArea(text string) textarea.Model {
	t := textarea.New()
	t.Prompt, t.ShowLineNumbers, t.MaxHeight = "", false, 0
	plain := theme.Plain.Lipgloss()
	t.FocusedStyle = textarea.Style{Base: plain, Text: plain, CursorLine: plain, EndOfBuffer: plain, Placeholder: theme.Dim.Lipgloss()}
	t.EndOfBufferCharacter = ' '
	t.Cursor.SetMode(cursor.CursorStatic)
	t.Cursor.Style = plain
	t.SetValue(text)
	for t.Line() > 0 {
		t.CursorUp()
	}
	t.CursorStart()
	t.Focus()
	return t
}
