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
	found := g.components()
	slices.SortFunc(found, byFirst)
	list := make([][]model.OpID, len(found))
	for k, ops := range found {
		for _, i := range ops {
			list[k] = append(list[k], g.Operations[i])
		}
	}
	return list
}

// components returns the operations of each component, in order. What a
// component feeds comes before it: Tarjan's algorithm finds them so, whatever
// it begins with.
func (g *Graph) components() [][]int {
	found, err := graph.StronglyConnectedComponents(g.relation())
	if err != nil {
		return nil // the graph is directed, and that is all that is asked for
	}
	var list [][]int
	for _, component := range found {
		ops := slices.DeleteFunc(component, func(n int) bool { return n > len(g.Operations) })
		if len(ops) == 0 {
			continue
		}
		for k := range ops {
			ops[k]--
		}
		slices.Sort(ops)
		list = append(list, ops)
	}
	return list
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
	for i := range g.Operations {
		_ = r.AddVertex(i + 1) // it fails only for one that is there
	}
	for v, val := range g.values {
		if val.edges() == 0 {
			continue
		}
		at := len(g.Operations) + 1 + v
		_ = r.AddVertex(at)
		for _, i := range val.emitters {
			_ = r.AddEdge(i+1, at)
		}
		for _, i := range val.takers {
			_ = r.AddEdge(at, i+1)
		}
	}
	return r
}

func byFirst(a, b []int) int { return a[0] - b[0] }
