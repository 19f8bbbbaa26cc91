package depend

import (
	"iter"
	"slices"

	"sonde/model"
)

// Graph is the dependency graph of operations. An edge leads from one operation to another if the first emits a value
// that the second takes. Graph does not store the edges, but the emitters and takers of each value. The reason is
// that a common name such as "id", which hundreds of operations emit and take, would make a hundred thousand edges. A
// Graph is read-only and may be used by several goroutines at once.
type Graph struct {
	// Operations are in the order of the document.
	Operations []model.OpID

	at     map[model.OpID]int // index into Operations
	values []value
	emits  [][]int // for each operation, the indices of the values that it emits, in order of appearance
	takes  [][]int
}

// value is a value with a name. emitters are the operations that emit the value, and takers those that take it, in
// order.
type value struct {
	name             string
	emitters, takers []int
}

// ValueEdge is an edge from an operation to another operation that takes values which the first operation emits. Two
// operations have at most one edge in each direction. No edge leads from an operation to itself.
type ValueEdge struct {
	From, To model.OpID
	// Values are the names of the values, in the order in which From emits them.
	Values []string
}

// newGraph returns the graph of operations. takes[i] and emits[i] have the names of the values that ops[i]
// takes and emits.
func newGraph(ops []model.OpID, takes, emits [][]string) *Graph {
	g := &Graph{
		Operations: ops,
		at:         make(map[model.OpID]int, len(ops)),
		emits:      make([][]int, len(ops)),
		takes:      make([][]int, len(ops)),
	}
	n := numbers{Graph: g, known: map[string]int{}}
	for i, op := range ops {
		g.at[op] = i
		g.takes[i] = n.list(takes[i])
		g.emits[i] = n.list(emits[i])
		for _, v := range g.takes[i] {
			g.values[v].takers = append(g.values[v].takers, i)
		}
		for _, v := range g.emits[i] {
			g.values[v].emitters = append(g.values[v].emitters, i)
		}
	}
	return g
}

// numbers assigns an index to each name of a value.
type numbers struct {
	*Graph
	known map[string]int
	last  []int // for each value, the number of the last list that has the value
	lists int
}

// list returns the indices of the named values without duplicates.
func (n *numbers) list(names []string) []int {
	var list []int
	n.lists++
	for _, name := range names {
		v, ok := n.known[name]
		if !ok {
			v = len(n.values)
			n.known[name] = v
			n.values, n.last = append(n.values, value{name: name}), append(n.last, 0)
		}
		if n.last[v] != n.lists {
			n.last[v] = n.lists
			list = append(list, v)
		}
	}
	return list
}

// EdgesFrom returns the edges from an operation, in the order of their targets.
func (g *Graph) EdgesFrom(op model.OpID) []ValueEdge {
	i, ok := g.at[op]
	if !ok {
		return nil
	}
	shared := map[int][]string{}
	for _, v := range g.emits[i] {
		for _, to := range g.values[v].takers {
			shared[to] = append(shared[to], g.values[v].name)
		}
	}
	return g.edges(i, shared, func(to int, names []string) ValueEdge {
		return ValueEdge{From: op, To: g.Operations[to], Values: names}
	})
}

// EdgesTo returns the edges to an operation, in the order of their sources.
func (g *Graph) EdgesTo(op model.OpID) []ValueEdge {
	i, ok := g.at[op]
	if !ok {
		return nil
	}
	shared := map[int][]string{}
	for _, v := range g.takes[i] {
		for _, from := range g.values[v].emitters {
			shared[from] = nil
		}
	}
	for from := range shared {
		shared[from] = g.common(from, i)
	}
	return g.edges(i, shared, func(from int, names []string) ValueEdge {
		return ValueEdge{From: g.Operations[from], To: op, Values: names}
	})
}

// edges returns an edge between operation i and each other operation in shared. shared has the names of the values
// that operation i shares with the other operation.
func (g *Graph) edges(i int, shared map[int][]string, edge func(other int, names []string) ValueEdge) []ValueEdge {
	delete(shared, i)
	others := make([]int, 0, len(shared))
	for other := range shared {
		others = append(others, other)
	}
	slices.Sort(others)
	list := make([]ValueEdge, len(others))
	for k, other := range others {
		list[k] = edge(other, shared[other])
	}
	return list
}

// common returns the names of the values that one operation emits and another takes.
func (g *Graph) common(from, to int) []string {
	var list []string
	for _, v := range g.emits[from] {
		if _, ok := slices.BinarySearch(g.values[v].takers, to); ok {
			list = append(list, g.values[v].name)
		}
	}
	return list
}

// AllEdges returns an iterator over all edges, ordered by From and then by To. It computes the edges one at a time,
// because there may be very many.
func (g *Graph) AllEdges() iter.Seq[ValueEdge] {
	return func(yield func(ValueEdge) bool) {
		for _, op := range g.Operations {
			for _, e := range g.EdgesFrom(op) {
				if !yield(e) {
					return
				}
			}
		}
	}
}
