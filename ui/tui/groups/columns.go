package groups

import (
	"fmt"
	"slices"

	"sonde/ui/draw"
	"sonde/ui/theme"
)

// columns are the columns of the table: the number, the name, the numbers of operations and values, the seqs by
// both rules, and the share that DC saves. Where the names would have too little room, the least important of
// these are left out.
type columns struct {
	width int
	left  []int // the columns that are left out
}

// cellWidths are the widths of the columns. The name has what is left.
var cellWidths = []int{3, 0, 5, 7, 7, 7, 5}

// nameColumn is the column of the name.
const nameColumn = 1

// leastImportant are the columns that may be left out, the first ones first.
var leastImportant = []int{6, 3, 5, 4} // cut, values, SC, DC

// newColumns returns the columns of a table of some width. It leaves out as few as necessary for the longest name.
func newColumns(width, longest int) columns {
	c := columns{width, nil}
	switch {
	case width < 38:
		c.left = []int{3, 5, 6}
	case width < 52:
		c.left = []int{3, 6}
	}
	for _, column := range leastImportant {
		if c.nameWidth() < longest && !slices.Contains(c.left, column) {
			c.left = append(c.left, column)
		}
	}
	return c
}

func (c columns) shown(column int) bool { return !slices.Contains(c.left, column) }

// nameWidth returns the number of cells for a name.
func (c columns) nameWidth() int {
	n := c.width - 1 - cellWidths[0] - 2 // the cursor, the number, a blank on either side
	for column := nameColumn + 1; column < len(cellWidths); column++ {
		if c.shown(column) {
			n -= cellWidths[column]
		}
	}
	return n
}

// line lays out a row. A name without room is cut at its end. That of a row without a number begins where others
// have it, and is cut in the middle.
func (c columns) line(style theme.Style, mark string, cells ...string) draw.Line {
	line := draw.Line{{Text: mark, Style: theme.Active}}
	for column, text := range cells {
		switch {
		case column == nameColumn:
			end := 1 + cellWidths[0] + c.nameWidth() + 2
			if cells[0] == "" {
				text = draw.CutMiddle(text, max(0, end-3))
			}
			line = append(line, draw.Span{Text: " " + text, Style: style}).At(end)
		case column < nameColumn && text == "":
		case c.shown(column):
			line = append(line, draw.Span{Text: fmt.Sprintf("%*s", cellWidths[column], text), Style: style})
		}
	}
	return line
}
