package graph

import (
	"context"
	"slices"

	"sonde/analysis/layout"
	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"
)

// view is what of the API a picture shows, and how.
type view struct {
	centre model.OpID // "" where the whole API is shown
	hops   int
	all    bool // attributes as well, not only ids
	whole  bool // the whole API instead of what is around the centre
	things bool // resources instead of operations
	zoom   zoom
	folded *folding // nil where nothing is
}

// normal is the same view without what has no say in it.
func (v view) normal() view {
	if v.whole {
		v.centre, v.hops = "", 0
	}
	if v.things {
		v.all, v.folded = false, nil
	}
	return v
}

// picture is a part of the API, drawn.
type picture struct {
	view
	narrowed bool // it leaves out what is no id
	wrap     int  // the width that it was drawn for
	short    bool // it leaves something out that is there in a wider window
	nodes    []node
	flows    []flow // edge → what it carries, between the first operations of nodes
	// Operations within reach, and flows, that are left out.
	left, loose int
	circles     map[model.OpID]int // of the whole API
	sheet       sheet.Sheet
}

// draw lays out what a view shows. It is slow and belongs into a Cmd; its error
// is the context's.
func drawPicture(ctx context.Context, study *screen.Study, v view, wrap int) (picture, error) {
	p := picture{view: v, wrap: wrap}
	n := netOf(study)
	switch {
	case v.things:
		p.resources(n)
	case v.whole:
		ops, flows, left, loose := n.whole()
		p.operations(n, ops, flows)
		p.left, p.loose = left, p.loose+loose
	default:
		ops, left := n.near(v.centre, v.hops, !v.all)
		p.operations(n, ops, n.flows(ops))
		p.left = left
	}
	err := p.lay(ctx, n, wrap, roomiest)
	p.short = v.hops == 1 && p.sheet.Figure.W > wrap
	if p.short && err == nil {
		p.keep(p.atCentre)
		err = p.fit(ctx, n, wrap)
	}
	return p, err
}

// suits reports whether the picture in a window of another width would be the same.
func (p *picture) suits(wrap int) bool {
	return wrap == p.wrap || p.hops != 1 || !p.short && p.sheet.Figure.W <= wrap
}

// space is how much room a picture gives to words.
type space struct {
	name   int  // cells of a box's name, at most
	labels bool // of lines
}

// spaces are tried in turns, until the picture is no wider than its window.
var (
	roomiest = space{nameText, true}
	spaces   = []space{roomiest, {20, true}, {14, true}, {nameText, false}, {20, false}, {14, false}}
)

// fit lays the picture out with as many words as there is room for; where there is
// none for the fewest, with all.
func (p *picture) fit(ctx context.Context, n *net, wrap int) error {
	for _, s := range spaces {
		if err := p.lay(ctx, n, wrap, s); err != nil || p.sheet.Figure.W <= wrap {
			return err
		}
	}
	return p.lay(ctx, n, wrap, roomiest)
}

// operations takes operations, and of the flows between them those to draw.
func (p *picture) operations(n *net, ops []model.OpID, flows []flow) {
	p.circles = n.circles()
	for _, op := range ops {
		p.nodes = append(p.nodes, node{ops: []model.OpID{op}})
	}
	p.choose(flows)
	if p.folded != nil {
		p.fold(n)
	}
	p.untangle()
}

// lay lays the picture out.
func (p *picture) lay(ctx context.Context, n *net, wrap int, s space) error {
	g := layout.Graph{Wrap: max(wrap, 40), Tight: p.zoom == dots}
	at := make(map[model.OpID]int, len(p.nodes))
	for i, nd := range p.nodes {
		at[nd.lead()] = i
		g.Nodes = append(g.Nodes, p.box(n, nd, s.name))
	}
	for _, f := range p.flows {
		e := layout.Edge{From: at[f.from], To: at[f.to], Dashed: f.wire}
		if p.zoom > dots && s.labels {
			e.Label = f.label()
		}
		g.Edges = append(g.Edges, e)
	}
	fig, err := layout.LayeredContext(ctx, g)
	p.sheet = sheet.Sheet{Graph: g, Figure: fig}
	return err
}

// choose takes the flows to draw: those of ids, if that is wanted and one of
// them is at the centre.
func (p *picture) choose(all []flow) {
	p.flows = all
	hasIDs := func(f flow) bool { return len(f.ids) > 0 }
	p.narrowed = !p.all && slices.ContainsFunc(all, func(f flow) bool { return hasIDs(f) && (p.whole || p.atCentre(f)) })
	if p.narrowed {
		p.keep(hasIDs)
	}
}

// keep leaves the other flows out.
func (p *picture) keep(want func(flow) bool) {
	before := len(p.flows)
	p.flows = slices.DeleteFunc(slices.Clone(p.flows), func(f flow) bool { return !want(f) })
	p.loose += before - len(p.flows)
}

// atCentre reports whether a flow begins or ends at what is in the middle.
func (p *picture) atCentre(f flow) bool {
	middle := p.middle()
	return f.from == middle || f.to == middle
}

// middle is the first operation of the node that is in the middle, "" where there
// is none.
func (p *picture) middle() model.OpID {
	if at := p.node(p.centre); at >= 0 {
		return p.nodes[at].lead()
	}
	return ""
}

// node returns an operation's node, -1 where it is not in the picture.
func (p *picture) node(op model.OpID) int {
	return slices.IndexFunc(p.nodes, func(n node) bool { return slices.Contains(n.ops, op) })
}
