package layout

import "slices"

// breakCycles marks links that, turned around, leave the part without a
// cycle: those that close a cycle for a depth-first search, or those that a
// greedy order turns around, if they are fewer.
func (p *part) breakCycles() {
	back := p.closing()
	if slices.Contains(back, true) {
		if greedy := p.against(p.greedyOrder()); count(greedy) < count(back) {
			back = greedy
		}
	}
	for i, b := range back {
		p.links[i].back = b
	}
}

func count(marks []bool) (n int) {
	for _, m := range marks {
		if m {
			n++
		}
	}
	return n
}

// closing finds the links that lead back to a box on the way of a depth-first
// search, which starts at the boxes without a predecessor, in their order.
func (p *part) closing() []bool {
	back := make([]bool, len(p.links))
	out := make([][]int, len(p.nodes))
	taken := make([]bool, len(p.nodes))
	for i, l := range p.links {
		if l.from != l.to {
			out[l.from] = append(out[l.from], i)
			taken[l.to] = true
		}
	}
	open, done := make([]bool, len(p.nodes)), make([]bool, len(p.nodes))
	var visit func(int)
	visit = func(v int) {
		open[v], done[v] = true, true
		for _, i := range out[v] {
			to := p.links[i].to
			back[i] = open[to]
			if !done[to] {
				visit(to)
			}
		}
		open[v] = false
	}
	for _, sources := range []bool{true, false} {
		for v := range p.nodes {
			if taken[v] != sources && !done[v] {
				visit(v)
			}
		}
	}
	return back
}

// against marks the links that lead back in the given order of the boxes.
func (p *part) against(order []int) []bool {
	rank := make([]int, len(order))
	for i, v := range order {
		rank[v] = i
	}
	back := make([]bool, len(p.links))
	for i, l := range p.links {
		back[i] = rank[l.to] < rank[l.from]
	}
	return back
}

// greedyOrder takes sources to the front and sinks to the back; when there is
// neither, the box that feeds the most beyond what it takes goes to the front
// (Eades, Lin and Smyth, "A fast and effective heuristic for the feedback arc
// set problem", 1993).
func (p *part) greedyOrder() []int {
	d := p.degrees()
	var front, back []int
	for len(front)+len(back) < len(p.nodes) {
		v, sink := d.next()
		if sink {
			back = append(back, v)
		} else {
			front = append(front, v)
		}
		d.remove(v)
	}
	slices.Reverse(back)
	return append(front, back...)
}

// degrees counts for each box the boxes left that it feeds and takes from.
type degrees struct {
	out, in   [][]int
	outs, ins []int
	gone      []bool
}

func (p *part) degrees() *degrees {
	n := len(p.nodes)
	d := &degrees{out: make([][]int, n), in: make([][]int, n), outs: make([]int, n), ins: make([]int, n), gone: make([]bool, n)}
	for _, l := range p.links {
		if l.from != l.to {
			d.out[l.from], d.in[l.to] = append(d.out[l.from], l.to), append(d.in[l.to], l.from)
			d.outs[l.from]++
			d.ins[l.to]++
		}
	}
	return d
}

// next returns the box to take next, and whether it is a sink.
func (d *degrees) next() (v int, sink bool) {
	best := -1
	for v, gone := range d.gone {
		switch {
		case gone:
		case d.outs[v] == 0:
			return v, true
		case d.ins[v] == 0:
			return v, false
		case best < 0 || d.outs[v]-d.ins[v] > d.outs[best]-d.ins[best]:
			best = v
		}
	}
	return best, false
}

func (d *degrees) remove(v int) {
	d.gone[v] = true
	for _, w := range d.out[v] {
		d.ins[w]--
	}
	for _, w := range d.in[v] {
		d.outs[w]--
	}
}
