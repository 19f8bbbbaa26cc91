package probe

import "encoding/binary"

// Want asks for some of the manifest's targets from now on. Of predicates of
// which no target is asked for the service learns nothing, which costs it less.
func (r *Reader) Want(target func(i int) bool) {
	for i := range r.wanted {
		r.Ask(i, target(i))
	}
	copy(r.memory.open, r.open)
}

// Ask asks for a target from the next Reset on, or not any more.
func (r *Reader) Ask(i int, want bool) {
	if r.wanted[i] == want {
		return
	}
	r.wanted[i] = want
	change := int32(1)
	if !want {
		change = -1
	}
	for _, t := range r.manifest.Targets[i].Terms {
		r.seekers[t.Pred] += change
		r.open[t.Pred] = r.word(r.seekers[t.Pred])
	}
}

// Number gives the scores numbers: first is that of the manifest's first target.
func (r *Reader) Number(first int) { r.first = first }

func (r *Reader) number(i int) int {
	if r.first == 0 {
		return 0
	}
	return r.first + i
}

// DropCovered asks no more for what the memory holds as covered.
func (r *Reader) DropCovered() {
	for i := range r.wanted {
		if r.wanted[i] && r.Covered(i) {
			r.Ask(i, false)
		}
	}
}

// Covered reports whether a target is covered by what the memory holds, asked for
// or not.
func (r *Reader) Covered(i int) bool { return r.score(&r.plans[i]) == 1 }

// Stir is a number that changes when the service comes to what it has not come to
// since the reset.
func (r *Reader) Stir() (sum uint64) {
	hits := r.memory.hits
	for ; len(hits) >= 8; hits = hits[8:] {
		sum += binary.LittleEndian.Uint64(hits)
	}
	for _, hit := range hits {
		sum += uint64(hit)
	}
	return sum
}
