package widget

import (
	"regexp"
	"slices"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// FormField is a line of a form that edits a T: a text, or one of several choices.
type FormField[T any] struct {
	Name, Help string
	Text       func(*T) *string // nil for choices
	Secret     bool             // the text is masked
	// Complete returns possible completions of a text, the best first. It is nil if there are none.
	Complete func(typed string) []string
	Choices  []string // nil for a text
	Chosen   func(*T) string
	Choose   func(*T, string)
}

// Form edits the fields of a T. One field has the cursor.
type Form[T any] struct {
	Typed  T // the current values
	fields func(*T) []FormField[T]
	list   List
	input  textinput.Model // the text field under the cursor, unused on a choice
}

// NewForm returns a form with the cursor on its first field. fields may depend on the current values.
func NewForm[T any](typed T, fields func(*T) []FormField[T]) *Form[T] {
	f := &Form[T]{Typed: typed, fields: fields}
	f.focus(0)
	return f
}

// Field returns the field under the cursor.
func (f *Form[T]) Field() FormField[T] { return f.fields(&f.Typed)[f.list.At] }

// Rows returns the number of fields.
func (f *Form[T]) Rows() int { return len(f.fields(&f.Typed)) }

// OnLast reports whether the cursor is on the last field.
func (f *Form[T]) OnLast() bool { return f.list.At == f.list.Rows-1 }

// Move moves the cursor to the next field or, with step -1, to the previous one.
func (f *Form[T]) Move(step int) { f.focus(f.list.At + step) }

// Choose chooses the next choice of the field under the cursor or, with step -1, the previous one.
func (f *Form[T]) Choose(step int) {
	at := f.Field()
	n := len(at.Choices)
	chosen := slices.Index(at.Choices, at.Chosen(&f.Typed))
	at.Choose(&f.Typed, at.Choices[(chosen+step+n)%n])
	f.focus(f.list.At)
}

// Type handles a key for the field under the cursor. Choices ignore text.
func (f *Form[T]) Type(k tea.KeyMsg) (cmd tea.Cmd) {
	at := f.Field()
	if at.Choices != nil {
		return nil
	}
	f.input, cmd = f.input.Update(k)
	*at.Text(&f.Typed) = f.input.Value()
	f.hide(at)
	return cmd
}

// Completions returns possible completions of the text under the cursor, the best first.
func (f *Form[T]) Completions() []string {
	at := f.Field()
	if at.Complete == nil {
		return nil
	}
	typed := f.input.Value()
	return slices.DeleteFunc(at.Complete(typed), func(text string) bool { return text == typed })
}

// Complete replaces the text under the cursor by a completion.
func (f *Form[T]) Complete(text string) {
	*f.Field().Text(&f.Typed) = text
	f.focus(f.list.At)
}

// focus moves the cursor to the field in a row. If the field is a text, its text is put into the text
// field.
func (f *Form[T]) focus(row int) {
	f.list.Fit(f.Rows(), f.list.Height)
	f.list.Go(row)
	if at := f.Field(); at.Choices == nil {
		f.input = ValueField(*at.Text(&f.Typed))
		f.hide(at)
		f.input.CursorEnd()
	}
}

// hide masks the text field if its field is a secret. The name of a variable is not masked.
func (f *Form[T]) hide(at FormField[T]) {
	f.input.EchoMode = textinput.EchoNormal
	if at.Secret && !variable.MatchString(strings.TrimSpace(f.input.Value())) {
		f.input.EchoMode, f.input.EchoCharacter = textinput.EchoPassword, '•'
	}
}

// formLabels is the width of the column with the names of fields.
const formLabels = 13

// Lines draws the fields in at most height lines of width cells.
func (f *Form[T]) Lines(width, height int) (lines []string) {
	all := f.fields(&f.Typed)
	f.list.Fit(len(all), height)
	from, to := f.list.Visible()
	for i := from; i < to; i++ {
		at := i == f.list.At
		head := CursorMark(at).At(2, draw.Span{Text: all[i].Name, Style: theme.Dim}).At(2 + formLabels)
		if at && all[i].Choices == nil {
			input := f.input
			input.Width = max(1, width-formLabels-4)
			lines = append(lines, draw.FitLine(head.Render(2+formLabels, false)+input.View(), width))
			continue
		}
		lines = append(lines, append(head, f.value(all[i], at)...).Render(width, false))
	}
	return lines
}

// value draws the value of a field. A choice under the cursor is between arrows.
func (f *Form[T]) value(of FormField[T], at bool) draw.Line {
	switch {
	case of.Choices != nil && at:
		return draw.TextLine("◂ "+draw.Clean(of.Chosen(&f.Typed))+" ▸", theme.Active)
	case of.Choices != nil:
		return draw.TextLine(draw.Clean(of.Chosen(&f.Typed)), theme.Value)
	case of.Secret:
		return draw.TextLine(draw.Clean(masked(*of.Text(&f.Typed))), theme.Value)
	}
	return draw.TextLine(draw.Clean(*of.Text(&f.Typed)), theme.Value)
}

// CursorMark returns the first cell of a row in a list: the cursor mark if at is set, otherwise a blank.
func CursorMark(at bool) draw.Line {
	if at {
		return draw.TextLine(theme.Cursor, theme.Active)
	}
	return draw.TextLine(" ", theme.Active)
}

var variable = regexp.MustCompile(`^\$\{[A-Za-z_][A-Za-z0-9_]*\}$`)

// masked hides a secret. The name of a variable is not a secret.
func masked(text string) string {
	if variable.MatchString(strings.TrimSpace(text)) {
		return text
	}
	return strings.Repeat("•", min(len([]rune(text)), maxDots))
}

// maxDots is the maximum visible length of a masked secret.
const maxDots = 24
