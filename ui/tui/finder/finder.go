// Package finder is the line in which the user types a filter. It is the same on all screens. It parses the
// text and shows problems below it.
package finder

import (
	"strings"
	"unicode/utf8"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/filter"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
)

// The keys that focus the line, clear the filter, and leave the line.
var (
	KeyFilter      = key.NewBinding(key.WithKeys("/"), key.WithHelp("/", "filter"))
	KeyClearFilter = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "no filter"))
	KeyLeaveFilter = key.NewBinding(key.WithKeys("enter", "down", "tab"), key.WithHelp("⏎", "to the list"))
)

// FilterLine is a line in which the user types a filter, and the filter.
type FilterLine struct {
	*filter.Filter
	field    textinput.Model
	index    *filter.Index
	facts    []string
	selected bool // the text is selected: a letter replaces it, and another key edits it
}

// New returns an empty line. facts has the names of the screen's own facts.
func New(placeholder string, facts ...string) FilterLine {
	return FilterLine{Filter: filter.Parse("", nil), field: widget.FilterField(placeholder), facts: facts}
}

// SetIndex makes the filter search the operations of another spec.
func (f *FilterLine) SetIndex(index *filter.Index) {
	f.index = index
	f.parse()
}

// SetText sets the text of the filter.
func (f *FilterLine) SetText(text string) {
	f.field.SetValue(text)
	f.parse()
}

func (f *FilterLine) parse() { f.Filter = filter.Parse(f.field.Value(), f.index, f.facts...) }

// Text returns the text of the filter.
func (f *FilterLine) Text() string { return f.field.Value() }

// Typing reports whether the line has the focus.
func (f *FilterLine) Typing() bool { return f.field.Focused() }

// Focus gives the line the focus. Its text is selected: typing replaces it, unless another
// key edits it first.
func (f *FilterLine) Focus() tea.Cmd {
	f.selectText(f.Text() != "")
	return f.field.Focus()
}

// Blur removes the focus.
func (f *FilterLine) Blur() {
	f.selectText(false)
	f.field.Blur()
}

// selectText selects the text, or ends the selection.
func (f *FilterLine) selectText(selected bool) {
	f.selected, f.field.TextStyle = selected, theme.Plain.Lipgloss()
	if selected {
		f.field.TextStyle = theme.Selected.Lipgloss()
	}
}

// HandleKey handles a key while the line has the focus.
func (f *FilterLine) HandleKey(k tea.KeyMsg) (cmd tea.Cmd) {
	switch {
	case key.Matches(k, KeyClearFilter):
		f.Blur()
		f.SetText("")
	case key.Matches(k, KeyLeaveFilter):
		f.Blur()
	default:
		if f.selected && k.Type == tea.KeyRunes {
			f.field.SetValue("")
		}
		f.selectText(false)
		f.field, cmd = f.field.Update(k)
		f.Filter = f.Retype(f.field.Value(), f.facts...)
	}
	return cmd
}

// Keys returns the keys that leave the line.
func Keys() []key.Binding { return []key.Binding{KeyLeaveFilter, KeyClearFilter} }

// View draws the line. If the beginning of the text is not visible, "…" takes the place of its first visible letter.
func (f *FilterLine) View(width int) string {
	f.field.Width = max(1, width-5)
	if f.selected { // only the text looks selected, not the rest of the line
		f.field.Width = min(f.field.Width, lipgloss.Width(f.Text()))
	}
	return draw.FitLine(" "+f.marked(f.field.View()), width)
}

// marked returns a view of the field with "…" as its first letter if the beginning of the text is scrolled out of
// sight. "…" never takes the place of the cursor.
func (f *FilterLine) marked(view string) string {
	prompt := lipgloss.Width(f.field.Prompt)
	visible := strings.TrimRight(ansi.Strip(ansi.Cut(view, prompt, lipgloss.Width(view))), " ")
	text := f.Text()
	behind := string([]rune(text)[f.field.Position():])
	if lipgloss.Width(text) <= f.field.Width || strings.HasPrefix(text, visible) ||
		f.Typing() && strings.HasPrefix(behind, visible) {
		return view
	}
	first, _ := utf8.DecodeRuneInString(visible)
	covered := max(1, lipgloss.Width(string(first)))
	mark := theme.Dim.Render("…" + strings.Repeat(" ", covered-1))
	return ansi.Cut(view, 0, prompt) + mark + ansi.Cut(view, prompt+covered, lipgloss.Width(view))
}

const maxProblemLines = 4

// ProblemLines draws the problem of the filter, as lines to show below it. It returns nil for a valid
// filter.
func (f *FilterLine) ProblemLines(width int) []string {
	if f.Problem() == "" {
		return nil
	}
	lines := words.Wrap(draw.Clean(f.Problem()), max(1, width-4))
	lines = lines[:min(len(lines), maxProblemLines)]
	for i, l := range lines {
		lines[i] = draw.FitLine("   "+theme.Warn.Render(l), width)
	}
	return lines
}

// Highlight highlights the letters of a line of the screen that match the filter.
func (f *FilterLine) Highlight(l draw.Line) draw.Line {
	if f.IsEmpty() {
		return l
	}
	return l.Mark(f.Highlights)
}
