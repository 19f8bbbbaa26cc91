package diagram

import (
	"testing"

	"pgregory.net/rapid"

	"sonde/analysis/layout"
)

func TestScroll(t *testing.T) {
	fig := layout.Figure{W: 200, H: 100, Boxes: []layout.NodeBox{
		{Node: 0, X: 0, Y: 0, W: 20, H: 3},
		{Node: 1, X: 100, Y: 50, W: 20, H: 3},
		{Node: 2, X: 180, Y: 97, W: 20, H: 3},
	}}
	for _, tc := range []struct {
		name             string
		node, w, h, x, y int
		wantX, wantY     int
	}{
		{"in sight, nothing moves", 1, 80, 24, 60, 40, 60, 40},
		{"to the right and down", 1, 80, 24, 0, 0, 44, 30},
		{"to the left and up", 1, 80, 24, 110, 60, 96, 49},
		{"not over the last edge", 2, 80, 24, 0, 0, 120, 76},
		{"not over the first edge", 0, 80, 24, 50, 50, 0, 0},
		{"window smaller than the box", 1, 10, 2, 0, 0, 100, 50},
		{"window larger than the figure", 2, 300, 200, 7, 7, 0, 0},
		{"no such node", 9, 80, 24, 500, -3, 120, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x, y := ScrollToNode(fig, tc.node, tc.w, tc.h, tc.x, tc.y)
			if x != tc.wantX || y != tc.wantY {
				t.Errorf("got %d, %d, want %d, %d", x, y, tc.wantX, tc.wantY)
			}
		})
	}
}

func TestScrollShowsTheNode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t)
		fig := layout.NewFigure(g)
		node := rapid.IntRange(0, len(g.Nodes)-1).Draw(t, "node")
		w, h := rapid.IntRange(1, 80).Draw(t, "width"), rapid.IntRange(1, 30).Draw(t, "height")
		x, y := ScrollToNode(fig, node, w, h, rapid.IntRange(-9, 99).Draw(t, "x"), rapid.IntRange(-9, 99).Draw(t, "y"))
		b := fig.Boxes[node]
		if x > b.X || y > b.Y || x+w < b.X+min(b.W, w) || y+h < b.Y+min(b.H, h) {
			t.Fatalf("box %+v is not within %d×%d at %d, %d", b, w, h, x, y)
		}
		if againX, againY := ScrollToNode(fig, node, w, h, x, y); againX != x || againY != y {
			t.Fatalf("got %d, %d, then %d, %d", x, y, againX, againY)
		}
	})
}
