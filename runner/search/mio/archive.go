package mio

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"sonde/model"
)

// archive holds a population for each target, in the order in which the targets became known. It is
// both T and A of Algorithm 1: for a covered target, the population has only the archived individual.
type archive[T any] struct {
	populations []population[T]
	index       map[string]int // target → index in populations
	open        queue          // targets that are reached and not covered
	covered     int
	limit       int                         // maximum size of a population: n of Algorithm 1
	weight      func(target string) float64 // nil if each weight is 1
	delay       func(T, int) int            // see Search.SetDelay; nil for no delay
	used        float64                     // used share of the budget, 0 to 1
}

// population holds the best entries for one target. Once the target is covered, it holds one entry and is no longer
// sampled (line 13 of Algorithm 1).
type population[T any] struct {
	target  string
	entries []entry[T] // best first
	covered bool
	delayed bool    // the counter began at a delay, and was not reset since
	weight  float64 // see Search.SetWeights
	since   float64 // used share of the budget when an entry last came nearer to the target than all entries before
}

// entry is an individual of a population.
type entry[T any] struct {
	individual T
	h          float64 // heuristic value for the target of the population
	size       int     // see Problem.Size
	covers     int     // number of all targets that the individual covers; 0 if a tie with the individual is plain (see SetPlainTies)
}

// rank compares entries of a population whose target is not covered; better entries come first. The nearer entry is
// better. If two entries are equally near, the shorter entry is better.
func rank[T any](a, b entry[T]) int {
	return cmp.Or(cmp.Compare(b.h, a.h), a.size-b.size)
}

// rankCovering compares entries that cover the target; better entries come first. The shorter entry is better. If two
// entries are equally short, the entry that covers more targets is better.
func rankCovering[T any](a, b entry[T]) int {
	return cmp.Or(a.size-b.size, b.covers-a.covers)
}

// populationIndex returns the index of the population of a score's target. For a score without a number it
// looks up the ID, which is slow, and adds the target if it is new.
func (a *archive[T]) populationIndex(s model.Score) int {
	if s.Number > 0 {
		return s.Number - 1
	}
	return a.indexOf(s.Target)
}

// indexOf returns the index of a target's population, and adds a population if the target is new.
func (a *archive[T]) indexOf(target string) int {
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

// add offers an entry with a score to the population of the score's target (lines 10 to 19 of Algorithm 1). It
// reports whether the entry was added, and whether it is the first to cover the target.
func (a *archive[T]) add(s model.Score, e entry[T]) (added, first bool) {
	if !(s.H > 0) { // not reached, or not a number
		return false, false
	}
	i := a.populationIndex(s)
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
	a.schedule(i, e)
	return p.insert(e, a.limit), false
}

// schedule sets the counter of a target before an entry is inserted into its population. The search samples the
// targets with the lowest counter. The counter begins at the delay of the first entry. It is set to zero if the entry
// is nearer than all entries before, or if the entry is the first one without a delay.
func (a *archive[T]) schedule(i int, e entry[T]) {
	p := &a.populations[i]
	first, nearer, delay := len(p.entries) == 0, p.isNearer(e.h), 0
	if a.delay != nil && (first || p.delayed && !nearer) {
		delay = a.delay(e.individual, i+1)
	}
	if nearer {
		p.since = a.used
	} else if !p.delayed || delay > 0 {
		return
	}
	p.delayed = delay > 0
	if p.weight > 0 {
		a.open.reset(i, p.weight, delay)
	}
}

// isNearer reports whether an entry with heuristic value h is nearer to the target than all entries. Then the
// target's counter is reset. An entry that is only as near, but shorter, does not count as progress.
func (p *population[T]) isNearer(h float64) bool {
	return len(p.entries) == 0 || h > p.entries[0].h
}

// replace is UpdateArchive in line 12 of Algorithm 1. It keeps the better of two entries that cover the target, and
// reports whether it keeps the new one.
func (p *population[T]) replace(e entry[T]) bool {
	if e.h < 1 || rankCovering(e, p.entries[0]) >= 0 {
		return false
	}
	p.entries[0] = e
	return true
}

// insert adds an entry to the population (lines 15 to 18 of Algorithm 1), and reports whether it did. If the
// population is full, the new entry replaces the worst entry, unless the new entry is worse. Of two equal entries,
// the newer one is kept, so that the search can cross a plateau.
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

// cut removes the worst entries until at most limit entries remain.
func (p *population[T]) cut(limit int) {
	if len(p.entries) > limit {
		clear(p.entries[limit:])
		p.entries = p.entries[:limit]
	}
}

// shrink sets the limit of all populations. The limit decreases during the search.
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

// sample is SampleIndividual in line 7 of Algorithm 1, with feedback-directed sampling. It considers the targets that
// are reached and not covered. It draws one of these targets with the lowest counter, and a random entry of the
// target's population. ok is false if there is no such target.
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

// setWeights sets the weights of the targets. A target whose weight has changed starts with a counter of zero.
func (a *archive[T]) setWeights(weight func(target string) float64) {
	a.weight = weight
	for i := range a.populations {
		p := &a.populations[i]
		was := p.weight
		p.weight = a.weightOf(p.target)
		switch {
		case p.covered || len(p.entries) == 0 || p.weight == was:
		case p.weight > 0:
			p.delayed = false
			a.open.reset(i, p.weight, 0)
		default:
			a.open.drop(i)
		}
	}
}
