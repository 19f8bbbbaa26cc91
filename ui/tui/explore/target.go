package explore

import "sonde/ui/tui/screen"

// Targets are the rows of the tree, and those of the page that lead somewhere.
func (s *Screen) Targets() []screen.PointAt {
	if s.study == nil {
		return nil
	}
	var all []screen.PointAt
	tree, page := s.divide(s.width, s.height)
	if from, to := s.rows.Visible(); !tree.Empty() {
		for i := range to - from {
			all = append(all, screen.PointAt{X: tree.X + 1, Y: tree.Y + 2 + len(s.find.Complaint(tree.W-2)) + i})
		}
	}
	if from, to := s.stops.Visible(); !page.Empty() && !s.send.Open() {
		for i := from; i < to; i++ {
			if s.page[i].stop() {
				all = append(all, screen.PointAt{X: page.X + 1, Y: page.Y + 1 + i - from})
			}
		}
	}
	return all
}

// point puts the cursor on what lies at a cell.
func (s *Screen) point(at screen.PointAt) {
	tree, page := s.divide(s.width, s.height)
	switch {
	case tree.Has(at.X, at.Y) && s.rows.Click(at.Y-tree.Y-2-len(s.find.Complaint(tree.W-2))):
		s.reading = false
		s.settle()
	case page.Has(at.X, at.Y) && s.stops.Click(at.Y-page.Y-1):
		s.reading = true
	}
}
