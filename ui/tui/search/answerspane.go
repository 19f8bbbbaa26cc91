package search

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
)

// grid holds the width of the columns for the most telling status and for the operation, the width of each column of
// counts, and the number of columns of counts.
type grid struct{ status, op, cell, columns int }

func gridOf(width int) grid {
	g := grid{status: len("x 201"), cell: len(" else"), columns: classes}
	if width < 50 {
		g = grid{status: len("201"), cell: len(" 999"), columns: classElse}
	}
	g.op = max(0, width-4-g.status-g.cell*g.columns)
	return g
}

// answersPane lists the operations with the number of answers of each class.
type answersPane struct{ list widget.List }

// fit sets the number of rows, and the number of rows that fit into a pane of height lines.
func (p *answersPane) fit(v runView, height int) {
	p.list.Fit(len(v.run.facts.grid), max(1, height-3)) // border, head of the columns
}

// operation returns the operation under the cursor, "" if there is none.
func (p *answersPane) operation(v runView) model.OpID {
	if p.list.At < len(v.run.facts.grid) {
		return v.run.facts.grid[p.list.At].op
	}
	return ""
}

// view draws the visible rows. meant is the scope that the user has chosen. If it has more than one operation, view
// marks all operations of the scope.
func (p *answersPane) view(v runView, meant scope, width int, focused bool) string {
	g := gridOf(width)
	head := strings.Repeat(" ", g.status+g.op+3)
	for _, c := range []string{"2xx", "4xx", "5xx", "else"}[:g.columns] {
		head += fmt.Sprintf("%*s", g.cell, c)
	}
	rows := []string{theme.Dim.Render(head)}
	from, to := p.list.Visible()
	for i := from; i < to; i++ {
		a, marked := v.run.facts.grid[i], focused && i == p.list.At
		line := draw.Line{rowCursor(marked)}
		if !marked && meant.kind != byOperation && slices.Contains(meant.ops, a.op) {
			line[0] = draw.Span{Text: "› ", Style: theme.Active}
		}
		rows = append(rows, append(line, g.row(v, a)...).Render(width, marked))
	}
	return strings.Join(rows, "\n")
}

// row draws the most telling status of an operation, the operation with its weight, and its counts.
func (g grid) row(v runView, a answers) draw.Line {
	line := draw.Answers(a.counts, g.status).At(g.status+1, v.weighted(a.op, v.run.weight(a.op), g.op-1)...)
	line = line.At(g.status + g.op + 1)
	for class := range g.columns {
		line = append(line, count(class, a.class[class], g.cell))
	}
	return line
}

// count draws a number of the grid; 0 is a dot.
func count(class, n, cell int) draw.Span {
	text, style := strconv.Itoa(n), theme.Plain
	switch {
	case n == 0:
		return draw.Span{Text: fmt.Sprintf("%*s", cell, theme.Untried), Style: theme.Dim}
	case n > 9999, n > 999 && cell == len(" 999"):
		text = strconv.Itoa(n/1000) + "k"
	}
	if class != classElse {
		_, style = theme.Class([]int{200, 400, 500}[class])
	}
	return draw.Span{Text: fmt.Sprintf("%*s", cell, text), Style: style}
}

// weighted draws an operation and its weight. A weight of "" is the default weight, which is not drawn.
func (v runView) weighted(op model.OpID, weight string, width int) draw.Line {
	line, room := v.operation(op, width), width-len("×4")
	if weight == "" {
		return line
	}
	if line.Width() > room {
		line = v.operation(op, room)
	}
	return line.At(room+1, draw.Span{Text: weight, Style: theme.Active})
}
