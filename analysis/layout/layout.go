// Package layout places a directed graph on terminal cells: boxes that never overlap
// and lines along rows and columns, in layers from left to right after Sugiyama,
// Tagawa and Toda ("Methods for visual understanding of hierarchical system
// structures", 1981).
//
// It does not draw: a [Figure] is numbers and short texts, which the app draws as
// characters and an export as SVG. Equal graphs give equal figures. A reader who
// follows the lines of a figure from a box, with the flow and without turning where two
// lines only cross, reaches the targets of the box's edges and no other box.
package layout

import "context"

// NodeKind is the sort of thing that a node represents, which determines how it is drawn.
type NodeKind int

// The kinds of node. A NoteNode is a remark such as "12 more", drawn without a
// border. A DotNode has sides only, close to its text, and no more rows than its text
// and its lines need: for maps of many nodes.
const (
	OperationNode NodeKind = iota
	ValueNode
	NoteNode
	DotNode
)

// rim is the number of border rows above a box's first port, and below its
// last.
func (k NodeKind) rim() int {
	if k == DotNode {
		return 0
	}
	return 1
}

// sides is the number of columns of a box beside its text.
func (k NodeKind) sides() int {
	if k == DotNode {
		return 2
	}
	return 4
}

// Node is a box with text in it; its size follows from its lines, and from
// the number of lines that end at it.
type Node struct {
	Lines []string
	Kind  NodeKind
}

// Edge leads from one node to another, both given as indices into
// Graph.Nodes. Edges that share both ends and Dashed are drawn as one line
// with their labels joined.
type Edge struct {
	From, To int
	Label    string
	Dashed   bool
}

// Graph is the graph to be drawn. Earlier nodes are placed further left and further up
// where the edges leave a choice. An edge whose ends are no nodes is left out of the
// figure.
type Graph struct {
	Nodes []Node
	Edges []Edge

	// Tight leaves no free row between boxes, for windows of few rows.
	Tight bool
	// Framed puts a frame around each connected part.
	Framed bool
	// Wrap is the width, in cells, up to which connected parts are put side by side; 0
	// means 80. A single part may be wider.
	Wrap int
}

// Point is a cell: column X and row Y, both from 0.
type Point struct{ X, Y int }

// NodeBox is where a node lies, border included.
type NodeBox struct {
	Node       int
	X, Y, W, H int
}

// EdgePath is the line of one edge. Consecutive points share a row or a column;
// the first lies on the border of the edge's From box, the last on the border
// of its To box. Paths share cells where they run together, as a fan-out
// does; where two paths meet without either of them turning, they only cross.
type EdgePath struct {
	Edge   int
	Points []Point
}

// EdgeLabel is a text on a horizontal stretch of the line of Edges, with a free
// cell on either side; X and Y say where its first cell lies.
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

// Figure is a graph in cells: everything lies in columns 0 to W-1 and rows 0
// to H-1. Boxes[i] is the box of node i; Paths are ordered by edge.
type Figure struct {
	W, H   int
	Boxes  []NodeBox
	Paths  []EdgePath
	Labels []EdgeLabel
	Frames []PartFrame
}

// NewFigure lays g out from left to right: few edges turned around to break
// cycles, layers by the longest path, few crossings by barycentre sweeps,
// rows by a median pull, lines in tracks between the layers. An edge that
// closes a cycle runs from right to left and ends at its true target all the
// same.
func NewFigure(g Graph) Figure {
	f, _ := NewFigureContext(context.Background(), g) // its error is the context's, which never ends
	return f
}

// NewFigureContext is [NewFigure] that stops when ctx ends; its error is the
// context's. Without an error the figure is the same.
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
