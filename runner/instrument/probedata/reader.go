package probedata

import (
	"encoding/binary"
	"slices"

	"sonde/assets/probe/sondeprobe"
	"sonde/model"
)

// Reader computes the scores of a test from the memory of a service. It is not safe for
// concurrent use.
//
// The time of a reading depends on how many targets the test touched, not on how many the manifest
// has: a Reader skips each stretch of the source that was not touched. As in section 4.3 of the
// EvoMaster paper, it reads only wanted targets, and AppendImproved appends only scores that rose.
type Reader struct {
	manifest  *Manifest
	memory    *Memory
	ids       []string // IDs of the targets, in a slice of their own so that reading touches less memory
	plans     []plan
	terms     []term
	stretches []stretch
	watched   watchlist
	best      []float64 // the highest score of each target in all readings
	first     int       // see SetFirstNumber
}

// NewReader returns a reader of the memory of a service that was built with a manifest. At first
// all targets are wanted.
func NewReader(m *Manifest, mem *Memory) *Reader {
	r := &Reader{manifest: m, memory: mem, watched: newWatchlist(m), best: make([]float64, len(m.Targets))}
	for _, t := range m.Targets {
		r.ids = append(r.ids, t.ID)
	}
	r.plans, r.terms = newPlans(m)
	r.stretches = newStretches(r.plans, r.terms)
	r.SelectTargets(func(int) bool { return true })
	return r
}

// SelectTargets makes a target wanted if the function returns true for its index, and unwanted otherwise. The change
// takes effect at once, both in the Reader and in the service.
func (r *Reader) SelectTargets(wanted func(i int) bool) {
	for i := range r.ids {
		r.SetWanted(i, wanted(i))
	}
	copy(r.memory.open, r.watched.open)
}

// SetWanted makes a target wanted or not. The change takes effect at once in the Reader, and at the next Reset in the
// service.
func (r *Reader) SetWanted(i int, wanted bool) { r.watched.set(i, r.manifest.Targets[i].Terms, wanted) }

// DropCovered makes the targets unwanted that were covered since the last Reset. The change takes effect at once in the
// Reader, and at the next Reset in the service.
func (r *Reader) DropCovered() {
	for i, wanted := range r.watched.wanted {
		if wanted && r.IsCovered(i) {
			r.SetWanted(i, false)
		}
	}
}

// SetFirstNumber sets the number of the manifest's first target. The Number of a score is first
// plus the index of its target. With 0, which is the default, scores have no number.
func (r *Reader) SetFirstNumber(first int) { r.first = first }

func (r *Reader) number(i int) int {
	if r.first == 0 {
		return 0
	}
	return r.first + i
}

// Reset empties the memory, and makes the service watch the predicates of the wanted targets. It is
// called before a test.
func (r *Reader) Reset() {
	update(r.memory.slots, nil)
	update(r.memory.hits, nil)
	update(r.memory.open, r.watched.open)
	r.memory.forgetPairs()
}

// update makes memory equal to want, or to zeros if want is nil. It writes only blocks that differ,
// so that the processor of the service need not load the other blocks again.
func update[T comparable](memory, want []T) {
	const block = 64
	var zeros [block]T
	for at := 0; at < len(memory); at += block {
		part := memory[at:min(at+block, len(memory))]
		target := zeros[:len(part)]
		if want != nil {
			target = want[at : at+len(part)]
		}
		if !slices.Equal(part, target) {
			copy(part, target)
		}
	}
}

// AppendScores appends the scores of wanted targets since the last Reset, in the order of the
// manifest. It leaves out scores of 0.
func (r *Reader) AppendScores(scores []model.Score) []model.Score { return r.read(scores, false) }

// AppendImproved is like AppendScores, but appends only scores that are higher than in all
// previous readings.
func (r *Reader) AppendImproved(scores []model.Score) []model.Score { return r.read(scores, true) }

func (r *Reader) read(scores []model.Score, improved bool) []model.Score {
	for _, s := range r.stretches {
		if !r.touched(s) {
			continue
		}
		for i := s.from; i < s.upTo; i++ {
			if !r.watched.wanted[i] {
				continue
			}
			h := r.score(&r.plans[i])
			if h == 0 || improved && h <= r.best[i] {
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

// touched reports whether the service wrote to the memory of a stretch since the last Reset.
func (r *Reader) touched(s stretch) bool {
	hits := r.memory.hits[s.hits.from:s.hits.upTo]
	for ; len(hits) >= 8; hits = hits[8:] {
		if binary.LittleEndian.Uint64(hits) != 0 {
			return true
		}
	}
	return slices.ContainsFunc(hits, func(hit byte) bool { return hit != 0 }) ||
		slices.ContainsFunc(r.memory.slots[s.slots.from:s.slots.upTo], func(slot uint64) bool { return slot != 0 })
}

// IsCovered reports whether a target was covered since the last Reset. The target need not be
// wanted.
func (r *Reader) IsCovered(i int) bool { return r.score(&r.plans[i]) == 1 }

// score returns the score of a target. It is 1 only if the target is covered.
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
			if n := t.score(slot); n > h {
				h = n
			}
		}
	}
	return h
}

// score returns the score of a target according to one of its terms.
func (t *term) score(slot uint64) float64 {
	switch slot {
	case 0:
		return 0
	case sondeprobe.Done:
		return t.base + t.scale
	}
	return capped(t.base + t.scale*closeness(slot))
}

// Fingerprint returns a number that changes when the service reaches a place for the first time
// since the last Reset.
func (r *Reader) Fingerprint() (sum uint64) {
	hits := r.memory.hits
	for ; len(hits) >= 8; hits = hits[8:] {
		sum += binary.LittleEndian.Uint64(hits)
	}
	for _, hit := range hits {
		sum += uint64(hit)
	}
	return sum
}
