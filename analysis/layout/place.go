package layout

// How much a step is worth straightening, by how many of its ends are bends:
// a jog within a long line catches the eye more than one at its end. A
// vertex's pull to where it is only settles ties.
var stepWeight = [3]int{4, 8, 32}

const stayWeight = 1

// rounds is the number of times that rows of vertices and rows of ports are
// fitted to each other.
const rounds = 3

// place gives every vertex its size and its rows: a median pull from the
// neighbours on the left, on the right, then on both sides, with ports
// moving along.
func (p *part) place(g Graph) {
	p.measure(g)
	if !g.Tight {
		p.space = 1
	}
	for _, layer := range p.layers {
		y := 0
		for _, v := range layer {
			p.verts[v].y = y
			y += p.verts[v].h + p.space
		}
	}
	for range p.effort(rounds) {
		p.fitPorts()
		p.pull(true, false)
		p.pull(false, true)
		p.pull(true, true)
	}
	p.fitPorts()
	p.pull(true, true)
	p.fitPorts()
	p.toTop()
}

// measure sizes the boxes: a border, a free cell left and right of the text
// where there is one on all sides, and a row for every port.
func (p *part) measure(g Graph) {
	for i, n := range p.nodes {
		v := &p.verts[i]
		text := 0
		for _, line := range g.Nodes[n].Lines {
			text = max(text, Width(line))
		}
		kind := g.Nodes[n].Kind
		v.w, v.rim = text+kind.sides(), kind.rim()
		v.h = 2*v.rim + max(1, len(g.Nodes[n].Lines), len(v.inlets), len(v.outlets)+2*len(v.loops))
	}
	p.evenWidths(g)
}

// evenWidths makes boxes of one kind in one layer equally wide, so that a
// layer reads as a column.
func (p *part) evenWidths(g Graph) {
	for _, layer := range p.layers {
		widest := map[Kind]int{}
		for _, v := range layer {
			if !p.verts[v].bend {
				k := g.Nodes[p.nodes[v]].Kind
				widest[k] = max(widest[k], p.verts[v].w)
			}
		}
		for _, v := range layer {
			if !p.verts[v].bend {
				p.verts[v].w = widest[g.Nodes[p.nodes[v]].Kind]
			}
		}
	}
}

// pull moves the vertices of all layers towards their neighbours: those on
// the left, on the right, or both. It starts at the layer whose neighbours
// pull.
func (p *part) pull(fromLeft, fromRight bool) {
	for i := range p.layers {
		layer := p.layers[i]
		if !fromLeft {
			layer = p.layers[len(p.layers)-1-i]
		}
		slots := make([]slot, len(layer))
		for j, v := range layer {
			slots[j].wants = p.wantsOf(v, fromLeft, fromRight)
			slots[j].size = p.verts[v].h
			if j+1 < len(layer) {
				slots[j].size += p.spaceBetween(v, layer[j+1])
			}
		}
		for j, y := range settle(slots) {
			p.verts[layer[j]].y = y
		}
	}
}

// spaceBetween is the number of rows kept free between two vertices: none
// beside a line.
func (p *part) spaceBetween(above, below int) int {
	if p.verts[above].bend || p.verts[below].bend {
		return 0
	}
	return p.space
}

// wantsOf lists where v would have to start for each of its steps to be
// straight.
func (p *part) wantsOf(v int, left, right bool) []want {
	vert := p.verts[v]
	wants := []want{{vert.y, stayWeight}}
	for _, in := range vert.inlets {
		if !left {
			break
		}
		n := p.nets[in.net]
		for _, o := range n.outlets {
			wants = append(wants, want{p.outletRow(o) - n.offs[in.target], p.weight(v, p.outlets[o].vertex)})
		}
	}
	for _, o := range vert.outlets {
		if !right {
			break
		}
		out := p.outlets[o]
		for i, t := range p.nets[out.net].targets {
			wants = append(wants, want{p.inletRow(port{out.net, i}) - out.off, p.weight(v, t)})
		}
	}
	return wants
}

func (p *part) weight(v, w int) int {
	bends := 0
	for _, u := range []int{v, w} {
		if p.verts[u].bend {
			bends++
		}
	}
	return stepWeight[bends]
}

// toTop moves the part so that its first row is row 0.
func (p *part) toTop() {
	top := p.verts[0].y
	for _, v := range p.verts {
		top = min(top, v.y)
	}
	for i := range p.verts {
		p.verts[i].y -= top
		p.h = max(p.h, p.verts[i].y+p.verts[i].h)
	}
}
