package widget

import (
	"strings"
	"unicode/utf8"

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
	t.Focus()
	MoveTo(&t, 0, 0)
	return t
}

// MoveTo moves the cursor of a text area to a line, which counts from 0, and to a column. A greater number than there
// are lines moves the cursor to the last line.
func MoveTo(t *textarea.Model, line, column int) {
	for t.Line() > line {
		t.CursorUp()
	}
	for t.Line() < min(line, t.LineCount()-1) {
		t.CursorDown()
	}
	t.SetCursor(column)
}

// ShowCursor scrolls a text area after MoveTo or SetText, so that its cursor is visible. The area must have its size.
func ShowCursor(t *textarea.Model) {
	_ = t.View() // only drawn lines can be scrolled to
	*t, _ = t.Update(nil)
}

// Offset returns the place of a text area's cursor in its text, in bytes.
func Offset(t *textarea.Model) int {
	lines, info := strings.Split(t.Value(), "\n"), t.LineInfo()
	at := 0
	for _, line := range lines[:t.Line()] {
		at += len(line) + 1
	}
	current := []rune(lines[t.Line()])
	return at + len(string(current[:min(len(current), info.StartColumn+info.ColumnOffset)]))
}

// SetText replaces the text of a text area, and moves its cursor to a place in the text, in bytes.
func SetText(t *textarea.Model, text string, offset int) {
	before := text[:offset]
	t.SetValue(text)
	last := before[strings.LastIndexByte(before, '\n')+1:]
	MoveTo(t, strings.Count(before, "\n"), utf8.RuneCountInString(last))
}
