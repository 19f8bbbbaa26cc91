package layout

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyGraph draws graphs of up to 18 nodes. They have cycles, self-loops, parallel edges, dashed edges, and a few
// edges to nodes that do not exist. Only the sizes and a seed come from rapid; the edges come from a random generator
// with this seed. The reason is that rapid draws mostly small numbers, which would give sparse graphs. rapid can
// still shrink a graph.
func anyGraph(t *rapid.T) Graph {
	n := rapid.SampledFrom(sizes(18)).Draw(t, "nodes")
	m := rapid.SampledFrom(sizes(2*n)).Draw(t, "edges")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	g := Graph{
		Tight:  rapid.Bool().Draw(t, "tight"),
		Framed: rapid.Bool().Draw(t, "framed"),
		Wrap:   r.IntN(80),
	}
	for range n {
		node := Node{Kind: NodeKind(r.IntN(4))}
		for range r.IntN(3) {
			node.Lines = append(node.Lines, pick(r, "", "a", "GET /orders", "注文", "POST /carts/{cartId}/items"))
		}
		g.Nodes = append(g.Nodes, node)
	}
	if rapid.Bool().Draw(t, "grouped") {
		g.Titles = []string{"1 orders", "", "注文"}
		for range n {
			g.Groups = append(g.Groups, r.IntN(4))
		}
	}
	for range m {
		e := Edge{From: r.IntN(n), To: r.IntN(n), Dashed: r.IntN(10) == 0}
		e.Label = pick(r, "", "", "", "id", "cartId", "番号", "aValueWithAVeryLongName")
		if r.IntN(40) == 0 {
			e.To = n
		}
		g.Edges = append(g.Edges, e)
	}
	return g
}

func sizes(last int) []int {
	var s []int
	for i := range last + 1 {
		s = append(s, i)
	}
	return s
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

// check calls law with random graphs and their figures.
func check(t *testing.T, law func(*rapid.T, Graph, Figure)) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t)
		law(t, g, NewFigure(g))
	})
}

func TestBoxesDoNotOverlap(t *testing.T) {
	check(t, func(t *rapid.T, g Graph, f Figure) {
		if len(f.Boxes) != len(g.Nodes) {
			t.Fatalf("got %d boxes, want %d", len(f.Boxes), len(g.Nodes))
		}
		used := map[Point]int{}
		for i, b := range f.Boxes {
			if b.Node != i {
				t.Fatalf("box %d is of node %d", i, b.Node)
			}
			if b.X < 0 || b.Y < 0 || b.X+b.W > f.W || b.Y+b.H > f.H {
				t.Fatalf("box %+v is not within %d×%d", b, f.W, f.H)
			}
			for _, c := range b.cells() {
				if other, ok := used[c]; ok {
					t.Fatalf("boxes %d and %d both cover %v", other, i, c)
				}
				used[c] = i
			}
		}
	})
}

func (b NodeBox) cells() []Point {
	var cells []Point
	for y := b.Y; y < b.Y+b.H; y++ {
		for x := b.X; x < b.X+b.W; x++ {
			cells = append(cells, Point{x, y})
		}
	}
	return cells
}

func TestBoxesHoldTheirText(t *testing.T) {
	check(t, func(t *rapid.T, g Graph, f Figure) {
		for i, b := range f.Boxes {
			if b.H < len(g.Nodes[i].Lines)+2*g.Nodes[i].Kind.rim() {
				t.Fatalf("box %+v is too low for %q", b, g.Nodes[i].Lines)
			}
			for _, line := range g.Nodes[i].Lines {
				if b.W < TextWidth(line)+g.Nodes[i].Kind.sides() {
					t.Fatalf("box %+v is too narrow for %q", b, line)
				}
			}
		}
	})
}

func TestEveryEdgeHasOnePath(t *testing.T) {
	check(t, func(t *rapid.T, g Graph, f Figure) {
		var want, got []int
		for i, e := range g.Edges {
			if g.holds(e) {
				want = append(want, i)
			}
		}
		for _, p := range f.Paths {
			got = append(got, p.Edge)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got paths for edges %v, want %v", got, want)
		}
	})
}

func TestPathsLeadFromBorderToBorder(t *testing.T) {
	check(t, func(t *rapid.T, g Graph, f Figure) {
		for _, p := range f.Paths {
			e := g.Edges[p.Edge]
			from, to := p.Points[0], p.Points[len(p.Points)-1]
			if !f.Boxes[e.From].onSide(from, g.Nodes[e.From].Kind.rim()) || !f.Boxes[e.To].onSide(to, g.Nodes[e.To].Kind.rim()) {
				t.Fatalf("path %+v does not lead from %+v to %+v", p, f.Boxes[e.From], f.Boxes[e.To])
			}
		}
	})
}

// onSide reports whether p is a cell on the left or right border of b. The rim rows at the top and at the bottom do
// not count.
func (b NodeBox) onSide(p Point, rim int) bool {
	return (p.X == b.X || p.X == b.X+b.W-1) && p.Y >= b.Y+rim && p.Y < b.Y+b.H-rim
}

func TestPathsKeepClearOfBoxes(t *testing.T) {
	check(t, func(t *rapid.T, _ Graph, f Figure) {
		covered := map[Point]bool{}
		for _, b := range f.Boxes {
			for _, c := range b.cells() {
				covered[c] = true
			}
		}
		for _, p := range f.Paths {
			cells := p.cells(t)
			for _, c := range cells[1 : len(cells)-1] {
				if covered[c] || c.X < 0 || c.Y < 0 || c.X >= f.W || c.Y >= f.H {
					t.Fatalf("path %+v runs through %v, which is a box or outside", p, c)
				}
			}
		}
	})
}

// cells returns all cells of the path, from its first point to its last. It fails if two consecutive points are
// equal, or if they share neither a row nor a column.
func (p EdgePath) cells(t *rapid.T) []Point {
	cells := p.Points[:1:1]
	for i := 1; i < len(p.Points); i++ {
		a, b := p.Points[i-1], p.Points[i]
		if (a.X == b.X) == (a.Y == b.Y) {
			t.Fatalf("path %+v goes from %v to %v", p, a, b)
		}
		for a != b {
			a.X += sign(b.X - a.X)
			a.Y += sign(b.Y - a.Y)
			cells = append(cells, a)
		}
	}
	return cells
}

func sign(n int) int { return max(-1, min(1, n)) }

func TestLabelsLieFreeOnTheirLines(t *testing.T) {
	check(t, func(t *rapid.T, _ Graph, f Figure) {
		lines, boxes := map[Point][]int{}, map[Point]bool{}
		for _, p := range f.Paths {
			for _, c := range p.cells(t) {
				lines[c] = append(lines[c], p.Edge)
			}
		}
		for _, b := range f.Boxes {
			for _, c := range b.cells() {
				boxes[c] = true
			}
		}
		for _, l := range f.Labels {
			for x := l.X - 1; x <= l.X+TextWidth(l.Text); x++ {
				c := Point{x, l.Y}
				if boxes[c] || !slices.Equal(lines[c], l.Edges) {
					t.Fatalf("label %+v at %v: on a box or on lines %v\n%s", l, c, lines[c], sketch(f))
				}
			}
		}
	})
}

func TestEveryLabelIsShownOnce(t *testing.T) {
	check(t, func(t *rapid.T, g Graph, f Figure) {
		shown := map[int]int{}
		for _, l := range f.Labels {
			if TextWidth(l.Text) > labelLimit {
				t.Fatalf("label %q takes %d cells", l.Text, TextWidth(l.Text))
			}
			for _, e := range l.Edges {
				shown[e]++
			}
		}
		for i, e := range g.Edges {
			if g.holds(e) && e.Label != "" && shown[i] != 1 {
				t.Fatalf("label of edge %d %+v is shown %d times", i, e, shown[i])
			}
		}
	})
}

func TestFramesHoldTheirNodes(t *testing.T) {
	check(t, func(t *rapid.T, g Graph, f Figure) {
		frame := map[int]int{}
		for i, fr := range f.Frames {
			for _, n := range fr.Nodes {
				frame[n] = i
				if b := f.Boxes[n]; b.X <= fr.X || b.Y <= fr.Y || b.X+b.W >= fr.X+fr.W || b.Y+b.H >= fr.Y+fr.H {
					t.Fatalf("box %+v is not within frame %+v", b, fr)
				}
			}
			if fr.X+fr.W > f.W || fr.Y+fr.H > f.H {
				t.Fatalf("frame %+v is not within %d×%d", fr, f.W, f.H)
			}
		}
		for i, a := range f.Frames {
			if a.W < titleWidth(a.Title) {
				t.Fatalf("frame %+v is too narrow for its title", a)
			}
			for _, b := range f.Frames[:i] {
				if a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
					t.Fatalf("frames %+v and %+v overlap", a, b)
				}
			}
		}
		if g.Framed && len(frame) != len(g.Nodes) {
			t.Fatalf("%d of %d nodes have a frame", len(frame), len(g.Nodes))
		}
		for _, e := range g.Edges {
			if g.holds(e) && frame[e.From] != frame[e.To] {
				t.Fatalf("edge %+v leads out of its frame", e)
			}
		}
	})
}

func TestSameGraphSameFigure(t *testing.T) {
	check(t, func(t *rapid.T, g Graph, f Figure) {
		if again := NewFigure(g); !reflect.DeepEqual(f, again) {
			t.Fatalf("got\n%s\nthen\n%s", sketch(f), sketch(again))
		}
	})
}

// sketch returns a figure as text for a failure message. Boxes are drawn with # and edges with digits.
func sketch(f Figure) string {
	rows := make([][]byte, f.H)
	for i := range rows {
		rows[i] = []byte(strings.Repeat(" ", f.W))
	}
	for _, p := range f.Paths {
		for i := 1; i < len(p.Points); i++ {
			a, b := p.Points[i-1], p.Points[i]
			for a != b {
				rows[a.Y][a.X] = "0123456789abcdefghijklmnopqrstuvwxyz"[p.Edge%36]
				a = Point{a.X + sign(b.X-a.X), a.Y + sign(b.Y-a.Y)}
			}
		}
	}
	for _, b := range f.Boxes {
		for _, c := range b.cells() {
			rows[c.Y][c.X] = '#'
		}
		copy(rows[b.Y][b.X:], fmt.Sprint(b.Node))
	}
	return string(slices.Concat(joinRows(rows)...))
}

func joinRows(rows [][]byte) [][]byte {
	for i := range rows {
		rows[i] = append(rows[i], '\n')
	}
	return rows
}

// The parts of a group share a frame, which has the title of the group.
func TestGroupsShareAFrame(t *testing.T) {
	check(t, func(t *rapid.T, g Graph, f Figure) {
		if !g.Framed || g.Groups == nil {
			return
		}
		frame := map[int]int{} // key: group; value: index of its frame
		for i, fr := range f.Frames {
			for _, n := range fr.Nodes {
				first := slices.Index(components(g), components(g)[n])
				group := g.Groups[first]
				if other, ok := frame[group]; ok && other != i {
					t.Fatalf("group %d is in frames %d and %d", group, other, i)
				}
				frame[group] = i
				if want := append(slices.Clone(g.Titles), "")[group]; fr.Title != want {
					t.Fatalf("frame %+v of group %d: want the title %q", fr, group, want)
				}
			}
		}
	})
}
