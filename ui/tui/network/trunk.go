package network

import (
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
)

// trunk is the line from the service to all hosts, as far as it is in sight.
type trunk struct {
	lines    []line
	from, to int  // of the lines in sight, and those that the box needs
	box      bool // the service's box is drawn
}

// newTrunk is the trunk of a map's lines in a window.
func newTrunk(lines []line, window widget.List, box bool) trunk {
	t := trunk{lines: lines, box: box}
	t.from, t.to = window.Visible()
	if box {
		t.to = max(t.to, t.from+3)
	}
	return t
}

// middle is the line on which the service stands.
func (t trunk) middle() int { return t.from + (t.to-t.from)/2 }

// at is a line, also behind the last.
func (t trunk) at(i int) line {
	if i < len(t.lines) {
		return t.lines[i]
	}
	return line{}
}

// span is the trunk's piece on a line, with the branch to the host there.
func (t trunk) span(i int) draw.Line {
	at := t.at(i).host
	first, last := t.reach()
	piece := joint(i > first && i <= last, i >= first && i < last, t.box && i == t.middle(), at != nil)
	switch {
	case at == nil:
		return draw.TextLine(piece+"  ", theme.Border)
	case at.Inward:
		return draw.TextLine(piece+"─←", theme.Border)
	}
	return draw.TextLine(piece+"─→", theme.Border)
}

// reach is the first and the last line to which the trunk goes: of hosts, the first
// stands below a head.
func (t trunk) reach() (first, last int) {
	first, last = 1, len(t.lines)-1
	if t.box {
		first, last = min(first, t.middle()), max(last, t.middle())
	}
	return first, last
}

// joints are the pieces of lines by what they reach: up 1, down 2, left 4, right 8.
var joints = [16]string{" ", "│", "│", "│", "─", "╯", "╮", "┤", "─", "╰", "╭", "├", "─", "┴", "┬", "┼"}

// joint is the piece of a line that reaches some of its neighbours.
func joint(up, down, left, right bool) string {
	at := 0
	for bit, on := range []bool{up, down, left, right} {
		if on {
			at |= 1 << bit
		}
	}
	return joints[at]
}
