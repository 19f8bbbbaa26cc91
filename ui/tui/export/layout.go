package export

import "sonde/ui/draw"

// layout is where everything goes; an empty rectangle is not drawn.
type layout struct{ list, code, foot draw.Rect }

// The narrowest screen with the list beside the preview.
const twoPanes = 80

// lay puts the list beside the preview, or shows the one that has the focus, and
// below them what is to be written where.
func lay(width, height int, reading bool) layout {
	foot := 5
	if height < 14 {
		foot = 2
	}
	l := layout{foot: draw.Rect{Y: height - foot, W: width, H: foot}}
	body := draw.Rect{W: width, H: max(0, height-foot)}
	switch {
	case width >= twoPanes:
		l.list, l.code = body, body
		l.list.W = min(64, max(30, width*36/100))
		l.code.X, l.code.W = l.list.W, width-l.list.W
	case reading:
		l.code = body
	default:
		l.list = body
	}
	return l
}

func (s *Screen) layout() layout { return lay(s.width, s.height, s.reading) }
