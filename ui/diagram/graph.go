package diagram

import (
	"strings"

	"sonde/analysis/layout"
	"sonde/ui/theme"
)

// GraphView has the settings for drawing a graph. The zero value draws plain text without a selection.
type GraphView struct {
	// Style is the style of a node's box and text.
	Style func(node int) theme.Style
	// BorderStyle is the style of a node's border and mark, nil for the style of the node's text.
	BorderStyle func(node int) theme.Style
	// Mark returns a text of at most width cells for a node's upper border, or in place of a dot's text; "" for none.
	// It does not affect the layout.
	Mark func(node, width int) string
	// EdgeStyle is the style of an edge's line and label.
	EdgeStyle func(edge int) theme.Style
	// Selected reports whether a node has a heavy border. The edges of such nodes are
	// drawn above all others.
	Selected func(node int) bool
	// Lit reports whether a node has a double border, unless it is selected. The app uses
	// it for matches of a search.
	Lit func(node int) bool
	// FrameStyle is the style of frames and their titles.
	FrameStyle theme.Style
	// FrameSelected reports whether a frame has a heavy border.
	FrameSelected func(frame int) bool
}

// Render draws a part of fig: height lines of width cells each, joined by newlines, starting at column offX
// and row offY. The offsets may be negative. fig must be the layout of g. The cost depends on the size of
// the window, and hardly on the size of the figure.
func (v GraphView) Render(fig layout.Figure, g layout.Graph, width, height, offX, offY int) string {
	if width <= 0 || height <= 0 {
		return strings.Repeat("\n", max(0, height-1))
	}
	c := newCanvas(width, height, offX, offY)
	v.draw(c, fig, g)
	return c.print(v)
}

// draw draws frames, lines, heads, labels and boxes in this order. Later kinds cover earlier ones.
func (v GraphView) draw(c *canvas, fig layout.Figure, g layout.Graph) {
	for i, f := range fig.Frames {
		v.drawFrame(c, i, f)
	}
	for _, above := range []bool{false, true} {
		for _, p := range fig.Paths {
			if v.touchesSelected(g.Edges[p.Edge]) == above {
				c.line(p.Points, g.Edges[p.Edge].Dashed, edgeInk(p.Edge))
			}
		}
	}
	c.joinLines()
	for _, p := range fig.Paths {
		v.drawHead(c, p)
	}
	for _, l := range fig.Labels {
		v.drawLabel(c, l)
	}
	for _, b := range fig.Boxes {
		if c.sees(b.X, b.Y, b.W, b.H) {
			v.drawBox(c, b, g.Nodes[b.Node])
		}
	}
}

// Whole draws all of fig, without trailing blanks.
func (v GraphView) Whole(fig layout.Figure, g layout.Graph) string {
	lines := strings.Split(v.Render(fig, g, fig.W, fig.H, 0, 0), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

func (v GraphView) selected(node int) bool { return v.Selected != nil && v.Selected(node) }

func (v GraphView) lit(node int) bool { return v.Lit != nil && v.Lit(node) }

func (v GraphView) touchesSelected(e layout.Edge) bool { return v.selected(e.From) || v.selected(e.To) }
