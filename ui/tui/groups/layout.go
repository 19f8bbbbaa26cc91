package groups

import "sonde/ui/draw"

// part is a pane of the screen.
type part int

const (
	table   part = iota
	members      // operations and values of the group
	picture
	seqs
	parts
)

const (
	twoColumns = 80
	roomy      = 60 // columns from which on a figure is drawn unasked
	tall       = 24 // rows from which on all four panes have room
)

// rects is where each part lies; empty where it has no room.
type rects [parts]draw.Rect

// divide splits the screen into parts. Where not all have room, the one with
// the focus is among those shown.
func divide(width, height, groups int, focus part) rects {
	var r rects
	if width < twoColumns {
		r[focus] = draw.Rect{W: width, H: height}
		return r
	}
	left := min(max(36, width*2/5), 56)
	r.stack(table, members, focus, draw.Rect{W: left, H: height}, min(groups+4, height/2))
	r.stack(picture, seqs, focus, draw.Rect{X: left, W: width - left, H: height}, height-height/4)
	return r
}

// stack puts two parts above each other, or one of them where they are too low.
func (r *rects) stack(upper, lower, focus part, in draw.Rect, rows int) {
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

// head is how many lines stand above the rows of the table: the filter, what is
// wrong with it, and the heads of the columns.
func (s *Screen) head(r draw.Rect) int { return 2 + len(s.find.Complaint(r.W-2)) }

// at returns the part that covers a cell, or parts.
func (r rects) at(x, y int) part {
	for p := table; p < parts; p++ {
		if r[p].Has(x, y) {
			return p
		}
	}
	return parts
}
