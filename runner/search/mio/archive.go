package mio

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"sonde/model"
)

// archive holds a population for each target, in the order in which the
// targets became known: T and A of Algorithm 1 in one, as a population whose
// target is covered is the archive's entry for it.
type archive[T any] struct {
	populations []population[T]
	index       map[string]int // from a target to its population
	open        queue          // populations that are reached and not covered
	covered     int
	limit       int                         // of every population: the n of Algorithm 1
	weight      func(target string) float64 // nil where each is 1
	used        float64                     // share of the budget, 0 to 1
}

// population is what was found for one target. Once covered it holds one
// entry and is no longer sampled (line 13).
type population[T any] struct {
	target  string
	entries []entry[T] // best first
	covered bool
	weight  float64 // how much the target matters, 0 for not at all
	since   float64 // the share of the budget at which an entry last came nearer
}

type entry[T any] struct {
	individual T
	h          float64
	size       int
	covers     int // targets that it covers in all
}

// rank orders entries of a population whose target is not covered, better ones
// first: the nearer, and of two that are as near the shorter.
func rank[T any](a, b entry[T]) int {
	return cmp.Or(cmp.Compare(b.h, a.h), a.size-b.size)
}

// rankCovering orders entries that cover the target, better ones first: the
// shorter, and of two that are as short the one that covers more besides.
func rankCovering[T any](a, b entry[T]) int {
	return cmp.Or(a.size-b.size, b.covers-a.covers)
}

// place returns the index of a scored target's population. To look up the name is
// what costs most where a test reaches thousands of targets.
func (a *archive[T]) place(s model.Score) int {
	if s.Number > 0 {
		return s.Number - 1
	}
	return a.number(s.Target)
}

// number returns the index of a target's population, which is made where there
// is none.
func (a *archive[T]) number(target string) int {
	i, ok := a.index[target]
	if !ok {
		if a.index == nil {
			a.index = map[string]int{}
		}
		i = len(a.populations)
		a.index[target] = i
		a.populations = append(a.populations, population[T]{target: target, weight: a.weightOf(target)})
	}
	return i
}

// add offers an entry with a score to the target's population (lines 10 to 19). It
// reports whether it was taken, and whether the target is covered for the first
// time.
func (a *archive[T]) add(s model.Score, e entry[T]) (added, first bool) {
	if !(s.H > 0) { // not reached, or not a number
		return false, false
	}
	i := a.place(s)
	p := &a.populations[i]
	e.h = s.H
	switch {
	case p.covered:
		return p.replace(e), false
	case e.h >= 1:
		p.covered, p.entries = true, []entry[T]{e}
		a.covered++
		a.open.drop(i)
		return true, true
	}
	if p.nearest(e.h) {
		p.since = a.used
		if p.weight > 0 {
			a.open.reset(i, p.weight)
		}
	}
	return p.insert(e, a.limit), false
}

// nearest reports whether a score is better than any before it, which is what
// resets the counter: a test that only fills the population, or is only
// shorter, is no progress towards the target.
func (p *population[T]) nearest(h float64) bool {
	return len(p.entries) == 0 || h > p.entries[0].h
}

// replace is line 12, UpdateArchive: of two entries that cover the target the
// better stays.
func (p *population[T]) replace(e entry[T]) bool {
	if e.h < 1 || rankCovering(e, p.entries[0]) >= 0 {
		return false
	}
	p.entries[0] = e
	return true
}

// insert is lines 15 to 18: in with the new, out with the worst. Of equals the
// newer stays, so that a plateau can be crossed.
func (p *population[T]) insert(e entry[T], limit int) bool {
	full := len(p.entries) >= limit
	if full && rank(e, p.entries[len(p.entries)-1]) > 0 {
		return false
	}
	if full {
		p.cut(limit - 1)
	}
	at, _ := slices.BinarySearchFunc(p.entries, e, func(have, e entry[T]) int {
		if rank(have, e) < 0 {
			return -1
		}
		return 1
	})
	p.entries = slices.Insert(p.entries, at, e)
	return true
}

func (p *population[T]) cut(limit int) {
	if len(p.entries) > limit {
		clear(p.entries[limit:])
		p.entries = p.entries[:limit]
	}
}

// shrink sets the limit of all populations, which falls during the search.
func (a *archive[T]) shrink(limit int) {
	if limit < a.limit {
		for i := range a.populations {
			if p := &a.populations[i]; !p.covered {
				p.cut(limit)
			}
		}
	}
	a.limit = limit
}

// sample is line 7, SampleIndividual, with feedback-directed sampling: any
// entry of a population with the lowest counter, among targets that are reached
// and not covered. ok is false where there is none.
func (a *archive[T]) sample(r *rand.Rand) (target int, e entry[T], ok bool) {
	target, ok = a.open.draw(r)
	if !ok {
		return 0, e, false
	}
	entries := a.populations[target].entries
	return target, entries[r.IntN(len(entries))], true
}

func (a *archive[T]) weightOf(target string) float64 {
	if a.weight == nil {
		return 1
	}
	return a.weight(target)
}

// weigh gives the targets new weights. A target that begins to matter begins
// with a counter of zero.
func (a *archive[T]) weigh(weight func(target string) float64) {
	a.weight = weight
	for i := range a.populations {
		p := &a.populations[i]
		was := p.weight
		p.weight = a.weightOf(p.target)
		switch {
		case p.covered || len(p.entries) == 0 || p.weight == was:
		case p.weight > 0:
			a.open.reset(i, p.weight)
		default:
			a.open.drop(i)
		}
	}
}
