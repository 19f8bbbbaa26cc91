package record

import (
	"sonde/ui/pane"

	tea "github.com/charmbracelet/bubbletea"
)

// mouse moves the focus and the cursor to what was clicked, and scrolls what lies under
// the pointer.
func (s *Screen) mouse(msg tea.MouseMsg) tea.Cmd {
	if s.Typing() || s.onForm() {
		return nil
	}
	l, by := s.layout(), pane.Wheel(msg)
	switch {
	case l.list.Has(msg.X, msg.Y):
		s.mouseList(msg, l.list)
	case !l.side.Has(msg.X, msg.Y):
	case s.side == preview:
		s.tests.view.Scroll.Go(s.tests.view.Scroll.At + by)
	case s.side != exchange || s.served() == nil:
		s.text.Go(s.text.At + by)
	case l.message.Has(msg.X, msg.Y):
		s.message.Go(s.message.At + by)
	case pane.Clicked(msg):
		s.clickFigure(msg.Y - l.figure.Y - 1)
	}
	if l.side.Has(msg.X, msg.Y) && pane.Clicked(msg) && s.line() != nil {
		s.focus = onSide
	}
	return nil
}

// mouseList moves the cursor, and picks what was clicked at its mark.
func (s *Screen) mouseList(msg tea.MouseMsg, r pane.Rect) {
	s.moved(func() { s.list.Go(s.list.At + pane.Wheel(msg)) })
	if !pane.Clicked(msg) {
		return
	}
	s.focus = onList
	hit := false
	s.moved(func() { hit = s.list.Click(msg.Y - r.Y - 2 - len(s.find.Complaint(r.W-2))) })
	if l := s.line(); hit && msg.X-r.X <= 4 {
		if l.entry == nil {
			s.turn()
		} else {
			s.pick()
		}
	}
}

// clickFigure marks the message of a row of the figure.
func (s *Screen) clickFigure(y int) {
	head, rows := s.drawn(s.layout().figure.W - 2)
	if head != nil {
		y--
	}
	y += s.figure.At
	if y >= 0 && y < len(rows) {
		s.at, s.message = rows[y].Message, pane.List{}
	}
}
