package seqs

import "sonde/ui/draw"

// The narrowest screen with the details beside the list.
const twoPanes = 100

// divide splits the screen into the list and the details. Where only one fits,
// it is the one that has the focus. Two seqs beside each other take more than one, and
// all of it where they have the focus.
func (s *Screen) divide() (list, page draw.Rect) {
	width, height := s.width, s.height
	all := draw.Rect{W: width, H: height}
	switch {
	case s.reading && s.left != nil:
		return draw.Rect{}, all
	case width >= twoPanes:
		w := max(58, width*55/100)
		if s.left != nil {
			w = max(36, width*33/100)
		}
		return draw.Rect{W: w, H: height}, draw.Rect{X: w, W: width - w, H: height}
	case s.reading:
		return draw.Rect{}, all
	}
	return all, draw.Rect{}
}

// head is how many lines stand above the rows of the list: the filter, what is
// wrong with it, and the heads of the columns.
func (s *Screen) head(list draw.Rect) int { return 2 + len(s.find.Complaint(list.W-2)) }

// columns are where the parts of a row begin; 0 means that one is left out.
type columns struct {
	origin, chain, status int
	figures               []figure // from ends[i]-size on, to ends[i]
	ends                  []int
	glyphs                bool // a status is a glyph, not a number
	short                 bool // so are the heads
}

// markColumn is where a picked row's mark stands, after the cursor.
const markColumn = 2

// columnsOf arranges a row of width cells in a list that is sorted.
func columnsOf(width int, by order) columns {
	switch {
	case width < 50:
		return columns{chain: 4, status: width - 7, glyphs: true}
	case width < 90:
		return columns{origin: 4, chain: 14, glyphs: true, short: true}.count(by.few(), width, 2, 6)
	case width < 120:
		return columns{origin: 4, chain: 14, short: true}.count(figures, width, 1, 16)
	}
	return columns{origin: 4, chain: 14}.count(figures, width, 2, 20)
}

// count adds columns of numbers at the right edge, with gap cells between, and room for
// statuses before them.
func (c columns) count(all []figure, width, gap, statuses int) columns {
	c.figures, c.ends = all, make([]int, len(all))
	end := width - 1
	for i := len(all) - 1; i >= 0; i-- {
		c.ends[i] = end
		end -= c.size(all[i]) + gap
	}
	c.status = end + gap - 1 - statuses
	return c
}
