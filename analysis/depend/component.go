package depend

import (
	"slices"

	"github.com/dominikbraun/graph"

	"sonde/model"
)

// Components returns the strongly connected components: the largest sets of
// operations that all feed each other, directly or through others. Operations
// that are in no cycle are components of one. Components stand in the order
// of their first operation, as do the operations in each.
func (g *Graph) Components() [][]model.OpID {
	found, err := graph.StronglyConnectedComponents(g.relation())
	if err != nil {
		return nil // the graph is directed, and that is all that is asked for
	}
	var list [][]int
	for _, component := range found {
		ops := slices.DeleteFunc(component, func(n int) bool { return n > len(g.Operations) })
		if len(ops) > 0 {
			slices.Sort(ops)
			list = append(list, ops)
		}
	}
	slices.SortFunc(list, func(a, b []int) int { return a[0] - b[0] })
	return g.ids(list)
}

// relation is the graph in which an operation points to what it emits and a
// value to who takes it. It has the same components as the graph of
// operations, and as many edges as there are inputs and outputs, where a
// common name may give that one an edge between any two.
//
// Operations are numbered from 1, the values after them: the library's
// components miss a vertex that is its type's zero value.
func (g *Graph) relation() graph.Graph[int, int] {
	r := graph.New(graph.IntHash, graph.Directed())
	first := len(g.Operations) + 1
	for n := range len(g.Operations) + len(g.values) {
		_ = r.AddVertex(n + 1) // it fails only for one that is there
	}
	for v, val := range g.values {
		for _, i := range val.emitters {
			_ = r.AddEdge(i+1, first+v)
		}
		for _, i := range val.takers {
			_ = r.AddEdge(first+v, i+1)
		}
	}
	return r
}

func (g *Graph) ids(components [][]int) [][]model.OpID {
	list := make([][]model.OpID, len(components))
	for k, ops := range components {
		for _, i := range ops {
			list[k] = append(list[k], g.Operations[i-1])
		}
	}
	return list
}
