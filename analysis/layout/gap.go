package layout

import (
	"cmp"
	"math"
	"slices"
)

// wire is a net, or one half of a split net, in the gap between two layers. It has horizontal lines from the left
// side and from the right side of the gap, which meet in one vertical line.
type wire struct {
	net           int
	lefts, rights []int // the rows of the horizontal lines on each side, ascending
	lo, hi        int   // the rows of the upper and the lower end of the vertical line
	half          int   // the wire with the left half if this wire was split, else -1
	track         int
	placed        bool
	waits         int   // number of unplaced wires that must be further left
	then          []int // wires that must be further right than this one
	score         int   // number of crossings that are saved if other wires are placed before this one
}

// gap finds a track for each wire between two layers.
//
// Two wires must not share cells. In one row, a line of one wire may come from the left side of the gap, and a line
// of another wire from the right side. The vertical line of the first wire must then be further left. Such
// constraints may form a cycle, for example if two lines exchange their rows. In that case, one of the wires is split
// into two vertical lines.
type gap struct {
	wires  []wire
	order  []int        // the wires in the order of their placement
	taken  map[int]bool // rows in which a line enters or leaves the gap, and rows that freeRow has reserved
	height int          // number of rows up to the last row that freeRow has reserved
}

func newGap() *gap { return &gap{taken: map[int]bool{}} }

// add adds a net. lefts and rights are the rows in which its lines enter the gap from the left and from the right. add
// reports whether the net needs a vertical line.
func (g *gap) add(net int, lefts, rights []int) bool {
	for _, rows := range [][]int{lefts, rights} {
		for _, r := range rows {
			g.taken[r] = true
		}
	}
	w := wire{net: net, lefts: lefts, rights: rights, half: -1}
	w.span()
	if w.lo == w.hi {
		return false
	}
	g.wires = append(g.wires, w)
	return true
}

// span sets the rows at which the vertical line begins and ends.
func (w *wire) span() {
	all := slices.Concat(w.lefts, w.rights)
	w.lo, w.hi = slices.Min(all), slices.Max(all)
}

// solve places all wires and returns the number of tracks.
func (g *gap) solve() int {
	g.demand()
	for i := range g.wires {
		g.rescore(i)
	}
	for left := len(g.wires); left > 0; left-- {
		i := g.next()
		if g.wires[i].waits > 0 {
			i = g.splitWire(i)
			left++
		}
		g.put(i)
	}
	tracks := 0
	for _, w := range g.wires {
		tracks = max(tracks, w.track+1)
	}
	return tracks
}

// demand records, for each wire, which other wires must be further right, so that no two wires share cells.
func (g *gap) demand() {
	right := map[int]int{}
	for i, w := range g.wires {
		for _, r := range w.rights {
			right[r] = i
		}
	}
	for i := range g.wires {
		for _, r := range g.wires[i].lefts {
			if j, ok := right[r]; ok && j != i {
				g.wires[i].then = append(g.wires[i].then, j)
				g.wires[j].waits++
			}
		}
	}
}

// weigh updates the scores of the unplaced wires other than i. It adds sign times the number of crossings that are
// saved if wire i is further left.
func (g *gap) weigh(i, sign int) {
	for j := range g.wires {
		if j != i && !g.wires[j].placed {
			g.wires[j].score += sign * g.saved(i, j)
		}
	}
}

// rescore sets the score of wire i: the number of crossings that are saved if the other unplaced wires are further
// left.
func (g *gap) rescore(i int) {
	g.wires[i].score = 0
	for j := range g.wires {
		if j != i && !g.wires[j].placed {
			g.wires[i].score += g.saved(j, i)
		}
	}
}

// saved returns the number of crossings that are saved if wire i is left of wire j instead of right of it.
func (g *gap) saved(i, j int) int {
	a, b := &g.wires[i], &g.wires[j]
	if !a.meets(b) {
		return 0
	}
	return max(0, b.crossings(a)-a.crossings(b))
}

// meets reports whether the vertical lines of two wires share a row.
func (w *wire) meets(o *wire) bool { return w.lo <= o.hi && o.lo <= w.hi }

// crossings returns the number of crossings of w and o if w is left of o.
func (w *wire) crossings(o *wire) int {
	return within(o.lefts, w.lo, w.hi) + within(w.rights, o.lo, o.hi)
}

func within(rows []int, lo, hi int) int {
	from, _ := slices.BinarySearch(rows, lo)
	to, _ := slices.BinarySearch(rows, hi+1)
	return to - from
}

// next returns the wire to place next. It considers only wires that wait for no other wire. Of these, it returns the
// wire with the lowest score, and of equal scores the shortest. If all unplaced wires wait for others, it returns the
// wire to split.
func (g *gap) next() int {
	best := -1
	for i := range g.wires {
		w := &g.wires[i]
		if !w.placed && (best < 0 || w.before(&g.wires[best])) {
			best = i
		}
	}
	return best
}

func (w *wire) before(o *wire) bool {
	return cmp.Or(cmp.Compare(w.rank(), o.rank()), cmp.Compare(w.score, o.score), cmp.Compare(w.hi-w.lo, o.hi-o.lo)) < 0
}

// rank returns the sort key for the choice of the next wire. It is 0 if the wire can be placed, otherwise the number
// of wires for which it waits. A wire that was already split comes last, because splitting it again does not help.
func (w *wire) rank() int {
	if w.waits > 0 && w.half >= 0 {
		return math.MaxInt
	}
	return w.waits
}

// put places wire i in the first track that is to the right of all placed wires whose vertical lines share a row with
// the vertical line of wire i.
func (g *gap) put(i int) {
	w := &g.wires[i]
	for _, j := range g.order {
		if o := &g.wires[j]; o.meets(w) {
			w.track = max(w.track, o.track+1)
		}
	}
	w.placed = true
	g.order = append(g.order, i)
	g.weigh(i, -1)
	for _, j := range w.then {
		g.wires[j].waits--
	}
}

// splitWire splits wire i into two vertical lines, which are joined in a free row. It returns the new wire with the
// left half. This wire waits for no other wire.
func (g *gap) splitWire(i int) int {
	g.weigh(i, -1)
	w := &g.wires[i]
	bend := g.freeRow(w.lo, w.hi)
	half := wire{net: w.net, lefts: w.lefts, rights: []int{bend}, half: -1, then: append(w.then, i)}
	half.span()
	w.lefts, w.then, w.half = []int{bend}, nil, len(g.wires)
	w.waits++
	w.span()
	g.wires = append(g.wires, half)
	h := len(g.wires) - 1
	g.weigh(i, 1)
	g.rescore(i)
	g.weigh(h, 1)
	g.rescore(h)
	return h
}

// freeRow reserves a row in which no line enters or leaves the gap. It chooses the row that is nearest to the middle
// of lo and hi.
func (g *gap) freeRow(lo, hi int) int {
	middle := (lo + hi) / 2
	for d := 0; ; d++ {
		for _, row := range []int{middle - d, middle + d} {
			if row >= 0 && !g.taken[row] {
				g.taken[row] = true
				g.height = max(g.height, row+1)
				return row
			}
		}
	}
}
