package layout

import (
	"context"
	"slices"
)

// The columns between two layers are, from left to right:
//   - the lead, which has the labels
//   - the tracks, with a free column between them
//   - the tail, which has a cell of the line and the arrow head
const (
	trackStep = 2
	tailWidth = 2
	gapMin    = 3
)

// lane is the column of the first track between two layers.
type lane int

// column returns the column of a track.
func (l lane) column(track int) int { return int(l) + track*trackStep }

// router works on a mesh that is already placed. It sets the tracks of the nets and the columns of the layers, and
// turns the links into paths and labels.
type router struct {
	mesh   *mesh
	w, h   int // size of the part
	paths  []EdgePath
	labels []EdgeLabel
}

// route sets the size, the paths and the labels of the router. It stops early when ctx is done.
func (r *router) route(ctx context.Context) {
	stubs := r.stubs()
	leads := r.leads(stubs)
	lanes := make([]lane, len(r.mesh.layers))
	x := 0
	for i, layer := range r.mesh.layers {
		if ctx.Err() != nil {
			return
		}
		width := 0
		for _, v := range layer {
			r.mesh.verts[v].x = x
			width = max(width, r.mesh.verts[v].w)
		}
		x += width
		lanes[i] = lane(x + leads[i])
		x += gapWidth(leads[i], r.solveGap(i), i == len(r.mesh.layers)-1)
	}
	r.w = x
	r.addLabels(stubs)
	for _, l := range r.mesh.links {
		points := r.points(l, lanes)
		for _, e := range l.edges {
			r.paths = append(r.paths, EdgePath{Edge: e, Points: points})
		}
	}
}

// gapWidth returns the number of columns between two layers, or to the right of the last layer.
func gapWidth(lead, tracks int, last bool) int {
	inside := max(0, (tracks-1)*trackStep+1)
	switch {
	case last && tracks == 0:
		return 0
	case last:
		return lead + inside
	}
	return max(gapMin, lead+inside+tailWidth)
}

// solveGap sets the tracks of the nets to the right of layer i. It returns the number of tracks.
func (r *router) solveGap(i int) int {
	g := newGap()
	for _, n := range r.mesh.gaps[i] {
		r.mesh.nets[n].track.straight = !g.add(n, r.mesh.lefts(r.mesh.nets[n]), r.mesh.rights(r.mesh.nets[n]))
	}
	nets := len(g.wires)
	tracks := g.solve()
	r.h = max(r.h, g.height)
	for _, w := range g.wires[:nets] {
		t := &r.mesh.nets[w.net].track
		t.first, t.second = w.track, w.track
		if w.half >= 0 {
			t.split, t.first, t.bend = true, g.wires[w.half].track, w.lefts[0]
		}
	}
	return tracks
}

// points returns the path of the link l through the layers, in the direction of the link's edges.
func (r *router) points(l link, lanes []lane) []Point {
	if l.from == l.to {
		return r.loopPoints(l, lanes)
	}
	from, to := r.mesh.verts[l.left()], r.mesh.verts[l.right()]
	outs := r.mesh.chains[l.chain].outlets
	line := []Point{{from.x + from.w - 1, r.mesh.outletRow(outs[0])}}
	for i := range to.layer - from.layer {
		next := l.right()
		if i+1 < to.layer-from.layer {
			next = r.mesh.outlets[outs[i+1]].vertex
		}
		line = r.cross(line, outs[i], next, lanes[from.layer+i])
	}
	line = append(line, Point{to.x, line[len(line)-1].Y})
	if l.back {
		slices.Reverse(line)
	}
	return line
}

// cross appends the points of a line through one gap. The line begins at the outlet with the index o and ends in the
// row of the vertex with the index to.
func (r *router) cross(line []Point, o, to int, in lane) []Point {
	n := r.mesh.nets[r.mesh.outlets[o].net]
	from := r.mesh.outletRow(o)
	row := r.mesh.inletRow(port{net: r.mesh.outlets[o].net, target: slices.Index(n.targets, to)})
	if from == row {
		return line
	}
	x := in.column(n.track.first)
	line = append(line, Point{x, from})
	if n.track.split {
		second := in.column(n.track.second)
		line = append(line, Point{x, n.track.bend}, Point{second, n.track.bend})
		x = second
	}
	return append(line, Point{x, row})
}

// loopPoints returns the path of a self-loop. The path leaves the box and enters it again in the next row.
func (r *router) loopPoints(l link, lanes []lane) []Point {
	v, n := r.mesh.verts[l.from], r.mesh.nets[l.loop]
	border, row := v.x+v.w-1, v.y+n.off
	x := lanes[v.layer].column(n.track.first)
	return []Point{{border, row}, {x, row}, {x, row + 1}, {border, row + 1}}
}
