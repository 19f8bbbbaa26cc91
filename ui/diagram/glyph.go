package diagram

import "sonde/analysis/layout"

// The directions in which a cell's lines leave it, as bits of a mask.
const (
	up = 1 << iota
	right
	down
	left
)

// border has the characters of a box: for its sides, its corners and its joints. A joint is the place in a side where a
// light line leaves the box. The index is the mask of a cell.
type border [16]string

// bracket has the left and the right side of each row of a dot: alone for a dot of one row, and first, middle and last
// for the rows of a higher dot.
type bracket struct{ alone, first, middle, last [2]string }

// side returns the left and the right side of a row.
func (b bracket) side(row, rows int) [2]string {
	switch {
	case rows == 1:
		return b.alone
	case row == 0:
		return b.first
	case row == rows-1:
		return b.last
	}
	return b.middle
}

// glyphs are the characters to draw with, each one cell wide.
type glyphs struct {
	joints        border // characters of lines outside boxes
	dashH, dashV  string
	heads         map[uint8]string // key: direction in which the line runs
	operation     border
	value         border
	frame         border
	heavy, dashed border // borders of a selected operation and of a selected value
	double        border // a lit node that is not selected
	// The brackets of a dot, of a selected dot and of a lit dot.
	dot, chosen, found bracket
	ellipsis           string
}

var drawn = glyphs{
	joints: border{
		" ", "│", "─", "╰", "│", "│", "╭", "├",
		"─", "╯", "─", "┴", "╮", "┤", "┬", "┼",
	},
	dashH: "╌", dashV: "┆",
	heads: map[uint8]string{up: "▴", right: "▸", down: "▾", left: "◂"},
	operation: border{
		" ", "│", "─", "╰", "│", "│", "╭", "├",
		"─", "╯", "─", "┴", "╮", "┤", "┬", "┼",
	},
	value: border{
		" ", "┆", "╌", "└", "┆", "┆", "┌", "├",
		"╌", "┘", "╌", "┴", "┐", "┤", "┬", "┼",
	},
	frame: border{
		" ", "│", "─", "└", "│", "│", "┌", "├",
		"─", "┘", "─", "┴", "┐", "┤", "┬", "┼",
	},
	heavy: border{
		" ", "┃", "━", "┗", "┃", "┃", "┏", "┠",
		"━", "┛", "━", "┷", "┓", "┨", "┯", "╋",
	},
	dashed: border{
		" ", "┇", "╍", "┗", "┇", "┇", "┏", "┠",
		"╍", "┛", "╍", "┷", "┓", "┨", "┯", "╋",
	},
	double: border{
		" ", "║", "═", "╚", "║", "║", "╔", "╟",
		"═", "╝", "═", "╧", "╗", "╢", "╤", "╬",
	},
	found:    bracket{alone: pair("{", "}"), first: pair("╔", "╗"), middle: pair("║", "║"), last: pair("╚", "╝")},
	dot:      bracket{alone: pair("(", ")"), first: pair("╭", "╮"), middle: pair("│", "│"), last: pair("╰", "╯")},
	chosen:   bracket{alone: pair("[", "]"), first: pair("┏", "┓"), middle: pair("┃", "┃"), last: pair("┗", "┛")},
	ellipsis: "…",
}

func pair(left, right string) [2]string { return [2]string{left, right} }

// dotOf returns the brackets of a dot.
func (s *glyphs) dotOf(selected, lit bool) bracket {
	switch {
	case selected:
		return s.chosen
	case lit:
		return s.found
	}
	return s.dot
}

// borderOf returns the border of a node.
func (s *glyphs) borderOf(kind layout.NodeKind, selected, lit bool) *border {
	switch {
	case lit && !selected:
		return &s.double
	case kind == layout.ValueNode && selected:
		return &s.dashed
	case kind == layout.ValueNode:
		return &s.value
	case selected:
		return &s.heavy
	}
	return &s.operation
}
