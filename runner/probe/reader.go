package probe

import (
	"encoding/binary"
	"math/bits"

	"sonde/assets/probe/sondeprobe"
	"sonde/model"
)

// Reader reads how near a test came to the targets that somebody asks for. It is
// for one goroutine.
//
// What a reading costs follows from what a test touched, not from how much there
// is: of the rest, eight hits are passed over at once.
type Reader struct {
	manifest *Manifest
	memory   *Memory
	plans    []plan
	terms    []term
	ids      []string
	byHit    index // which targets depend on what
	bySlot   index
	wanted   []bool
	seekers  []int32   // how many targets that are asked for follow from each predicate
	open     []uint32  // the predicates that the service is to look at
	best     []float64 // of all readings
	touched  []uint64  // a bit for each target, while reading
	first    int       // the number that scores have for the first target, see Number
}

// NewReader reads the memory of a service of this build. All targets are asked
// for at first.
func NewReader(m *Manifest, mem *Memory) *Reader {
	n := len(m.Targets)
	r := &Reader{
		manifest: m, memory: mem, ids: make([]string, n), wanted: make([]bool, n), seekers: make([]int32, m.Preds), open: make([]uint32, m.Preds),
		best: make([]float64, n), touched: make([]uint64, (n+63)/64),
	}
	for i, t := range m.Targets {
		r.ids[i] = t.ID
	}
	r.plans, r.terms = newPlans(m)
	r.byHit, r.bySlot = r.hitIndex(), r.slotIndex()
	r.Want(func(int) bool { return true })
	return r
}

// Reset forgets what the probes saw: a test begins.
func (r *Reader) Reset() {
	clear(r.memory.slots)
	clear(r.memory.hits)
	copy(r.memory.open, r.open)
}

// Reached returns the targets asked for that the service came near to since the
// reset, in the manifest's order, behind what is in scores.
func (r *Reader) Reached(scores []model.Score) []model.Score { return r.read(scores, false) }

// Better is Reached for the targets that no reading before came so near to.
func (r *Reader) Better(scores []model.Score) []model.Score { return r.read(scores, true) }

func (r *Reader) read(scores []model.Score, better bool) []model.Score {
	r.touchHits()
	r.touchSlots()
	for word, set := range r.touched {
		r.touched[word] = 0
		for ; set != 0; set &= set - 1 {
			i := 64*word + bits.TrailingZeros64(set)
			h := r.score(r.plans[i])
			if h > 0 && !(better && h <= r.best[i]) {
				scores = append(scores, model.Score{Target: r.ids[i], H: h, Number: r.number(i)})
			}
			r.best[i] = max(r.best[i], h)
		}
	}
	return scores
}

// touchHits marks the targets that depend on a hit.
func (r *Reader) touchHits() {
	hits := r.memory.hits
	at := 0
	for ; at+8 <= len(hits); at += 8 {
		for word := binary.LittleEndian.Uint64(hits[at:]); word != 0; {
			k := bits.TrailingZeros64(word) / 8
			r.touch(r.byHit.of(at + k))
			word &^= 0xff << (8 * k)
		}
	}
	for ; at < len(hits); at++ {
		if hits[at] != 0 {
			r.touch(r.byHit.of(at))
		}
	}
}

// touchSlots marks the targets that depend on a predicate which was evaluated.
func (r *Reader) touchSlots() {
	for s, slot := range r.memory.slots {
		if slot != 0 {
			r.touch(r.bySlot.of(s))
		}
	}
}

// touch marks targets that are asked for.
func (r *Reader) touch(targets []int32) {
	for _, i := range targets {
		if r.wanted[i] {
			r.touched[i/64] |= 1 << (i % 64)
		}
	}
}

// score is how near the service came to a target: 1 only if it is covered.
func (r *Reader) score(p plan) float64 {
	if p.hit != 0 && r.memory.hits[p.hit] != 0 {
		return 1
	}
	h := 0.0
	if p.near != 0 && r.memory.hits[p.near] != 0 {
		h = half
	}
	for _, t := range r.terms[p.from:p.upTo] {
		h = max(h, t.near(r.memory.slots[t.slot]))
	}
	return h
}

// near is how near a slot makes a target.
func (t term) near(slot uint64) float64 {
	switch slot {
	case 0:
		return 0
	case sondeprobe.Done:
		return t.base + t.scale
	}
	return min(t.base+t.scale*closeness(slot), nearest)
}
