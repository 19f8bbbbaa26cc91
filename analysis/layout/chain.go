package layout

// chain is the trunk that links of one vertex share when they agree in
// label, style and direction: it leaves the vertex at one port and grows a
// bend in every layer that one of its links passes.
type chain struct {
	label        string
	back, dashed bool
	outlets      []int // the first at the left vertex, then one per bend
}

// outlet is where a chain leaves a vertex to the right. Its targets, boxes
// and at most one bend, lie in the next layer.
type outlet struct {
	chain, vertex int
	targets       []int
	net           int
	off           int // the port's row, counted from the vertex's top
}

// chainEdges replaces every link by steps from one layer to the next.
func (p *part) chainEdges() {
	type key struct {
		left         int
		label        string
		back, dashed bool
	}
	index := map[key]int{}
	for i, l := range p.links {
		if l.from == l.to {
			continue
		}
		k := key{left: l.left(), label: l.label, back: l.back, dashed: l.dashed}
		c, ok := index[k]
		if !ok {
			c = len(p.chains)
			index[k] = c
			p.chains = append(p.chains, chain{label: l.label, back: l.back, dashed: l.dashed})
			p.addOutlet(c, l.left())
		}
		p.links[i].chain = c
		p.connect(p.outletAt(c, p.verts[l.right()].layer-1), l.right())
	}
}

// outletAt returns the outlet of chain c in the given layer; the chain grows
// bends up to there.
func (p *part) outletAt(c, layer int) int {
	first := p.verts[p.outlets[p.chains[c].outlets[0]].vertex].layer
	for at := first + len(p.chains[c].outlets); at <= layer; at++ {
		bend := len(p.verts)
		p.verts = append(p.verts, vertex{bend: true, layer: at, w: 1, h: 1})
		p.layers[at] = append(p.layers[at], bend)
		outs := p.chains[c].outlets
		p.connect(outs[len(outs)-1], bend)
		p.addOutlet(c, bend)
	}
	return p.chains[c].outlets[layer-first]
}

func (p *part) addOutlet(c, vertex int) {
	o := len(p.outlets)
	p.outlets = append(p.outlets, outlet{chain: c, vertex: vertex})
	p.chains[c].outlets = append(p.chains[c].outlets, o)
	p.verts[vertex].outlets = append(p.verts[vertex].outlets, o)
}

func (p *part) connect(o, to int) {
	from := p.outlets[o].vertex
	p.outlets[o].targets = append(p.outlets[o].targets, to)
	p.verts[from].out = append(p.verts[from].out, to)
	p.verts[to].in = append(p.verts[to].in, from)
}
