// Package layout places a directed graph on terminal cells. Boxes never overlap, lines run along rows and
// columns, and layers go from left to right, after Sugiyama, Tagawa and Toda ("Methods for visual
// understanding of hierarchical system structures", 1981).
//
// The package does not draw: a [Figure] is numbers and short texts, which the app draws as characters and an export as
// SVG. Equal graphs give equal figures. A reader can follow the lines of a figure from a box, in the direction of the
// arrows and straight on where two lines only cross. The lines then lead to the targets of the box's edges, and to no
// other box.
package layout

import "context"

// NodeKind determines how a node is drawn.
type NodeKind int

// The kinds of nodes. A NoteNode is a remark such as "12 more", which is drawn without a border. A DotNode has no
// border above and below its text, and only as many rows as its text and its lines need. It is for maps of many nodes.
const (
	OperationNode NodeKind = iota
	ValueNode
	NoteNode
	DotNode
)

// rim returns the number of border rows above the first port of a box, and below its last port.
func (k NodeKind) rim() int {
	if k == DotNode {
		return 0
	}
	return 1
}

// sides returns the number of columns of a box beside its text, left and right together.
func (k NodeKind) sides() int {
	if k == DotNode {
		return 2
	}
	return 4
}

// Node is a box with text. Its size depends on its text and on the number of lines that end at it.
type Node struct {
	Lines []string
	Kind  NodeKind
}

// Edge leads from one node to another. Both are indices into Graph.Nodes. Edges with equal From, To and
// Dashed are drawn as one line with their labels joined.
type Edge struct {
	From, To int
	Label    string
	Dashed   bool
}

// Graph is the graph to be drawn. Where the edges allow it, earlier nodes are placed further left and
// further up. Edges whose ends are not indices of nodes are ignored.
type Graph struct {
	Nodes []Node
	Edges []Edge

	// Tight leaves no free rows between boxes. It is for windows with few rows.
	Tight bool
	// Framed puts a frame around each connected part.
	Framed bool
	// Wrap is the width, in cells, up to which connected parts are put side by side; 0
	// means 80. A single part may be wider.
	Wrap int
}

// Point is a cell: column X and row Y, both from 0.
type Point struct{ X, Y int }

// NodeBox is the position and size of a node's box, border included.
type NodeBox struct {
	Node       int
	X, Y, W, H int
}

// EdgePath is the line of one edge. Consecutive points share a row or a column. The first point is on the
// border of the edge's From box, and the last one on the border of its To box. Paths that run together,
// such as those of a fan-out, share cells. If neither path turns where two paths meet, they cross and are
// not connected.
type EdgePath struct {
	Edge   int
	Points []Point
}

// EdgeLabel is a text on a horizontal part of the line of Edges, with a free cell on both sides. X and Y are
// the position of its first cell.
type EdgeLabel struct {
	Edges []int
	X, Y  int
	Text  string
}

// PartFrame is the rectangle around one connected part, border included.
type PartFrame struct {
	Nodes      []int
	X, Y, W, H int
}

// Figure is a graph in cells. All of it is in columns 0 to W-1 and rows 0 to H-1. Boxes[i] is the box of node
// i. Paths are ordered by edge.
type Figure struct {
	W, H   int
	Boxes  []NodeBox
	Paths  []EdgePath
	Labels []EdgeLabel
	Frames []PartFrame
}

// NewFigure lays out g from left to right in five steps. It reverses a few edges to break cycles, assigns
// layers by the longest path, orders the layers by barycentre sweeps to reduce crossings, moves boxes to
// the median row of their neighbours, and assigns the lines between layers to tracks. An edge that closes a
// cycle is drawn from right to left, and still ends at its own target.
func NewFigure(g Graph) Figure {
	f, _ := NewFigureContext(context.Background(), g) // no error: this context never ends
	return f
}

// NewFigureContext is like [NewFigure], but it stops when ctx ends and returns the error of ctx.
func NewFigureContext(ctx context.Context, g Graph) (Figure, error) {
	var blocks []block
	for _, p := range split(g) {
		b, err := p.lay(ctx, g)
		if err != nil {
			return Figure{}, err
		}
		blocks = append(blocks, b)
	}
	return pack(g, blocks), ctx.Err()
}
