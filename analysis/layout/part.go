package layout

import (
	"context"
	"slices"
)

// part is a connected part of the graph. The ends of its links are indices of its own boxes, as are all indices in
// later stages.
type part struct {
	nodes []int // for each box, the node of the graph; ascending
	links []link
}

// lay returns the layout of the part. The error is the context's.
func (p part) lay(ctx context.Context, g Graph) (block, error) {
	back := cycleBreaker{boxes: len(p.nodes), links: p.links}.backLinks()
	for i, b := range back {
		p.links[i].back = b
	}
	m := newMesh(assignLayers(len(p.nodes), p.links), p.links)
	if ctx.Err() != nil {
		return block{}, ctx.Err()
	}
	m.layers = newOrdering(ctx, m).best()
	if ctx.Err() != nil {
		return block{}, ctx.Err()
	}
	boxes := make([]Node, len(p.nodes))
	for i, n := range p.nodes {
		boxes[i] = g.Nodes[n]
	}
	height := newPlacer(m, boxes, g.Tight).place()
	if ctx.Err() != nil {
		return block{}, ctx.Err()
	}
	r := &router{mesh: m, h: height}
	r.route(ctx)
	out := block{nodes: p.nodes, w: r.w, h: r.h, paths: r.paths, labels: r.labels}
	for i, v := range m.verts[:len(p.nodes)] {
		out.boxes = append(out.boxes, NodeBox{Node: p.nodes[i], X: v.x, Y: v.y, W: v.w, H: v.h})
	}
	return out, ctx.Err()
}

// link is the common line of all edges with the same From, To and Dashed.
type link struct {
	from, to int
	edges    []int
	label    string
	dashed   bool
	back     bool // the link closes a cycle: its target is to the left of its source
	chain    int  // the chain of the link, unless it is a self-loop
	loop     int  // the net of the link if it is a self-loop
}

// left returns the end of the link that is in the layer further left.
func (l link) left() int {
	if l.back {
		return l.to
	}
	return l.from
}

// right returns the end of the link that is in the layer further right.
func (l link) right() int {
	if l.back {
		return l.from
	}
	return l.to
}

// split returns the connected parts of g, ordered by their first node.
func split(g Graph) []part {
	root := components(g)
	local := make([]int, len(g.Nodes))
	index := map[int]int{} // root → part
	var parts []part
	for n := range g.Nodes {
		at, ok := index[root[n]]
		if !ok {
			at = len(parts)
			index[root[n]] = at
			parts = append(parts, part{})
		}
		local[n] = len(parts[at].nodes)
		parts[at].nodes = append(parts[at].nodes, n)
	}
	for _, l := range joinParallel(g) {
		p := &parts[index[root[l.from]]]
		l.from, l.to = local[l.from], local[l.to]
		p.links = append(p.links, l)
	}
	return parts
}

// components returns, for each node, the representative of its connected part.
func components(g Graph) []int {
	parent := make([]int, len(g.Nodes))
	for i := range parent {
		parent[i] = i
	}
	find := func(n int) int {
		for parent[n] != n {
			parent[n] = parent[parent[n]]
			n = parent[n]
		}
		return n
	}
	for _, e := range g.Edges {
		if g.holds(e) {
			parent[find(e.From)] = find(e.To)
		}
	}
	for i := range parent {
		parent[i] = find(i)
	}
	return parent
}

// holds reports whether both ends of e are nodes of g.
func (g Graph) holds(e Edge) bool {
	n := len(g.Nodes)
	return e.From >= 0 && e.From < n && e.To >= 0 && e.To < n
}

// joinParallel returns the links for the edges of g, ordered by their first edge.
func joinParallel(g Graph) []link {
	type ends struct {
		from, to int
		dashed   bool
	}
	index := map[ends]int{}
	var links []link
	for i, e := range g.Edges {
		if !g.holds(e) {
			continue
		}
		key := ends{from: e.From, to: e.To, dashed: e.Dashed}
		at, ok := index[key]
		if !ok {
			at = len(links)
			index[key] = at
			links = append(links, link{from: e.From, to: e.To, dashed: e.Dashed})
		}
		links[at].edges = append(links[at].edges, i)
	}
	for i := range links {
		links[i].label = joinLabels(g, links[i].edges)
	}
	return links
}

// joinLabels joins the distinct labels of edges. If the joined text is too long, it returns the first label and the
// number of the other labels.
func joinLabels(g Graph, edges []int) string {
	var texts []string
	for _, e := range edges {
		if s := g.Edges[e].Label; s != "" && !slices.Contains(texts, s) {
			texts = append(texts, s)
		}
	}
	return shorten(texts)
}
