package graph

import (
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
)

// Targets are the boxes of the picture in sight that the map does not cover, or the
// rows of the tree.
func (s *Screen) Targets() []screen.Point {
	if s.picture == nil {
		return nil
	}
	r, _ := divide(s.width, s.height)
	if s.tree() {
		return s.rowTargets(r)
	}
	var all []screen.Point
	for _, b := range s.picture.sheet.Corners() {
		at := screen.Point{X: r.X + 1 + b[0], Y: r.Y + 1 + b[1]}
		if !s.mapRect(r).Has(at.X, at.Y) {
			all = append(all, at)
		}
	}
	return all
}

func (s *Screen) rowTargets(r draw.Rect) (all []screen.Point) {
	from, to := s.rows.Visible()
	for i := range to - from {
		all = append(all, screen.Point{X: r.X + 1, Y: r.Y + 1 + i})
	}
	return all
}

// point puts the cursor on what lies at a cell.
func (s *Screen) point(at screen.Point) {
	r, _ := divide(s.width, s.height)
	switch {
	case s.picture == nil:
	case !s.tree():
		s.choose(s.picture.sheet.At(at.X-r.X-1, at.Y-r.Y-1))
	case s.rows.Click(at.Y - r.Y - 1):
		s.chooseLine()
	}
}
