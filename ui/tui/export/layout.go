package export

import "sonde/ui/draw"

// layout has the rectangles of the panes. Panes with an empty rectangle are not drawn.
type layout struct{ list, code, foot draw.Rect }

// minTwoPanes is the minimum width for the list and the preview side by side.
const minTwoPanes = 80

// newLayout places the list next to the preview. The information about the file is below the list and the preview. On
// a narrow screen only the pane with the focus is drawn.
func newLayout(width, height int, previewFocused bool) layout {
	foot := 5
	if height < 14 {
		foot = 2
	}
	l := layout{foot: draw.Rect{Y: height - foot, W: width, H: foot}}
	body := draw.Rect{W: width, H: max(0, height-foot)}
	switch {
	case width >= minTwoPanes:
		l.list, l.code = body, body
		l.list.W = min(64, max(30, width*36/100))
		l.code.X, l.code.W = l.list.W, width-l.list.W
	case previewFocused:
		l.code = body
	default:
		l.list = body
	}
	return l
}
