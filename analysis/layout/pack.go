package layout

import (
	"cmp"
	"slices"
)

// defaultWrap is the width of a shelf when Graph.Wrap is 0.
const defaultWrap = 80

// Cells between parts, and between a frame's border and its part.
const (
	partGapX, partGapY = 2, 1
	framePadX          = 1
)

// pack stands the parts on shelves, side by side as far as they fit, and
// collects them in one figure.
func pack(g Graph, parts []*part) Figure {
	f := Figure{Boxes: make([]Box, len(g.Nodes))}
	wrap := g.Wrap
	if wrap <= 0 {
		wrap = defaultWrap
	}
	padX, padY := 0, 0
	if g.Framed {
		padX, padY = framePadX+1, 1
	}
	x, y, height := 0, 0, 0
	for _, p := range parts {
		w, h := p.w+2*padX, p.h+2*padY
		if x > 0 && x+w > wrap {
			x, y, height = 0, y+height+partGapY, 0
		}
		if g.Framed {
			f.Frames = append(f.Frames, Frame{Nodes: p.nodes, X: x, Y: y, W: w, H: h})
		}
		f.take(p, x+padX, y+padY)
		f.W, f.H = max(f.W, x+w), max(f.H, y+h)
		x, height = x+w+partGapX, max(height, h)
	}
	slices.SortFunc(f.Paths, func(a, b Path) int { return cmp.Compare(a.Edge, b.Edge) })
	return f
}

// take adds the boxes, paths and labels of p, moved by dx and dy.
func (f *Figure) take(p *part, dx, dy int) {
	for i, n := range p.nodes {
		v := p.verts[i]
		f.Boxes[n] = Box{Node: n, X: v.x + dx, Y: v.y + dy, W: v.w, H: v.h}
	}
	for _, path := range p.paths {
		moved := make([]Point, len(path.Points))
		for i, pt := range path.Points {
			moved[i] = Point{pt.X + dx, pt.Y + dy}
		}
		f.Paths = append(f.Paths, Path{Edge: path.Edge, Points: moved})
	}
	for _, l := range p.labels {
		l.X, l.Y = l.X+dx, l.Y+dy
		f.Labels = append(f.Labels, l)
	}
}
