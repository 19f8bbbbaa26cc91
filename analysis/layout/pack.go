package layout

import (
	"cmp"
	"slices"
)

// defaultWrap is the maximum width, in cells, of parts side by side if Graph.Wrap is 0.
const defaultWrap = 80

// Numbers of cells between parts, and between the border of a frame and the part inside.
const (
	partGapX, partGapY = 2, 1
	framePadX          = 1
)

// block is the layout of one part. Its coordinates are relative to the part's top left corner.
type block struct {
	nodes  []int
	boxes  []NodeBox
	w, h   int
	paths  []EdgePath
	labels []EdgeLabel
}

// pack arranges blocks side by side, in several rows of blocks if they are wider than Graph.Wrap. It returns them as
// one figure.
func pack(g Graph, blocks []block) Figure {
	f := Figure{Boxes: make([]NodeBox, len(g.Nodes))}
	wrap := g.Wrap
	if wrap <= 0 {
		wrap = defaultWrap
	}
	padX, padY := 0, 0
	if g.Framed {
		padX, padY = framePadX+1, 1
	}
	x, y, height := 0, 0, 0
	for _, b := range blocks {
		w, h := b.w+2*padX, b.h+2*padY
		if x > 0 && x+w > wrap {
			x, y, height = 0, y+height+partGapY, 0
		}
		if g.Framed {
			f.Frames = append(f.Frames, PartFrame{Nodes: b.nodes, X: x, Y: y, W: w, H: h})
		}
		f.add(b, x+padX, y+padY)
		f.W, f.H = max(f.W, x+w), max(f.H, y+h)
		x, height = x+w+partGapX, max(height, h)
	}
	slices.SortFunc(f.Paths, func(a, b EdgePath) int { return cmp.Compare(a.Edge, b.Edge) })
	return f
}

// add adds the boxes, paths and labels of b, shifted by dx and dy.
func (f *Figure) add(b block, dx, dy int) {
	for _, box := range b.boxes {
		box.X, box.Y = box.X+dx, box.Y+dy
		f.Boxes[box.Node] = box
	}
	for _, path := range b.paths {
		moved := make([]Point, len(path.Points))
		for i, pt := range path.Points {
			moved[i] = Point{pt.X + dx, pt.Y + dy}
		}
		f.Paths = append(f.Paths, EdgePath{Edge: path.Edge, Points: moved})
	}
	for _, l := range b.labels {
		l.X, l.Y = l.X+dx, l.Y+dy
		f.Labels = append(f.Labels, l)
	}
}
