package picture

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"sonde/analysis/layout"
)

// Limits of a graph that can be laid out fast and that is easy to read.
const (
	MaxSVGNodes = 300
	MaxSVGEdges = 400
)

// The size of a cell and the margin of the picture, in pixels.
const (
	cellW, cellH = 8, 18
	margin       = 24
)

// boxText is the maximum number of cells of a text in a box.
const boxText = 60

// screenWidth is a width in cells that fits a screen. Unconnected parts of a graph are put side by side up
// to this width, or up to the width of the widest part.
const screenWidth = 150

// WriteSVG writes a graph as a self-contained SVG picture for light and dark backgrounds, laid out from
// left to right. The tooltip of a box has its complete text. The error is from w.
func WriteSVG(w io.Writer, g Graph) error {
	d := newDrawing(w, g)
	d.draw()
	return d.Flush()
}

// WriteInlineSVG writes a graph as an SVG element for an HTML page, without the graph's title and note. The picture is
// scaled down to a width in pixels, but to three quarters at most, so that its texts can be read. The element has the
// class "graph", and no styles: the page has those of the classes inside, which are the same as in WriteSVG, and those
// of the states. The page must not have another element with the ID "arrow". The error is from w.
func WriteInlineSVG(w io.Writer, g Graph, fit int) error {
	label := g.Title
	g.Title, g.Note = "", ""
	d := newDrawing(w, g)
	width, height := d.size()
	scale := min(1, max(0.75, float64(fit)/float64(width)))
	fmt.Fprintf(
		d, `<svg class="graph" viewBox="0 0 %d %d" width="%.0f" height="%.0f" role="img" aria-label="%s">`+"\n%s",
		width, height, scale*float64(width), scale*float64(height), escaped(label), head,
	)
	d.graph(margin)
	fmt.Fprintln(d, "</svg>")
	return d.Flush()
}

// newDrawing lays a graph out.
func newDrawing(w io.Writer, g Graph) drawing {
	l := g.layout()
	fig := layout.NewFigure(l)
	if fig.W > l.Wrap {
		l.Wrap = fig.W
		fig = layout.NewFigure(l)
	}
	return drawing{Writer: bufio.NewWriter(w), g: g, fig: fig}
}

// layout returns the graph as input of the package layout.
func (g Graph) layout() layout.Graph {
	l := layout.Graph{Wrap: screenWidth}
	for i, n := range g.Nodes {
		node := layout.Node{}
		for _, line := range n {
			node.Lines = append(node.Lines, layout.TruncateText(line.String(), boxText))
		}
		if g.Values[i] {
			node.Kind = layout.ValueNode
		}
		l.Nodes = append(l.Nodes, node)
	}
	for _, e := range g.Edges {
		l.Edges = append(l.Edges, layout.Edge{From: e.From, To: e.To, Label: label(e.Values, edgeText), Dashed: e.Dashed})
	}
	if len(g.Frames) > 0 {
		l.Framed, l.Groups = true, make([]int, len(l.Nodes))
		for i, f := range g.Frames {
			l.Titles = append(l.Titles, layout.TruncateText(clean(f.Title), boxText))
			for _, node := range f.Nodes {
				l.Groups[node] = i
			}
		}
	}
	return l
}

// edgeText is the maximum number of cells of a label that the layout shows.
const edgeText = 20

// drawing writes an SVG.
type drawing struct {
	*bufio.Writer
	g   Graph
	fig layout.Figure
}

// top returns the y coordinate of the graph, below the title.
func (d drawing) top() int {
	if d.g.Title == "" {
		return margin
	}
	return margin + 2*cellH
}

// size returns the size of the picture in pixels.
func (d drawing) size() (width, height int) {
	width, height = d.fig.W*cellW+2*margin, d.fig.H*cellH+d.top()+margin
	for _, text := range []string{d.g.Title, d.g.Note} {
		width = max(width, layout.TextWidth(clean(text))*cellW+2*margin)
	}
	if d.g.Note != "" {
		height += 2 * cellH
	}
	return width, height
}

func (d drawing) draw() {
	width, height := d.size()
	fmt.Fprintf(
		d, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`+"\n",
		width, height, width, height,
	)
	fmt.Fprintf(d, "<title>%s</title>\n<style>%s</style>\n%s", escaped(d.g.Title), style, head)
	fmt.Fprintf(d, `<rect class="ground" width="%d" height="%d"/>`+"\n", width, height)
	if d.g.Title != "" {
		fmt.Fprintf(d, `<text class="name" x="%d" y="%d">%s</text>`+"\n", margin, margin+cellH/2, escaped(d.g.Title))
	}
	d.graph(d.top())
	if d.g.Note != "" {
		fmt.Fprintf(d, `<text class="label" x="%d" y="%d">%s</text>`+"\n", margin, height-margin, escaped(d.g.Note))
	}
	fmt.Fprintln(d, "</svg>")
}

// graph writes all but the title and the note.
func (d drawing) graph(top int) {
	fmt.Fprintf(d, `<g transform="translate(%d %d)">`+"\n", margin, top)
	d.frames()
	d.lines()
	d.labels()
	d.boxes()
	fmt.Fprintln(d, "</g>")
}

// frames writes the frames. A title is on the upper border, with a background.
func (d drawing) frames() {
	for _, f := range d.fig.Frames {
		x, y := middle(layout.Point{X: f.X, Y: f.Y})
		fmt.Fprintf(d, `<rect class="frame" x="%d" y="%d" width="%d" height="%d"/>`, x, y, (f.W-1)*cellW, (f.H-1)*cellH)
		if f.Title != "" {
			left, width := (f.X+3)*cellW, layout.TextWidth(f.Title)*cellW
			fmt.Fprintf(d, `<rect class="ground" x="%d" y="%d" width="%d" height="%d"/>`, left-cellW/2, f.Y*cellH, width+cellW, cellH)
			fmt.Fprintf(d, `<text class="label" x="%d" y="%d">%s</text>`, left, f.Y*cellH+base, escaped(f.Title))
		}
		fmt.Fprintln(d)
	}
}

func (d drawing) lines() {
	for _, p := range d.fig.Paths {
		edge := d.g.Edges[p.Edge]
		dashed := ""
		if edge.Dashed {
			dashed = " dashed"
		}
		fmt.Fprintf(d, `<path class="line%s%s" d="%s"/>`+"\n", class(d.g.Nodes[edge.From].method()), dashed, route(p.Points))
	}
}

// class returns a space and the CSS class of a method, or "" if the method has no colour.
func class(method string) string {
	if slices.Contains(methods, method) {
		return " " + strings.ToLower(method)
	}
	return ""
}

// corner is the radius of turns in pixels. Turns are round, to distinguish a line that turns from lines
// that cross.
const corner = 6

// route returns an SVG path through the middles of cells.
func route(points []layout.Point) string {
	var b strings.Builder
	x, y := middle(points[0])
	fmt.Fprintf(&b, "M%d %d", x, y)
	for i := 1; i < len(points)-1; i++ {
		x, y := middle(points[i])
		fromX, fromY := towards(points[i], points[i-1])
		toX, toY := towards(points[i], points[i+1])
		fmt.Fprintf(&b, "L%d %dQ%d %d %d %d", fromX, fromY, x, y, toX, toY)
	}
	x, y = middle(points[len(points)-1])
	fmt.Fprintf(&b, "L%d %d", x, y)
	return b.String()
}

func middle(p layout.Point) (x, y int) { return p.X*cellW + cellW/2, p.Y*cellH + cellH/2 }

// towards returns the point near p at which a turn begins or ends, on the side of q. It is in pixels.
func towards(p, q layout.Point) (x, y int) {
	x, y = middle(p)
	qx, qy := middle(q)
	return x + within(qx-x), y + within(qy-y)
}

// within returns the part of a distance that a turn uses: half of the distance, but at most corner. Distances may be
// negative; the result then is, too.
func within(distance int) int { return min(max(distance/2, -corner), corner) }

// labels writes the labels over the lines. Each label has a background.
func (d drawing) labels() {
	for _, l := range d.fig.Labels {
		x, w := l.X*cellW, layout.TextWidth(l.Text)*cellW
		fmt.Fprintf(d, `<rect class="ground" x="%d" y="%d" width="%d" height="%d"/>`, x-2, l.Y*cellH+1, w+4, cellH-2)
		fmt.Fprintf(d, `<text class="label" x="%d" y="%d">%s</text>`+"\n", x, l.Y*cellH+base, escaped(l.Text))
	}
}

// base is the y coordinate of a text's baseline in its row.
const base = cellH - 5

func (d drawing) boxes() {
	for _, b := range d.fig.Boxes {
		node := d.g.Nodes[b.Node]
		x, y := middle(layout.Point{X: b.X, Y: b.Y})
		kind, radius := class(node.method()), corner-1
		if d.g.Values[b.Node] {
			kind, radius = " value", 0
		}
		if state := d.g.States[b.Node]; state != "" {
			kind = " " + string(state)
		}
		fmt.Fprintf(d, `<g class="box%s"><title>%s</title>`, kind, escaped(node.String()))
		fmt.Fprintf(d, `<rect x="%d" y="%d" width="%d" height="%d" rx="%d"/>`, x, y, (b.W-1)*cellW, (b.H-1)*cellH, radius)
		row := b.Y + 1 + (b.H-2-len(node))/2
		for i, line := range node {
			fmt.Fprintf(d, `<text x="%d" y="%d">%s</text>`, (b.X+2)*cellW, (row+i)*cellH+base, line.spans())
		}
		fmt.Fprintln(d, "</g>")
	}
}

// String returns all lines of a node as one, with commas between them.
func (n Node) String() string {
	var lines []string
	for _, l := range n {
		lines = append(lines, l.String())
	}
	return strings.Join(lines, ", ")
}

// spans returns the text elements of a line, with the mark and the method in their colours.
func (l Line) spans() string {
	rest := layout.TruncateText(l.String(), boxText)
	var b strings.Builder
	for _, part := range []struct{ text, class string }{
		{l.Mark, "mark " + string(l.State)}, {l.Method, "method" + class(l.Method)},
	} {
		after, ok := strings.CutPrefix(rest, part.text+" ")
		if part.text == "" || !ok {
			continue
		}
		fmt.Fprintf(&b, `<tspan class="%s">%s</tspan> `, part.class, escaped(part.text))
		rest = after
	}
	return b.String() + escaped(rest)
}

// escaped escapes a text for XML. It removes characters that XML does not allow.
func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(clean(s))) // a Builder never fails
	return b.String()
}
