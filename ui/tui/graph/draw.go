package graph

import (
	"context"
	"slices"

	"sonde/analysis/layout"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"
)

// view is a part of the API with the settings for drawing it.
type view struct {
	centre model.OpID // "" in a normalised view of the whole API
	hops   int
	all    bool // show all values instead of only ids
	whole  bool // show the whole API instead of the surroundings of the centre
	things bool // show resources instead of operations
	zoom   zoom
	naming draw.Naming // how operations are named
	folded *folding    // nil if nothing is folded
}

// normal clears the fields that have no effect in the view, so that views of the same picture are equal.
func (v view) normal() view {
	if v.whole {
		v.centre, v.hops = "", 0
	}
	if v.things {
		v.all, v.folded = false, nil
	}
	return v
}

// picture is a drawing of a part of the API.
type picture struct {
	view
	narrowed bool // values that are not ids are left out
	wrap     int  // width of the window for which the picture was drawn
	short    bool // texts or flows are left out that would fit into a wider window
	nodes    []node
	flows    []flow             // drawn flows, between the operations that identify the nodes; see node.lead
	omitted  int                // number of operations left out
	hidden   int                // number of flows left out
	cycles   map[model.OpID]int // key: operation; value: number of its cycle in the whole API
	sheet    sheet.Viewport
	names    draw.SeqNames // names in the naming of the view
}

// drawPicture lays out a view for a window of wrap cells. It is slow and must run in a tea.Cmd. It fails
// only when ctx ends.
func drawPicture(ctx context.Context, analyzed *screen.AnalyzedSpec, v view, wrap int) (picture, error) {
	p := picture{view: v, wrap: wrap, names: analyzed.Names.In(v.naming)}
	n := newFlowGraph(analyzed, v.all)
	switch {
	case v.things:
		p.resources(n)
	case v.clustered(analyzed):
		p.clusters(n)
	case v.whole:
		ops, flows, omitted, hidden := n.whole()
		p.operations(n, ops, flows)
		p.omitted, p.hidden = omitted, p.hidden+hidden
	default:
		ops, omitted := n.near(v.centre, v.hops, !v.all)
		flows := n.flows(ops)
		if v.hops == 1 { // with more hops, few flows touch the centre, and the order of flows gives a better layout
			flows = n.bestFirst(v.centre, flows)
		}
		p.operations(n, ops, flows)
		p.omitted = omitted
	}
	if v.hops == 1 && len(p.nodes) > 0 {
		if err := p.lay(ctx, n, wrap, wholeNames); err != nil || p.sheet.Figure.W <= wrap {
			return p, err
		}
	}
	err := p.lay(ctx, n, wrap, roomiest)
	p.short = v.hops == 1
	if p.short && p.sheet.Figure.W > wrap && err == nil {
		p.keep(p.atCentre)
		err = p.fit(ctx, n, wrap)
	}
	return p, err
}

// suits reports whether the picture would be the same in a window of wrap cells.
func (p *picture) suits(wrap int) bool {
	return wrap == p.wrap || p.hops != 1 || !p.short && p.sheet.Figure.W <= wrap
}

// space is the amount of room for texts in a picture.
type space struct {
	name   int  // maximum number of cells in a box's name
	labels bool // whether lines have labels
}

// spaces are the spaces that picture.fit tries, in this order. roomiest is the first of them. wholeNames is for
// pictures with room for long names.
var (
	wholeNames = space{factText, true}
	roomiest   = space{nameText, true}
	spaces     = []space{roomiest, {20, true}, {14, true}, {nameText, false}, {20, false}, {14, false}}
)

// fit lays out the picture with as much text as fits into the window. If the picture is too wide even with
// the least text, fit uses the most text, because the user must scroll anyway.
func (p *picture) fit(ctx context.Context, n *flowGraph, wrap int) error {
	for _, s := range spaces {
		if err := p.lay(ctx, n, wrap, s); err != nil || p.sheet.Figure.W <= wrap {
			return err
		}
	}
	return p.lay(ctx, n, wrap, roomiest)
}

// operations adds a node for each operation, and the flows to draw, chosen from flows.
func (p *picture) operations(n *flowGraph, ops []model.OpID, flows []flow) {
	p.cycles = n.cycles()
	for _, op := range ops {
		p.nodes = append(p.nodes, node{ops: []model.OpID{op}})
	}
	p.choose(flows)
	if p.folded != nil {
		p.fold(n)
	}
	p.untangle()
}

// lay lays the picture out with the given room for texts.
func (p *picture) lay(ctx context.Context, n *flowGraph, wrap int, s space) error {
	g := layout.Graph{Wrap: max(wrap, 40), Tight: p.zoom == dots}
	at := make(map[model.OpID]int, len(p.nodes))
	for i, nd := range p.nodes {
		at[nd.lead()] = i
		g.Nodes = append(g.Nodes, p.box(n, nd, s.name))
	}
	for _, f := range p.flows {
		e := layout.Edge{From: at[f.from], To: at[f.to], Dashed: f.undeclared}
		if p.zoom > dots && s.labels {
			e.Label = f.label()
		}
		g.Edges = append(g.Edges, e)
	}
	fig, err := layout.NewFigureContext(ctx, g)
	p.sheet = sheet.Viewport{Graph: g, Figure: fig}
	return err
}

// choose selects the flows to draw: usually only the flows of ids. It selects all flows if the view asks for all
// values, or if there are no flows of ids. In a view around a centre, it also selects all flows if no flow of ids
// begins or ends at the centre.
func (p *picture) choose(all []flow) {
	p.flows = all
	hasIDs := func(f flow) bool { return len(f.ids) > 0 }
	p.narrowed = !p.all && slices.ContainsFunc(all, func(f flow) bool { return hasIDs(f) && (p.whole || p.atCentre(f)) })
	if p.narrowed {
		p.keep(hasIDs)
	}
}

// keep removes the flows for which want returns false, and counts them as hidden.
func (p *picture) keep(want func(flow) bool) {
	before := len(p.flows)
	p.flows = slices.DeleteFunc(slices.Clone(p.flows), func(f flow) bool { return !want(f) })
	p.hidden += before - len(p.flows)
}

// atCentre reports whether a flow begins or ends at the centre.
func (p *picture) atCentre(f flow) bool {
	middle := p.middle()
	return f.from == middle || f.to == middle
}

// middle returns the operation that identifies the node at the centre, "" if there is none.
func (p *picture) middle() model.OpID {
	if at := p.node(p.centre); at >= 0 {
		return p.nodes[at].lead()
	}
	return ""
}

// node returns the index of an operation's node, or -1 if it is not in the picture.
func (p *picture) node(op model.OpID) int {
	return slices.IndexFunc(p.nodes, func(n node) bool { return slices.Contains(n.ops, op) })
}
