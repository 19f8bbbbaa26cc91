package network

import (
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
)

// trunk is the visible part of the vertical line between the service and the hosts.
type trunk struct {
	lines    []mapLine
	from, to int  // the visible lines [from, to), extended if the box needs more
	box      bool // draw the service's box
}

// newTrunk returns the trunk for the visible lines of a map.
func newTrunk(lines []mapLine, window widget.List, box bool) trunk {
	t := trunk{lines: lines, box: box}
	t.from, t.to = window.Visible()
	if box {
		t.to = max(t.to, t.from+3)
	}
	return t
}

// middle returns the line that has the name of the service.
func (t trunk) middle() int { return t.from + (t.to-t.from)/2 }

// at returns line i, or an empty line if there is none.
func (t trunk) at(i int) mapLine {
	if i < len(t.lines) {
		return t.lines[i]
	}
	return mapLine{}
}

// span draws the trunk on a line, with the branch to the line's host.
func (t trunk) span(i int) draw.Line {
	at := t.at(i).host
	first, last := t.ends()
	piece := joint(i > first && i <= last, i >= first && i < last, t.box && i == t.middle(), at != nil)
	switch {
	case at == nil:
		return draw.TextLine(piece+"  ", theme.Border)
	case at.Inward:
		return draw.TextLine(piece+"─←", theme.Border)
	}
	return draw.TextLine(piece+"─→", theme.Border)
}

// ends returns the first and the last line of the trunk. The first host is on line 1, below a title.
func (t trunk) ends() (first, last int) {
	first, last = 1, len(t.lines)-1
	if t.box {
		first, last = min(first, t.middle()), max(last, t.middle())
	}
	return first, last
}

// joints has the box-drawing characters by the sum of their directions: up 1, down 2, left 4, right 8.
var joints = [16]string{" ", "│", "│", "│", "─", "╯", "╮", "┤", "─", "╰", "╭", "├", "─", "┴", "┬", "┼"}

// joint returns the box-drawing character with the given directions.
func joint(up, down, left, right bool) string {
	at := 0
	for bit, on := range []bool{up, down, left, right} {
		if on {
			at |= 1 << bit
		}
	}
	return joints[at]
}
