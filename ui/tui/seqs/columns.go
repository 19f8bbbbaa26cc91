package seqs

import (
	"fmt"
	"slices"
	"strconv"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
)

// figure is a number that describes a row. Each figure has a column.
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

// figureHeads are the heads of the columns, in a long and a short form.
var figureHeads = [...][2]string{
	lengthFigure: {"length", "len"},
	groupsFigure: {"groups", "grp"},
	coversFigure: {"covers", "cov"},
	faultsFigure: {"faults", "faults"},
	onlyFigure:   {"only", "only"},
	birthFigure:  {"born", "born"},
}

// of returns the figure of a row. A row without a test has only the figures length and groups. This is also true of a
// distilled row with a test, because no search keeps this test.
func (f figure) of(r *row) (n int, known bool) {
	switch {
	case f == lengthFigure:
		return len(r.Seq), true
	case f == groupsFigure:
		return r.Groups, true
	case r.Test == nil, r.Origin == model.OriginDistilled:
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

// columns holds the cell at which each part of a row begins. A part at 0 is left out.
type columns struct {
	origin, chain, status int
	chainEnd              int // the cell after the calls
	figures               []figure
	ends                  []int // the cell after each column of figures
	short                 bool  // the heads are short
}

// markColumn is the column of the mark of a picked row. It comes after the cursor.
const markColumn = 2

// columnsOf lays out a row of width cells in a list that is sorted by an order. Properties that all rows
// share have no column.
func columnsOf(width int, by order, s shared) columns {
	c := columns{origin: 4, chain: 14, short: width < 72 || width >= 90 && width < 100} // from 90 cells on, there are all figures
	if s.origin || width < 50 {
		c.origin, c.chain = 0, 4
	}
	all, gap, statuses := figures, 2, 5
	switch {
	case width < 50:
		all, gap, statuses = nil, 1, 1
	case width < 90:
		all, statuses = by.mainFigures(), 2
	case width < 120:
		gap, statuses = 1, 4
	}
	c.figures = slices.DeleteFunc(slices.Clone(all), func(f figure) bool { return s.figures[f] })
	return c.withFigures(width, gap, s.statusCells(statuses))
}

// statusCells returns the number of cells for the statuses of a row. At most limit statuses are shown. If all rows
// have the same statuses, statusCells returns 0.
func (s *shared) statusCells(limit int) int {
	if s.status {
		return 0
	}
	return max(len("status "), len("200 ")*min(limit, s.statuses))
}

// withFigures sets the columns of figures at the right edge, gap cells apart. statuses is the number of cells to
// reserve for the statuses, which are to the left of the figures.
func (c columns) withFigures(width, gap, statuses int) columns {
	c.ends = make([]int, len(c.figures))
	end := width - 1
	for i := len(c.figures) - 1; i >= 0; i-- {
		c.ends[i] = end
		end -= c.size(c.figures[i]) + gap
	}
	c.chainEnd = end
	if statuses > 0 {
		c.status = end + gap - 1 - statuses
		c.chainEnd = c.status - 1
	}
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

// statusRoom returns the number of statuses that fit in a row of width cells.
func (c columns) statusRoom(width int) int {
	end := width
	if len(c.ends) > 0 {
		end = c.ends[0] - c.size(c.figures[0]) - 1
	}
	return max(1, (end-c.status+1)/len("200 "))
}

// head draws the heads of the columns, and between them the properties that all rows share.
func (c columns) head(s shared) draw.Line {
	var line draw.Line
	for _, h := range []struct {
		at   int
		text string
	}{{c.origin, "origin"}, {c.chain, "calls"}, {c.chain + len("calls  "), s.text}, {c.status, "status"}} {
		if h.at > 0 && h.text != "" {
			line = line.At(h.at, draw.Span{Text: h.text, Style: theme.Dim})
		}
	}
	for i, f := range c.figures {
		line = c.alignRight(line, i, draw.Span{Text: c.name(f), Style: theme.Dim})
	}
	return line
}

// alignRight adds a span, aligned to the right end of the i-th column of figures.
func (c columns) alignRight(line draw.Line, i int, s draw.Span) draw.Line {
	size := c.size(c.figures[i])
	s.Text = fmt.Sprintf("%*s", size, s.Text)
	return line.At(c.ends[i]-size, s)
}
