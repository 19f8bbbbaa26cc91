package diagram

import "sonde/analysis/layout"

// Cells that ScrollToNode keeps free around the node if there is room.
const marginX, marginY = 4, 1

// ScrollToNode moves the offsets of a window of width × height cells by as little
// as needed to show all of the node's box with a margin, or its upper left corner if the
// window is smaller than the box. The window stays within fig, or at 0 where fig is
// smaller than the window. With a node that fig does not have, ScrollToNode only keeps the window within fig.
func ScrollToNode(fig layout.Figure, node, width, height, offX, offY int) (x, y int) {
	if node >= 0 && node < len(fig.Boxes) {
		b := fig.Boxes[node]
		offX = follow(offX, width, b.X, b.W, marginX)
		offY = follow(offY, height, b.Y, b.H, marginY)
	}
	return within(offX, fig.W-width), within(offY, fig.H-height)
}

// follow returns the offset of a window of size cells that shows length cells at from. It moves the window
// from off as little as possible. If there is room, margin cells stay free on either side.
func follow(off, size, from, length, margin int) int {
	margin = max(0, min(margin, (size-length)/2))
	off = max(off, from+length+margin-size)
	return min(off, from-margin)
}

func within(off, last int) int { return max(0, min(off, last)) }
