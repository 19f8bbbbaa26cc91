package depend

import (
	"fmt"
	"slices"

	"sonde/model"
)

// maxReduced is the most components that are reduced. Who reaches whom takes a
// bit for each two of them: 50 MB.
const maxReduced = 20_000

// ReducedGraph is the transitive reduction of a graph: between its components the
// fewest edges that leave everything reachable that was. What feeds each other
// is one node of it.
type ReducedGraph struct {
	// Components of the graph, as [Graph.Components] gives them.
	Components [][]model.OpID

	members [][]int
	flow    *Graph // of the components, each under the name of its first operation
	kept    []set  // component → components that it feeds
}

// Reduce returns the transitive reduction. It takes time that grows with the
// number of inputs and outputs times that of components, and not with the
// number of edges. It fails where there are more than 20,000 components.
func (g *Graph) Reduce() (*ReducedGraph, error) {
	found := g.components()
	if len(found) > maxReduced {
		return nil, fmt.Errorf("%d operations are too many to reduce: %d is the most", len(found), maxReduced)
	}
	members := slices.SortedFunc(slices.Values(found), byFirst)
	at := map[int]int{} // first operation → component
	r := &ReducedGraph{members: members, flow: g.merge(members), kept: make([]set, len(members))}
	for k, ops := range members {
		at[ops[0]] = k
		r.Components = append(r.Components, g.names(ops))
	}
	w := reach{Graph: r.flow, of: make([]set, len(members)), values: make([]beyond, len(r.flow.values))}
	for _, ops := range found {
		r.kept[at[ops[0]]] = w.visit(at[ops[0]])
	}
	return r, nil
}

// merge returns the graph in which the given operations are one each.
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

// reach finds out, from the sinks on, what each node of an acyclic graph
// reaches.
type reach struct {
	*Graph
	of     []set
	values []beyond // of those that several emit
}

// beyond is what lies behind a value: who takes it, and who is reached through
// those.
type beyond struct{ takers, further set }

// visit returns the edges from i without the superfluous ones. An edge is
// superfluous if its end is reached through another node that i feeds.
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

// through returns what lies behind a value for node i. It is kept for the next
// emitter, but not if i takes the value itself: then it still lacks what i
// reaches.
func (r *reach) through(v, i int) beyond {
	if b := r.values[v]; b.takers != nil {
		return b
	}
	b := beyond{newSet(len(r.of)), newSet(len(r.of))}
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
