package depend

import (
	"cmp"
	"slices"
)

// BoundedGraph is a part of a graph that is small enough to draw.
type BoundedGraph struct {
	// Nodes are lists of indices of operations or, in the graph of an inventory, of entities. In a reduction,
	// operations that all feed each other are one node.
	Nodes [][]int
	// Flows are ordered by From and then by To.
	Flows []BoundedFlow
	// OmittedNodes and OmittedFlows are the numbers of nodes and flows of the whole graph that this part leaves out.
	OmittedNodes, OmittedFlows int
}

// BoundedFlow has the values that pass from one node to another.
type BoundedFlow struct {
	From, To int // indices into Nodes
	Values   []string
}

// Bounded returns a part of the graph: its first operations, and flows between them. nodes is the maximum number of
// operations, and flows the maximum number of flows. If there are more flows, Bounded keeps the flows of the rarest
// values, because common values say less about a connection.
func (g *Graph) Bounded(nodes, flows int) BoundedGraph {
	part := g
	if nodes < len(g.Operations) {
		part = g.part(first(nodes))
	}
	s := BoundedGraph{OmittedNodes: len(g.Operations) - len(part.Operations)}
	for i := range part.Operations {
		s.Nodes = append(s.Nodes, []int{i})
	}
	s.fill(part, flows, part.successors, func(int, int) bool { return true })
	return s
}

// Bounded returns the first components of the reduction and the edges between them. nodes and flows are limits as for
// [Graph.Bounded].
func (r *ReducedGraph) Bounded(nodes, flows int) BoundedGraph {
	nodes = min(nodes, len(r.members))
	s := BoundedGraph{Nodes: r.members[:nodes], OmittedNodes: len(r.members) - nodes}
	next := func(i int) []int {
		list := slices.Collect(r.kept[i].all())
		end, _ := slices.BinarySearch(list, nodes)
		return list[:end]
	}
	s.fill(r.flow, flows, next, func(i, j int) bool { return j < nodes && r.kept[i].has(j) })
	return s
}

func first(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// fill adds at most limit flows of g to s. The nodes of s are the first nodes of g. next returns the targets of a
// node's flows. has reports whether there is a flow from node i to node j.
func (s *BoundedGraph) fill(g *Graph, limit int, next func(int) []int, has func(i, j int) bool) {
	var ends [][2]int
	count := 0
	for i := range s.Nodes {
		for _, j := range next(i) {
			count++
			if count <= limit {
				ends = append(ends, [2]int{i, j})
			}
		}
	}
	if count > limit {
		ends = s.rarest(g, limit, has)
	}
	for _, e := range ends {
		s.Flows = append(s.Flows, BoundedFlow{From: e[0], To: e[1], Values: g.common(e[0], e[1])})
	}
	s.OmittedFlows = count - len(ends)
}

// rarest returns at most limit flows, each as a pair of nodes, in order. Flows of rarer values take precedence over
// others.
func (s *BoundedGraph) rarest(g *Graph, limit int, has func(i, j int) bool) [][2]int {
	values := first(len(g.values))
	slices.SortStableFunc(values, func(a, b int) int { return cmp.Compare(g.values[a].edges(), g.values[b].edges()) })
	var ends [][2]int
	seen := map[[2]int]bool{}
	for _, v := range values {
		for _, i := range g.values[v].emitters {
			for _, j := range g.values[v].takers {
				e := [2]int{i, j}
				if i == j || i >= len(s.Nodes) || !has(i, j) || seen[e] {
					continue
				}
				if len(ends) == limit {
					return sorted(ends)
				}
				seen[e] = true
				ends = append(ends, e)
			}
		}
	}
	return sorted(ends)
}

func sorted(ends [][2]int) [][2]int {
	slices.SortFunc(ends, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return ends
}

// successors returns the operations that operation i feeds, in order and without i itself.
func (g *Graph) successors(i int) []int {
	reads := 0
	for _, v := range g.emits[i] {
		reads += len(g.values[v].takers)
	}
	if reads < len(g.Operations)/64 {
		return g.fewSuccessors(i)
	}
	s := newSet(len(g.Operations))
	for _, v := range g.emits[i] {
		for _, to := range g.values[v].takers {
			s.add(to)
		}
	}
	s.drop(i)
	return slices.AppendSeq(make([]int, 0, s.len()), s.all())
}

// fewSuccessors returns the same result as successors. It is faster for operations with few edges, because it does
// not create a set of all operations.
func (g *Graph) fewSuccessors(i int) []int {
	var list []int
	for _, v := range g.emits[i] {
		list = append(list, g.values[v].takers...)
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(to int) bool { return to == i })
}

// FirstEdgesFrom returns the first edges from operation i, at most limit. left is the number of other edges from this
// operation.
func (g *Graph) FirstEdgesFrom(i, limit int) (edges []ValueEdge, left int) {
	next := g.successors(i)
	kept := next[:min(limit, len(next))]
	for _, to := range kept {
		edges = append(edges, ValueEdge{From: g.Operations[i], To: g.Operations[to], Values: g.common(i, to)})
	}
	return edges, len(next) - len(kept)
}
