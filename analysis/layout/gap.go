package layout

import (
	"cmp"
	"math"
	"slices"
)

// wire is a net, or one half of a split one, within the room between two
// layers: horizontals from the left side and from the right side that meet in
// one vertical.
type wire struct {
	net           int
	lefts, rights []int // rows, ascending
	lo, hi        int   // the rows that the vertical spans
	half          int   // the wire that holds the left half of a split wire, else -1
	track         int
	placed        bool
	waits         int   // wires that must lie further left, not yet placed
	then          []int // wires that must lie further right
	score         int   // crossings that other wires would save by coming first
}

// gap finds a track for every wire between two layers.
//
// Two wires must not share cells: where a row ends at the left side with one
// wire and at the right side with another, the first has to turn before the
// second. Such demands can form a circle, as when two lines change places;
// then one of the wires is split in two verticals.
type gap struct {
	wires  []wire
	order  []int // in which they were placed
	taken  map[int]bool
	height int
}

func newGap() *gap { return &gap{taken: map[int]bool{}} }

// add notes the rows of a net, and reports whether it needs a vertical.
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

// demand notes which wires must lie left of which.
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

// weigh adds to the score of every other wire not yet placed the crossings
// that wire i saves by lying left of it, sign times.
func (g *gap) weigh(i, sign int) {
	for j := range g.wires {
		if j != i && !g.wires[j].placed {
			g.wires[j].score += sign * g.saved(i, j)
		}
	}
}

// rescore sums up for wire i what the other wires not yet placed save by
// lying left of it.
func (g *gap) rescore(i int) {
	g.wires[i].score = 0
	for j := range g.wires {
		if j != i && !g.wires[j].placed {
			g.wires[i].score += g.saved(j, i)
		}
	}
}

// saved counts the crossings that are saved when wire i lies left of wire j.
func (g *gap) saved(i, j int) int {
	a, b := &g.wires[i], &g.wires[j]
	if !a.meets(b) {
		return 0
	}
	return max(0, b.crossings(a)-a.crossings(b))
}

// meets reports whether the verticals share a row.
func (w *wire) meets(o *wire) bool { return w.lo <= o.hi && o.lo <= w.hi }

// crossings counts the crossings of w and o when w lies left of o.
func (w *wire) crossings(o *wire) int {
	return within(o.lefts, w.lo, w.hi) + within(w.rights, o.lo, o.hi)
}

func within(rows []int, lo, hi int) int {
	from, _ := slices.BinarySearch(rows, lo)
	to, _ := slices.BinarySearch(rows, hi+1)
	return to - from
}

// next chooses the wire to place: one that waits for no other, with the least
// score and the shortest of those; or, when all wait for each other, the one
// to split.
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

// rank is 0 for a wire that may be placed. A wire already split holds up no
// other, so that splitting it again is of no use.
func (w *wire) rank() int {
	if w.waits > 0 && w.half >= 0 {
		return math.MaxInt
	}
	return w.waits
}

// put places wire i in the first track right of all that it meets.
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

// splitWire cuts wire i in two verticals joined in a row that nothing else
// uses. It returns the new, left half, which waits for no other wire.
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

// freeRow takes the row nearest to the middle of lo and hi at which no line
// enters or leaves the gap.
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
