package layout

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// graph returns a graph of n nodes. Each pair is an edge.
func graph(n int, pairs ...[2]int) Graph {
	g := Graph{Nodes: make([]Node, n)}
	for i := range g.Nodes {
		g.Nodes[i].Lines = []string{"GET /a"}
	}
	for _, p := range pairs {
		g.Edges = append(g.Edges, Edge{From: p[0], To: p[1]})
	}
	return g
}

// columns returns the column of each box. The columns are numbered from the left, without gaps.
func columns(f Figure) []int {
	var xs []int
	for _, b := range f.Boxes {
		xs = append(xs, b.X)
	}
	slices.Sort(xs)
	xs = slices.Compact(xs)
	var cols []int
	for _, b := range f.Boxes {
		cols = append(cols, slices.Index(xs, b.X))
	}
	return cols
}

func TestColumns(t *testing.T) {
	for _, tc := range []struct {
		name  string
		graph Graph
		want  []int
	}{
		{"chain", graph(3, [2]int{0, 1}, [2]int{1, 2}), []int{0, 1, 2}},
		{"longest path", graph(3, [2]int{0, 1}, [2]int{1, 2}, [2]int{0, 2}), []int{0, 1, 2}},
		{"source next to its only taker", graph(4, [2]int{0, 1}, [2]int{1, 2}, [2]int{3, 2}), []int{0, 1, 2, 1}},
		{"cycle starts at its first node", graph(3, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 0}), []int{0, 1, 2}},
		{"cycle starts where a source leads in", graph(3, [2]int{0, 1}, [2]int{1, 0}, [2]int{2, 1}), []int{2, 1, 0}},
		{
			"as few edges turned around as possible",
			graph(5, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{3, 1}, [2]int{3, 4}, [2]int{4, 2}, [2]int{0, 3}),
			[]int{0, 2, 3, 1, 2},
		},
		{"self-loop", graph(2, [2]int{0, 0}, [2]int{0, 1}), []int{0, 1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := columns(NewFigure(tc.graph)); !slices.Equal(got, tc.want) {
				t.Errorf("got columns %v, want %v", got, tc.want)
			}
		})
	}
}

func TestNothingToDraw(t *testing.T) {
	for _, g := range []Graph{{}, {Framed: true}, {Edges: []Edge{{From: 0, To: 1}}}} {
		if f := NewFigure(g); f.W != 0 || f.H != 0 || len(f.Paths) != 0 {
			t.Errorf("got %+v of %+v, want nothing", f, g)
		}
	}
}

func TestBackEdgeEndsAtTheRightOfItsTarget(t *testing.T) {
	f := NewFigure(graph(2, [2]int{0, 1}, [2]int{1, 0}))
	back := f.Paths[1].Points
	if got, want := back[0].X, f.Boxes[1].X; got != want {
		t.Errorf("starts in column %d, want %d", got, want)
	}
	if got, want := back[len(back)-1].X, f.Boxes[0].X+f.Boxes[0].W-1; got != want {
		t.Errorf("ends in column %d, want %d", got, want)
	}
}

func TestParallelEdgesShareOnePath(t *testing.T) {
	g := graph(2, [2]int{0, 1}, [2]int{0, 1}, [2]int{0, 1})
	g.Edges[0].Label, g.Edges[1].Label, g.Edges[2].Label = "cartId", "itemId", "cartId"
	f := NewFigure(g)
	if !reflect.DeepEqual(f.Paths[0].Points, f.Paths[1].Points) {
		t.Errorf("got paths %v and %v, want the same", f.Paths[0], f.Paths[1])
	}
	if len(f.Labels) != 1 || f.Labels[0].Text != "cartId, itemId" {
		t.Errorf("got labels %+v, want one with both names", f.Labels)
	}
}

func TestFanOutLeavesAtOnePort(t *testing.T) {
	f := NewFigure(graph(4, [2]int{0, 1}, [2]int{0, 2}, [2]int{0, 3}))
	for _, p := range f.Paths {
		if p.Points[0] != f.Paths[0].Points[0] {
			t.Errorf("edge %d starts at %v, want %v", p.Edge, p.Points[0], f.Paths[0].Points[0])
		}
	}
}

func TestPartsSideBySide(t *testing.T) {
	g := graph(3)
	g.Wrap = 25
	f := NewFigure(g)
	want := []NodeBox{
		{Node: 0, X: 0, Y: 0, W: 10, H: 3},
		{Node: 1, X: 12, Y: 0, W: 10, H: 3},
		{Node: 2, X: 0, Y: 4, W: 10, H: 3},
	}
	if !reflect.DeepEqual(f.Boxes, want) {
		t.Errorf("got %+v, want %+v", f.Boxes, want)
	}
}

func TestTight(t *testing.T) {
	g := graph(3, [2]int{0, 1}, [2]int{0, 2})
	high := NewFigure(g).H
	g.Tight = true
	if got := NewFigure(g).H; got != high-1 {
		t.Errorf("got %d rows, want %d", got, high-1)
	}
}

// A DotNode is as wide as its text and its two sides. It has as many rows as lines end at it.
func TestDots(t *testing.T) {
	g := graph(4, [2]int{0, 2}, [2]int{1, 2}, [2]int{1, 3})
	for i := range g.Nodes {
		g.Nodes[i] = Node{Lines: []string{"·"}, Kind: DotNode}
	}
	for i, want := range []int{1, 1, 2, 1} {
		if b := NewFigure(g).Boxes[i]; b.W != 3 || b.H != want {
			t.Errorf("dot %d takes %d×%d cells, want 3×%d", i, b.W, b.H, want)
		}
	}
}

func TestLayeredContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	if f, err := NewFigureContext(ctx, service(30)); err != nil || !reflect.DeepEqual(f, NewFigure(service(30))) {
		t.Errorf("a context that does not end makes another figure; error %v", err)
	}
	cancel()
	if f, err := NewFigureContext(ctx, service(30)); !errors.Is(err, context.Canceled) || len(f.Boxes) > 0 {
		t.Errorf("got %d boxes and error %v of a context that ended", len(f.Boxes), err)
	}
}

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "GET /a": 6, "注文": 4, "cafe\u0301": 4, "가": 2, "☕": 2, "é…▸": 3, "a\tb\x1b": 2, "\xff": 1, "🛒": 2,
	} {
		if got := TextWidth(s); got != want {
			t.Errorf("Width(%q) is %d, want %d", s, got, want)
		}
	}
}

func TestTruncate(t *testing.T) {
	for _, tc := range []struct {
		text  string
		width int
		want  string
	}{
		{"cartId", 6, "cartId"},
		{"cartId", 5, "cart…"},
		{"注文番号", 6, "注文…"},
		{"注文番号", 5, "注文…"},
		{"a bc", 3, "a…"},
		{"cartId", 1, "…"},
		{"cartId", 0, ""},
	} {
		if got := TruncateText(tc.text, tc.width); got != tc.want {
			t.Errorf("Truncate(%q, %d) is %q, want %q", tc.text, tc.width, got, tc.want)
		}
	}
}

func TestShorten(t *testing.T) {
	for _, tc := range []struct {
		texts []string
		want  string
	}{
		{nil, ""},
		{[]string{"cartId"}, "cartId"},
		{[]string{"cartId", "productId"}, "cartId, productId"},
		{[]string{"shippingAddressId", "cartId", "itemId"}, "shippingAddressId +2"},
		{[]string{"aVeryLongNameOfAValue", "b"}, "aVeryLongNameOfA… +1"},
		{[]string{"aVeryLongNameOfAValue"}, "aVeryLongNameOfAVal…"},
	} {
		if got := shorten(tc.texts); got != tc.want {
			t.Errorf("shorten(%q) is %q, want %q", tc.texts, got, tc.want)
		}
	}
}

func TestLinesThatChangePlaces(t *testing.T) {
	g := newGap()
	g.add(0, []int{1}, []int{5})
	g.add(1, []int{5}, []int{1})
	if got := g.solve(); got != 3 {
		t.Errorf("got %d tracks, want 3", got)
	}
	split := g.wires[0]
	if split.half < 0 {
		t.Fatalf("got %+v, want a split wire", g.wires)
	}
	left, other := g.wires[split.half], g.wires[1]
	if left.track >= other.track || other.track >= split.track {
		t.Errorf("got tracks %d and %d around %d", left.track, split.track, other.track)
	}
	if row := split.lefts[0]; row == 1 || row == 5 || row != left.rights[0] {
		t.Errorf("halves meet in rows %d and %d", row, left.rights[0])
	}
}

func TestParallelLinesDoNotCross(t *testing.T) {
	for _, tc := range []struct {
		name  string
		shift int
	}{{"down", 10}, {"up", -10}} {
		t.Run(tc.name, func(t *testing.T) {
			g := newGap()
			for i := range 4 {
				g.add(i, []int{20 + 2*i}, []int{20 + 2*i + tc.shift + 1})
			}
			g.solve()
			for i := range g.wires {
				for j := range g.wires {
					if a, b := &g.wires[i], &g.wires[j]; a.track < b.track && a.crossings(b) > 0 {
						t.Errorf("wires %d and %d cross", i, j)
					}
				}
			}
		})
	}
}

// TestSettleIsBest compares the cost of settle's result with the costs of all arrangements of up to four slots.
func TestSettleIsBest(t *testing.T) {
	const rows = 7
	rapid.Check(t, func(t *rapid.T) {
		slots := make([]slot, rapid.IntRange(1, 4).Draw(t, "slots"))
		for i := range slots {
			slots[i].size = rapid.IntRange(1, 2).Draw(t, "size")
			for range rapid.IntRange(1, 3).Draw(t, "wants") {
				slots[i].wants = append(slots[i].wants, want{
					at: rapid.IntRange(0, rows-1).Draw(t, "at"), weight: rapid.IntRange(1, 3).Draw(t, "weight"),
				})
			}
		}
		got := settle(slots)
		for i := 1; i < len(got); i++ {
			if got[i] < got[i-1]+slots[i-1].size {
				t.Fatalf("slots overlap: rows %v of %+v", got, slots)
			}
		}
		if cost, least := costOf(slots, got), leastCost(slots, nil, -2*len(slots), rows+2*len(slots)); cost != least {
			t.Fatalf("rows %v cost %d, want %d", got, cost, least)
		}
	})
}

func costOf(slots []slot, rows []int) int {
	cost := 0
	for i, s := range slots[:len(rows)] {
		for _, w := range s.wants {
			cost += w.weight * abs(w.at-rows[i])
		}
	}
	return cost
}

// leastCost returns the minimum cost of slots. rows are the rows of the first slots. The rows of the other slots may
// be any from lo to hi.
func leastCost(slots []slot, rows []int, lo, hi int) int {
	if len(rows) == len(slots) {
		return costOf(slots, rows)
	}
	least := -1
	for row := lo; row <= hi; row++ {
		c := leastCost(slots, append(slices.Clone(rows), row), row+slots[len(rows)].size, hi)
		if c >= 0 && (least < 0 || c < least) {
			least = c
		}
	}
	return least
}

func abs(n int) int { return max(n, -n) }
