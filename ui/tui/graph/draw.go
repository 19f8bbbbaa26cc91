package graph

import (
	"slices"

	"sonde/analysis/layout"
	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"
)

// boxText is the widest text of a box.
const boxText = 30

// view is what of the API a picture shows.
type view struct {
	centre model.OpID
	hops   int
	all    bool // attributes as well, not only ids
}

// picture is the neighbourhood of an operation, drawn.
type picture struct {
	view
	narrowed bool         // it leaves out what is no id
	ops      []model.OpID // node → operation
	flows    []flow       // edge → what it carries
	// Operations within reach, and flows, that are left out.
	left, loose int
	sheet       sheet.Sheet
}

// draw lays out the neighbourhood of an operation. It is slow and belongs into
// a Cmd.
func draw(study *screen.Study, v view, wrap int) picture {
	p := picture{view: v}
	n := netOf(study)
	p.ops, p.left = n.near(v.centre, v.hops, !v.all)
	p.choose(n.flows(p.ops))
	p.lay(wrap)
	if v.hops == 1 && p.sheet.Figure.W > wrap {
		p.keep(p.atCentre)
		p.lay(wrap)
	}
	return p
}

// lay lays the picture out.
func (p *picture) lay(wrap int) {
	g := layout.Graph{Wrap: max(wrap, 40)}
	for _, op := range p.ops {
		g.Nodes = append(g.Nodes, layout.Node{Lines: []string{boxLabel(op, op == p.centre)}})
	}
	for _, f := range p.flows {
		g.Edges = append(g.Edges, layout.Edge{
			From: p.node(f.from), To: p.node(f.to), Label: f.label(), Dashed: f.wire,
		})
	}
	p.sheet = sheet.New(g)
}

// choose takes the flows to draw: those of ids, if that is wanted and one of
// them is at the centre, and no more than can be followed with the eye.
func (p *picture) choose(all []flow) {
	p.flows = all
	hasIDs := func(f flow) bool { return len(f.ids) > 0 }
	p.narrowed = !p.all && slices.ContainsFunc(all, func(f flow) bool { return hasIDs(f) && p.atCentre(f) })
	if p.narrowed {
		p.keep(hasIDs)
	}
	flows, left := untangle(p.flows, p.centre, len(p.ops))
	p.flows, p.loose = flows, p.loose+left
}

// keep leaves the other flows out.
func (p *picture) keep(want func(flow) bool) {
	before := len(p.flows)
	p.flows = slices.DeleteFunc(slices.Clone(p.flows), func(f flow) bool { return !want(f) })
	p.loose += before - len(p.flows)
}

func (p *picture) atCentre(f flow) bool { return f.from == p.centre || f.to == p.centre }

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
