package layout

import (
	"cmp"
	"slices"
)

// fitPorts sorts the ports on both sides of each box by the rows to which their lines lead, and moves each port as
// near to these rows as possible.
func (p *placer) fitPorts() {
	for i := range p.boxes {
		p.fitLeft(i)
		p.fitRight(i)
	}
}

func (p *placer) fitLeft(v int) {
	ins := p.mesh.verts[v].inlets
	ends := sortByMean(ins, func(in port) []int { return p.mesh.lefts(p.mesh.nets[in.net]) })
	for i, off := range p.spread(v, ends, 0) {
		p.mesh.nets[ins[i].net].offs[ins[i].target] = off
	}
}

func (p *placer) fitRight(v int) {
	outs, loops := p.mesh.verts[v].outlets, p.mesh.verts[v].loops
	ends := sortByMean(outs, func(o int) []int { return p.mesh.rights(p.mesh.nets[p.mesh.outlets[o].net]) })
	offs := p.spread(v, ends, len(loops))
	for i, o := range outs {
		p.mesh.outlets[o].off = offs[i]
	}
	for i, n := range loops {
		p.mesh.nets[n].off = offs[len(outs)+i]
	}
}

// sortByMean sorts ports by the mean of the rows to which their lines lead. It returns these rows for each port, in
// the new order of the ports.
func sortByMean[P comparable](ports []P, rows func(P) []int) [][]int {
	known := make(map[P][]int, len(ports))
	mean := make(map[P]float64, len(ports))
	for _, at := range ports {
		known[at] = rows(at)
		sum := 0
		for _, row := range known[at] {
			sum += row
		}
		mean[at] = float64(sum) / float64(len(known[at]))
	}
	slices.SortStableFunc(ports, func(a, b P) int { return cmp.Compare(mean[a], mean[b]) })
	ends := make([][]int, len(ports))
	for i, at := range ports {
		ends[i] = known[at]
	}
	return ends
}

// spread returns the rows of ports, counted from the top of v. There is one row for each element of ends, as near as
// possible to the rows in this element. If the element is empty, the port is placed in the middle. Then there are two
// rows for each self-loop.
func (p *placer) spread(v int, ends [][]int, loops int) []int {
	vert := p.mesh.verts[v]
	used := len(ends) + 2*loops
	middle := vert.y + (vert.h-used)/2
	slots := make([]slot, len(ends)+loops)
	for i := range slots {
		slots[i] = slot{size: 1, wants: []want{{middle + i, stayWeight}}}
		if i >= len(ends) {
			slots[i].size = 2
			continue
		}
		for _, row := range ends[i] {
			slots[i].wants = append(slots[i].wants, want{row, stepWeight[0]})
		}
	}
	offs := settle(slots)
	before := 0
	for i := range offs {
		offs[i] = min(max(offs[i]-vert.y, vert.rim+before), vert.h-vert.rim-(used-before))
		before += slots[i].size
	}
	return offs
}
