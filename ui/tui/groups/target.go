package groups

import (
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
)

// Targets are the rows of the lists, and the boxes of the figure.
func (s *Screen) Targets() []screen.PointAt {
	if s.group() < 0 {
		return nil
	}
	r := divide(s.width, s.height, len(s.study.Groups), s.focus)
	all := rowsOf(r[table], s.head(r[table]), s.groups)
	all = append(all, rowsOf(r[members], 0, s.members)...)
	if s.tree() {
		all = append(all, rowsOf(r[picture], 0, s.twigs)...)
	} else if d := s.drawing(); d != nil && !r[picture].Empty() {
		for _, b := range d.sheet.Corners() {
			all = append(all, screen.PointAt{X: r[picture].X + 1 + b[0], Y: r[picture].Y + 1 + b[1]})
		}
	}
	return append(all, rowsOf(r[seqs], 0, s.seqs)...)
}

// rowsOf are the rows of a list in a part, below so many lines.
func rowsOf(r draw.Rect, head int, l widget.List) []screen.PointAt {
	if r.Empty() {
		return nil
	}
	var all []screen.PointAt
	from, to := l.Visible()
	for i := range to - from {
		all = append(all, screen.PointAt{X: r.X + 1, Y: r.Y + 1 + head + i})
	}
	return all
}

// aim puts the cursor on what lies at a cell.
func (s *Screen) aim(at screen.PointAt) {
	r := divide(s.width, s.height, len(s.study.Groups), s.focus)
	over := r.at(at.X, at.Y)
	if over == parts {
		return
	}
	s.focus = over
	x, y := at.X-r[over].X-1, at.Y-r[over].Y-1
	switch over {
	case table:
		s.groups.Click(y - s.head(r[table]))
		s.turn()
		s.fit()
		s.follow()
	case members:
		s.members.Click(y)
		s.seqs.Go(0)
		s.follow()
	case seqs:
		s.seqs.Click(y)
	case picture:
		s.clickPicture(x, y)
	}
}
