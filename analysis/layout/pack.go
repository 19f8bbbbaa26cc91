package layout

import (
	"cmp"
	"slices"
)

// defaultWrap is the maximum width, in cells, of parts side by side if Graph.Wrap is 0.
const defaultWrap = 80

// Numbers of cells between parts, between the border of a frame and the parts inside, and beside the title of a frame.
const (
	partGapX, partGapY = 2, 1
	framePadX          = 1
	titlePad           = 6
)

// block is the layout of one part, or of several. Its coordinates are relative to its top left corner.
type block struct {
	nodes  []int
	boxes  []NodeBox
	w, h   int
	paths  []EdgePath
	labels []EdgeLabel
}

// pack arranges the blocks of connected parts side by side, in several rows of blocks if they are wider than
// Graph.Wrap. It returns them as one figure.
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
	blocks = joinGroups(g, blocks, wrap-2*padX)
	sizes := make([]Point, len(blocks))
	for i, b := range blocks {
		sizes[i] = Point{b.w + 2*padX, b.h + 2*padY}
		if g.Framed {
			sizes[i].X = max(sizes[i].X, titleWidth(g.title(b)))
		}
	}
	for i, at := range shelves(sizes, wrap) {
		b := blocks[i]
		if g.Framed {
			f.Frames = append(f.Frames, GroupFrame{Nodes: b.nodes, Title: g.title(b), X: at.X, Y: at.Y, W: sizes[i].X, H: sizes[i].Y})
		}
		f.W, f.H = max(f.W, at.X+sizes[i].X), max(f.H, at.Y+sizes[i].Y)
		b = b.moved(at.X+padX, at.Y+padY)
		for _, box := range b.boxes {
			f.Boxes[box.Node] = box
		}
		f.Paths, f.Labels = append(f.Paths, b.paths...), append(f.Labels, b.labels...)
	}
	slices.SortFunc(f.Paths, func(a, b EdgePath) int { return cmp.Compare(a.Edge, b.Edge) })
	return f
}

// shelves puts rectangles side by side, in rows that are at most as wide as wrap, and returns their upper left
// corners. A rectangle that is wider than wrap has a row of its own.
func shelves(sizes []Point, wrap int) []Point {
	at := make([]Point, len(sizes))
	x, y, height := 0, 0, 0
	for i, size := range sizes {
		if x > 0 && x+size.X > wrap {
			x, y, height = 0, y+height+partGapY, 0
		}
		at[i] = Point{x, y}
		x, height = x+size.X+partGapX, max(height, size.Y)
	}
	return at
}

// joinGroups joins the blocks of each group. The groups are in the order of their first blocks.
func joinGroups(g Graph, blocks []block, wrap int) []block {
	if g.Groups == nil {
		return blocks
	}
	var groups [][]block
	index := map[int]int{}
	for _, b := range blocks {
		at, ok := index[g.group(b)]
		if !ok {
			at = len(groups)
			index[g.group(b)] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], b)
	}
	joined := make([]block, len(groups))
	for i, parts := range groups {
		joined[i] = join(parts, wrap)
	}
	return joined
}

// group returns the group of a block, which is the group of the block's first node. It returns -1 if Groups has no
// group for this node.
func (g Graph) group(b block) int {
	if first := b.nodes[0]; first < len(g.Groups) {
		return g.Groups[first]
	}
	return -1
}

// title returns the title of a block's frame, or "" if it has none.
func (g Graph) title(b block) string {
	if group := g.group(b); group >= 0 && group < len(g.Titles) {
		return g.Titles[group]
	}
	return ""
}

// titleWidth returns the minimum width of a frame with a title.
func titleWidth(title string) int {
	if title == "" {
		return 0
	}
	return TextWidth(title) + titlePad
}

// join puts blocks side by side and returns them as one block.
func join(parts []block, wrap int) block {
	sizes := make([]Point, len(parts))
	for i, b := range parts {
		sizes[i] = Point{b.w, b.h}
	}
	var all block
	for i, at := range shelves(sizes, wrap) {
		b := parts[i].moved(at.X, at.Y)
		all.nodes, all.boxes = append(all.nodes, b.nodes...), append(all.boxes, b.boxes...)
		all.paths, all.labels = append(all.paths, b.paths...), append(all.labels, b.labels...)
		all.w, all.h = max(all.w, at.X+b.w), max(all.h, at.Y+b.h)
	}
	slices.Sort(all.nodes)
	return all
}

// moved returns b with its boxes, paths and labels shifted by dx and dy.
func (b block) moved(dx, dy int) block {
	to := block{nodes: b.nodes, w: b.w, h: b.h}
	for _, box := range b.boxes {
		box.X, box.Y = box.X+dx, box.Y+dy
		to.boxes = append(to.boxes, box)
	}
	for _, path := range b.paths {
		points := make([]Point, len(path.Points))
		for i, pt := range path.Points {
			points[i] = Point{pt.X + dx, pt.Y + dy}
		}
		to.paths = append(to.paths, EdgePath{Edge: path.Edge, Points: points})
	}
	for _, l := range b.labels {
		l.X, l.Y = l.X+dx, l.Y+dy
		to.labels = append(to.labels, l)
	}
	return to
}
