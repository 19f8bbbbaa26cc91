package record

import (
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
)

// layout has the rectangles of the panes. Panes with an empty rectangle are not drawn.
type layout struct {
	head, list, foot draw.Rect
	side             draw.Rect // the pane next to the list
	figure, message  draw.Rect // the parts of side for an exchange
}

// minTwoPanes is the minimum width for the list and the exchange side by side.
const minTwoPanes = 100

// newLayout places the panes. The facts about the recording are at the top, and the folder of the tests is at the
// bottom. Between them are the list and the other pane, side by side. On a narrow screen, only the pane with the
// focus is visible. If alone is set, the list is not visible. In the pane next to the list, the figure of an exchange
// has at most rows lines, and the marked message is below it.
func newLayout(width, height int, focus part, foot, alone bool, rows int) layout {
	l := layout{head: draw.Rect{W: width, H: 2}}
	if height >= 20 {
		l.head.H = 4
	}
	if foot {
		l.foot = draw.Rect{Y: height - 1, W: width, H: 1}
	}
	body := draw.Rect{Y: l.head.H, W: width, H: max(0, height-l.head.H-l.foot.H)}
	switch {
	case width >= minTwoPanes && !alone:
		l.list, l.side = body, body
		l.list.W = min(76, width*38/100)
		l.side.X, l.side.W = l.list.W, width-l.list.W
	case focus == onList && !alone:
		l.list = body
	default:
		l.side = body
	}
	l.figure, l.message = l.side, l.side
	l.figure.H = min(rows+2, max(5, l.side.H*60/100), l.side.H)
	l.message.Y, l.message.H = l.side.Y+l.figure.H, l.side.H-l.figure.H
	return l
}

func (s *Screen) layout() layout { return s.view().layout() }

// layout returns the layout for the shown exchange.
func (v *view) layout() layout {
	foot := v.footer() != ""
	alone := v.side == sideReport
	l := newLayout(v.width, v.height, v.focus, foot, alone, 0).split(v.splits)
	head, rows := v.exchange.drawn(v.exchanges.served(), v.focus == onSide, l.side.W-2)
	n := len(rows)
	if head != nil {
		n++
	}
	return newLayout(v.width, v.height, v.focus, foot, alone, n).split(v.splits)
}

// split gives the panes the sizes that the user has chosen.
func (l layout) split(s screen.Splits) layout {
	l.list, l.side = s.Columns(exchangeBorder, l.list, l.side)
	l.figure.X, l.figure.W, l.message.X, l.message.W = l.side.X, l.side.W, l.side.X, l.side.W
	l.figure, l.message = s.Rows(messageBorder, l.figure, l.message)
	return l
}

// fit sets the numbers of rows of the lists, and how many of them are visible.
func (s *Screen) fit() {
	if s.width == 0 {
		return
	}
	l := s.layout()
	s.form.list.Fit(startRows+len(s.form.fields), startRows+len(s.form.fields))
	list := l.list
	if list.Empty() {
		list = l.side
	}
	s.exchanges.list.Fit(len(s.exchanges.shown), max(1, list.H-3-len(s.exchanges.find.ProblemLines(list.W-2))))
	s.exchange.fit(s.exchanges.served(), s.focus == onSide, l)
	fit(&s.text, len(s.view().texts(l.side.W-2)), l.side.H-2)
	s.tests.view.Fit(l.side.H - 3)
}

// fit sets the range of the first visible line. lines is the number of lines in a pane of the given height.
func fit(l *widget.List, lines, height int) { l.Fit(max(0, lines-max(1, height))+1, 1) }

// fit scrolls so that the beginning of the marked message is visible and, if there is enough room, its end.
func (v *exchangeView) fit(x *model.ServedRequest, focused bool, l layout) {
	fit(&v.message, len(v.messageLines(x, l.message.W-2)), l.message.H-2)
	head, rows := v.drawn(x, focused, l.figure.W-2)
	h := l.figure.H - 2
	if head != nil {
		h--
	}
	first, last := -1, 0
	for i, r := range rows {
		if r.Message == v.at && first < 0 {
			first = i
		}
		if r.Message == v.at {
			last = i
		}
	}
	v.figure.Rows, v.figure.Height = len(rows), max(1, h)
	v.figure.At = draw.ScrollOffset(v.figure.At, max(0, first), min(last, first+max(0, h-1)), max(1, h), len(rows))
}
