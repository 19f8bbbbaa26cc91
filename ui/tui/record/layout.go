package record

import (
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/widget"
)

// layout is where everything goes; an empty rectangle is not drawn.
type layout struct {
	head, list, foot draw.Rect
	side             draw.Rect // all beside the list
	figure, message  draw.Rect // the parts of it that show an exchange
}

// The narrowest screen with the exchange beside the list.
const twoPanes = 100

// lay puts the list beside what the side shows, below what is known of the recording, and
// above where tests go. Where room is short, the one that has the focus has all of it, and
// the report always does. An exchange is a figure of rows lines above the message that is marked.
func lay(width, height int, focus part, foot, alone bool, rows int) layout {
	l := layout{head: draw.Rect{W: width, H: 2}}
	if height >= 20 {
		l.head.H = 4
	}
	if foot {
		l.foot = draw.Rect{Y: height - 1, W: width, H: 1}
	}
	body := draw.Rect{Y: l.head.H, W: width, H: max(0, height-l.head.H-l.foot.H)}
	switch {
	case width >= twoPanes && !alone:
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

// layout is that of the screen as it is.
func (s *Screen) layout() layout {
	foot := s.footer() != ""
	alone := s.side == sideReport
	l := lay(s.width, s.height, s.focus, foot, alone, 0)
	head, rows := s.exchange.drawn(s.exchanges.served(), s.focus == onSide, l.side.W-2)
	n := len(rows)
	if head != nil {
		n++
	}
	return lay(s.width, s.height, s.focus, foot, alone, n)
}

// fit tells the lists how much they hold and how much of it is in sight.
func (s *Screen) fit() {
	if s.width == 0 {
		return
	}
	l := s.layout()
	s.form.list.Fit(len(s.form.fields), len(s.form.fields))
	list := l.list
	if list.Empty() {
		list = l.side
	}
	s.exchanges.list.Fit(len(s.exchanges.shown), max(1, list.H-3-len(s.exchanges.find.ProblemLines(list.W-2))))
	s.exchange.fit(s.exchanges.served(), s.focus == onSide, l)
	fit(&s.text, len(s.texts(l.side.W-2)), l.side.H-2)
	s.tests.view.Fit(l.side.H - 3)
}

// fit tells a list of first lines how many there are.
func fit(l *widget.List, lines, height int) { l.Fit(max(0, lines-max(1, height))+1, 1) }

// fit keeps the marked message in sight: where it begins and, as far as there is room, where it ends.
func (v *exchangeView) fit(x *model.ServedRequest, focused bool, l layout) {
	fit(&v.message, len(v.whole(x, l.message.W-2)), l.message.H-2)
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
