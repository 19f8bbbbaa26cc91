package layout

import (
	"cmp"
	"slices"
)

// fitPorts orders the ports on both sides of every box by where their lines
// lead and puts them in the rows nearest to that.
func (p *part) fitPorts() {
	for i := range p.nodes {
		p.fitLeft(i)
		p.fitRight(i)
	}
}

func (p *part) fitLeft(v int) {
	ins := p.verts[v].inlets
	rows := make(map[port][]int, len(ins))
	for _, in := range ins {
		rows[in] = p.lefts(p.nets[in.net])
	}
	slices.SortStableFunc(ins, func(a, b port) int { return byMean(rows[a], rows[b]) })
	sides := make([][]int, len(ins))
	for i, in := range ins {
		sides[i] = rows[in]
	}
	for i, off := range p.spread(v, sides, 0) {
		p.nets[ins[i].net].offs[ins[i].target] = off
	}
}

func (p *part) fitRight(v int) {
	outs := p.verts[v].outlets
	rows := make(map[int][]int, len(outs))
	for _, o := range outs {
		rows[o] = p.rights(p.nets[p.outlets[o].net])
	}
	slices.SortStableFunc(outs, func(a, b int) int { return byMean(rows[a], rows[b]) })
	sides := make([][]int, len(outs))
	for i, o := range outs {
		sides[i] = rows[o]
	}
	offs := p.spread(v, sides, len(p.verts[v].loops))
	for i, o := range outs {
		p.outlets[o].off = offs[i]
	}
	for i, n := range p.verts[v].loops {
		p.nets[n].off = offs[len(outs)+i]
	}
}

func byMean(a, b []int) int {
	sum := func(rows []int) (s int) {
		for _, r := range rows {
			s += r
		}
		return s
	}
	return cmp.Compare(sum(a)*len(b), sum(b)*len(a))
}

// spread returns the ports' rows, counted from the top of v: one row for each
// element of sides, as near as possible to the rows on its other side, then
// two rows for each loop.
func (p *part) spread(v int, sides [][]int, loops int) []int {
	vert := p.verts[v]
	used := len(sides) + 2*loops
	middle := vert.y + 1 + (vert.h-2-used)/2
	slots := make([]slot, len(sides)+loops)
	for i := range slots {
		slots[i].size = 1
		if i >= len(sides) {
			slots[i].size = 2
			slots[i].wants = []want{{middle + i, stayWeight}}
			continue
		}
		slots[i].wants = []want{{middle + i, stayWeight}}
		for _, row := range sides[i] {
			slots[i].wants = append(slots[i].wants, want{row, stepWeight[0]})
		}
	}
	offs := settle(slots)
	before := 0
	for i := range offs {
		offs[i] = min(max(offs[i]-vert.y, 1+before), vert.h-1-(used-before))
		before += slots[i].size
	}
	return offs
}
