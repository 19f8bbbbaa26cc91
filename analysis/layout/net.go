package layout

import (
	"encoding/binary"
	"slices"
)

// net is a set of outlets drawn as one connected line: all of them lead to
// all of the targets, so that sharing the line tells nothing wrong. A
// self-loop is a net of its own, which starts and ends at the same vertex.
type net struct {
	outlets []int
	targets []int
	offs    []int // by target: the port's row, counted from the target's top

	loop        bool // from and to row off and off+1 of vertex
	vertex, off int

	track route
}

// route says where a net runs within the room between two layers.
type route struct {
	straight bool // needs no vertical
	first    int  // the track of its vertical, 0 at the left
	split    bool // has a second vertical, joined to the first in row bend
	second   int
	bend     int
}

// bundle joins the outlets into nets: those that lead to the same targets, in
// the same style and direction. Every net gets one port at each target.
func (p *part) bundle() {
	p.gaps = make([][]int, len(p.layers))
	index := map[string]int{}
	for _, layer := range p.layers {
		for _, v := range layer {
			for _, o := range p.verts[v].outlets {
				p.joinNet(index, o)
			}
		}
	}
	for i, l := range p.links {
		if l.from == l.to {
			p.links[i].loop = p.addLoop(l.from)
		}
	}
}

func (p *part) joinNet(index map[string]int, o int) {
	out := &p.outlets[o]
	slices.Sort(out.targets)
	c := p.chains[out.chain]
	key := netKey(c.back, c.dashed, out.targets)
	n, ok := index[key]
	if !ok {
		n = len(p.nets)
		index[key] = n
		p.nets = append(p.nets, net{targets: out.targets, offs: make([]int, len(out.targets))})
		layer := p.verts[out.vertex].layer
		p.gaps[layer] = append(p.gaps[layer], n)
		for i, t := range out.targets {
			p.verts[t].inlets = append(p.verts[t].inlets, port{n, i})
		}
	}
	out.net = n
	p.nets[n].outlets = append(p.nets[n].outlets, o)
}

// netKey spells out what outlets of one net have in common. The targets
// decide the gap, too: they all lie in the layer right of it.
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

func (p *part) addLoop(v int) int {
	n := len(p.nets)
	p.nets = append(p.nets, net{loop: true, vertex: v})
	p.verts[v].loops = append(p.verts[v].loops, n)
	layer := p.verts[v].layer
	p.gaps[layer] = append(p.gaps[layer], n)
	return n
}

// lefts and rights are the rows where a net meets the layers on its sides.
func (p *part) lefts(n net) []int {
	if n.loop {
		row := p.verts[n.vertex].y + n.off
		return []int{row, row + 1}
	}
	rows := make([]int, len(n.outlets))
	for i, o := range n.outlets {
		rows[i] = p.outletRow(o)
	}
	slices.Sort(rows)
	return rows
}

func (p *part) rights(n net) []int {
	rows := make([]int, len(n.targets))
	for i, t := range n.targets {
		rows[i] = p.verts[t].y + n.offs[i]
	}
	slices.Sort(rows)
	return rows
}

func (p *part) outletRow(o int) int {
	return p.verts[p.outlets[o].vertex].y + p.outlets[o].off
}

func (p *part) inletRow(in port) int {
	n := p.nets[in.net]
	return p.verts[n.targets[in.target]].y + n.offs[in.target]
}
