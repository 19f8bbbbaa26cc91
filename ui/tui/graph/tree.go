package graph

import (
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
)

// line is a row of the indented tree, which says what the picture shows.
type line struct {
	op     model.OpID // the first of its node
	depth  int
	arrow  string // how the values flow, seen from the row above
	values string
}

const (
	gives = "→"
	gets  = "←"
)

// lines writes the picture as a tree.
func (p *picture) lines() []line {
	if p.whole {
		return p.forest()
	}
	return p.star()
}

// star has every flow at the centre, and each node further away once, below the
// first that it is tied to.
func (p *picture) star() []line {
	middle := p.middle()
	out := []line{{op: middle}}
	seen := map[model.OpID]bool{middle: true}
	var near []line
	for _, f := range p.flows {
		if l, ok := f.seenFrom(middle); ok {
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
			out = append(out, p.below(l.op, 2, seen, flow.seenFrom)...)
		}
	}
	return out
}

// forest has each node once, below the first that gives it something; what
// nobody gives anything comes at the left.
func (p *picture) forest() []line {
	fed, seen := map[model.OpID]bool{}, map[model.OpID]bool{}
	for _, f := range p.flows {
		fed[f.to] = true
	}
	var out []line
	for _, late := range []bool{false, true} {
		for _, n := range p.nodes {
			if op := n.lead(); fed[op] == late && !seen[op] {
				seen[op] = true
				out = append(append(out, line{op: op}), p.below(op, 1, seen, flow.seenBy)...)
			}
		}
	}
	return out
}

// below returns what is tied to an operation, as step sees it, and not seen yet,
// and what is tied to that.
func (p *picture) below(op model.OpID, depth int, seen map[model.OpID]bool, step func(flow, model.OpID) (line, bool)) []line {
	var out []line
	for _, f := range p.flows {
		l, ok := step(f, op)
		if !ok || seen[l.op] {
			continue
		}
		seen[l.op] = true
		l.depth = depth
		out = append(out, l)
		out = append(out, p.below(l.op, depth+1, seen, step)...)
	}
	return out
}

// seenFrom returns a flow's other end, if the operation is at one of them.
func (f flow) seenFrom(op model.OpID) (line, bool) {
	if f.to == op && f.from != op {
		return line{op: f.from, arrow: gets, values: f.label()}, true
	}
	return f.seenBy(op)
}

// seenBy returns who takes what flows, if it is the operation that gives it.
func (f flow) seenBy(op model.OpID) (line, bool) {
	return line{op: f.to, arrow: gives, values: f.label()}, f.from == op
}

// mostIndent is the most steps by which a row is indented: names keep room.
const mostIndent = 8

// viewLine writes a row: how it flows, what the search reached of it, which node,
// which values.
func (s *Screen) viewLine(l line, at bool, width int) draw.Line {
	mark := " "
	if at {
		mark = theme.Cursor
	}
	no := s.picture.node(l.op)
	row := draw.TextLine(mark, theme.Active)
	if s.lit(no) {
		row = append(row, draw.Span{Text: theme.Live, Style: theme.Active})
	}
	row = append(row, draw.Span{Text: strings.Repeat(" ", 2+2*min(l.depth, mostIndent)-row.Width()), Style: theme.Plain})
	switch {
	case l.arrow != "":
		row = append(row, draw.Span{Text: l.arrow + " ", Style: theme.Dim})
	case l.op == s.picture.middle():
		row = append(row, draw.Span{Text: "◆ ", Style: theme.Active})
	}
	node := s.picture.nodes[no]
	if sign := s.sign(no); sign != "" {
		row = append(row, draw.Span{Text: sign + " ", Style: s.reached(no)})
	}
	values := "  " + l.values
	room := width - row.Width() - 1
	row = append(row, node.label(max(room*3/5, room-draw.TextLine(values, theme.Plain).Width()))...)
	return append(row, draw.Span{Text: values, Style: theme.Value})
}
