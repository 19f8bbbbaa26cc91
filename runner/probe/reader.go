package probe

import (
	"encoding/binary"
	"slices"

	"sonde/assets/probe/sondeprobe"
	"sonde/model"
)

// Reader reads how near a test came to the targets that somebody asks for. It is
// for one goroutine.
//
// What a reading costs follows from what a test touched, not from how much there
// is: the rest is passed over, a stretch of the source at a time.
type Reader struct {
	manifest  *Manifest
	memory    *Memory
	plans     []plan
	terms     []term
	ids       []string
	stretches []stretch
	wanted    []bool
	seekers   []int32   // how many targets that are asked for follow from each predicate
	seeking   [][]int32 // the targets that follow from each predicate
	open      []uint32  // the predicates that the service is to look at
	asks      uint32    // what stands there for each
	best      []float64 // of all readings
	first     int       // the number that scores have for the first target, see Number
}

// NewReader reads the memory of a service of this build. All targets are asked
// for at first.
func NewReader(m *Manifest, mem *Memory) *Reader {
	n := len(m.Targets)
	r := &Reader{
		manifest: m, memory: mem, ids: make([]string, n), wanted: make([]bool, n), seekers: make([]int32, m.Preds), seeking: make([][]int32, m.Preds),
		open: make([]uint32, m.Preds), asks: sondeprobe.Open, best: make([]float64, n),
	}
	for i, t := range m.Targets {
		r.ids[i] = t.ID
		r.seek(i, t.Terms)
	}
	r.plans, r.terms = newPlans(m)
	r.stretches = newStretches(r.plans, r.terms)
	r.Want(func(int) bool { return true })
	return r
}

// seek notes from which predicates a target follows.
func (r *Reader) seek(target int, terms []Term) {
	for _, t := range terms {
		if s := &r.seeking[t.Pred]; len(*s) == 0 || (*s)[len(*s)-1] != int32(target) {
			*s = append(*s, int32(target))
		}
	}
}

// Reset forgets what the probes saw: a test begins.
func (r *Reader) Reset() {
	change(r.memory.slots, nil)
	change(r.memory.hits, nil)
	change(r.memory.open, r.open)
	r.memory.forget()
}

// change makes memory what it is to be, nil for zeros, but writes only where it is
// something else: what is not written, the service's processor need not fetch
// again.
func change[T comparable](memory, to []T) {
	const block = 64
	var zeros [block]T
	for at := 0; at < len(memory); at += block {
		is := memory[at:min(at+block, len(memory))]
		be := zeros[:len(is)]
		if to != nil {
			be = to[at : at+len(is)]
		}
		if !slices.Equal(is, be) {
			copy(is, be)
		}
	}
}

// Reached returns the targets asked for that the service came near to since the
// reset, in the manifest's order, behind what is in scores.
func (r *Reader) Reached(scores []model.Score) []model.Score { return r.read(scores, false) }

// Better is Reached for the targets that no reading before came so near to.
func (r *Reader) Better(scores []model.Score) []model.Score { return r.read(scores, true) }

func (r *Reader) read(scores []model.Score, better bool) []model.Score {
	for _, s := range r.stretches {
		if !r.stirred(s) {
			continue
		}
		for i := s.from; i < s.upTo; i++ {
			if !r.wanted[i] {
				continue
			}
			h := r.score(&r.plans[i])
			if h == 0 || better && h <= r.best[i] {
				continue
			}
			scores = append(scores, model.Score{Target: r.ids[i], H: h, Number: r.number(i)})
			if h > r.best[i] {
				r.best[i] = h
			}
		}
	}
	return scores
}

// stirred reports whether a stretch has anything that is not as it was at the reset.
func (r *Reader) stirred(s stretch) bool {
	hits := r.memory.hits[s.hits.from:s.hits.upTo]
	for ; len(hits) >= 8; hits = hits[8:] {
		if binary.LittleEndian.Uint64(hits) != 0 {
			return true
		}
	}
	return slices.ContainsFunc(hits, func(hit byte) bool { return hit != 0 }) ||
		slices.ContainsFunc(r.memory.slots[s.slots.from:s.slots.upTo], func(slot uint64) bool { return slot != 0 })
}

// score is how near the service came to a target: 1 only if it is covered.
func (r *Reader) score(p *plan) float64 {
	if p.hit != 0 && r.memory.hits[p.hit] != 0 {
		return 1
	}
	h := 0.0
	if p.near != 0 && r.memory.hits[p.near] != 0 {
		h = half
	}
	if p.slot >= 0 {
		if c := closeness(r.memory.slots[p.slot]); c > h {
			return c
		}
		return h
	}
	for i := p.from; i < p.upTo; i++ {
		t := &r.terms[i]
		if slot := r.memory.slots[t.slot]; slot != 0 {
			if n := t.near(slot); n > h {
				h = n
			}
		}
	}
	return h
}

// near is how near a slot makes a target.
func (t *term) near(slot uint64) float64 {
	switch slot {
	case 0:
		return 0
	case sondeprobe.Done:
		return t.base + t.scale
	}
	return below1(t.base + t.scale*closeness(slot))
}
