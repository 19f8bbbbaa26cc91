package draw

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Overlay draws a box over a picture, with its upper left corner in column x of row y. A negative x means
// 0. The box is truncated at the picture's edges, so that the picture keeps its size.
func Overlay(picture, box string, x, y int) string {
	rows := strings.Split(picture, "\n")
	for i, line := range strings.Split(box, "\n") {
		if y+i >= 0 && y+i < len(rows) {
			rows[y+i] = splice(rows[y+i], line, x)
		}
	}
	return strings.Join(rows, "\n")
}

// splice replaces cells of a line, starting at column x, by part. A wide character that is split becomes a
// blank.
func splice(line, part string, x int) string {
	width := widthOf(line)
	x = min(max(0, x), width)
	part = ansi.Truncate(part, width-x, "")
	end := x + widthOf(part)
	right := dropLeft(line, end)
	right = strings.Repeat(" ", max(0, width-end-widthOf(right))) + right
	return FitLine(ansi.Truncate(line, x, ""), x) + part + right
}

// ScrollOffset returns the first visible row of a list. total is the number of rows, and height is the number of
// visible rows. The rows from first to last become visible. If there is no room for all of these rows, the last of
// them become visible. The list moves from offset as little as possible.
func ScrollOffset(offset, first, last, height, total int) int {
	offset = min(offset, first)
	offset = max(offset, last-height+1)
	return max(0, min(offset, total-height))
}
