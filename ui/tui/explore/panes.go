package explore

import "sonde/ui/draw"

// twoPanes is the minimum width for two panes.
const twoPanes = 80

// treeAndSend is the minimum width for the tree and a request.
const treeAndSend = 120

// divide divides the screen into the tree and the page. An open request takes the place of the page.
func (s *Screen) divide(width, height int) (tree, page draw.Rect) {
	if s.send.Open() && width < treeAndSend {
		return draw.Rect{}, draw.Rect{W: width, H: height}
	}
	return divide(width, height, s.page.focused)
}

// divide divides the screen into the tree and the page. If there is room for only one of them, the pane
// without the focus has an empty rectangle.
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

// footed is the minimum height of a page with a foot. The foot has more text about the row under the
// cursor. It is shown while the page has the focus.
const footed = 12

// foot returns the number of lines of the page's foot.
func foot(page draw.Rect, reading bool) int {
	if reading && page.H >= footed {
		return 1
	}
	return 0
}
