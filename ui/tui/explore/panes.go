package explore

import "sonde/ui/draw"

// twoPanes is the minimum width for two panes.
const twoPanes = 80

// treeAndSend is the minimum width for the tree and a request side by side.
const treeAndSend = 120

// divide divides the screen into the tree and the page. An open request takes the place of the page.
func (s *Screen) divide(width, height int) (tree, page draw.Rect) {
	if s.send.Open() && width < treeAndSend {
		return draw.Rect{}, draw.Rect{W: width, H: height}
	}
	tree, page = divide(width, height, s.page.focused)
	return s.splits.Columns(pageBorder, tree, page)
}

// divide divides the screen into the tree and the page. If there is room for only one pane, the pane without the
// focus has an empty rectangle.
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
// cursor. It is shown while the page has the focus. It has at most a third of the page's lines.
const footed = 12

// foot returns the lines of the page's foot, which show a text about the row under the cursor. There is at least
// one line, so that the page keeps its height while the cursor moves between rows with short texts.
func foot(about draw.Line, page draw.Rect, reading bool) []draw.Line {
	if !reading || page.H < footed {
		return nil
	}
	lines := about.Wrap(page.W-4, page.H/3)
	for i := range lines {
		lines[i] = draw.Line{}.At(1, lines[i]...)
	}
	return append(lines, make([]draw.Line, max(0, 1-len(lines)))...)
}
