// Package layout places a directed graph on whole terminal cells: boxes that
// never overlap and lines that run along rows and columns, layered from left
// to right after Sugiyama, Tagawa and Toda ("Methods for visual understanding
// of hierarchical system structures", 1981).
//
// It knows no terminal and no colour: a [Figure] is numbers and short texts,
// drawn by the app as characters and by an export as SVG. The same graph
// always gives the same figure. Following the lines of a figure from a box,
// with the flow and never turning where two lines only cross, leads to the
// boxes that the graph's edges lead to, and to no other.
package layout

import "context"

// NodeKind says what a node stands for, so that it can be drawn accordingly.
type NodeKind int

// The kinds of node. A Note is a remark such as "12 more", drawn without a
// border. A Dot has sides only, close to its text, and takes no row more than
// its text and its lines need: for maps of many nodes.
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

// sides is the number of columns that a box takes besides its text.
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

// Graph is what is to be drawn. Nodes that come first are placed first, from
// the left and from the top, as far as the edges leave a choice. An edge that
// names no node is left out of the figure.
type Graph struct {
	Nodes []Node
	Edges []Edge

	// Tight leaves no free row between boxes, for windows of few rows.
	Tight bool
	// Framed puts a frame around each connected part.
	Framed bool
	// Wrap is the width, in cells, up to which connected parts stand side by
	// side; 0 means 80. A single part may be wider.
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
