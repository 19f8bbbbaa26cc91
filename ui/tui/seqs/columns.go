package seqs

import (
	"fmt"
	"strconv"

	"sonde/ui/draw"
	"sonde/ui/theme"
)

// figure is a number that a row has. Each figure has a column.
type figure int

const (
	lengthFigure figure = iota
	groupsFigure
	coversFigure
	faultsFigure
	onlyFigure
	birthFigure
)

// figures are all columns of numbers, from left to right.
var figures = []figure{lengthFigure, groupsFigure, coversFigure, faultsFigure, onlyFigure, birthFigure}

// figureHeads are the heads of the columns: the full one and the short one.
var figureHeads = [...][2]string{
	lengthFigure: {"length", "len"},
	groupsFigure: {"groups", "grp"},
	coversFigure: {"covers", "cov"},
	faultsFigure: {"faults", "faults"},
	onlyFigure:   {"only", "only"},
	birthFigure:  {"born", "born"},
}

// of returns the figure of a row. A row without a test has only its length and its groups.
func (f figure) of(r *row) (n int, known bool) {
	switch {
	case f == lengthFigure:
		return len(r.Seq), true
	case f == groupsFigure:
		return r.Groups, true
	case r.Test == nil:
		return 0, false
	}
	switch f {
	case coversFigure:
		return len(r.Test.Covers) + r.Test.Code, true
	case faultsFigure:
		return r.faults, true
	case onlyFigure:
		return r.only, r.kept && !r.earlier
	}
	return r.birth()
}

// span draws a number of the column.
func (f figure) span(n int) draw.Span {
	style := theme.Plain
	switch {
	case f == birthFigure, n == 0 && (f == faultsFigure || f == onlyFigure):
		style = theme.Dim
	case f == faultsFigure:
		style = theme.Bad
	}
	return draw.Span{Text: strconv.Itoa(n), Style: style}
}

// columns has the cell at which each part of a row begins. A part at 0 is left out.
type columns struct {
	origin, chain, status int
	figures               []figure
	ends                  []int // the cell after each column of figures
	glyphs                bool  // a status is a glyph, not a number
	short                 bool  // the heads are short
}

// markColumn is the column of the mark of a picked row, after the cursor.
const markColumn = 2

// columnsOf lays out a row of width cells in a list that is sorted by an order.
func columnsOf(width int, by order) columns {
	switch {
	case width < 50:
		return columns{chain: 4, status: width - 7, glyphs: true}
	case width < 90:
		return columns{origin: 4, chain: 14, glyphs: true, short: true}.withFigures(by.mainFigures(), width, 2, 6)
	case width < 120:
		return columns{origin: 4, chain: 14, short: true}.withFigures(figures, width, 1, 16)
	}
	return columns{origin: 4, chain: 14}.withFigures(figures, width, 2, 20)
}

// withFigures adds columns of figures at the right edge, gap cells apart, and leaves statuses
// cells before them for the statuses.
func (c columns) withFigures(all []figure, width, gap, statuses int) columns {
	c.figures, c.ends = all, make([]int, len(all))
	end := width - 1
	for i := len(all) - 1; i >= 0; i-- {
		c.ends[i] = end
		end -= c.size(all[i]) + gap
	}
	c.status = end + gap - 1 - statuses
	return c
}

// name returns the head of a column of figures.
func (c columns) name(f figure) string {
	if c.short {
		return figureHeads[f][1]
	}
	return figureHeads[f][0]
}

// size returns the width of a column of figures in cells.
func (c columns) size(f figure) int {
	if f == birthFigure {
		return len("100000") // the number of calls in a long search
	}
	return len(c.name(f))
}

// statusRoom returns the number of cells for statuses in a row of width cells.
func (c columns) statusRoom(width int) int {
	if len(c.ends) > 0 {
		return c.ends[0] - c.size(c.figures[0]) - 1 - c.status
	}
	return width - c.status
}

// head draws the heads of the columns.
func (c columns) head() draw.Line {
	var line draw.Line
	for _, h := range []struct {
		at   int
		text string
	}{{c.origin, "origin"}, {c.chain, "calls"}, {c.status, "status"}} {
		if h.at > 0 && (c.origin > 0 || h.at == c.chain) {
			line = line.At(h.at, draw.Span{Text: h.text, Style: theme.Dim})
		}
	}
	for i, f := range c.figures {
		line = c.alignRight(line, i, draw.Span{Text: c.name(f), Style: theme.Dim})
	}
	return line
}

// alignRight adds a span that ends at the right end of the i-th column of figures.
func (c columns) alignRight(line draw.Line, i int, s draw.Span) draw.Line {
	size := c.size(c.figures[i])
	s.Text = fmt.Sprintf("%*s", size, s.Text)
	return line.At(c.ends[i]-size, s)
}
