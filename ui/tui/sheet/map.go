package sheet

import (
	"strings"

	"sonde/analysis/layout"
)

// The signs of a map, outside and inside the window.
const (
	mapBox        = "▪"
	mapBoxInside  = "█"
	mapFree       = " "
	mapFreeInside = "░"
)

// RenderMap draws the whole graph in at most width × height cells: its boxes, and the part that is visible
// in the window. sign returns the sign for a node, "" for the default sign.
func (s *Viewport) RenderMap(width, height int, sign func(node int) string) string {
	m := s.newChart(width, height)
	cells := make([]string, m.w*m.h)
	for y := range m.h {
		for x := range m.w {
			cells[y*m.w+x] = m.cell(x, y, mapFree, mapFreeInside)
		}
	}
	for _, special := range []bool{false, true} { // a node with a sign of its own covers other nodes
		for _, b := range s.Figure.Boxes {
			own := sign(b.Node)
			if (own != "") != special {
				continue
			}
			x, y := (b.X+b.W/2)/m.sx, (b.Y+b.H/2)/m.sy
			if own == "" {
				own = m.cell(x, y, mapBox, mapBoxInside)
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

// MapSize returns the size of a map of at most width × height cells.
func (s *Viewport) MapSize(width, height int) (w, h int) {
	m := s.newChart(width, height)
	return m.w, m.h
}

// ScrollToMapCell centers the window on a cell of a map of at most width × height cells, as far as the
// edges of the graph allow.
func (s *Viewport) ScrollToMapCell(width, height, x, y int) {
	m := s.newChart(width, height)
	s.x, s.y = 0, 0
	s.ScrollBy(x*m.sx+m.sx/2-s.w/2, y*m.sy+m.sy/2-s.h/2)
}

// chart is the scale of a map: one cell of the map is sx × sy cells of the graph.
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

// cell returns the sign of a map cell: the sign in if the area of the cell overlaps the window, and the sign out
// otherwise.
func (m chart) cell(x, y int, out, in string) string {
	px, py, w := x*m.sx, y*m.sy, m.window
	if px+m.sx > w.X && px < w.X+w.W && py+m.sy > w.Y && py < w.Y+w.H {
		return in
	}
	return out
}
