package seqs

import "sonde/ui/tui/screen"

// Targets are the rows of the list.
func (s *Screen) Targets() []screen.PointAt {
	list, _ := s.divide()
	if list.Empty() {
		return nil
	}
	var all []screen.PointAt
	from, to := s.list.Visible()
	for i := range to - from {
		if s.shown[from+i].isHeading() {
			continue
		}
		all = append(all, screen.PointAt{X: list.X + 1, Y: list.Y + 1 + s.head(list) + i})
	}
	return all
}

// point puts the cursor on the row that lies at a cell.
func (s *Screen) point(at screen.PointAt) {
	list, _ := s.divide()
	if s.list.Click(at.Y - list.Y - 1 - s.head(list)) {
		s.reading, s.moved, s.was = false, true, s.list.At
	}
}
