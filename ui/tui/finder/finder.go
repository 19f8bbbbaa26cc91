// Package finder is the line in which a filter is typed, the same on every
// screen: it reads what was typed, and says below what it does not understand.
package finder

import (
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/filter"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
)

// The keys of the line, and those that lead to it and take the filter away.
var (
	KeyFilter      = key.NewBinding(key.WithKeys("/"), key.WithHelp("/", "filter"))
	KeyClearFilter = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "no filter"))
	KeyLeaveFilter = key.NewBinding(key.WithKeys("enter", "down", "tab"), key.WithHelp("⏎", "to the list"))
)

// FilterLine is the line, and the filter that stands in it.
type FilterLine struct {
	*filter.Filter
	field textinput.Model
	index *filter.Index
	facts []string
	old   bool // what stands there is from before: letters replace it, other keys change it
}

// New returns an empty line. Facts are the screen's own.
func New(placeholder string, facts ...string) FilterLine {
	return FilterLine{Filter: filter.Parse("", nil), field: widget.FilterField(placeholder), facts: facts}
}

// SetIndex has the filter look at the operations of another spec.
func (f *FilterLine) SetIndex(index *filter.Index) {
	f.index = index
	f.read()
}

// SetText writes a filter into the line.
func (f *FilterLine) SetText(text string) {
	f.field.SetValue(text)
	f.read()
}

func (f *FilterLine) read() { f.Filter = filter.Parse(f.field.Value(), f.index, f.facts...) }

// Text is what was typed.
func (f *FilterLine) Text() string { return f.field.Value() }

// Typing tells that the line has the focus.
func (f *FilterLine) Typing() bool { return f.field.Focused() }

// Focus gives the line the focus. A filter that stands there is marked, and replaced by
// what is typed, unless it is changed by another key first.
func (f *FilterLine) Focus() tea.Cmd {
	f.mark(f.Text() != "")
	return f.field.Focus()
}

// Blur takes the focus away.
func (f *FilterLine) Blur() {
	f.mark(false)
	f.field.Blur()
}

func (f *FilterLine) mark(old bool) {
	f.old, f.field.TextStyle = old, theme.Plain.Lipgloss()
	if old {
		f.field.TextStyle = theme.Selected.Lipgloss()
	}
}

// HandleKey takes a key while the line has the focus.
func (f *FilterLine) HandleKey(k tea.KeyMsg) (cmd tea.Cmd) {
	switch {
	case key.Matches(k, KeyClearFilter):
		f.Blur()
		f.SetText("")
	case key.Matches(k, KeyLeaveFilter):
		f.Blur()
	default:
		if f.old && k.Type == tea.KeyRunes {
			f.field.SetValue("")
		}
		f.mark(false)
		f.field, cmd = f.field.Update(k)
		f.read()
	}
	return cmd
}

// Keys are those that Key takes.
func (f *FilterLine) Keys() []key.Binding { return []key.Binding{KeyLeaveFilter, KeyClearFilter} }

// View draws the line.
func (f *FilterLine) View(width int) string {
	f.field.Width = max(1, width-5)
	if f.old { // no more is marked than there is
		f.field.Width = min(f.field.Width, lipgloss.Width(f.Text()))
	}
	return draw.FitLine(" "+f.field.View(), width)
}

// most is how many lines the complaint has at most.
const most = 4

// ProblemLines draws what of the filter is not understood, in lines for below it;
// none where all is.
func (f *FilterLine) ProblemLines(width int) []string {
	if f.Problem() == "" {
		return nil
	}
	lines := words.Wrap(draw.Clean(f.Problem()), max(1, width-4))
	lines = lines[:min(len(lines), most)]
	for i, l := range lines {
		lines[i] = draw.FitLine("   "+theme.Warn.Render(l), width)
	}
	return lines
}

// Highlight shows in a line of the screen what the filter looked for.
func (f *FilterLine) Highlight(l draw.Line) draw.Line {
	if f.IsEmpty() {
		return l
	}
	return l.Mark(f.Highlights)
}
