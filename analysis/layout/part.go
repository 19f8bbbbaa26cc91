package layout

import (
	"context"
	"slices"
)

// part is one connected part of the graph on its way into cells. Its first
// len(nodes) vertices are boxes, the others are the bends of long edges; all
// indices below are into the slices of the same part.
type part struct {
	ctx     context.Context // long steps end early with it
	nodes   []int           // the graph's nodes, ascending
	links   []link
	verts   []vertex
	layers  [][]int // vertices from top to bottom
	chains  []chain
	outlets []outlet
	nets    []net
	gaps    [][]int // nets between layer i and i+1; the last holds loops only
	w, h    int
	space   int // free rows between boxes
	paths   []Path
	labels  []Label
}

// link is one line to draw: all edges that share From, To and Dashed.
type link struct {
	from, to int
	edges    []int
	label    string
	dashed   bool
	back     bool // closes a cycle: its target lies left of its source
	chain    int  // unused by a self-loop, see loop
	loop     int  // the net of a self-loop
}

// left is the end of l that lies in the layer further left.
func (l link) left() int {
	if l.back {
		return l.to
	}
	return l.from
}

// right is the end of l that lies in the layer further right.
func (l link) right() int {
	if l.back {
		return l.from
	}
	return l.to
}

// vertex is a box, or a bend: the cell row where a long edge passes a layer.
type vertex struct {
	bend       bool
	layer, pos int
	x, y, w, h int
	rim        int    // see Kind.rim
	out, in    []int  // neighbours in the next and in the previous layer
	outlets    []int  // ports on the right side
	inlets     []port // ports on the left side
	loops      []int  // nets of self-loops, two ports each on the right side
}

// port names one end of a net: its target'th target.
type port struct{ net, target int }

// split cuts g into connected parts, ordered by their first node.
func split(g Graph) []*part {
	root := components(g)
	local := make([]int, len(g.Nodes))
	index := map[int]*part{}
	var parts []*part
	for n := range g.Nodes {
		p := index[root[n]]
		if p == nil {
			p = &part{}
			index[root[n]] = p
			parts = append(parts, p)
		}
		local[n] = len(p.nodes)
		p.nodes = append(p.nodes, n)
		p.verts = append(p.verts, vertex{})
	}
	for _, l := range joinParallel(g) {
		p := index[root[l.from]]
		l.from, l.to = local[l.from], local[l.to]
		p.links = append(p.links, l)
	}
	return parts
}

// components gives each node the representative of its connected part.
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

func (g Graph) holds(e Edge) bool {
	n := len(g.Nodes)
	return e.From >= 0 && e.From < n && e.To >= 0 && e.To < n
}

// joinParallel turns the edges of g into links, ordered by their first edge.
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

// joinLabels lists the distinct labels of edges. When they are too long
// together, the first stands for all, with a count of the others.
func joinLabels(g Graph, edges []int) string {
	var texts []string
	for _, e := range edges {
		if s := g.Edges[e].Label; s != "" && !slices.Contains(texts, s) {
			texts = append(texts, s)
		}
	}
	return shorten(texts)
}
