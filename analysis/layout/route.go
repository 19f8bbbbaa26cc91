package layout

import "slices"

// Columns between two layers, from left to right: a lead that holds the
// labels, one column per track with a free one between them, and a tail of
// a line cell and an arrow head.
const (
	trackStep = 2
	tailWidth = 2
	gapMin    = 3
)

// lane is the column of the first track between two layers.
type lane int

func (l lane) column(track int) int { return int(l) + track*trackStep }

// route gives every net its tracks, every layer its columns, and turns links
// into paths and labels.
func (p *part) route() {
	stubs := p.stubs()
	leads := p.leads(stubs)
	lanes := make([]lane, len(p.layers))
	x := 0
	for i, layer := range p.layers {
		if p.ctx.Err() != nil {
			return
		}
		width := 0
		for _, v := range layer {
			p.verts[v].x = x
			width = max(width, p.verts[v].w)
		}
		x += width
		lanes[i] = lane(x + leads[i])
		x += gapWidth(leads[i], p.solveGap(i), i == len(p.layers)-1)
	}
	p.w = x
	p.addLabels(stubs)
	for _, l := range p.links {
		points := p.points(l, lanes)
		for _, e := range l.edges {
			p.paths = append(p.paths, Path{Edge: e, Points: points})
		}
	}
}

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

// solveGap finds the tracks of the nets right of layer i.
func (p *part) solveGap(i int) int {
	g := newGap()
	for _, n := range p.gaps[i] {
		p.nets[n].track.straight = !g.add(n, p.lefts(p.nets[n]), p.rights(p.nets[n]))
	}
	nets := len(g.wires)
	tracks := g.solve()
	p.h = max(p.h, g.height)
	for _, w := range g.wires[:nets] {
		r := &p.nets[w.net].track
		r.first, r.second = w.track, w.track
		if w.half >= 0 {
			r.split, r.first, r.bend = true, g.wires[w.half].track, w.lefts[0]
		}
	}
	return tracks
}

// points follows l from layer to layer, in the direction of its edges.
func (p *part) points(l link, lanes []lane) []Point {
	if l.from == l.to {
		return p.loopPoints(l, lanes)
	}
	from, to := p.verts[l.left()], p.verts[l.right()]
	outs := p.chains[l.chain].outlets
	line := []Point{{from.x + from.w - 1, p.outletRow(outs[0])}}
	for i := range to.layer - from.layer {
		next := l.right()
		if i+1 < to.layer-from.layer {
			next = p.outlets[outs[i+1]].vertex
		}
		line = p.cross(line, outs[i], next, lanes[from.layer+i])
	}
	line = append(line, Point{to.x, line[len(line)-1].Y})
	if l.back {
		slices.Reverse(line)
	}
	return line
}

// cross leads line through the gap right of outlet o to the row of vertex to.
func (p *part) cross(line []Point, o, to int, in lane) []Point {
	n := p.nets[p.outlets[o].net]
	from := p.outletRow(o)
	row := p.inletRow(port{p.outlets[o].net, slices.Index(n.targets, to)})
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

// loopPoints leads a self-loop out of its box and back in the next row.
func (p *part) loopPoints(l link, lanes []lane) []Point {
	v, n := p.verts[l.from], p.nets[l.loop]
	border, row := v.x+v.w-1, v.y+n.off
	x := lanes[v.layer].column(n.track.first)
	return []Point{{border, row}, {x, row}, {x, row + 1}, {border, row + 1}}
}
