package layout

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// service returns a graph of n nodes that is like the graphs of real services. Few hubs feed most of the nodes. There
// are about 1.75 edges for each node, and some edges lead back.
func service(n int) Graph {
	r := rand.New(rand.NewPCG(42, 0))
	var g Graph
	for i := range n {
		g.Nodes = append(g.Nodes, Node{Lines: []string{fmt.Sprintf("GET /resource%d/{id}", i)}})
		if i == 0 {
			continue
		}
		hub := int(float64(i) * math.Pow(r.Float64(), 2))
		g.Edges = append(g.Edges, Edge{From: hub, To: i, Label: fmt.Sprintf("id%d", hub)})
		if r.IntN(10) < 7 {
			g.Edges = append(g.Edges, Edge{From: r.IntN(i), To: i})
		}
		if r.IntN(20) == 0 {
			g.Edges = append(g.Edges, Edge{From: i, To: r.IntN(i)})
		}
	}
	return g
}

// ladder returns a chain of n nodes. Each node also has an edge to a distant node. No other graph of this size has
// more bends.
func ladder(n int) Graph {
	var g Graph
	for i := range n {
		g.Nodes = append(g.Nodes, Node{Lines: []string{"a"}})
		if i > 0 {
			g.Edges = append(g.Edges, Edge{From: i - 1, To: i})
		}
		if to := i + n/2; to < n {
			g.Edges = append(g.Edges, Edge{From: i, To: to})
		}
	}
	return g
}

// star returns a graph in which one node feeds n-1 other nodes.
func star(n int) Graph {
	g := Graph{Nodes: make([]Node, n)}
	for i := 1; i < n; i++ {
		g.Edges = append(g.Edges, Edge{To: i, Label: fmt.Sprintf("v%d", i)})
	}
	return g
}

func BenchmarkLayered(b *testing.B) {
	for _, n := range []int{10, 60, 400, 1500} {
		for _, shape := range []struct {
			name string
			of   func(int) Graph
		}{{"service", service}, {"ladder", ladder}, {"star", star}} {
			g := shape.of(n)
			b.Run(fmt.Sprintf("%s/%d", shape.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					NewFigure(g)
				}
			})
		}
	}
}
