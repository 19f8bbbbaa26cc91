package explore

import "sonde/ui/pane"

// The narrowest screen with two panes side by side.
const twoPanes = 80

// besideSend is the narrowest screen with the tree beside a request by hand.
const besideSend = 120

// divide splits the screen into tree and page, or the request in its place.
func (s *Screen) divide(width, height int) (tree, page pane.Rect) {
	if s.send.Open() && width < besideSend {
		return pane.Rect{}, pane.Rect{W: width, H: height}
	}
	return divide(width, height, s.reading)
}

// divide splits the screen into tree and page. Where only one fits, it is the
// one that has the focus.
func divide(width, height int, reading bool) (tree, page pane.Rect) {
	all := pane.Rect{W: width, H: height}
	switch {
	case width >= twoPanes:
		w := min(max(36, width*36/100), 64)
		return pane.Rect{W: w, H: height}, pane.Rect{X: w, W: width - w, H: height}
	case reading:
		return pane.Rect{}, all
	}
	return all, pane.Rect{}
}
