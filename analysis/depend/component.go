package depend

import (
	"slices"

	"github.com/dominikbraun/graph"

	"sonde/model"
)

// Components returns the strongly connected components of the graph: the largest sets of operations that all feed
// each other, directly or through other operations. An operation that is in no cycle is a component of its own. The
// components are in the order of their first operations. The operations of each component are in the order of the
// graph.
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

// components returns the components, each as the ascending indices of its operations. A component comes after the
// components that it feeds. Tarjan's algorithm finds them in this order, whichever vertex it starts with.
func (g *Graph) components() [][]int {
	found, err := graph.StronglyConnectedComponents(g.relation())
	if err != nil {
		return nil // there is no error for a directed graph
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

// relation returns the graph as a graph of operations and values. An edge leads from each operation to each value
// that it emits, and from each value to each operation that takes it. This graph has the same components as the graph
// of operations, but only as many edges as there are inputs and outputs. In the graph of operations, a common name
// may make an edge between any two operations.
//
// Operations are numbered from 1. The first value has the number after the last operation. No vertex is 0, because
// the library leaves out a vertex that is the zero value of its type.
func (g *Graph) relation() graph.Graph[int, int] {
	r := graph.New(graph.IntHash, graph.Directed())
	for i := range g.Operations {
		_ = r.AddVertex(i + 1) // the only error is that the vertex already exists
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
