package figure

import "sonde/analysis/layout"

// drawHead puts the arrow head of a path before its last point, in the style
// of the line there.
func (v View) drawHead(c *canvas, p layout.Path) {
	n := len(p.Points)
	dir := direction(p.Points[n-2], p.Points[n-1])
	dx, dy := step(dir)
	x, y := p.Points[n-1].X-dx, p.Points[n-1].Y-dy
	if at := c.at(x, y); at != nil {
		c.put(x, y, v.glyphs().heads[dir], at.ink)
	}
}

// drawLabel writes a label over its line, in the style of the line, with a
// blank on either side.
func (v View) drawLabel(c *canvas, l layout.Label) {
	w := layout.Width(l.Text)
	if !c.sees(l.X-1, l.Y, w+2, 1) {
		return
	}
	k := c.at(max(l.X-1, c.x0), l.Y).ink
	for i := -1; i <= w; i++ {
		c.put(l.X+i, l.Y, " ", k)
	}
	c.text(l.X, l.Y, v.chars(l.Text), v.glyphs().ellipsis, w, k)
}

// drawBox draws the border, joined with the lines that leave it, and the text.
func (v View) drawBox(c *canvas, b layout.Box, n layout.Node) {
	k := nodeInk(b.Node)
	s := v.glyphs()
	for y := b.Y + 1; y < b.Y+b.H-1; y++ {
		for x := b.X + 1; x < b.X+b.W-1; x++ {
			c.put(x, y, " ", k)
		}
	}
	if n.Kind != layout.Note || v.selected(b.Node) {
		c.rect(b, s.borderOf(n.Kind, v.selected(b.Node)), k)
	}
	top := b.Y + 1 + (b.H-2-len(n.Lines))/2
	for i, line := range n.Lines {
		c.text(b.X+2, top+i, v.chars(line), s.ellipsis, b.W-4, k)
	}
}

func (v View) drawFrame(c *canvas, i int, f layout.Frame) {
	if !c.sees(f.X, f.Y, f.W, f.H) {
		return
	}
	s := v.glyphs()
	c.rect(layout.Box{X: f.X, Y: f.Y, W: f.W, H: f.H}, &s.frame, frameInk)
	if v.Title != nil && v.Title(i) != "" {
		c.text(f.X+2, f.Y, v.chars(" "+v.Title(i)+" "), s.ellipsis, f.W-4, frameInk)
	}
}

// rect draws a border. Where a line leaves through it, the line's
// direction is in the cell's mask and becomes part of the character.
func (c *canvas) rect(b layout.Box, s *border, k ink) {
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
