package depend

import (
	"fmt"
	"slices"

	"sonde/model"
)

// maxReduced is the maximum number of components that Reduce accepts. The reduction needs one bit for each pair of
// components, which is 50 MB for 20,000 components.
const maxReduced = 20_000

// ReducedGraph is the transitive reduction of a graph: the smallest set of edges between components of the graph by
// which the same components are reachable.
type ReducedGraph struct {
	// Components are the components of the graph, as [Graph.Components] returns them.
	Components [][]model.OpID

	members [][]int // for each component, the indices of its operations
	flow    *Graph  // the graph of the components; each component is named after its first operation
	kept    []set   // for each component, the targets of the edges that the reduction keeps
}

// Reduce returns the transitive reduction of the graph. The time is proportional to the number of inputs and outputs
// times the number of components. It does not depend on the number of edges. If there are more than 20,000
// components, Reduce returns an error.
func (g *Graph) Reduce() (*ReducedGraph, error) {
	found := g.components()
	if len(found) > maxReduced {
		return nil, fmt.Errorf("%d operations are too many to reduce: %d is the most", len(found), maxReduced)
	}
	members := slices.SortedFunc(slices.Values(found), byFirst)
	at := map[int]int{} // key: the first operation of a component; value: the component's index in members
	r := &ReducedGraph{members: members, flow: g.merge(members), kept: make([]set, len(members))}
	for k, ops := range members {
		at[ops[0]] = k
		r.Components = append(r.Components, g.names(ops))
	}
	w := reach{
		Graph:  r.flow,
		of:     make([]set, len(members)),
		values: make([]beyond, len(r.flow.values)),
	}
	for _, ops := range found {
		r.kept[at[ops[0]]] = w.visit(at[ops[0]])
	}
	return r, nil
}

// merge returns the graph with one node for each of the given lists of operations.
func (g *Graph) merge(members [][]int) *Graph {
	ids := make([]model.OpID, len(members))
	takes, emits := make([][]string, len(members)), make([][]string, len(members))
	for k, ops := range members {
		ids[k] = g.Operations[ops[0]]
		for _, i := range ops {
			takes[k] = append(takes[k], g.named(g.takes[i])...)
			emits[k] = append(emits[k], g.named(g.emits[i])...)
		}
	}
	return newGraph(ids, takes, emits)
}

func (g *Graph) names(ops []int) []model.OpID {
	ids := make([]model.OpID, len(ops))
	for k, i := range ops {
		ids[k] = g.Operations[i]
	}
	return ids
}

// reach computes the nodes that are reachable from each node of an acyclic graph. It starts with the nodes without
// outgoing edges.
type reach struct {
	*Graph
	of     []set
	values []beyond // for values with several emitters, the cached results of through
}

// beyond has the nodes that take a value, and the nodes that are reachable from these takers.
type beyond struct{ takers, further set }

// visit computes the nodes that are reachable from node i. It returns the targets of the edges of i that the
// reduction keeps. It does not keep an edge if its target is also reachable through another node that i feeds.
func (r *reach) visit(i int) set {
	direct, further := newSet(len(r.of)), newSet(len(r.of))
	for _, v := range r.emits[i] {
		b := r.through(v, i)
		direct.unite(b.takers)
		further.unite(b.further)
	}
	direct.drop(i)
	kept := direct.minus(further)
	direct.unite(further)
	r.of[i] = direct
	return kept
}

// through returns the nodes beyond a value v that node i emits. It caches the result for the other emitters of v,
// except if i itself takes v. In this case the nodes that are reachable from i are not known yet, and the result is
// valid only for i.
func (r *reach) through(v, i int) beyond {
	if b := r.values[v]; b.takers != nil {
		return b
	}
	b := beyond{takers: newSet(len(r.of)), further: newSet(len(r.of))}
	taken := false
	for _, t := range r.Graph.values[v].takers {
		taken = taken || t == i
		b.takers.add(t)
		b.further.unite(r.of[t])
	}
	if !taken && len(r.Graph.values[v].emitters) > 1 {
		r.values[v] = b
	}
	return b
}
