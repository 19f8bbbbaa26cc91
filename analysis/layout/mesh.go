package layout

import (
	"encoding/binary"
	"slices"
)

// mesh is a part whose links are cut into steps. A step leads from one layer to the next. The first vertices of the
// mesh are the boxes of the part. The other vertices are the bends of long links. All indices in a mesh are indices
// into its own slices.
//
// Three later stages complete the mesh. ordering sets the order of the vertices in each layer. placer sets the sizes
// and rows of vertices and ports. router sets the columns and tracks.
type mesh struct {
	links   []link
	verts   []vertex
	layers  [][]int // vertices from top to bottom
	chains  []chain
	outlets []outlet
	nets    []net
	gaps    [][]int // for each layer i, the nets between layers i and i+1; for the last layer, only self-loops
}

// vertex is a box or a bend. A bend is the cell where a long link passes a layer.
type vertex struct {
	bend       bool
	layer      int
	x, y, w, h int
	rim        int    // number of border rows, see NodeKind.rim
	out, in    []int  // neighbours in the next and in the previous layer
	outlets    []int  // ports on the right side
	inlets     []port // ports on the left side
	loops      []int  // nets of self-loops, each with two ports on the right side
}

// port is the end of a net at one of its targets. target is the index of this target.
type port struct{ net, target int }

// chain is the common line of links that leave one vertex with the same label, style and direction. The chain leaves
// the vertex at one port. It has a bend in each layer that at least one of the links passes.
type chain struct {
	label        string
	back, dashed bool
	outlets      []int // the first is at the vertex on the left, the others are at the bends
}

// outlet is the point at which a chain leaves a vertex to the right. All its targets are in the next layer: boxes,
// and at most one bend.
type outlet struct {
	chain, vertex int
	targets       []int
	net           int
	off           int // the row of the port, counted from the top of the vertex
}

// net is a set of outlets that are drawn as one connected line. All outlets of a net have the same targets, so the
// line leads to no wrong box. A self-loop is a net of its own, which starts and ends at the same vertex.
type net struct {
	outlets []int
	targets []int
	offs    []int // for each target, the row of the port, counted from the top of the target

	loop        bool // a self-loop: the line leads from row off to row off+1 of vertex
	vertex, off int

	track route
}

// route is the route of a net through the gap between two layers.
type route struct {
	straight bool // the net needs no vertical line
	first    int  // the track of the vertical line, from 0 at the left
	split    bool // the net has a second vertical line, which is joined to the first line in row bend
	second   int
	bend     int
}

// newMesh returns the mesh of a part. layerOf has the layer of each box.
func newMesh(layerOf []int, links []link) *mesh {
	m := &mesh{links: links, verts: make([]vertex, len(layerOf))}
	m.layers = make([][]int, slices.Max(layerOf)+1)
	for v, layer := range layerOf {
		m.verts[v].layer = layer
		m.layers[layer] = append(m.layers[layer], v)
	}
	m.chainLinks()
	m.bundle()
	return m
}

// chainLinks replaces each link by steps that lead from one layer to the next.
func (m *mesh) chainLinks() {
	type key struct {
		left         int
		label        string
		back, dashed bool
	}
	index := map[key]int{}
	for i, l := range m.links {
		if l.from == l.to {
			continue
		}
		k := key{left: l.left(), label: l.label, back: l.back, dashed: l.dashed}
		c, ok := index[k]
		if !ok {
			c = len(m.chains)
			index[k] = c
			m.chains = append(m.chains, chain{label: l.label, back: l.back, dashed: l.dashed})
			m.addOutlet(c, l.left())
		}
		m.links[i].chain = c
		m.connect(m.outletAt(c, m.verts[l.right()].layer-1), l.right())
	}
}

// outletAt returns the outlet of chain c in a layer. If necessary, it first extends the chain by bends up to this
// layer.
func (m *mesh) outletAt(c, layer int) int {
	first := m.verts[m.outlets[m.chains[c].outlets[0]].vertex].layer
	for at := first + len(m.chains[c].outlets); at <= layer; at++ {
		bend := len(m.verts)
		m.verts = append(m.verts, vertex{bend: true, layer: at, w: 1, h: 1})
		m.layers[at] = append(m.layers[at], bend)
		outs := m.chains[c].outlets
		m.connect(outs[len(outs)-1], bend)
		m.addOutlet(c, bend)
	}
	return m.chains[c].outlets[layer-first]
}

func (m *mesh) addOutlet(c, vertex int) {
	o := len(m.outlets)
	m.outlets = append(m.outlets, outlet{chain: c, vertex: vertex})
	m.chains[c].outlets = append(m.chains[c].outlets, o)
	m.verts[vertex].outlets = append(m.verts[vertex].outlets, o)
}

// connect adds a target to an outlet, and the edge to the vertices at both ends.
func (m *mesh) connect(o, to int) {
	from := m.outlets[o].vertex
	m.outlets[o].targets = append(m.outlets[o].targets, to)
	m.verts[from].out = append(m.verts[from].out, to)
	m.verts[to].in = append(m.verts[to].in, from)
}

// bundle joins outlets with the same targets, style and direction into nets. A net has one port at each target.
func (m *mesh) bundle() {
	m.gaps = make([][]int, len(m.layers))
	index := map[string]int{}
	for _, layer := range m.layers {
		for _, v := range layer {
			for _, o := range m.verts[v].outlets {
				m.joinNet(index, o)
			}
		}
	}
	for i, l := range m.links {
		if l.from == l.to {
			m.links[i].loop = m.addLoop(l.from)
		}
	}
}

// joinNet adds an outlet to the net with the same targets, style and direction. If there is no such net, it creates
// one.
func (m *mesh) joinNet(index map[string]int, o int) {
	out := &m.outlets[o]
	slices.Sort(out.targets)
	c := m.chains[out.chain]
	key := netKey(c.back, c.dashed, out.targets)
	n, ok := index[key]
	if !ok {
		n = len(m.nets)
		index[key] = n
		m.nets = append(m.nets, net{targets: out.targets, offs: make([]int, len(out.targets))})
		layer := m.verts[out.vertex].layer
		m.gaps[layer] = append(m.gaps[layer], n)
		for i, t := range out.targets {
			m.verts[t].inlets = append(m.verts[t].inlets, port{net: n, target: i})
		}
	}
	out.net = n
	m.nets[n].outlets = append(m.nets[n].outlets, o)
}

// netKey returns a key that is equal for outlets of the same net. Outlets with the same targets are in the same gap,
// which is to the left of the targets.
func netKey(back, dashed bool, targets []int) string {
	key := []byte{0}
	if back {
		key[0] |= 1
	}
	if dashed {
		key[0] |= 2
	}
	for _, t := range targets {
		key = binary.AppendUvarint(key, uint64(t))
	}
	return string(key)
}

// addLoop adds the net of a self-loop of vertex v, and returns the index of the net.
func (m *mesh) addLoop(v int) int {
	n := len(m.nets)
	m.nets = append(m.nets, net{loop: true, vertex: v})
	m.verts[v].loops = append(m.verts[v].loops, n)
	layer := m.verts[v].layer
	m.gaps[layer] = append(m.gaps[layer], n)
	return n
}

// lefts returns the rows in which the lines of a net begin at the left side of the gap, in ascending order.
func (m *mesh) lefts(n net) []int {
	if n.loop {
		row := m.verts[n.vertex].y + n.off
		return []int{row, row + 1}
	}
	rows := make([]int, len(n.outlets))
	for i, o := range n.outlets {
		rows[i] = m.outletRow(o)
	}
	slices.Sort(rows)
	return rows
}

// rights returns the rows in which the lines of a net end at the right side of the gap, in ascending order.
func (m *mesh) rights(n net) []int {
	rows := make([]int, len(n.targets))
	for i, t := range n.targets {
		rows[i] = m.verts[t].y + n.offs[i]
	}
	slices.Sort(rows)
	return rows
}

func (m *mesh) outletRow(o int) int {
	return m.verts[m.outlets[o].vertex].y + m.outlets[o].off
}

func (m *mesh) inletRow(in port) int {
	n := m.nets[in.net]
	return m.verts[n.targets[in.target]].y + n.offs[in.target]
}
