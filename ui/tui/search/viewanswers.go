package search

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/theme"
)

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
	meant, _ := m.scope()
	from, to := list.Visible()
	for i := from; i < to; i++ {
		rows = append(rows, m.viewAnswersOf(i, g, meant).Render(width, m.marked(partAnswers, i)))
	}
	return strings.Join(rows, "\n")
}

func (m Model) viewAnswersOf(i int, g grid, meant scope) pane.Line {
	a := m.watch.facts.grid[i]
	glyph, style := theme.Answers(a.counts)
	line := pane.Line{m.before(i, meant), {Text: glyph + " ", Style: style}}
	line = append(line, m.weighed(a.op, g.op-1)...).At(g.op + 4)
	for class := range g.columns {
		line = append(line, count(class, a.class[class], g.cell))
	}
	return line
}

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

// weighed is an operation, and at its right that it is muted or boosted.
func (m Model) weighed(op model.OpID, width int) pane.Line {
	line, room := operation(op, width), width-len("×4")
	sign := m.weight(op)
	if sign == "" {
		return line
	}
	if line.Width() > room {
		line = operation(op, room)
	}
	return line.At(room+1, pane.Span{Text: sign, Style: theme.Active})
}

// before is what stands before a row of the answers: the cursor, or a sign that
// its operation is meant as well.
func (m Model) before(row int, meant scope) pane.Span {
	if !m.marked(partAnswers, row) && meant.kind != byOperation && slices.Contains(meant.ops, m.watch.facts.grid[row].op) {
		return pane.Span{Text: "› ", Style: theme.Active}
	}
	return m.cursor(partAnswers, row)
}
