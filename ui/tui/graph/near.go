package graph

import (
	"math"
	"slices"

	"sonde/analysis/depend"
	"sonde/model"
)

// maxNear is the number of operations that a picture may have, by hops. Operations
// such as a log-in can have hundreds of neighbours.
func maxNear(hops int) int { return 4 + 12*hops }

// The most operations and flows of a picture of the whole API.
const maxOps, maxFlows = 1_000, 5_000

// maxHops is the largest number of hops.
const maxHops = 5

// whole returns all operations and the flows between them, as many as can be drawn,
// and how many of both are left out.
func (n *flowGraph) whole() (ops []model.OpID, flows []flow, omitted, hidden int) {
	s := n.Graph.Bounded(maxOps, maxFlows)
	ops = n.Graph.Operations[:len(s.Nodes)]
	feeds := map[model.OpID][]depend.ValueEdge{}
	for _, f := range s.Flows {
		from := ops[f.From]
		feeds[from] = append(feeds[from], depend.ValueEdge{From: from, To: ops[f.To], Values: f.Values})
	}
	return ops, n.between(ops, func(op model.OpID) []depend.ValueEdge { return feeds[op] }), s.OmittedNodes, s.OmittedFlows
}

// near returns the operations within hops of one, in the order of the document, and
// how many are left out. Those that give ids to each other take precedence over those
// that only share an attribute; narrowed leaves out the latter if there are any of the
// former.
func (n *flowGraph) near(centre model.OpID, hops int, narrowed bool) (ops []model.OpID, omitted int) {
	chosen := n.alongIDs(centre, hops)
	all, _ := n.Graph.Neighbourhood(centre, hops, math.MaxInt)
	granted := n.granted(centre)
	reach := len(union(union(chosen, all.Operations), granted))
	if !narrowed || len(chosen) == 1 {
		close, _ := n.Graph.Neighbourhood(centre, hops, maxNear(hops))
		chosen = union(union(chosen, close.Operations), granted)
	}
	chosen = chosen[:min(len(chosen), maxNear(hops))]
	for _, op := range n.Graph.Operations {
		if slices.Contains(chosen, op) {
			ops = append(ops, op)
		}
	}
	return ops, reach - len(ops)
}

// alongIDs returns the operations within a number of hops along flows of ids in either
// direction: the nearest first and, at the same distance, the ends of id sources first.
// It stops when a picture is full.
func (n *flowGraph) alongIDs(centre model.OpID, hops int) []model.OpID {
	reached, room := []model.OpID{centre}, maxNear(hops)
	for from := 0; hops > 0 && from < len(reached) && len(reached) < room; hops-- {
		next := reached[from:]
		from = len(reached)
		for _, step := range []func(model.OpID) []model.OpID{n.sourceEnds, n.idNeighbours} {
			for _, op := range next {
				reached = union(reached, step(op))
			}
		}
	}
	return reached
}

// sourceEnds returns the ends of the id sources of an operation.
func (n *flowGraph) sourceEnds(op model.OpID) []model.OpID {
	var out []model.OpID
	for _, w := range n.sources[op] {
		out = append(out, w.From, w.To)
	}
	return out
}

// idNeighbours returns the operations that give ids to an operation or take them from
// it.
func (n *flowGraph) idNeighbours(op model.OpID) []model.OpID {
	var out []model.OpID
	for _, e := range slices.Concat(n.Graph.EdgesTo(op), n.Graph.EdgesFrom(op)) {
		if len(n.flow(e).ids) > 0 {
			out = append(out, e.From, e.To)
		}
	}
	return out
}

// union returns the operations of both lists, each once.
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

// maxFlowsPerNode is how many flows of a picture can still be followed with the eye.
const maxFlowsPerNode = 2

// untangle hides flows if there are too many. It keeps those at the centre (in a
// picture of the whole API those from id sources), and as many others as connect the
// same nodes.
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

// preferred reports whether a flow is never hidden by untangle.
func (p *picture) preferred(f flow) bool {
	if p.whole {
		return f.idSource
	}
	return p.atCentre(f)
}

// forest is a union-find structure: which operations are connected by flows. Each
// points towards the root of its tree.
type forest map[model.OpID]model.OpID

// join connects the ends of a flow, and reports whether they were not connected before.
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
	t[op] = root // shortens the next search
	return root
}
