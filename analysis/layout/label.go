package layout

import (
	"slices"
	"strconv"
	"strings"
)

// labelLimit is the maximum width of a label in cells. The gap between two layers is wide enough for its longest
// label.
const labelLimit = 20

// shorten joins texts to a label of at most labelLimit cells: "cartId, itemId". If they do not fit, it returns the
// first text and the number of the others: "cartId +3".
func shorten(texts []string) string {
	all := strings.Join(texts, ", ")
	if len(texts) < 2 || TextWidth(all) <= labelLimit {
		return TruncateText(all, labelLimit)
	}
	rest := " +" + strconv.Itoa(len(texts)-1)
	return TruncateText(texts[0], labelLimit-len(rest)) + rest
}

// stub is the part of a line from the right side of a box to the first track. The label of the line is written on the
// stub.
type stub struct {
	vertex, row int
	bare        int // number of cells that have a line or an arrow head but no label
	loop        bool
	label       string
	edges       []int
}

// width returns the number of cells to the right of its box that the stub needs.
func (s stub) width() int {
	if s.label == "" {
		return s.bare
	}
	return max(s.bare, s.labelAt()+TextWidth(s.label)+2)
}

// labelAt returns the number of cells before the label, of which the last is blank. The label of a self-loop begins
// earlier, because the arrow head of a self-loop is in the row below.
func (s stub) labelAt() int {
	if s.loop {
		return 2
	}
	return s.bare + 1
}

// stubs returns the stubs of all chains and self-loops.
func (r *router) stubs() []stub {
	all := make([]stub, len(r.mesh.chains))
	for i, c := range r.mesh.chains {
		all[i] = stub{
			vertex: r.mesh.outlets[c.outlets[0]].vertex,
			row:    r.mesh.outletRow(c.outlets[0]),
			bare:   1,
			label:  c.label,
		}
		if c.back {
			all[i].bare = 2
		}
	}
	for _, l := range r.mesh.links {
		if l.from != l.to {
			all[l.chain].edges = append(all[l.chain].edges, l.edges...)
			continue
		}
		row := r.mesh.verts[l.from].y + r.mesh.nets[l.loop].off
		all = append(all, stub{
			vertex: l.from,
			row:    row,
			bare:   2,
			loop:   true,
			label:  l.label,
			edges:  l.edges,
		})
	}
	return all
}

// addLabels writes the label of each stub onto its line.
func (r *router) addLabels(stubs []stub) {
	for _, s := range stubs {
		if s.label == "" {
			continue
		}
		slices.Sort(s.edges)
		v := r.mesh.verts[s.vertex]
		r.labels = append(r.labels, EdgeLabel{
			Edges: s.edges,
			X:     v.x + v.w + s.labelAt(),
			Y:     s.row,
			Text:  s.label,
		})
	}
}

// leads returns, for each layer, the number of columns between the right side of the layer's widest box and the first
// track.
func (r *router) leads(stubs []stub) []int {
	widest := make([]int, len(r.mesh.layers))
	leads := make([]int, len(r.mesh.layers))
	for i, layer := range r.mesh.layers {
		leads[i] = 1
		for _, v := range layer {
			widest[i] = max(widest[i], r.mesh.verts[v].w)
		}
	}
	for _, s := range stubs {
		v := r.mesh.verts[s.vertex]
		leads[v.layer] = max(leads[v.layer], s.width()-(widest[v.layer]-v.w))
	}
	return leads
}
