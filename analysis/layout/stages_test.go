package layout

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// linksOf returns a link for each pair of boxes.
func linksOf(pairs ...[2]int) []link {
	var links []link
	for _, p := range pairs {
		links = append(links, link{from: p[0], to: p[1]})
	}
	return links
}

func TestBackLinks(t *testing.T) {
	for _, tc := range []struct {
		name  string
		boxes int
		links []link
		want  []bool
	}{
		{name: "none", boxes: 1, want: []bool{}},
		{name: "no cycle", boxes: 3, links: linksOf([2]int{0, 1}, [2]int{1, 2}), want: []bool{false, false}},
		{name: "a self-loop is no cycle", boxes: 1, links: linksOf([2]int{0, 0}), want: []bool{false}},
		{name: "two boxes", boxes: 2, links: linksOf([2]int{0, 1}, [2]int{1, 0}), want: []bool{false, true}},
		{
			name:  "the greedy order turns fewer links",
			boxes: 4,
			// In a depth-first search from 0, both links to 1 close a cycle.
			links: linksOf([2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{2, 1}, [2]int{3, 1}),
			want:  []bool{false, true, false, false, false},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := (cycleBreaker{boxes: tc.boxes, links: tc.links}).backLinks(); !slices.Equal(got, tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

// Every link leads to a later layer. No layer is empty. A box without links is in the first layer.
func TestAssignLayers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		boxes := rapid.IntRange(1, 12).Draw(t, "boxes")
		var links []link
		for range rapid.IntRange(0, 2*boxes).Draw(t, "links") {
			from := rapid.IntRange(0, boxes-1).Draw(t, "from")
			to := rapid.IntRange(0, boxes-1).Draw(t, "to")
			links = append(links, link{from: from, to: to, back: to < from})
		}
		layers := assignLayers(boxes, links)
		for _, l := range links {
			if l.from != l.to && layers[l.left()] >= layers[l.right()] {
				t.Fatalf("link %+v leads from layer %d to %d", l, layers[l.left()], layers[l.right()])
			}
		}
		for i := range slices.Max(layers) {
			if !slices.Contains(layers, i) {
				t.Fatalf("no box is in layer %d of %v", i, layers)
			}
		}
	})
}

// orderingOf returns the ordering of a part without cycles.
func orderingOf(ctx context.Context, boxes int, links []link) *ordering {
	return newOrdering(ctx, newMesh(assignLayers(boxes, links), links))
}

func TestOrderingRemovesCrossings(t *testing.T) {
	for _, tc := range []struct {
		name  string
		boxes int
		links []link
		want  int // number of crossings
	}{
		{name: "crossed pair", boxes: 4, links: linksOf([2]int{0, 3}, [2]int{1, 2})},
		{name: "tree", boxes: 7, links: linksOf([2]int{0, 6}, [2]int{0, 1}, [2]int{6, 2}, [2]int{1, 3}, [2]int{6, 4}, [2]int{1, 5})},
		{name: "two by two", boxes: 4, links: linksOf([2]int{0, 2}, [2]int{0, 3}, [2]int{1, 2}, [2]int{1, 3}), want: 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := orderingOf(context.Background(), tc.boxes, tc.links)
			o.layers = o.best()
			for _, layer := range o.layers {
				o.renumber(layer)
			}
			if got := o.crossings(); got != tc.want {
				t.Errorf("%d crossings in %v, want %d", got, o.layers, tc.want)
			}
		})
	}
}

// If its context is done, an ordering returns its first order with all vertices.
func TestOrderingStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	layers := orderingOf(ctx, 4, linksOf([2]int{0, 2}, [2]int{0, 3}, [2]int{1, 2}, [2]int{1, 3})).best()
	if got := slices.Sorted(slices.Values(slices.Concat(layers...))); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("got vertices %v", got)
	}
}

// A link that passes a layer has a bend there. Links that leave one box with the same label have a common bend.
func TestMeshSharesBends(t *testing.T) {
	links := linksOf([2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{0, 3}, [2]int{0, 2})
	m := newMesh(assignLayers(4, links), links)
	var bends []int
	for _, v := range m.verts {
		if v.bend {
			bends = append(bends, v.layer)
		}
	}
	if !slices.Equal(bends, []int{1, 2}) {
		t.Errorf("got bends in layers %v, want one in 1 and one in 2", bends)
	}
	if len(m.chains) != 3 {
		t.Errorf("got %d chains, want one for each box with links", len(m.chains))
	}
}

func TestPlacerKeepsSpace(t *testing.T) {
	links := linksOf([2]int{0, 1}, [2]int{0, 2}, [2]int{0, 3})
	for _, tc := range []struct {
		tight bool
		want  int // number of rows
	}{
		{tight: true, want: 9},
		{tight: false, want: 11},
	} {
		m := newMesh(assignLayers(4, links), links)
		if got := newPlacer(m, make([]Node, 4), tc.tight).place(); got != tc.want {
			t.Errorf("tight %v: got %d rows, want %d", tc.tight, got, tc.want)
		}
		for _, layer := range m.layers {
			for i := 1; i < len(layer); i++ {
				above, below := m.verts[layer[i-1]], m.verts[layer[i]]
				if above.y+above.h > below.y {
					t.Errorf("vertices overlap: %+v and %+v", above, below)
				}
			}
		}
	}
}
