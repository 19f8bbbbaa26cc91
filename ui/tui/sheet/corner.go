package sheet

import "sonde/ui/draw"

// BoxCorners returns the upper left cells of the boxes that begin in the window, as column and row.
func (s *Viewport) BoxCorners() [][2]int {
	var all [][2]int
	ox, oy := s.origin()
	for _, b := range s.Figure.Boxes {
		if x, y := b.X-ox, b.Y-oy; x >= 0 && x < s.w && y >= 0 && y < s.h {
			all = append(all, [2]int{x, y})
		}
	}
	return all
}

// NodeBox returns the box of a node in cells of the window. The box may extend beyond the
// window. It is empty for a node without a box.
func (s *Viewport) NodeBox(node int) draw.Rect {
	if node < 0 || node >= len(s.Figure.Boxes) {
		return draw.Rect{}
	}
	ox, oy := s.origin()
	b := s.Figure.Boxes[node]
	return draw.Rect{X: b.X - ox, Y: b.Y - oy, W: b.W, H: b.H}
}
