package record

import (
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// mouse moves the focus and the cursor to the clicked position, and scrolls the pane under the pointer.
func (s *Screen) mouse(msg tea.MouseMsg) tea.Cmd {
	switch {
	case s.Typing():
		return nil
	case s.onForm():
		return s.mouseForm(msg)
	}
	l, by := s.layout(), widget.WheelRows(msg)
	switch {
	case l.list.Has(msg.X, msg.Y):
		s.mouseList(msg, l.list)
	case !l.side.Has(msg.X, msg.Y):
	case s.side == sidePreview:
		s.tests.view.Scroll.Go(s.tests.view.Scroll.At + by)
	case s.side != sideExchange || s.exchanges.served() == nil:
		s.text.Go(s.text.At + by)
	case l.message.Has(msg.X, msg.Y):
		s.exchange.message.Go(s.exchange.message.At + by)
	case widget.LeftClick(msg):
		s.exchange.click(s.exchanges.served(), s.focus == onSide, l, msg.Y-l.figure.Y-1)
	}
	if l.side.Has(msg.X, msg.Y) && widget.LeftClick(msg) && s.exchanges.line() != nil {
		s.focus = onSide
	}
	return nil
}

// mouseForm moves the cursor of the form. A click on the value of a setting changes it, and a click on Start starts the
// recording.
func (s *Screen) mouseForm(msg tea.MouseMsg) tea.Cmd {
	f := &s.form
	f.list.Go(f.list.At + widget.WheelRows(msg)/3)
	if !widget.LeftClick(msg) || !f.list.Click(f.rowAt(msg.Y, s.width, s.height, &s.watch)) {
		return nil
	}
	switch {
	case f.setting() == nil:
		return s.start()
	case msg.X >= valueColumn && msg.X < valueColumn+valueWidth:
		f.editField()
	}
	return nil
}

// valueColumn is the first column of the values of the form.
const valueColumn = 14

// mouseList moves the cursor. A click moves the focus to the list. A click on the mark of a line picks its
// exchange, or folds its operation.
func (s *Screen) mouseList(msg tea.MouseMsg, r draw.Rect) {
	s.moved(func() { s.exchanges.list.Go(s.exchanges.list.At + widget.WheelRows(msg)) })
	if !widget.LeftClick(msg) {
		return
	}
	s.focus = onList
	hit := false
	row := msg.Y - r.Y - 2 - len(s.exchanges.find.ProblemLines(r.W-2))
	s.moved(func() { hit = s.exchanges.list.Click(row) })
	if l := s.exchanges.line(); hit && msg.X-r.X <= 4 {
		if l.entry == nil {
			s.exchanges.toggleFold()
		} else {
			s.exchanges.pick()
		}
	}
}

// click marks the message in a row of the figure.
func (v *exchangeView) click(x *model.ServedRequest, focused bool, l layout, y int) {
	head, rows := v.drawn(x, focused, l.figure.W-2)
	if head != nil {
		y--
	}
	y += v.figure.At
	if y >= 0 && y < len(rows) {
		v.at, v.message = rows[y].Message, widget.List{}
	}
}
