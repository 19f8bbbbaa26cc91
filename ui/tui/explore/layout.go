package explore

import "sonde/ui/draw"

// The narrowest screen with two panes side by side.
const twoPanes = 80

// besideSend is the narrowest screen with the tree beside a request by hand.
const besideSend = 120

// divide splits the screen into tree and page, or the request in its place.
func (s *Screen) divide(width, height int) (tree, page draw.Rect) {
	if s.send.Open() && width < besideSend {
		return draw.Rect{}, draw.Rect{W: width, H: height}
	}
	return divide(width, height, s.reading)
}

// divide splits the screen into tree and page. Where only one fits, it is the
// one that has the focus.
func divide(width, height int, reading bool) (tree, page draw.Rect) {
	all := draw.Rect{W: width, H: height}
	switch {
	case width >= twoPanes:
		w := min(max(36, width*36/100), 64)
		return draw.Rect{W: w, H: height}, draw.Rect{X: w, W: width - w, H: height}
	case reading:
		return draw.Rect{}, all
	}
	return all, draw.Rect{}
}
