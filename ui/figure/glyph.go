package figure

import "sonde/analysis/layout"

// The directions in which a cell's lines leave it, as bits of a mask.
const (
	up = 1 << iota
	right
	down
	left
)

// border is how a box is drawn: sides and corners by mask, joints where a
// light line leaves through a side by side|line.
type border [16]string

// glyphs is a set of characters to draw with, each one cell wide.
type glyphs struct {
	joints        border // of lines; also straight and single-ended pieces
	dashH, dashV  string
	heads         map[uint8]string // by the direction in which the line runs
	operation     border
	value         border
	frame         border
	heavy, dashed border // a selected operation, a selected value
	ellipsis      string
}

var unicodeGlyphs = glyphs{
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
	ellipsis: "…",
}

var asciiGlyphs = glyphs{
	joints: border{
		" ", "|", "-", "+", "|", "|", "+", "+",
		"-", "+", "-", "+", "+", "+", "+", "+",
	},
	dashH: ".", dashV: ":",
	heads: map[uint8]string{up: "^", right: ">", down: "v", left: "<"},
	operation: border{
		" ", "|", "-", "+", "|", "|", "+", "+",
		"-", "+", "-", "+", "+", "+", "+", "+",
	},
	value: border{
		" ", ":", ".", "+", ":", ":", "+", "+",
		".", "+", ".", "+", "+", "+", "+", "+",
	},
	frame: border{
		" ", "|", "-", "+", "|", "|", "+", "+",
		"-", "+", "-", "+", "+", "+", "+", "+",
	},
	heavy:    hashes,
	dashed:   hashes,
	ellipsis: "~",
}

var hashes = border{
	" ", "#", "#", "#", "#", "#", "#", "#",
	"#", "#", "#", "#", "#", "#", "#", "#",
}

// borderOf chooses the border of a node.
func (s *glyphs) borderOf(kind layout.Kind, selected bool) *border {
	switch {
	case kind == layout.Value && selected:
		return &s.dashed
	case kind == layout.Value:
		return &s.value
	case selected:
		return &s.heavy
	}
	return &s.operation
}
