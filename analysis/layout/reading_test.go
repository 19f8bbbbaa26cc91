package layout

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestLinesReadAsTheGraph follows the lines from each box as a reader does: in the direction of the arrows, turning
// only where a line turns. The reader must reach the targets of the node's edges, and no other node.
func TestLinesReadAsTheGraph(t *testing.T) {
	check(t, func(t *rapid.T, g Graph, f Figure) {
		d := readDrawing(t, f)
		for n := range g.Nodes {
			want := map[int]bool{}
			for _, e := range g.Edges {
				if g.holds(e) && e.From == n {
					want[e.To] = true
				}
			}
			if got := d.reach(n, g, f); !reflect.DeepEqual(got, want) {
				t.Fatalf("from node %d the lines lead to %v, want %v\n%s", n, got, want, sketch(f))
			}
		}
	})
}

// drawing has the cells of all paths of a figure. It does not store which cell belongs to which path, because a
// reader does not see this.
type drawing struct {
	steps map[Point]map[Point]bool // for each cell, the directions in which lines continue
	turns map[Point]bool
	ends  map[Point]int // for each cell at which a line ends, the box at this cell
}

func readDrawing(t *rapid.T, f Figure) drawing {
	d := drawing{steps: map[Point]map[Point]bool{}, turns: map[Point]bool{}, ends: map[Point]int{}}
	for _, p := range f.Paths {
		cells := p.cells(t)
		for i := 1; i < len(cells); i++ {
			a, b := cells[i-1], cells[i]
			if d.steps[a] == nil {
				d.steps[a] = map[Point]bool{}
			}
			d.steps[a][Point{b.X - a.X, b.Y - a.Y}] = true
		}
		for _, c := range p.Points[1 : len(p.Points)-1] {
			d.turns[c] = true
		}
		end := cells[len(cells)-1]
		d.ends[end] = boxAt(f, end)
	}
	return d
}

// boxAt returns the node whose box covers a cell, -1 if there is none.
func boxAt(f Figure, p Point) int {
	return slices.IndexFunc(f.Boxes, func(b NodeBox) bool { return slices.Contains(b.cells(), p) })
}

// reach returns the nodes that a reader reaches by following the lines from a node.
func (d drawing) reach(n int, g Graph, f Figure) map[int]bool {
	type state struct{ at, dir Point }
	seen, got := map[state]bool{}, map[int]bool{}
	var todo []state
	visit := func(s state) {
		if !seen[s] {
			seen[s] = true
			todo = append(todo, s)
		}
	}
	for _, p := range f.Paths {
		if start := p.Points[0]; g.Edges[p.Edge].From == n {
			for dir := range d.steps[start] {
				visit(state{start, dir})
			}
		}
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		next := Point{s.at.X + s.dir.X, s.at.Y + s.dir.Y}
		if to, ok := d.ends[next]; ok {
			got[to] = true
			continue
		}
		for dir := range d.steps[next] {
			if d.turns[next] || dir == s.dir {
				visit(state{next, dir})
			}
		}
	}
	return got
}
