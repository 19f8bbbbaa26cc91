package groups

import (
	"fmt"
	"slices"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// columns are the columns of the table: the number, the name, the numbers of operations and values, the
// seqs by both rules, and the share that DC saves. If the names have too little room, the least important
// columns are left out.
type columns struct {
	width int
	left  []int // the columns that are left out
}

// cellWidths are the widths of the columns. The name takes the remaining width.
var cellWidths = []int{3, 0, 5, 7, 7, 7, 5}

// The columns of the name and of the seqs by both rules.
const (
	nameColumn = 1
	dcColumn   = 4
	scColumn   = 5
)

// leastImportant are the columns that may be left out, the least important first.
var leastImportant = []int{6, 3, scColumn, dcColumn} // cut, values, SC, DC

// enoughName is the width, in cells, at which the column of names is wide enough: the table keeps the column of DC, and
// longer names are truncated.
const enoughName = 28

// newColumns returns the columns of a table of the given width. A narrow table leaves out some columns. If the longest
// name, whose width is longest, does not fit, the table leaves out more columns, the least important first. It leaves
// out the column of DC only if names would otherwise get fewer than enoughName cells.
func newColumns(width, longest int) columns {
	c := columns{width, nil}
	switch {
	case width < 38:
		c.left = []int{3, 5, 6}
	case width < 52:
		c.left = []int{3, 6}
	}
	for _, column := range leastImportant {
		if column == dcColumn {
			longest = min(longest, enoughName)
		}
		if c.nameWidth() < longest && !slices.Contains(c.left, column) {
			c.left = append(c.left, column)
		}
	}
	return c
}

func (c columns) shown(column int) bool { return !slices.Contains(c.left, column) }

// mostMeanings is the maximum number of lines that explain columns.
const mostMeanings = 2

// meanings returns the lines that explain the columns of the seqs, or nil if there are no such columns.
func (c columns) meanings() []string {
	var text []string
	if c.shown(dcColumn) {
		text = append(text, "DC: orders of calls (seqs) passing values on")
	}
	if c.shown(scColumn) {
		text = append(text, "SC: all orders of calls that can run")
	}
	return c.wrap(text...)
}

// noSeqs returns the lines that say why a section has no seqs: each of its operations needs a value of another
// operation, which may be in another section. It returns as many lines as meanings.
func (c columns) noSeqs() []string {
	lines := c.wrap("0: none can be called first, each needs what another operation gives")
	return append(lines, make([]string, mostMeanings)...)[:len(c.meanings())]
}

// wrap wraps texts to the width of the table.
func (c columns) wrap(texts ...string) (lines []string) {
	for _, text := range texts {
		lines = append(lines, words.Wrap(text, max(8, c.width-2))...)
	}
	return lines[:min(len(lines), mostMeanings)]
}

// nameWidth returns the number of cells for a name.
func (c columns) nameWidth() int {
	n := c.width - 1 - cellWidths[0] - 2 // the cells of the cursor, of the number, and of a blank on both sides
	for column := nameColumn + 1; column < len(cellWidths); column++ {
		if c.shown(column) {
			n -= cellWidths[column]
		}
	}
	return n
}

// line lays out a row. A name that does not fit is truncated at its end. The name of a row without a number
// begins in the column of numbers, and is truncated in the middle.
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
