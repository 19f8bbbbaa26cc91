package layout

// stepWeight is the weight of keeping a step straight. The index is the number of the step's ends that are bends. A
// jog in the middle of a long line is more visible than a jog at its end, so it has a higher weight.
var stepWeight = [3]int{4, 8, 32}

// stayWeight is the weight of keeping a vertex in its row. It makes a difference only if several rows are equally
// good.
const stayWeight = 1

// rounds is the number of times that the rows of vertices and of ports are adapted to each other.
const rounds = 3

// placer sets the size and row of each vertex of a mesh, and the rows of the ports.
type placer struct {
	mesh  *mesh
	boxes []Node // the nodes of the boxes, by index of the box
	space int    // number of free rows between boxes
}

func newPlacer(m *mesh, boxes []Node, tight bool) *placer {
	p := &placer{mesh: m, boxes: boxes}
	if !tight {
		p.space = 1
	}
	return p
}

// place sets the size and row of each box, and returns the number of rows of the part. Boxes move to the median row
// of their neighbours on the left, then of those on the right, then of all neighbours. After each move, the rows of
// the ports are set again.
func (p *placer) place() int {
	p.measure()
	for _, layer := range p.mesh.layers {
		y := 0
		for _, v := range layer {
			p.mesh.verts[v].y = y
			y += p.mesh.verts[v].h + p.space
		}
	}
	for range effort(rounds, len(p.mesh.verts)) {
		p.fitPorts()
		p.pull(true, false)
		p.pull(false, true)
		p.pull(true, true)
	}
	p.fitPorts()
	p.pull(true, true)
	p.fitPorts()
	return p.toTop()
}

// measure sets the size of each box. A box has room for its text, its border, and one row for each port. If the
// border is on all sides, there is a free column on both sides of the text.
func (p *placer) measure() {
	for i, n := range p.boxes {
		v := &p.mesh.verts[i]
		text := 0
		for _, line := range n.Lines {
			text = max(text, TextWidth(line))
		}
		v.w, v.rim = text+n.Kind.sides(), n.Kind.rim()
		v.h = 2*v.rim + max(1, len(n.Lines), len(v.inlets), len(v.outlets)+2*len(v.loops))
	}
	p.evenWidths()
}

// evenWidths makes all boxes of one kind in a layer equally wide, so that they form a column.
func (p *placer) evenWidths() {
	for _, layer := range p.mesh.layers {
		widest := map[NodeKind]int{}
		for _, v := range layer {
			if !p.mesh.verts[v].bend {
				k := p.boxes[v].Kind
				widest[k] = max(widest[k], p.mesh.verts[v].w)
			}
		}
		for _, v := range layer {
			if !p.mesh.verts[v].bend {
				p.mesh.verts[v].w = widest[p.boxes[v].Kind]
			}
		}
	}
}

// pull moves the vertices of all layers towards their neighbours. fromLeft and fromRight select the neighbours on the
// left and on the right. If fromLeft is set, pull goes through the layers from left to right, otherwise from right to
// left.
func (p *placer) pull(fromLeft, fromRight bool) {
	for i := range p.mesh.layers {
		layer := p.mesh.layers[i]
		if !fromLeft {
			layer = p.mesh.layers[len(p.mesh.layers)-1-i]
		}
		slots := make([]slot, len(layer))
		for j, v := range layer {
			slots[j].wants = p.wantsOf(v, fromLeft, fromRight)
			slots[j].size = p.mesh.verts[v].h
			if j+1 < len(layer) {
				slots[j].size += p.spaceBetween(v, layer[j+1])
			}
		}
		for j, y := range settle(slots) {
			p.mesh.verts[layer[j]].y = y
		}
	}
}

// spaceBetween returns the number of free rows between two vertices. It is 0 if one of them is a bend.
func (p *placer) spaceBetween(above, below int) int {
	if p.mesh.verts[above].bend || p.mesh.verts[below].bend {
		return 0
	}
	return p.space
}

// wantsOf returns the preferred rows of v. In each of them, a step to a neighbour would be straight. left and right
// select the steps to the left and to the right.
func (p *placer) wantsOf(v int, left, right bool) []want {
	vert := p.mesh.verts[v]
	wants := []want{{vert.y, stayWeight}}
	for _, in := range vert.inlets {
		if !left {
			break
		}
		n := p.mesh.nets[in.net]
		for _, o := range n.outlets {
			wants = append(wants, want{
				at:     p.mesh.outletRow(o) - n.offs[in.target],
				weight: p.weight(v, p.mesh.outlets[o].vertex),
			})
		}
	}
	for _, o := range vert.outlets {
		if !right {
			break
		}
		out := p.mesh.outlets[o]
		for i, t := range p.mesh.nets[out.net].targets {
			wants = append(wants, want{
				at:     p.mesh.inletRow(port{net: out.net, target: i}) - out.off,
				weight: p.weight(v, t),
			})
		}
	}
	return wants
}

// weight returns the weight of keeping the step between two vertices straight.
func (p *placer) weight(v, w int) int {
	bends := 0
	for _, u := range []int{v, w} {
		if p.mesh.verts[u].bend {
			bends++
		}
	}
	return stepWeight[bends]
}

// toTop moves the part up or down, so that its first row is 0. It returns the height of the part.
func (p *placer) toTop() (height int) {
	top := p.mesh.verts[0].y
	for _, v := range p.mesh.verts {
		top = min(top, v.y)
	}
	for i := range p.mesh.verts {
		p.mesh.verts[i].y -= top
		height = max(height, p.mesh.verts[i].y+p.mesh.verts[i].h)
	}
	return height
}
