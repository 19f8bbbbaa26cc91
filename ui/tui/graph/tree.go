package graph

import (
	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/theme"
)

// line is a row of the indented tree, which says what the picture shows.
type line struct {
	op     model.OpID
	depth  int
	arrow  string // how the values flow, seen from the row above
	values string
}

const (
	gives = "→"
	gets  = "←"
)

// lines writes the picture as a tree: every flow at the centre, and each
// operation further away once, below the first that it is tied to.
func (p *picture) lines() []line {
	out := []line{{op: p.centre}}
	seen := map[model.OpID]bool{p.centre: true}
	var near []line
	for _, f := range p.flows {
		if l, ok := f.seenFrom(p.centre); ok {
			l.depth = 1
			near = append(near, l)
			seen[l.op] = true
		}
	}
	done := map[model.OpID]bool{}
	for _, l := range near {
		out = append(out, l)
		if !done[l.op] {
			done[l.op] = true
			out = append(out, p.below(l.op, 2, seen)...)
		}
	}
	return out
}

// below returns what is tied to an operation and not seen yet, and what is tied
// to that.
func (p *picture) below(op model.OpID, depth int, seen map[model.OpID]bool) []line {
	var out []line
	for _, f := range p.flows {
		l, ok := f.seenFrom(op)
		if !ok || seen[l.op] {
			continue
		}
		seen[l.op] = true
		l.depth = depth
		out = append(out, l)
		out = append(out, p.below(l.op, depth+1, seen)...)
	}
	return out
}

// seenFrom returns a flow's other end, if the operation is at one of them.
func (f flow) seenFrom(op model.OpID) (line, bool) {
	switch op {
	case f.from:
		return line{op: f.to, arrow: gives, values: f.label()}, true
	case f.to:
		return line{op: f.from, arrow: gets, values: f.label()}, true
	}
	return line{}, false
}

// draw writes a row: how it flows, which operation, which values.
func (l line) draw(at bool, width int) pane.Line {
	mark := " "
	if at {
		mark = theme.Cursor
	}
	row := pane.Text(mark, theme.Active)
	if l.depth == 0 {
		row = row.At(2, pane.Span{Text: "◆ ", Style: theme.Active})
	} else {
		row = row.At(2+2*l.depth, pane.Span{Text: l.arrow + " ", Style: theme.Dim})
	}
	values := "  " + l.values
	room := width - row.Width() - 1
	name := pane.Operation(string(l.op), max(room*3/5, room-pane.Text(values, theme.Plain).Width()))
	return append(append(row, name...), pane.Span{Text: values, Style: theme.Value})
}
