package export

import "sonde/ui/draw"

// layout has the rectangles of the panes. Panes with an empty rectangle are not drawn.
type layout struct{ list, code, foot draw.Rect }

// minTwoPanes is the minimum width for the list and the preview side by side.
const minTwoPanes = 80

// newLayout places the list next to the preview. The information about the file is below the list and the preview. On
// a narrow screen only the pane with the focus is drawn. While the list of formats takes the place of the list of picks,
// it is wider, and there is another line below for what a format leaves out.
func newLayout(width, height int, previewFocused, choosing bool) layout {
	foot := 5
	switch {
	case height < 14:
		foot = 2
	case choosing:
		foot = 6
	}
	l := layout{foot: draw.Rect{Y: height - foot, W: width, H: foot}}
	body := draw.Rect{W: width, H: max(0, height-foot)}
	switch {
	case width >= minTwoPanes:
		l.list, l.code = body, body
		l.list.W = min(64, max(30, width*36/100))
		if choosing {
			l.list.W = min(104, width*6/10)
		}
		l.code.X, l.code.W = l.list.W, width-l.list.W
	case previewFocused:
		l.code = body
	default:
		l.list = body
	}
	return l
}
