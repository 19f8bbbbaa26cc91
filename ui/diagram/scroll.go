package diagram

import "sonde/analysis/layout"

// The margin around a node in ScrollToNode, in cells, if there is room.
const marginX, marginY = 4, 1

// ScrollToNode moves the offsets of a window of width × height cells as little as possible so that the
// node's box is visible with a margin. If the window is smaller than the box, the box's upper left corner
// is visible. The window stays within fig; if fig is smaller than the window, the offset is 0. If fig does
// not have the node, ScrollToNode only keeps the window within fig.
func ScrollToNode(fig layout.Figure, node, width, height, offX, offY int) (x, y int) {
	if node >= 0 && node < len(fig.Boxes) {
		b := fig.Boxes[node]
		offX = follow(offX, width, b.X, b.W, marginX)
		offY = follow(offY, height, b.Y, b.H, marginY)
	}
	return within(offX, fig.W-width), within(offY, fig.H-height)
}

// follow scrolls a window as little as possible, so that a range of cells becomes visible, and returns the new offset.
// off and size are the offset and the size of the window. from and length are the first cell and the length of the
// range. If there is room, margin more cells are visible on both sides of the range.
func follow(off, size, from, length, margin int) int {
	margin = max(0, min(margin, (size-length)/2))
	off = max(off, from+length+margin-size)
	return min(off, from-margin)
}

func within(off, last int) int { return max(0, min(off, last)) }
