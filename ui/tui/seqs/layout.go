package seqs

import "sonde/ui/pane"

// The narrowest screen with the details beside the list.
const twoPanes = 100

// divide splits the screen into the list and the details. Where only one fits,
// it is the one that has the focus. Two seqs beside each other take more than one, and
// all of it where they have the focus.
func (s *Screen) divide() (list, page pane.Rect) {
	width, height := s.width, s.height
	all := pane.Rect{W: width, H: height}
	switch {
	case s.reading && s.left != nil:
		return pane.Rect{}, all
	case width >= twoPanes:
		w := max(58, width*55/100)
		if s.left != nil {
			w = max(36, width*33/100)
		}
		return pane.Rect{W: w, H: height}, pane.Rect{X: w, W: width - w, H: height}
	case s.reading:
		return pane.Rect{}, all
	}
	return all, pane.Rect{}
}

// head is how many lines stand above the rows of the list: the filter, what is
// wrong with it, and the heads of the columns.
func (s *Screen) head(list pane.Rect) int { return 2 + len(s.find.Complaint(list.W-2)) }

// columns are where the parts of a row begin; 0 means that one is left out.
type columns struct {
	origin, chain, status, groups, covers int
	glyphs                                bool // a status is a glyph, not a number
	short                                 bool // so are the heads
}

// markColumn is where a picked row's mark stands, after the cursor.
const markColumn = 2

// columnsOf arranges a row of width cells.
func columnsOf(width int) columns {
	switch {
	case width < 50:
		return columns{chain: 4, status: width - 7, glyphs: true}
	case width < 90:
		return columns{origin: 4, chain: 14, status: width - 16, groups: width - 9, covers: width - 4, glyphs: true, short: true}
	}
	return columns{origin: 4, chain: 14, status: width - 36, groups: width - 15, covers: width - 7}
}
