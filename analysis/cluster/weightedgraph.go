package cluster

import (
	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/iterator"
	"gonum.org/v1/gonum/graph/simple"
)

// weightedGraph is an undirected graph that lists the neighbours of a node in the order in which the edges were
// added. The graphs of gonum list neighbours in random order, which would give different clusters in each run.
type weightedGraph struct {
	near    [][]graph.Node
	weights map[[2]int64]float64 // key: the IDs of both ends, the smaller ID first
}

func newWeightedGraph(nodes int) *weightedGraph {
	return &weightedGraph{near: make([][]graph.Node, nodes), weights: map[[2]int64]float64{}}
}

// add increases the weight of the edge between a and b. If there is no such edge, add creates it.
func (g *weightedGraph) add(a, b int, weight float64) {
	at := ends(int64(a), int64(b))
	if _, known := g.weights[at]; !known {
		g.near[a], g.near[b] = append(g.near[a], simple.Node(b)), append(g.near[b], simple.Node(a))
	}
	g.weights[at] += weight
}

func ends(a, b int64) [2]int64 { return [2]int64{min(a, b), max(a, b)} }

// The following methods implement graph.WeightedUndirected.

// Node returns the node with an ID, or nil if there is none.
func (g *weightedGraph) Node(id int64) graph.Node {
	if id < 0 || id >= int64(len(g.near)) {
		return nil
	}
	return simple.Node(id)
}

// Nodes returns all nodes, in order.
func (g *weightedGraph) Nodes() graph.Nodes {
	all := make([]graph.Node, len(g.near))
	for i := range all {
		all[i] = simple.Node(i)
	}
	return iterator.NewOrderedNodes(all)
}

// From returns the neighbours of a node.
func (g *weightedGraph) From(id int64) graph.Nodes { return iterator.NewOrderedNodes(g.near[id]) }

// HasEdgeBetween reports whether there is an edge between two nodes.
func (g *weightedGraph) HasEdgeBetween(a, b int64) bool {
	_, ok := g.weights[ends(a, b)]
	return ok
}

// Edge returns the edge between two nodes, or nil if there is none.
func (g *weightedGraph) Edge(a, b int64) graph.Edge { return g.EdgeBetween(a, b) }

// EdgeBetween returns the same as Edge.
func (g *weightedGraph) EdgeBetween(a, b int64) graph.Edge {
	if e := g.WeightedEdgeBetween(a, b); e != nil {
		return e
	}
	return nil
}

// WeightedEdge returns the edge between two nodes, or nil if there is none.
func (g *weightedGraph) WeightedEdge(a, b int64) graph.WeightedEdge {
	return g.WeightedEdgeBetween(a, b)
}

// WeightedEdgeBetween returns the same as WeightedEdge.
func (g *weightedGraph) WeightedEdgeBetween(a, b int64) graph.WeightedEdge {
	w, ok := g.Weight(a, b)
	if !ok || a == b {
		return nil
	}
	return simple.WeightedEdge{F: simple.Node(a), T: simple.Node(b), W: w}
}

// Weight returns the weight of the edge between two nodes. ok is false if there is no edge. Between a node and
// itself, the weight is 0 and ok is true.
func (g *weightedGraph) Weight(a, b int64) (float64, bool) {
	w, ok := g.weights[ends(a, b)]
	return w, ok || a == b
}
