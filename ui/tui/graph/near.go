package graph

import (
	"math"
	"slices"

	"sonde/analysis/depend"
	"sonde/model"
)

// most is the number of operations that a picture may have, by hops: hubs have
// more neighbours than anybody can look at.
func most(hops int) int { return 4 + 12*hops }

// The most operations and flows of a picture of the whole API.
const mostOps, mostFlows = 1_000, 5_000

// farthest is the most hops.
const farthest = 5

// whole returns all operations, as many as can be drawn, and what passes between
// them, and how many of both are left out.
func (n *net) whole() (ops []model.OpID, flows []flow, left, loose int) {
	s := n.Graph.Sketch(mostOps, mostFlows)
	ops = n.Graph.Operations[:len(s.Nodes)]
	feeds := map[model.OpID][]depend.Edge{}
	for _, f := range s.Flows {
		from := ops[f.From]
		feeds[from] = append(feeds[from], depend.Edge{From: from, To: ops[f.To], Values: f.Values})
	}
	return ops, n.between(ops, func(op model.OpID) []depend.Edge { return feeds[op] }), s.MoreNodes, s.MoreFlows
}

// near returns the operations around one, in the order of the document, and
// how many within reach are left out. Those that make ids for each other come
// before those that only share an attribute; narrowed leaves the latter out,
// if there are any of the former.
func (n *net) near(centre model.OpID, hops int, narrowed bool) (ops []model.OpID, left int) {
	chosen := n.alongIDs(centre, hops)
	all, _ := n.Graph.Neighbourhood(centre, hops, math.MaxInt)
	granted := n.granted(centre)
	reach := len(union(union(chosen, all.Operations), granted))
	if !narrowed || len(chosen) == 1 {
		close, _ := n.Graph.Neighbourhood(centre, hops, most(hops))
		chosen = union(union(chosen, close.Operations), granted)
	}
	chosen = chosen[:min(len(chosen), most(hops))]
	for _, op := range n.Graph.Operations {
		if slices.Contains(chosen, op) {
			ops = append(ops, op)
		}
	}
	return ops, reach - len(ops)
}

// alongIDs returns the operations within a number of hops along ids, either
// way, the nearest first, of those the ones that tests are wired to. It goes no
// further where a picture is full.
func (n *net) alongIDs(centre model.OpID, hops int) []model.OpID {
	reached, room := []model.OpID{centre}, most(hops)
	for from := 0; hops > 0 && from < len(reached) && len(reached) < room; hops-- {
		next := reached[from:]
		from = len(reached)
		for _, step := range []func(model.OpID) []model.OpID{n.wiredTo, n.givesIDs} {
			for _, op := range next {
				reached = union(reached, step(op))
			}
		}
	}
	return reached
}

// wiredTo returns the operations at the other end of an operation's wires.
func (n *net) wiredTo(op model.OpID) []model.OpID {
	var out []model.OpID
	for _, w := range n.wires[op] {
		out = append(out, w.From, w.To)
	}
	return out
}

// givesIDs returns the operations that give ids to an operation or take them.
func (n *net) givesIDs(op model.OpID) []model.OpID {
	var out []model.OpID
	for _, e := range slices.Concat(n.Graph.FedBy(op), n.Graph.Feeds(op)) {
		if len(n.flow(e).ids) > 0 {
			out = append(out, e.From, e.To)
		}
	}
	return out
}

// union returns the operations of both, each once.
func union(a, b []model.OpID) []model.OpID {
	out := slices.Clone(a)
	seen := map[model.OpID]bool{}
	for _, op := range a {
		seen[op] = true
	}
	for _, op := range b {
		if !seen[op] {
			seen[op] = true
			out = append(out, op)
		}
	}
	return out
}

// tangle is how many flows a picture can carry for each of its boxes.
const tangle = 2

// untangle keeps, where there are too many flows to follow with the eye, those
// at the centre, in a picture of the whole those that tests need, and one that
// ties in each of the others.
func (p *picture) untangle() {
	if len(p.flows) <= tangle*len(p.nodes) {
		return
	}
	ties := ties{}
	for _, f := range p.flows {
		if p.first(f) {
			ties.tie(f)
		}
	}
	p.keep(func(f flow) bool { return p.first(f) || ties.tie(f) })
}

// first reports whether a flow is in the picture before others.
func (p *picture) first(f flow) bool {
	if p.whole {
		return f.wired
	}
	return p.atCentre(f)
}

// ties tells which operations hang together by flows: a forest, each pointing
// towards its root.
type ties map[model.OpID]model.OpID

// tie ties a flow's ends, and reports whether they did not hang together before.
func (t ties) tie(f flow) bool {
	from, to := t.root(f.from), t.root(f.to)
	if from == to {
		return false
	}
	t[from] = to
	return true
}

func (t ties) root(op model.OpID) model.OpID {
	up, ok := t[op]
	if !ok {
		return op
	}
	root := t.root(up)
	t[op] = root // the next way is short
	return root
}
