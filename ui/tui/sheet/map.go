package sheet

import (
	"strings"

	"sonde/analysis/layout"
)

// The signs of a map. A person's own sign for a node comes before them.
const (
	mapBox    = "▪"
	mapBoxIn  = "█"
	mapRoom   = " "
	mapRoomIn = "░"
)

// RenderMap draws the whole figure in at most width × height cells: where there are
// boxes, and what of it the window shows. A node's own sign, where it is not "",
// stands in place of its box.
func (s *Viewport) RenderMap(width, height int, sign func(node int) string) string {
	m := s.newChart(width, height)
	cells := make([]string, m.w*m.h)
	for y := range m.h {
		for x := range m.w {
			cells[y*m.w+x] = m.cell(x, y, mapRoom, mapRoomIn)
		}
	}
	for _, special := range []bool{false, true} { // these above the others
		for _, b := range s.Figure.Boxes {
			own := sign(b.Node)
			if (own != "") != special {
				continue
			}
			x, y := (b.X+b.W/2)/m.sx, (b.Y+b.H/2)/m.sy
			if own == "" {
				own = m.cell(x, y, mapBox, mapBoxIn)
			}
			cells[y*m.w+x] = own
		}
	}
	rows := make([]string, m.h)
	for y := range rows {
		rows[y] = strings.Join(cells[y*m.w:(y+1)*m.w], "")
	}
	return strings.Join(rows, "\n")
}

// MapSize is the number of cells that a map of at most width × height takes.
func (s *Viewport) MapSize(width, height int) (w, h int) {
	m := s.newChart(width, height)
	return m.w, m.h
}

// ScrollToMapCell moves the window so that the cell of a map of at most width × height is in
// its middle.
func (s *Viewport) ScrollToMapCell(width, height, x, y int) {
	m := s.newChart(width, height)
	s.x, s.y = 0, 0
	s.ScrollBy(x*m.sx+m.sx/2-s.w/2, y*m.sy+m.sy/2-s.h/2)
}

// chart is how a figure is scaled: a cell stands for sx × sy of the figure's.
type chart struct {
	w, h, sx, sy int
	window       layout.NodeBox
}

func (s *Viewport) newChart(width, height int) chart {
	up := func(a, b int) int { return (a + b - 1) / b }
	m := chart{sx: max(1, up(s.Figure.W, max(1, width))), sy: max(1, up(s.Figure.H, max(1, height)))}
	m.w, m.h = max(1, up(s.Figure.W, m.sx)), max(1, up(s.Figure.H, m.sy))
	m.window = layout.NodeBox{X: s.x, Y: s.y, W: s.w, H: s.h}
	return m
}

// cell chooses between what stands outside of the window and inside.
func (m chart) cell(x, y int, out, in string) string {
	px, py, w := x*m.sx, y*m.sy, m.window
	if px+m.sx > w.X && px < w.X+w.W && py+m.sy > w.Y && py < w.Y+w.H {
		return in
	}
	return out
}
