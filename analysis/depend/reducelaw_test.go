package depend

import (
	"fmt"
	"slices"
	"testing"

	"github.com/dominikbraun/graph"
	"pgregory.net/rapid"

	"sonde/model"
)

// reducedPairs returns the edges of a reduction as pairs of components.
func reducedPairs(t interface{ Fatal(...any) }, g *Graph) (pairs map[[2]int]bool, components [][]model.OpID) {
	r, err := g.Reduce()
	if err != nil {
		t.Fatal(err)
	}
	pairs = map[[2]int]bool{}
	for _, f := range r.Bounded(1<<20, 1<<20).Flows {
		pairs[[2]int{f.From, f.To}] = true
	}
	return pairs, r.Components
}

// plainCondensation computes the edges between components directly from their definition.
func plainCondensation(g *Graph, components [][]model.OpID) map[[2]int]bool {
	at := map[model.OpID]int{}
	for k, c := range components {
		for _, op := range c {
			at[op] = k
		}
	}
	pairs := map[[2]int]bool{}
	for e := range g.AllEdges() {
		if at[e.From] != at[e.To] {
			pairs[[2]int{at[e.From], at[e.To]}] = true
		}
	}
	return pairs
}

// closure returns the pairs of components in which the second component is reachable from the first.
func closure(n int, pairs map[[2]int]bool) map[[2]int]bool {
	all := map[[2]int]bool{}
	for p := range pairs {
		all[p] = true
	}
	for k := range n {
		for i := range n {
			for j := range n {
				if all[[2]int{i, k}] && all[[2]int{k, j}] {
					all[[2]int{i, j}] = true
				}
			}
		}
	}
	return all
}

func TestReductionKeepsWhatIsReachable(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g, _, _ := anyGraph(rt)
		kept, components := reducedPairs(rt, g)
		want := closure(len(components), plainCondensation(g, components))
		if got := closure(len(components), kept); fmt.Sprint(got) != fmt.Sprint(want) {
			rt.Fatalf("reachable over %v: %v, want %v", kept, got, want)
		}
	})
}

func TestReductionHasNoSuperfluousEdge(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g, _, _ := anyGraph(rt)
		kept, components := reducedPairs(rt, g)
		for p := range kept {
			rest := map[[2]int]bool{}
			for q := range kept {
				rest[q] = q != p
			}
			delete(rest, p)
			if closure(len(components), rest)[p] {
				rt.Fatalf("%v goes without %v", kept, p)
			}
		}
	})
}

// The reduction of an acyclic graph is unique. Reduce returns the same reduction as the library, which removes edges
// one by one.
func TestReductionIsTheLibrarys(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g, _, _ := anyGraph(rt)
		kept, components := reducedPairs(rt, g)
		plain := graph.New(graph.IntHash, graph.Directed())
		for i := range components {
			_ = plain.AddVertex(i + 1)
		}
		for p := range plainCondensation(g, components) {
			_ = plain.AddEdge(p[0]+1, p[1]+1)
		}
		reduced, err := graph.TransitiveReduction(plain)
		if err != nil {
			rt.Fatal(err)
		}
		edges, err := reduced.Edges()
		if err != nil {
			rt.Fatal(err)
		}
		want := map[[2]int]bool{}
		for _, e := range edges {
			want[[2]int{e.Source - 1, e.Target - 1}] = true
		}
		if fmt.Sprint(kept) != fmt.Sprint(want) {
			rt.Fatalf("reduction %v, want %v", kept, want)
		}
	})
}

func TestReduce(t *testing.T) {
	for _, tt := range []struct {
		name string
		g    *Graph
		want string
	}{
		{"nothing", flow(), "[] "},
		{"a way round", flow("a: -> x y", "b: x -> z", "c: y z ->"), "[[0] [1] [2]] 0>1:x 1>2:z"},
		{"a cycle is one node", flow("d: p ->", "a: x -> y", "b: y -> x p"), "[[0] [1 2]] 1>0:p"},
		{"what feeds itself goes between", flow("a: -> x", "b: x -> x", "c: x ->"), "[[0] [1] [2]] 0>1:x 1>2:x"},
		{"several values", flow("a: -> x y", "b: x y ->"), "[[0] [1]] 0>1:x,y"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := tt.g.Reduce()
			if err != nil {
				t.Fatal(err)
			}
			if got := drawn(r.Bounded(99, 99)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestReduceLimit(t *testing.T) {
	ids := make([]model.OpID, maxReduced+1)
	for i := range ids {
		ids[i] = model.OpID(fmt.Sprint(i))
	}
	_, err := newGraph(ids, make([][]string, len(ids)), make([][]string, len(ids))).Reduce()
	if want := "20001 operations are too many to reduce: 20000 is the most"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// drawn returns a bounded graph as one line of text.
func drawn(s BoundedGraph) string {
	text := fmt.Sprint(s.Nodes)
	for _, f := range s.Flows {
		text += fmt.Sprintf(" %d>%d", f.From, f.To)
		for k, v := range f.Values {
			text += map[bool]string{true: ":", false: ","}[k == 0] + v
		}
	}
	if len(s.Flows) == 0 {
		text += " "
	}
	if s.OmittedNodes+s.OmittedFlows > 0 {
		text += fmt.Sprintf(" +%d +%d", s.OmittedNodes, s.OmittedFlows)
	}
	return text
}

func TestSketch(t *testing.T) {
	g := flow("a: id -> id x", "b: id -> id", "c: id x -> id", "d: id -> id y", "e: y -> x")
	for _, tt := range []struct {
		name         string
		nodes, flows int
		want         string
	}{
		{
			"all", 9, 99,
			"[[0] [1] [2] [3] [4]] 0>1:id 0>2:id,x 0>3:id 1>0:id 1>2:id 1>3:id 2>0:id 2>1:id 2>3:id 3>0:id 3>1:id 3>2:id 3>4:y 4>2:x",
		},
		{"the rarest values first", 9, 3, "[[0] [1] [2] [3] [4]] 0>2:id,x 3>4:y 4>2:x +0 +11"},
		{"the first nodes", 2, 99, "[[0] [1]] 0>1:id 1>0:id +3 +0"},
		{"no flow", 2, 0, "[[0] [1]]  +3 +2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := drawn(g.Bounded(tt.nodes, tt.flows)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// A bounded graph has the flows of the rarest values, and counts the flows that it leaves out.
func TestBoundedGraphCountsOmissions(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g, takes, emits := anyGraph(rt)
		limit := rapid.IntRange(0, 20).Draw(rt, "limit")
		all := plainEdges(g, takes, emits)
		s := g.Bounded(99, limit)
		if len(s.Flows)+s.OmittedFlows != len(all) || len(s.Flows) > limit {
			rt.Fatalf("%d flows and %d left out, want %d together and at most %d", len(s.Flows), s.OmittedFlows, len(all), limit)
		}
		for _, f := range s.Flows {
			e := ValueEdge{From: g.Operations[f.From], To: g.Operations[f.To], Values: f.Values}
			if !slices.ContainsFunc(all, func(x ValueEdge) bool { return fmt.Sprint(x) == fmt.Sprint(e) }) {
				rt.Fatalf("%v is no edge", e)
			}
		}
	})
}

func TestFeedsFirst(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g, _, _ := anyGraph(rt)
		limit := rapid.IntRange(0, 5).Draw(rt, "limit")
		for i, op := range g.Operations {
			got, left := g.FirstEdgesFrom(i, limit)
			all := g.EdgesFrom(op)
			if edges(got) != edges(all[:min(limit, len(all))]) || len(got)+left != len(all) {
				rt.Fatalf("FeedsFirst(%s, %d) = %s and %d left, of %s", op, limit, edges(got), left, edges(all))
			}
		}
	})
}

// crowd returns a graph of n operations that is as hard to reduce as the hardest real graphs. All operations take one
// name, and half of them emit it. Long chains of operations pass other values.
func crowd(n int) *Graph {
	ids := make([]model.OpID, n)
	takes, emits := make([][]string, n), make([][]string, n)
	for i := range n {
		ids[i] = model.OpID(fmt.Sprintf("GET /%d", i))
		for k := range 5 {
			emits[i] = append(emits[i], fmt.Sprint(i, "-", k))
			if i > 0 {
				takes[i] = append(takes[i], fmt.Sprint((i*7919+k*31)%i, "-", k))
			}
		}
		if i%2 == 0 && i < n/2 {
			emits[i] = append(emits[i], "id")
		} else {
			takes[i] = append(takes[i], "id")
		}
	}
	return newGraph(ids, takes, emits)
}

func BenchmarkReduce(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		g := crowd(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := g.Reduce(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSketch(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		g := crowd(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g.Bounded(n, 1000)
			}
		})
	}
}
