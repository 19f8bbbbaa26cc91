package graph

import (
	"slices"
	"strings"

	"sonde/analysis/layout"
	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"
)

// boxText is the widest text of a box.
const boxText = 30

// picture is the neighbourhood of an operation, drawn.
type picture struct {
	centre model.OpID
	hops   int
	ops    []model.OpID // node → operation
	flows  []flow       // edge → what it carries
	// Operations within reach, and flows, that found no room.
	left, loose int
	sheet       sheet.Sheet
}

// draw lays out the neighbourhood of an operation. It is slow and belongs into
// a Cmd.
func draw(study *screen.Study, centre model.OpID, hops, wrap int) picture {
	p := picture{centre: centre, hops: hops}
	p.ops, p.left = near(study, centre, hops)
	p.flows, p.loose = untangle(flows(study, p.ops), centre, len(p.ops))
	g := layout.Graph{Wrap: max(wrap, 40)}
	for _, op := range p.ops {
		g.Nodes = append(g.Nodes, layout.Node{Lines: []string{boxLabel(op, op == centre)}})
	}
	for _, f := range p.flows {
		g.Edges = append(g.Edges, layout.Edge{
			From: p.node(f.from), To: p.node(f.to), Label: f.label(), Dashed: f.wire,
		})
	}
	p.sheet = sheet.New(g)
	return p
}

// node returns an operation's node, -1 where it is not in the picture.
func (p *picture) node(op model.OpID) int { return slices.Index(p.ops, op) }

// boxLabel names an operation; the one in the middle carries a mark.
func boxLabel(op model.OpID, centre bool) string {
	label := pane.Operation(string(op), boxText).Text()
	if centre {
		return "◆ " + label
	}
	return label
}

func (f flow) label() string { return pane.Clean(strings.Join(f.values, ", ")) }

// lastStep returns the last step of a JSON pointer, or a plain name.
func lastStep(pointer string) string {
	return pointer[strings.LastIndexByte(pointer, '/')+1:]
}
