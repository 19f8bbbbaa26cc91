package layout

import "slices"

// cycleBreaker chooses which links of a part to reverse, so that the part has no cycles.
type cycleBreaker struct {
	boxes int
	links []link
}

// backLinks marks the links to reverse. It computes two sets of links and returns the smaller one: the links that
// close a cycle in a depth-first search, and the links that lead back in a greedy order.
func (c cycleBreaker) backLinks() []bool {
	back := c.closing()
	if !slices.Contains(back, true) {
		return back
	}
	if greedy := c.against(c.greedyOrder()); count(greedy) < count(back) {
		return greedy
	}
	return back
}

// count returns the number of true elements.
func count(marks []bool) (n int) {
	for _, m := range marks {
		if m {
			n++
		}
	}
	return n
}

// closing marks the links that lead back to a box on the current path of a depth-first search. The search starts at
// each box without a predecessor, in order. It then starts at each box that was not reached, in order.
func (c cycleBreaker) closing() []bool {
	back := make([]bool, len(c.links))
	out := make([][]int, c.boxes)
	taken := make([]bool, c.boxes)
	for i, l := range c.links {
		if l.from != l.to {
			out[l.from] = append(out[l.from], i)
			taken[l.to] = true
		}
	}
	open, done := make([]bool, c.boxes), make([]bool, c.boxes)
	var visit func(int)
	visit = func(v int) {
		open[v], done[v] = true, true
		for _, i := range out[v] {
			to := c.links[i].to
			back[i] = open[to]
			if !done[to] {
				visit(to)
			}
		}
		open[v] = false
	}
	for _, sources := range []bool{true, false} {
		for v := range c.boxes {
			if taken[v] != sources && !done[v] {
				visit(v)
			}
		}
	}
	return back
}

// against marks the links that lead from a later box to an earlier box in the given order.
func (c cycleBreaker) against(order []int) []bool {
	rank := make([]int, len(order))
	for i, v := range order {
		rank[v] = i
	}
	back := make([]bool, len(c.links))
	for i, l := range c.links {
		back[i] = rank[l.to] < rank[l.from]
	}
	return back
}

// greedyOrder returns an order of the boxes in which few links lead back. It repeatedly removes a box: a sink is added
// at the back of the order, a source at the front. If there is neither, it removes the box with the largest difference
// between outgoing and incoming links, and adds it at the front (Eades, Lin and Smyth, "A fast and effective heuristic
// for the feedback arc set problem", 1993).
func (c cycleBreaker) greedyOrder() []int {
	d := c.degrees()
	var front, back []int
	for len(front)+len(back) < c.boxes {
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

// degrees has the neighbours of each box, and the number of neighbours that are not removed yet.
type degrees struct {
	out, in   [][]int
	outs, ins []int
	gone      []bool
}

func (c cycleBreaker) degrees() *degrees {
	n := c.boxes
	d := &degrees{
		out:  make([][]int, n),
		in:   make([][]int, n),
		outs: make([]int, n),
		ins:  make([]int, n),
		gone: make([]bool, n),
	}
	for _, l := range c.links {
		if l.from != l.to {
			d.out[l.from] = append(d.out[l.from], l.to)
			d.in[l.to] = append(d.in[l.to], l.from)
			d.outs[l.from]++
			d.ins[l.to]++
		}
	}
	return d
}

// next returns the box to remove next, and whether this box is a sink.
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
