package groups

import (
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// mouse chooses what is clicked and turns what the wheel is over.
func (s *Screen) mouse(msg tea.MouseMsg) tea.Cmd {
	if s.study == nil {
		return nil
	}
	r := divide(s.width, s.height, len(s.study.Groups), s.focus)
	over := r.at(msg.X, msg.Y)
	if over == parts {
		return nil
	}
	x, y := msg.X-r[over].X-1, msg.Y-r[over].Y-1
	if widget.LeftClick(msg) {
		return s.click(over, x, y)
	}
	by := widget.WheelRows(msg)
	switch over {
	case table:
		s.groups.Go(s.groups.At + by)
		s.turn()
	case members:
		s.members.Go(s.members.At + by)
		s.follow()
	case seqs:
		s.seqs.Go(s.seqs.At + by)
	case picture:
		s.turnPicture(msg, by)
	}
	return nil
}

func (s *Screen) turnPicture(msg tea.MouseMsg, by int) {
	d := s.drawing()
	switch {
	case s.tree():
		s.twigs.Go(s.twigs.At + by)
	case d != nil:
		d.sheet.Wheel(msg)
	}
}

// click takes a position inside a part. A second click on a line opens it.
func (s *Screen) click(over part, x, y int) tea.Cmd {
	again := s.focus == over
	s.find.Blur()
	s.focus = over
	switch over {
	case table:
		return s.clickTable(x, y)
	case members:
		at := s.members.At
		if s.members.Click(y) && at == s.members.At && again {
			return s.jump(screen.TabExplore)
		}
		s.follow()
	case seqs:
		at := s.seqs.At
		if s.seqs.Click(y) && at == s.seqs.At && again {
			return s.jump(screen.TabExplore)
		}
	case picture:
		s.clickPicture(x, y)
	}
	return nil
}

// clickTable takes a line inside the table: the filter's, or a group's.
func (s *Screen) clickTable(x, y int) tea.Cmd {
	if y == 0 {
		return s.find.Focus()
	}
	r := divide(s.width, s.height, len(s.study.Groups), table)[table]
	if s.asMap && s.clickBlock(x, y-s.head(r)+1) || !s.asMap && s.groups.Click(y-s.head(r)) {
		s.turn()
	}
	return nil
}

// clickPicture puts the members' cursor on the box that was clicked.
func (s *Screen) clickPicture(x, y int) {
	d := s.drawing()
	if d == nil {
		return
	}
	if s.tree() {
		s.twigs.Click(y)
		return
	}
	node := d.sheet.At(x, y)
	for at := range s.rows() {
		if node >= 0 && s.node(at) == node {
			s.members.Go(at)
		}
	}
}
