package groups

import (
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
)

// pane is one of the four panes of the screen.
type pane int

const (
	table   pane = iota // the groups
	members             // operations and values of the group
	picture             // the figure of the group
	seqs                // the seqs of the group, or the evidence for a value
	panes               // the number of panes
)

const (
	twoColumns = 80
	roomy      = 60 // minimum width at which the figure is a drawing by default
	tall       = 24 // minimum height for all four panes
)

// rects has the rectangle of each pane. A pane without room has an empty rectangle.
type rects [panes]draw.Rect

// contents has the data that determine the sizes of the panes.
type contents struct {
	rows     int  // number of rows of the table
	areas    bool // whether the table has areas, which have longer names than groups
	overview bool // whether the figure has areas or all groups, and takes the place of the seqs, too
	evidence bool // whether the pane of the seqs shows the evidence for a value
	focus    pane
}

// divide divides the screen into panes. If there is no room for all panes, the pane with the focus is
// shown.
func divide(width, height int, c contents) rects {
	var r rects
	if width < twoColumns {
		r[c.focus] = draw.Rect{W: width, H: height}
		return r
	}
	left := min(max(36, width*2/5), 56)
	if c.areas {
		left = min(max(36, width*9/20), 60)
	}
	most := height / 2
	if c.rows > height {
		most = height * 2 / 3
	}
	r.stack(table, members, c.focus, draw.Rect{W: left, H: height}, min(c.rows+4, most))
	figure := height - height/4
	switch {
	case c.overview && c.focus != seqs:
		figure = height
	case c.evidence && c.focus == seqs:
		figure = height / 2
	}
	r.stack(picture, seqs, c.focus, draw.Rect{X: left, W: width - left, H: height}, figure)
	return r
}

// stack places two panes one above the other. If there is no room for both panes, it shows only one of them. rows is
// the number of rows of the upper pane.
func (r *rects) stack(upper, lower, focus pane, in draw.Rect, rows int) {
	switch {
	case in.H >= tall:
		r[upper] = draw.Rect{X: in.X, Y: in.Y, W: in.W, H: rows}
		r[lower] = draw.Rect{X: in.X, Y: in.Y + rows, W: in.W, H: in.H - rows}
	case focus == lower:
		r[lower] = in
	default:
		r[upper] = in
	}
}

// columns returns the two columns of the panes. The right one is empty if there is only one pane.
func (r rects) columns() (left, right draw.Rect) {
	return joined(r[table], r[members]), joined(r[picture], r[seqs])
}

// joined returns the rectangle of two panes, one above the other. Each of them may be empty.
func joined(upper, lower draw.Rect) draw.Rect {
	switch {
	case upper.Empty():
		return lower
	case lower.Empty():
		return upper
	}
	upper.H += lower.H
	return upper
}

// split gives the panes the sizes that the user has chosen.
func (r rects) split(s screen.Splits) rects {
	left, right := r.columns()
	left, right = s.Columns(columnsBorder, left, right)
	for p := range r {
		column := left
		if pane(p) == picture || pane(p) == seqs {
			column = right
		}
		if !r[p].Empty() {
			r[p].X, r[p].W = column.X, column.W
		}
	}
	r[table], r[members] = s.Rows(membersBorder, r[table], r[members])
	r[picture], r[seqs] = s.Rows(seqsBorder, r[picture], r[seqs])
	return r
}

// right returns the rectangle of the figure and the seqs together. On a narrow screen, it is the whole screen.
func (r rects) right(width, height int) draw.Rect {
	if width < twoColumns {
		return draw.Rect{W: width, H: height}
	}
	x := max(r[picture].X, r[seqs].X)
	return draw.Rect{X: x, W: width - x, H: height}
}

// at returns the pane at a cell, or the constant panes if there is no pane.
func (r rects) at(x, y int) pane {
	for p := table; p < panes; p++ {
		if r[p].Has(x, y) {
			return p
		}
	}
	return panes
}
