package depend

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

// anyGraph draws a graph whose operations take and emit a few values.
func anyGraph(rt *rapid.T) (g *Graph, takes, emits [][]string) {
	some := rapid.SliceOfN(rapid.SampledFrom([]string{"u", "v", "w", "x", "y", "z"}), 0, 3)
	var ids []model.OpID
	for i := range rapid.IntRange(0, 9).Draw(rt, "operations") {
		ids = append(ids, model.OpID(fmt.Sprint("op", i)))
		takes = append(takes, some.Draw(rt, "takes"))
		emits = append(emits, some.Draw(rt, "emits"))
	}
	return newGraph(ids, takes, emits), takes, emits
}

// plainEdges computes the edges directly from their definition.
func plainEdges(g *Graph, takes, emits [][]string) []ValueEdge {
	var list []ValueEdge
	for i, from := range g.Operations {
		for k, to := range g.Operations {
			var names []string
			for _, v := range emits[i] {
				if slices.Contains(takes[k], v) && !slices.Contains(names, v) {
					names = append(names, v)
				}
			}
			if i != k && names != nil {
				list = append(list, ValueEdge{From: from, To: to, Values: names})
			}
		}
	}
	return list
}

func TestGraphMatchesItsDefinition(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g, takes, emits := anyGraph(rt)
		want := plainEdges(g, takes, emits)
		if got := edges(slices.Collect(g.AllEdges())); got != edges(want) {
			rt.Fatalf("edges %s\nwant %s", got, edges(want))
		}
		for _, op := range g.Operations {
			to := slices.DeleteFunc(slices.Clone(want), func(e ValueEdge) bool { return e.To != op })
			if got := edges(g.EdgesTo(op)); got != edges(to) {
				rt.Fatalf("FedBy(%s) = %s, want %s", op, got, edges(to))
			}
		}
	})
}

func TestComponentsAreMutuallyReachable(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g, _, _ := anyGraph(rt)
		reach := reachable(g)
		in := map[model.OpID]int{}
		for k, c := range g.Components() {
			for _, op := range c {
				in[op] = k
			}
		}
		for _, a := range g.Operations {
			for _, b := range g.Operations {
				if together := reach[a][b] && reach[b][a]; (in[a] == in[b]) != (together || a == b) {
					rt.Fatalf("%s and %s: components %v", a, b, g.Components())
				}
			}
		}
	})
}

func reachable(g *Graph) map[model.OpID]map[model.OpID]bool {
	reach := map[model.OpID]map[model.OpID]bool{}
	for _, start := range g.Operations {
		reach[start] = map[model.OpID]bool{}
		for queue := []model.OpID{start}; len(queue) > 0; queue = queue[1:] {
			for _, e := range g.EdgesFrom(queue[0]) {
				if !reach[start][e.To] {
					reach[start][e.To] = true
					queue = append(queue, e.To)
				}
			}
		}
	}
	return reach
}

// hub returns a graph of n operations that all emit and take the same value.
func hub(n int) *Graph {
	ids := make([]model.OpID, n)
	names := make([][]string, n)
	for i := range n {
		ids[i] = model.OpID(fmt.Sprintf("GET /%d", i))
		names[i] = []string{"id", fmt.Sprint("own", i)}
	}
	return newGraph(ids, names, names)
}

func TestHub(t *testing.T) {
	g := hub(300)
	if got := len(slices.Collect(g.AllEdges())); got != 300*299 {
		t.Errorf("%d edges, want %d", got, 300*299)
	}
	if near, left := g.Neighbourhood("GET /7", 2, 20); len(near.Operations) != 20 || left != 280 {
		t.Errorf("%d near, %d left, want 20 and 280", len(near.Operations), left)
	}
	if c := g.Components(); len(c) != 1 {
		t.Errorf("%d components, want 1", len(c))
	}
}

func BenchmarkHub(b *testing.B) {
	for b.Loop() {
		g := hub(1000)
		g.Components()
		g.Neighbourhood("GET /7", 2, 30)
	}
}
