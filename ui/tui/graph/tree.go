package graph

import (
	"sonde/model"
)

// line is a row of the indented tree, which has the same content as the drawing.
type line struct {
	op     model.OpID // the lead operation of the row's node
	depth  int
	arrow  string // the direction of the flow as seen from the parent row
	values string
}

const (
	gives = "→"
	gets  = "←"
)

// lines returns the picture as a tree.
func (p *picture) lines() []line {
	if p.whole {
		return p.forest()
	}
	return p.star()
}

// star returns a row for every flow at the centre. Each node that is farther away has one row, below the
// first node with which it exchanges values.
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

// forest returns a row for each node, below the first node that gives it a value. Nodes that receive no values are
// roots. A cycle may have no node that a root reaches. One node of such a cycle is a root, too.
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
				out = append(append(out, line{op: op}), p.below(op, 1, seen, flow.takerFrom)...)
			}
		}
	}
	return out
}

// below returns the rows below an operation: a row for each operation to which the function step leads, and after it
// the rows below that operation. It skips the operations in the set seen, and adds the others to the set.
func (p *picture) below(
	op model.OpID,
	depth int,
	seen map[model.OpID]bool,
	step func(flow, model.OpID) (line, bool),
) []line {
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

// seenFrom returns the row for the other end of a flow. It returns false if op is not an end of the flow.
func (f flow) seenFrom(op model.OpID) (line, bool) {
	if f.to == op && f.from != op {
		return line{op: f.from, arrow: gets, values: f.label()}, true
	}
	return f.takerFrom(op)
}

// takerFrom returns the row for the taker of a flow. It returns false if op is not the giver.
func (f flow) takerFrom(op model.OpID) (line, bool) {
	return line{op: f.to, arrow: gives, values: f.label()}, f.from == op
}
