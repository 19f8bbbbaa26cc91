package mio

import (
	"math/rand/v2"
	"slices"
)

// archive holds a population for each target, in the order in which the
// targets became known.
type archive[T any] struct {
	populations []*population[T]
	index       map[string]*population[T]
}

// population is what was found for one target. Once covered it holds one
// entry and is no longer sampled (line 13).
type population[T any] struct {
	target  string
	entries []entry[T] // best first
	counter int        // of feedback-directed sampling
	covered bool
}

type entry[T any] struct {
	individual T
	h          float64
	size       int
	covers     int // targets that it covers in all
}

// compare orders entries of one population, better ones first: the nearer, then
// the shorter, then the one that covers more besides.
func compare[T any](a, b entry[T]) int {
	switch {
	case a.h != b.h:
		return sign(b.h - a.h)
	case a.size != b.size:
		return a.size - b.size
	}
	return b.covers - a.covers
}

func sign(d float64) int {
	if d < 0 {
		return -1
	}
	return 1
}

func (a *archive[T]) population(target string) *population[T] {
	p, ok := a.index[target]
	if !ok {
		if a.index == nil {
			a.index = map[string]*population[T]{}
		}
		p = &population[T]{target: target}
		a.index[target] = p
		a.populations = append(a.populations, p)
	}
	return p
}

// add offers an entry to a target's population. It tells whether it was taken,
// and whether the target is covered by it for the first time.
func (a *archive[T]) add(target string, e entry[T], limit int) (added, covered bool) {
	if e.h <= 0 {
		return false, false
	}
	p := a.population(target)
	switch {
	case p.covered:
		return p.replace(e), false
	case e.h >= 1:
		p.covered, p.entries = true, []entry[T]{e}
		return true, true
	}
	return p.insert(e, limit), false
}

// replace keeps the better of two entries that cover the target.
func (p *population[T]) replace(e entry[T]) bool {
	if e.h < 1 || compare(e, p.entries[0]) >= 0 {
		return false
	}
	p.entries[0] = e
	return true
}

// insert is lines 15 to 18: in with the new, out with the worst. Of equals the
// newer stays, so that a plateau can be crossed. An entry that is nearer than
// all before it resets the counter.
func (p *population[T]) insert(e entry[T], limit int) bool {
	if len(p.entries) == 0 || e.h > p.entries[0].h {
		p.counter = 0
	}
	at, _ := slices.BinarySearchFunc(p.entries, e, func(have, e entry[T]) int {
		if compare(have, e) < 0 {
			return -1
		}
		return 1
	})
	p.entries = slices.Insert(p.entries, at, e)
	p.cut(limit)
	return at < len(p.entries)
}

func (p *population[T]) cut(limit int) {
	if len(p.entries) > limit {
		clear(p.entries[limit:])
		p.entries = p.entries[:limit]
	}
}

// shrink cuts every population to the limit, which falls during the search.
func (a *archive[T]) shrink(limit int) {
	for _, p := range a.populations {
		p.cut(limit)
	}
}

// sample is the paper's SampleIndividual with feedback-directed sampling: any
// entry of the population with the lowest counter, among targets that are
// reached and not covered. ok is false where there is none.
func (a *archive[T]) sample(r *rand.Rand) (t T, ok bool) {
	var lowest []*population[T]
	for _, p := range a.populations {
		switch {
		case p.covered || len(p.entries) == 0:
		case len(lowest) == 0 || p.counter < lowest[0].counter:
			lowest = append(lowest[:0], p)
		case p.counter == lowest[0].counter:
			lowest = append(lowest, p)
		}
	}
	if len(lowest) == 0 {
		return t, false
	}
	p := lowest[r.IntN(len(lowest))]
	p.counter++
	return p.entries[r.IntN(len(p.entries))].individual, true
}
