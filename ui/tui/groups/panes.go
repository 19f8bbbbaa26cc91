package groups

import "sonde/ui/draw"

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
	roomy      = 60 // the smallest width at which the figure is a drawing by default
	tall       = 24 // the smallest height with room for all four panes
)

// rects has the rectangle of each pane. A pane without room has an empty rectangle.
type rects [panes]draw.Rect

// divide splits the screen into panes. If there is no room for all panes, the pane with the focus
// is among those that are shown. rows is the number of rows of the table.
func divide(width, height, rows int, focus pane) rects {
	var r rects
	if width < twoColumns {
		r[focus] = draw.Rect{W: width, H: height}
		return r
	}
	left := min(max(36, width*2/5), 56)
	r.stack(table, members, focus, draw.Rect{W: left, H: height}, min(rows+4, height/2))
	r.stack(picture, seqs, focus, draw.Rect{X: left, W: width - left, H: height}, height-height/4)
	return r
}

// stack puts two panes above each other, or shows one of them if there is no room for
// both.
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

// at returns the pane at a cell, or panes if there is none.
func (r rects) at(x, y int) pane {
	for p := table; p < panes; p++ {
		if r[p].Has(x, y) {
			return p
		}
	}
	return panes
}
