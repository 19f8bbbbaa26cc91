package diagram

import "sonde/analysis/layout"

// cell is one cell of the window. While lines are drawn, it collects the lines that cross it. Afterwards joinLines
// gives it a text. half is set in the right half of a wide character.
type cell struct {
	mask         uint8 // directions in which lines leave the cell
	turn         bool  // a line turns here, so that all lines in the cell are joined
	dashH, dashV bool
	inkH, inkV   ink // the styles of the last horizontal and of the last vertical line
	ink          ink // the style of the last line, and then of the text
	text         string
	half         bool
}

// canvas is a window of width × height cells on a figure. The upper left cell of the window is column x0
// and row y0 of the figure. Coordinates are those of the figure. Drawing outside the window has no effect.
type canvas struct {
	width, height, x0, y0 int
	cells                 []cell
}

func newCanvas(width, height, x0, y0 int) *canvas {
	return &canvas{width: width, height: height, x0: x0, y0: y0, cells: make([]cell, width*height)}
}

// at returns the cell at x, y, or nil outside of the window.
func (c *canvas) at(x, y int) *cell {
	x, y = x-c.x0, y-c.y0
	if x < 0 || x >= c.width || y < 0 || y >= c.height {
		return nil
	}
	return &c.cells[y*c.width+x]
}

// sees reports whether a part of the rectangle is in the window.
func (c *canvas) sees(x, y, w, h int) bool {
	return x < c.x0+c.width && x+w > c.x0 && y < c.y0+c.height && y+h > c.y0
}

// put writes a text of one cell. If it replaces one half of a wide character, the other half becomes blank.
func (c *canvas) put(x, y int, text string, k ink) {
	at := c.at(x, y)
	if at == nil {
		return
	}
	if at.half {
		c.at(x-1, y).text = " "
	}
	if next := c.at(x+1, y); next != nil && next.half {
		next.text, next.half = " ", false
	}
	at.text, at.ink, at.half = text, k, false
}

// text writes characters from column x on, in at most limit cells. If they do not fit, an ellipsis replaces the last
// characters.
func (c *canvas) text(x, y int, chars []char, ellipsis string, limit int, k ink) {
	if limit <= 0 {
		return
	}
	width := 0
	for _, ch := range chars {
		width += ch.width
	}
	for _, ch := range chars {
		if width > limit && ch.width >= limit {
			c.put(x, y, ellipsis, k)
			return
		}
		c.char(x, y, ch, k)
		x, limit, width = x+ch.width, limit-ch.width, width-ch.width
	}
}

// char writes one character, or blanks if only a part of it is in the window.
func (c *canvas) char(x, y int, ch char, k ink) {
	whole := c.at(x, y) != nil && c.at(x+ch.width-1, y) != nil
	for i := range ch.width {
		c.put(x+i, y, " ", k)
	}
	if !whole {
		return
	}
	c.at(x, y).text = ch.text
	for i := 1; i < ch.width; i++ {
		c.at(x+i, y).half = true
	}
}

// line adds a path from one box to another to the cells that the path crosses. The first and the last cell are in the
// borders of the boxes. In the first cell, only the direction in which the path leaves is added. The last cell does
// not change.
func (c *canvas) line(points []layout.Point, dashed bool, k ink) {
	for i := 1; i < len(points); i++ {
		c.segment(points[i-1], points[i], i+1 == len(points), dashed, k)
		if i+1 < len(points) {
			if at := c.at(points[i].X, points[i].Y); at != nil {
				at.turn = true
			}
		}
	}
}

// segment adds a line to the cells from a to b. The last segment of a path does not change the mask of b,
// because there is an arrow head in the cell before b.
func (c *canvas) segment(a, b layout.Point, last, dashed bool, k ink) {
	dir := direction(a, b)
	dx, dy := step(dir)
	n := max(abs(b.X-a.X), abs(b.Y-a.Y))
	from, to := c.clip(a, dx, dy, n)
	for i := from; i <= to; i++ {
		at := c.at(a.X+i*dx, a.Y+i*dy)
		if i > 0 && !(last && i == n) {
			at.mask |= opposite(dir)
		}
		if i < n {
			at.mask |= dir
		}
		at.ink = k
		if dx != 0 {
			at.inkH, at.dashH = k, dashed
		} else {
			at.inkV, at.dashV = k, dashed
		}
	}
}

// clip takes a segment whose cells have the indices 0 to n, starting at a. It returns the indices of the first and
// the last cell in the window. If no cell is in the window, to is less than from.
func (c *canvas) clip(a layout.Point, dx, dy, n int) (from, to int) {
	if dx == 0 && (a.X < c.x0 || a.X >= c.x0+c.width) || dy == 0 && (a.Y < c.y0 || a.Y >= c.y0+c.height) {
		return 0, -1
	}
	lo, hi := c.x0-a.X, c.x0+c.width-1-a.X
	if dy != 0 {
		lo, hi = c.y0-a.Y, c.y0+c.height-1-a.Y
	}
	if dx+dy < 0 {
		lo, hi = -hi, -lo
	}
	return max(0, lo), min(n, hi)
}

// joinLines converts the collected lines of each cell to a character.
func (c *canvas) joinLines() {
	for i := range c.cells {
		at := &c.cells[i]
		switch {
		case at.mask == 0:
		case at.mask&(left|right) == 0 || at.mask == up|right|down|left && !at.turn:
			at.text, at.ink = drawn.joints[up|down], at.inkV
			if at.dashV {
				at.text = drawn.dashV
			}
		case at.mask&(up|down) == 0:
			at.text, at.ink = drawn.joints[left|right], at.inkH
			if at.dashH {
				at.text = drawn.dashH
			}
		default:
			at.text = drawn.joints[at.mask]
		}
	}
}

func direction(a, b layout.Point) uint8 {
	switch {
	case b.X > a.X:
		return right
	case b.X < a.X:
		return left
	case b.Y > a.Y:
		return down
	}
	return up
}

func step(dir uint8) (dx, dy int) {
	switch dir {
	case right:
		return 1, 0
	case left:
		return -1, 0
	case down:
		return 0, 1
	}
	return 0, -1
}

func opposite(dir uint8) uint8 { return (dir<<2 | dir>>2) & 15 }

func abs(n int) int { return max(n, -n) }
