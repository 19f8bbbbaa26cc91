// Package layout places a directed graph on terminal cells. Boxes never overlap, and lines run along rows and
// columns. Layers go from left to right, as in the paper of Sugiyama, Tagawa and Toda ("Methods for visual
// understanding of hierarchical system structures", 1981).
//
// The package does not draw. A [Figure] has numbers and short texts. The app draws it as characters, and an export
// draws it as SVG. Equal graphs give equal figures.
//
// A reader can follow the lines of a figure from a box, in the direction of the arrows, and straight on where two
// lines only cross. The lines then lead to the targets of the box's edges, and to no other box.
package layout

import "context"

// NodeKind determines how a node is drawn.
type NodeKind int

// The kinds of nodes. A NoteNode is a remark such as "12 more", and is drawn without a border. A DotNode has no
// border above and below its text, and only as many rows as its text and its lines need. It is for figures with many
// nodes.
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

// sides returns the total number of columns to the left and to the right of the text in a box.
func (k NodeKind) sides() int {
	if k == DotNode {
		return 2
	}
	return 4
}

// Node is a box with text. Its height depends on its text and on the lines that enter and leave it. In a layer, boxes
// of one kind are equally wide.
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

// Graph is a graph to be drawn. Earlier nodes are placed further left and further up, as far as the edges allow it.
// An edge is ignored if one of its ends is not the index of a node.
type Graph struct {
	Nodes []Node
	Edges []Edge

	// Tight leaves no free rows between boxes. It is for windows with few rows.
	Tight bool
	// Groups has the group of each node. The connected parts of a group are put together; a part is in the group of its
	// first node. If Groups is nil, each connected part is a group.
	Groups []int
	// Titles has the title of each group's frame. A frame is wide enough for its title.
	Titles []string
	// Framed puts a frame around each group.
	Framed bool
	// Groups are put side by side, and so are the parts of a group. Wrap is the maximum width, in cells, of a row of
	// them; 0 means 80. A single part may be wider.
	Wrap int
}

// Point is a cell: column X and row Y, both from 0.
type Point struct{ X, Y int }

// NodeBox has the position and the size of a node's box, including the border.
type NodeBox struct {
	Node       int
	X, Y, W, H int
}

// EdgePath is the line of one edge. Consecutive points share a row or a column. The first point is on the border of
// the From box, and the last point on the border of the To box. Paths that run together, such as those from one box
// to several others, share cells. If two paths meet in a cell in which neither turns, they only cross and are not
// connected.
type EdgePath struct {
	Edge   int
	Points []Point
}

// EdgeLabel is the label of Edges. It is on a horizontal part of their line, with a free cell on both sides. X and Y
// are the position of the label's first cell.
type EdgeLabel struct {
	Edges []int
	X, Y  int
	Text  string
}

// GroupFrame is the rectangle around the nodes of one group, including the border.
type GroupFrame struct {
	Nodes      []int
	Title      string // "" if Graph.Titles has none
	X, Y, W, H int
}

// Figure is a graph in cells. All of its cells are in columns 0 to W-1 and rows 0 to H-1. Boxes[i] is the box of node
// i. Paths are ordered by edge.
type Figure struct {
	W, H   int
	Boxes  []NodeBox
	Paths  []EdgePath
	Labels []EdgeLabel
	Frames []GroupFrame
}

// NewFigure lays out g from left to right in five steps:
//  1. It reverses a few edges to break cycles.
//  2. It assigns layers by the longest path.
//  3. It orders the boxes in each layer by barycentre sweeps, to reduce crossings.
//  4. It moves boxes to the median row of their neighbours.
//  5. It assigns the lines between layers to tracks.
//
// An edge that was reversed is drawn from right to left, and still ends at its own target.
func NewFigure(g Graph) Figure {
	f, _ := NewFigureContext(context.Background(), g) // there is no error, because this context is never done
	return f
}

// NewFigureContext is like [NewFigure], but stops when ctx is done and returns the error of ctx.
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
