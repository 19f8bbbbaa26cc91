package search

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/chart"
	"sonde/ui/gauge"
	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
)

// viewSteer draws the knobs, or the result of a run that has ended.
func (m Model) viewSteer(width, height int) (title, note, body string) {
	if m.watch.ended() {
		lines := m.result(width - 2)
		from := min(m.lists[partSteer].At, max(0, len(lines)-1))
		if len(lines) > height {
			note = fmt.Sprintf("%d of %d lines", min(from+height, len(lines)), len(lines))
		}
		return "Result", note, " " + strings.Join(lines[from:], "\n ")
	}
	return "Knobs", "", m.viewKnobs(width, height)
}

func (m Model) viewKnobs(width, height int) string {
	var rows []string
	at := m.lists[partSteer].At
	for i, k := range knobs {
		rows = append(rows, m.viewKnob(k, width, i == at))
	}
	if height > len(knobs)+2 {
		rows = append(rows, "")
	}
	if height > len(knobs)+1 {
		rows = append(rows, theme.Dim.Render(" "+knobs[at].what))
	}
	rows = append(rows, theme.Dim.Render(" "+m.applied()))
	return strings.Join(rows, "\n")
}

// viewKnob shows the value that is in force, and what was asked for where that
// is not so yet.
func (m Model) viewKnob(k knob, width int, chosen bool) string {
	v := k.get(m.watch.snap.Applied)
	if !m.watch.seen {
		v = k.get(m.watch.asked)
	}
	mark, style := "  ", theme.Plain
	switch {
	case chosen && m.focus == partSteer:
		mark, style = theme.Cursor+" ", theme.Active
	case chosen: // ← and → turn it all the same
		mark, style = "› ", theme.Active
	}
	label := style.Render(mark+fmt.Sprintf("%-7s%-4s", k.id, k.symbol)) + theme.Value.Render(words.Share(v)) + " "
	if m.watch.pending(k) {
		return label + theme.Warn.Render("asked "+words.Share(k.get(m.watch.asked)))
	}
	return label + gauge.Slider(v, min(27, width-1-ansi.StringWidth(label)), chosen)
}

// applied says since when the tuning is in force.
func (m Model) applied() string {
	if m.watch.facts.last == 0 {
		return "not turned yet"
	}
	return "applied at call " + words.Count(m.watch.facts.last)
}

func (m Model) viewChart(width, height int) string {
	s := m.watch.snap
	c := chart.Chart{
		Curve: s.Curve, Now: s.Summary.Calls, Marks: m.watch.facts.marks,
		Width: width, Height: height,
	}
	if !m.watch.ended() {
		c.Span = s.Summary.Budget
	}
	return c.Render()
}

// grid is the measure of the answers' columns.
type grid struct{ op, cell, columns int }

func gridOf(width int) grid {
	g := grid{cell: 6, columns: classes}
	if width < 50 {
		g = grid{cell: 5, columns: classElse}
	}
	g.op = max(0, width-5-g.cell*g.columns)
	return g
}

func (m Model) viewAnswers(width int) string {
	list, g := m.lists[partAnswers], gridOf(width)
	head := strings.Repeat(" ", g.op+4)
	for _, c := range []string{"2xx", "4xx", "5xx", "else"}[:g.columns] {
		head += fmt.Sprintf("%*s", g.cell, c)
	}
	rows := []string{theme.Dim.Render(head)}
	from, to := list.Visible()
	for i := from; i < to; i++ {
		rows = append(rows, m.viewAnswersOf(i, g).Render(width, m.marked(partAnswers, i)))
	}
	return strings.Join(rows, "\n")
}

func (m Model) viewAnswersOf(i int, g grid) pane.Line {
	a := m.watch.facts.grid[i]
	glyph, style := theme.Answers(a.counts)
	line := pane.Line{m.cursor(partAnswers, i), {Text: glyph + " ", Style: style}}
	line = append(line, operation(a.op, g.op-1)...).At(g.op + 4)
	for class := range g.columns {
		line = append(line, count(class, a.class[class], g.cell))
	}
	return line
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

// count is a number of the grid; none is a dot.
func count(class, n, cell int) pane.Span {
	text, style := strconv.Itoa(n), theme.Plain
	switch {
	case n == 0:
		return pane.Span{Text: fmt.Sprintf("%*s", cell, theme.Untried), Style: theme.Dim}
	case n > 9999:
		text = strconv.Itoa(n/1000) + "k"
	}
	if class != classElse {
		_, style = theme.Class([]int{200, 400, 500}[class])
	}
	return pane.Span{Text: fmt.Sprintf("%*s", cell, text), Style: style}
}

// cursor is what stands before a row.
func (m Model) cursor(p part, row int) pane.Span {
	if !m.marked(p, row) {
		return pane.Span{Text: "  "}
	}
	return pane.Span{Text: theme.Cursor + " ", Style: theme.Active}
}

// marked tells whether the cursor is on a row, and keys move it.
func (m Model) marked(p part, row int) bool { return row == m.lists[p].At && p == m.focus }

// wrapped breaks a clean text into lines of at most width cells.
func wrapped(text string, width int, style lipgloss.Style) []string {
	var out []string
	for _, line := range words.Wrap(text, width) {
		out = append(out, " "+style.Render(line))
	}
	return out
}
