// Package sheet shows a graph in a window that may be smaller than the graph. It scrolls, keeps a box
// visible, and finds the box at a cell.
package sheet

import (
	"strings"

	"sonde/analysis/layout"
	"sonde/ui/diagram"
	"sonde/ui/draw"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Viewport is a graph with its layout, and a window on it. The zero value is empty.
type Viewport struct {
	Graph  layout.Graph
	Figure layout.Figure

	x, y, w, h int // the window
}

// New lays out a graph. It is slow for large graphs and must then be called in a tea.Cmd.
func New(g layout.Graph) Viewport {
	return Viewport{Graph: g, Figure: layout.NewFigure(g)}
}

// SetSize sets the size of the window in cells.
func (s *Viewport) SetSize(width, height int) {
	s.w, s.h = width, height
	s.ScrollBy(0, 0)
}

// ScrollBy moves the window by dx and dy cells, but not beyond the edges of the graph.
func (s *Viewport) ScrollBy(dx, dy int) {
	s.x = max(0, min(s.x+dx, s.Figure.W-s.w))
	s.y = max(0, min(s.y+dy, s.Figure.H-s.h))
}

// HandleWheel scrolls for a mouse wheel event, and sideways if shift is pressed.
func (s *Viewport) HandleWheel(msg tea.MouseMsg) {
	switch by := widget.WheelRows(msg); {
	case msg.Button == tea.MouseButtonWheelLeft:
		s.ScrollBy(-8, 0)
	case msg.Button == tea.MouseButtonWheelRight:
		s.ScrollBy(8, 0)
	case msg.Shift:
		s.ScrollBy(2*by, 0)
	default:
		s.ScrollBy(0, by)
	}
}

// ScrollToNode moves the window as little as possible to make a node's box visible.
func (s *Viewport) ScrollToNode(node int) {
	s.x, s.y = diagram.ScrollToNode(s.Figure, node, s.w, s.h, s.x, s.y)
}

// CenterNode centers the window on a node's box, as far as the edges of the graph allow.
func (s *Viewport) CenterNode(node int) {
	if node < 0 || node >= len(s.Figure.Boxes) {
		return
	}
	b := s.Figure.Boxes[node]
	s.x, s.y = 0, 0
	s.ScrollBy(b.X+(b.W-s.w)/2, b.Y+(b.H-s.h)/2)
}

// ShowsWhole reports whether the whole graph fits into the window.
func (s *Viewport) ShowsWhole() bool { return s.Figure.W <= s.w && s.Figure.H <= s.h }

// origin returns the upper left cell of the window in the graph. A graph that is smaller
// than the window is centered in it.
func (s *Viewport) origin() (x, y int) {
	return s.x - max(0, (s.w-s.Figure.W)/2), s.y - max(0, (s.h-s.Figure.H)/2)
}

// NodeAt returns the node whose box covers a cell of the window, or -1 if there is none.
func (s *Viewport) NodeAt(x, y int) int {
	ox, oy := s.origin()
	for _, b := range s.Figure.Boxes {
		if (draw.Rect{X: b.X, Y: b.Y, W: b.W, H: b.H}).Has(x+ox, y+oy) {
			return b.Node
		}
	}
	return -1
}

// Render draws the visible part of the graph.
func (s *Viewport) Render(v diagram.GraphView) string {
	x, y := s.origin()
	return v.Render(s.Figure, s.Graph, s.w, s.h, x, y)
}

// NodeToward returns the nearest node in a direction from another node, or -1 if there is none. One of dx
// and dy is 0, and the other is 1 or -1. Nodes straight ahead count as nearer than nodes to the side. A
// cell is about twice as high as wide.
func (s *Viewport) NodeToward(from, dx, dy int) int {
	if from < 0 || from >= len(s.Figure.Boxes) {
		return -1
	}
	best, least := -1, 0
	a := s.Figure.Boxes[from]
	for _, b := range s.Figure.Boxes {
		x, y := centre(b, a)
		ahead, aside := x*dx+y*dy, x*dy+y*dx // one of dx and dy is 0
		if b.Node == from || ahead <= 0 {
			continue
		}
		if far := ahead + 3*max(aside, -aside); best < 0 || far < least {
			best, least = b.Node, far
		}
	}
	return best
}

// centre returns the distance from the centre of a to the centre of b. The unit is the width of a cell, and a cell is
// two widths high.
func centre(b, a layout.NodeBox) (x, y int) {
	return (2*b.X + b.W - 2*a.X - a.W) / 2, 2*b.Y + b.H - 2*a.Y - a.H
}

// EmptyView draws a text in a window without a graph.
func EmptyView(text string, width, height int) string {
	return draw.FitLines(strings.Repeat("\n", max(0, height/3))+"  "+text, width, height)
}
