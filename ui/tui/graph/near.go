package graph

import (
	"math"
	"slices"

	"sonde/model"
)

// The most operations of a picture, by hops: hubs have more neighbours than
// anybody can look at.
var most = map[int]int{1: 16, 2: 28}

// near returns the operations around one, in the order of the document, and
// how many within reach are left out. Those that make ids for each other come
// before those that only share an attribute; narrowed leaves the latter out,
// if there are any of the former.
func (n *net) near(centre model.OpID, hops int, narrowed bool) (ops []model.OpID, left int) {
	chosen := n.alongIDs(centre, hops)
	all, _ := n.Graph.Neighbourhood(centre, hops, math.MaxInt)
	reach := len(union(chosen, all.Operations))
	if !narrowed || len(chosen) == 1 {
		close, _ := n.Graph.Neighbourhood(centre, hops, most[hops])
		chosen = union(chosen, close.Operations)
	}
	chosen = chosen[:min(len(chosen), most[hops])]
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
	reached, room := []model.OpID{centre}, most[hops]
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
// at the centre and one that ties in each of the others; and tells how many
// are left out.
func untangle(all []flow, centre model.OpID, boxes int) (kept []flow, left int) {
	if len(all) <= tangle*boxes {
		return all, 0
	}
	tied := map[model.OpID]bool{centre: true}
	keep := func(want func(flow) bool) {
		for _, f := range all {
			if want(f) {
				tied[f.from], tied[f.to] = true, true
				kept = append(kept, f)
			}
		}
	}
	keep(func(f flow) bool { return f.from == centre || f.to == centre })
	for before := -1; before < len(kept); {
		before = len(kept)
		keep(func(f flow) bool { return tied[f.from] != tied[f.to] })
	}
	return kept, len(all) - len(kept)
}
