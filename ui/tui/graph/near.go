package graph

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/match"
)

// maxNear returns the maximum number of operations in a picture around one operation. The limit is needed
// because an operation such as a log-in can have hundreds of neighbours.
func maxNear(hops int) int { return 4 + 12*hops }

// maxOps and maxFlows are the maximum numbers of operations and flows in a picture of the whole API.
const maxOps, maxFlows = 1_000, 5_000

// maxHops is the maximum number of hops.
const maxHops = 5

// whole returns the operations of the API and the flows between them, at most maxOps and maxFlows of them. omitted and
// hidden are the numbers of operations and flows that are left out.
func (n *flowGraph) whole() (ops []model.OpID, flows []flow, omitted, hidden int) {
	s := n.graph.Bounded(maxOps, maxFlows)
	ops = n.graph.Operations[:len(s.Nodes)]
	feeds := map[model.OpID][]depend.ValueEdge{}
	for _, f := range s.Flows {
		from := ops[f.From]
		feeds[from] = append(feeds[from], depend.ValueEdge{From: from, To: ops[f.To], Values: f.Values})
	}
	return ops, n.between(ops, func(op model.OpID) []depend.ValueEdge { return feeds[op] }), s.OmittedNodes, s.OmittedFlows
}

// near returns the operations that are at most the given number of hops away from the centre, in the order of the
// document. omitted is the number of operations that are left out. Operations that exchange ids take precedence over
// operations that only share an attribute. If narrowed is true and some of the operations exchange ids, near returns
// only those that do.
func (n *flowGraph) near(centre model.OpID, hops int, narrowed bool) (ops []model.OpID, omitted int) {
	chosen := n.alongIDs(centre, hops)
	all, _ := n.graph.Neighbourhood(centre, hops, math.MaxInt)
	granted := n.granted(centre)
	reach := len(union(union(chosen, all.Operations), granted))
	if !narrowed || len(chosen) == 1 {
		close, _ := n.graph.Neighbourhood(centre, hops, maxNear(hops))
		chosen = union(union(chosen, close.Operations), granted)
	}
	chosen = chosen[:min(len(chosen), maxNear(hops))]
	for _, op := range n.graph.Operations {
		if slices.Contains(chosen, op) {
			ops = append(ops, op)
		}
	}
	return ops, reach - len(ops)
}

// alongIDs returns the operations that are at most the given number of hops away from the centre, following only flows
// of ids, in either direction. The nearest operations come first. At the same distance, the order is that of
// bestNeighbours, sourceEnds and idNeighbours. alongIDs stops after the distance at which there are enough operations
// for a picture, so it may return more operations than fit.
func (n *flowGraph) alongIDs(centre model.OpID, hops int) []model.OpID {
	reached, room := []model.OpID{centre}, maxNear(hops)
	for from := 0; hops > 0 && from < len(reached) && len(reached) < room; hops-- {
		next := reached[from:]
		from = len(reached)
		for _, step := range []func(model.OpID) []model.OpID{n.bestNeighbours, n.sourceEnds, n.idNeighbours} {
			for _, op := range next {
				reached = union(reached, step(op))
			}
		}
	}
	return reached
}

// sourceEnds returns the operations at the ends of an operation's id sources. An id source is a pair of operations:
// in tests, one of them gives the other an id.
func (n *flowGraph) sourceEnds(op model.OpID) []model.OpID {
	var out []model.OpID
	for _, w := range n.sources[op] {
		out = append(out, w.From, w.To)
	}
	return out
}

// bestNeighbours returns two parts. The first part is the best operations from which an operation takes ids. The
// second part is the best operations that take ids from the operation. Each part has at most a third of the
// operations that a picture around one operation can have.
func (n *flowGraph) bestNeighbours(op model.OpID) []model.OpID {
	third := maxNear(1) / 3
	feeders, takers := n.bestFeeders(op), n.bestTakers(op)
	return slices.Concat(feeders[:min(third, len(feeders))], takers[:min(third, len(takers))])
}

// bestFirst sorts flows. Flows of ids from the best feeders of an operation come first, then flows of ids
// to its best takers.
func (n *flowGraph) bestFirst(op model.OpID, flows []flow) []flow {
	feeders, takers := n.bestFeeders(op), n.bestTakers(op)
	last := len(feeders) + len(takers)
	rank := func(f flow) int {
		if at := slices.Index(feeders, f.from); at >= 0 && f.to == op && len(f.ids) > 0 {
			return at
		}
		if at := slices.Index(takers, f.to); at >= 0 && f.from == op && len(f.ids) > 0 {
			return len(feeders) + at
		}
		return last
	}
	slices.SortStableFunc(flows, func(a, b flow) int { return cmp.Compare(rank(a), rank(b)) })
	return flows
}

// bestFeeders returns the operations that create, read or list the elements whose ids an operation takes.
// The best feeder of each input comes first, then the second best of each input, and so on.
func (n *flowGraph) bestFeeders(op model.OpID) []model.OpID {
	gives := map[model.OpID]bool{}
	for _, e := range n.graph.EdgesTo(op) {
		gives[e.From] = len(n.flow(e).ids) > 0
	}
	var rounds [][]model.OpID
	for _, u := range n.Matcher.UsesOf(n.ops[op]) {
		if u.Out || !u.IsReference {
			continue
		}
		own, _ := n.Analysis.Planner().Feeders(op, u)
		for i, from := range own {
			if i == len(rounds) {
				rounds = append(rounds, nil)
			}
			if gives[from] {
				rounds[i] = append(rounds[i], from)
			}
		}
	}
	return union(nil, slices.Concat(rounds...))
}

// bestTakers returns the operations that take ids from an operation. First come the operations that take the id of
// the element in the operation's answer. Operations that take ids of elements inside this element follow.
func (n *flowGraph) bestTakers(op model.OpID) []model.OpID {
	depth := map[string]int{} // the depth of each emitted value in the answer
	for _, u := range n.Matcher.UsesOf(n.ops[op]) {
		if d := strings.Count(u.Pointer, "/"); u.Out && u.Kind == match.KindIdentifier && (depth[u.ID] == 0 || d < depth[u.ID]) {
			depth[u.ID] = d
		}
	}
	nearest := map[model.OpID]int{}
	var takers []model.OpID
	for _, e := range n.graph.EdgesFrom(op) {
		for _, id := range n.flow(e).ids {
			d, known := depth[id]
			if !known {
				continue
			}
			if old, ok := nearest[e.To]; !ok {
				takers = append(takers, e.To)
				nearest[e.To] = d
			} else {
				nearest[e.To] = min(old, d)
			}
		}
	}
	slices.SortStableFunc(takers, func(a, b model.OpID) int { return cmp.Compare(nearest[a], nearest[b]) })
	return takers
}

// idNeighbours returns the operations that give ids to an operation or take ids from it.
func (n *flowGraph) idNeighbours(op model.OpID) []model.OpID {
	var out []model.OpID
	for _, e := range slices.Concat(n.graph.EdgesTo(op), n.graph.EdgesFrom(op)) {
		if len(n.flow(e).ids) > 0 {
			out = append(out, e.From, e.To)
		}
	}
	return out
}

// union returns the operations of both lists, without duplicates.
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

// maxFlowsPerNode is the number of flows per node above which a picture is hard to read.
const maxFlowsPerNode = 2

// untangle hides flows if there are too many flows. It keeps the preferred flows. It keeps other flows only where
// they are needed so that connected nodes stay connected.
func (p *picture) untangle() {
	if len(p.flows) <= maxFlowsPerNode*len(p.nodes) {
		return
	}
	linked := forest{}
	for _, f := range p.flows {
		if p.preferred(f) {
			linked.join(f)
		}
	}
	p.keep(func(f flow) bool { return p.preferred(f) || linked.join(f) })
}

// preferred reports whether untangle always keeps a flow. In a picture of the whole API, these are the flows whose
// ids tests take from the giver, otherwise the flows at the centre.
func (p *picture) preferred(f flow) bool {
	if p.whole {
		return f.idSource
	}
	return p.atCentre(f)
}

// forest is a union-find structure of operations that flows connect. Each operation points
// towards the root of its tree.
type forest map[model.OpID]model.OpID

// join connects the ends of a flow. It returns false if the ends were connected before.
func (t forest) join(f flow) bool {
	from, to := t.root(f.from), t.root(f.to)
	if from == to {
		return false
	}
	t[from] = to
	return true
}

func (t forest) root(op model.OpID) model.OpID {
	up, ok := t[op]
	if !ok {
		return op
	}
	root := t.root(up)
	t[op] = root // shortens the path for the next search
	return root
}
