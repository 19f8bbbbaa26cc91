package explore

import "sonde/ui/draw"

// twoPanes is the width from which on there is room for two panes.
const twoPanes = 80

// treeAndSend is the width from which on there is room for the tree and a request.
const treeAndSend = 120

// divide splits the screen into tree and page, or the request in place of the page.
func (s *Screen) divide(width, height int) (tree, page draw.Rect) {
	if s.send.Open() && width < treeAndSend {
		return draw.Rect{}, draw.Rect{W: width, H: height}
	}
	return divide(width, height, s.reading)
}

// divide splits the screen into tree and page. If there is room for one only, it is the
// one with the focus, and the rectangle of the other is empty.
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

// footed is the height from which on a page with the focus has a foot: a line that says
// more about the row under the cursor.
const footed = 12

// foot is the number of lines of the page's foot.
func foot(page draw.Rect, reading bool) int {
	if reading && page.H >= footed {
		return 1
	}
	return 0
}
