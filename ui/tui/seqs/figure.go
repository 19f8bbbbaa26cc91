package seqs

import (
	"strconv"

	"sonde/ui/draw"
	"sonde/ui/theme"
)

// figure is a number that rows have, each kind in a column.
type figure int

const (
	lengthFigure figure = iota
	groupsFigure
	coversFigure
	faultsFigure
	onlyFigure
	bornFigure
)

// figures are all columns of numbers, from left to right.
var figures = []figure{lengthFigure, groupsFigure, coversFigure, faultsFigure, onlyFigure, bornFigure}

// heads are what stands above the columns, and that where room is short.
var heads = [...][2]string{
	{"length", "len"},
	{"groups", "grp"},
	{"covers", "cov"},
	{"faults", "faults"},
	{"only", "only"},
	{"born", "born"},
}

func (c columns) name(f figure) string {
	if c.short {
		return heads[f][1]
	}
	return heads[f][0]
}

// size is how many cells a column takes.
func (c columns) size(f figure) int {
	if f == bornFigure {
		return len("100000") // of calls are made in a long search
	}
	return len(c.name(f))
}

// of returns the number that a row has, if it has one: what was never called has none of
// what comes of calls.
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
	return r.born()
}

// born is how many calls the search had made when it came by the row's test, if it says so.
func (r *row) born() (calls int, known bool) {
	if r.Test.Lineage == nil {
		return 0, false
	}
	return r.Test.Lineage.Call, true
}

// span writes a number of the column.
func (f figure) span(n int) draw.Span {
	var style theme.Style
	switch {
	case f == bornFigure, n == 0 && (f == faultsFigure || f == onlyFigure):
		style = theme.Dim
	case f == faultsFigure:
		style = theme.Bad
	default:
		style = theme.Plain
	}
	return draw.Span{Text: strconv.Itoa(n), Style: style}
}
