package search

import (
	"fmt"
	"regexp"
	"strings"

	"sonde/model"
	"sonde/ui/chart"
	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// viewText draws what a pane says, and tells how much of it was in sight so
// far where that is not all.
func (m Model) viewText(p part, width, height int) (note, body string) {
	lines, _ := m.text(p, width-2)
	from := min(m.lists[p].At, max(0, len(lines)-1))
	if len(lines) > height {
		note = fmt.Sprintf("%d of %d lines", min(from+height, len(lines)), len(lines))
	}
	return note, " " + strings.Join(lines[from:], "\n ")
}

func (m Model) viewChart(width, height int) string {
	s := m.watch.snap
	c := chart.Chart{
		Curve: s.Curve, Now: s.Summary.Calls, Marks: m.watch.facts.marks,
		Width: width, Height: height,
	}
	if r := m.watch.rival; r != nil {
		c.Before, c.Until = r.curve, r.calls
	}
	if !m.watch.ended() {
		c.Span = s.Summary.Budget
	}
	return c.Render()
}

// operation is pane.Operation with the paths below each other where there is
// room for that, and without the parameters' names where there is not.
func operation(op model.OpID, width int) pane.Line {
	method, path, _ := strings.Cut(pane.Clean(string(op)), " ")
	column := len("DELETE ")
	if width < 20 {
		column = ansi.StringWidth(method) + 1
	}
	if ansi.StringWidth(path) > width-column {
		path = parameter.ReplaceAllString(path, "{}") // names of resources say more
	}
	return pane.Text(method, theme.Method(method)).At(column, pane.Span{Text: pane.Path(path, width-column)})
}

var parameter = regexp.MustCompile(`\{[^/{}]*\}`)

// cursor is what stands before a row.
func (m Model) cursor(p part, row int) pane.Span {
	if !m.marked(p, row) {
		return pane.Span{Text: "  "}
	}
	return pane.Span{Text: theme.Cursor + " ", Style: theme.Active}
}

// marked reports whether the cursor is on a row, and keys move it.
func (m Model) marked(p part, row int) bool { return row == m.lists[p].At && p == m.focus }

// wrapped breaks a clean text into lines of at most width cells.
func wrapped(text string, width int, style theme.Style) []string {
	var out []string
	for _, line := range words.Wrap(text, width) {
		out = append(out, " "+style.Render(line))
	}
	return out
}
