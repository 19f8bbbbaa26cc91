package diagram

import "sonde/analysis/layout"

// drawHead puts the arrow head of a path into the cell before its last point, in the style of the line
// there.
func (v GraphView) drawHead(c *canvas, p layout.EdgePath) {
	n := len(p.Points)
	dir := direction(p.Points[n-2], p.Points[n-1])
	dx, dy := step(dir)
	x, y := p.Points[n-1].X-dx, p.Points[n-1].Y-dy
	if at := c.at(x, y); at != nil {
		c.put(x, y, drawn.heads[dir], at.ink)
	}
}

// drawLabel writes a label over the line to which it belongs, in the style of this line. A blank is on either side of
// the label.
func (v GraphView) drawLabel(c *canvas, l layout.EdgeLabel) {
	w := layout.TextWidth(l.Text)
	if !c.sees(l.X-1, l.Y, w+2, 1) {
		return
	}
	k := c.at(max(l.X-1, c.x0), l.Y).ink
	for i := -1; i <= w; i++ {
		c.put(l.X+i, l.Y, " ", k)
	}
	c.text(l.X, l.Y, chars(l.Text), drawn.ellipsis, w, k)
}

// drawBox draws a node: its border, joined with the lines that leave the box, its text and its mark.
func (v GraphView) drawBox(c *canvas, b layout.NodeBox, n layout.Node) {
	k, edge := nodeInk(b.Node), nodeInk(b.Node)
	if v.BorderStyle != nil {
		edge = borderInk(b.Node)
	}
	c.blank(b, k)
	pad := v.drawBorder(c, b, n.Kind, edge)
	top := b.Y + (b.H-len(n.Lines))/2
	for i, line := range n.Lines {
		c.text(b.X+pad, top+i, chars(line), drawn.ellipsis, b.W-2*pad, k)
	}
	v.drawMark(c, b, n.Kind, edge)
}

// drawMark draws the mark of a node. The mark is in the upper border of the box if there is room. The mark of a dot
// is in its middle. A note has no mark.
func (v GraphView) drawMark(c *canvas, b layout.NodeBox, kind layout.NodeKind, k ink) {
	if v.Mark == nil || kind == layout.NoteNode || b.W < 5 && kind != layout.DotNode {
		return
	}
	width := b.W - 4 // the corners, and a blank on each side
	if kind == layout.DotNode {
		width = 1
	}
	mark := chars(v.Mark(b.Node, width))
	switch {
	case len(mark) == 0:
	case kind == layout.DotNode:
		c.put(b.X+1, b.Y+(b.H-1)/2, mark[0].text, k)
	default:
		mark = append(append([]char{{" ", 1}}, mark[:min(len(mark), width)]...), char{" ", 1})
		for i, m := range mark {
			c.put(b.X+1+i, b.Y, m.text, k)
		}
	}
}

// drawBorder draws the border of a node, and returns the number of cells between the side of the box and
// the text. A note has a border only if it is selected or lit.
func (v GraphView) drawBorder(c *canvas, b layout.NodeBox, kind layout.NodeKind, k ink) (pad int) {
	selected, lit := v.selected(b.Node), v.lit(b.Node)
	if kind == layout.DotNode {
		c.sides(b, drawn.dotOf(selected, lit), k)
		return 1
	}
	if kind != layout.NoteNode || selected || lit {
		c.rect(b, drawn.borderOf(kind, selected, lit), k)
	}
	return 2
}

// blank empties the inside of a box.
func (c *canvas) blank(b layout.NodeBox, k ink) {
	for y := b.Y + 1; y < b.Y+b.H-1; y++ {
		for x := b.X + 1; x < b.X+b.W-1; x++ {
			c.put(x, y, " ", k)
		}
	}
}

// sides draws the brackets on both sides of a dot.
func (c *canvas) sides(b layout.NodeBox, s bracket, k ink) {
	for row := range b.H {
		ends := s.side(row, b.H)
		c.put(b.X, b.Y+row, ends[0], k)
		c.put(b.X+b.W-1, b.Y+row, ends[1], k)
	}
}

func (v GraphView) drawFrame(c *canvas, i int, f layout.GroupFrame) {
	if !c.sees(f.X, f.Y, f.W, f.H) {
		return
	}
	border := &drawn.frame
	if v.FrameSelected != nil && v.FrameSelected(i) {
		border = &drawn.heavy
	}
	c.rect(layout.NodeBox{X: f.X, Y: f.Y, W: f.W, H: f.H}, border, frameInk)
	if f.Title != "" {
		c.text(f.X+2, f.Y, chars(" "+f.Title+" "), drawn.ellipsis, f.W-4, frameInk)
	}
}

// rect draws a border. Where a line leaves through the border, the line's direction is in the cell's mask and
// becomes part of the character.
func (c *canvas) rect(b layout.NodeBox, s *border, k ink) {
	x1, y1 := b.X+b.W-1, b.Y+b.H-1
	side := func(x, y int, mask uint8) {
		if at := c.at(x, y); at != nil {
			at.text, at.ink, at.half = s[mask|at.mask], k, false
		}
	}
	for x := b.X + 1; x < x1; x++ {
		side(x, b.Y, left|right)
		side(x, y1, left|right)
	}
	for y := b.Y + 1; y < y1; y++ {
		side(b.X, y, up|down)
		side(x1, y, up|down)
	}
	side(b.X, b.Y, right|down)
	side(x1, b.Y, left|down)
	side(b.X, y1, up|right)
	side(x1, y1, up|left)
}
