// Package mio is the Many Independent Objective algorithm of the EvoMaster
// paper (section 2.4, Algorithm 1) alone: ask it for an individual, tell it
// how near that came to each target. It knows no HTTP, no clock and no
// goroutine, and its only source of chance is the one that it is given.
package mio

import (
	"math/rand/v2"

	"sonde/model"
)

// Problem is what the search needs to know of its individuals. Sample and
// Mutate must draw all chance from r; Mutate returns a new individual and
// leaves the given one as it is.
type Problem[T any] interface {
	// Sample is the paper's RandomIndividual. smart is the probability that the
	// new individual follows a template.
	Sample(r *rand.Rand, smart float64) T
	// Mutate returns a neighbour. pace says how far the search is on its way to
	// the focused phase, where it is 1: mutations become smaller.
	Mutate(r *rand.Rand, t T, pace float64) T
	// Size is the length of an individual: of two that do the same the shorter
	// is better.
	Size(t T) int
}

// Search is one run of the algorithm. It is for one goroutine.
type Search[T any] struct {
	problem Problem[T]
	rand    *rand.Rand
	pace    pace
	archive archive[T]
	chain   chain[T]
	mutated bool // what was asked for last is the chain's, and not told yet
	seeds   []T  // to be asked before all others
}

// chain is an individual that was sampled for a target and is mutated several
// times in a row.
type chain[T any] struct {
	target  int
	current entry[T]
	left    int // mutations still to come
}

// New returns a search over the targets. More may turn up in Tell.
func New[T any](p Problem[T], r *rand.Rand, t model.Tuning, targets []string) *Search[T] {
	s := &Search[T]{problem: p, rand: r, pace: newPace(t)}
	s.archive.limit = s.Applied().Population
	for _, id := range targets {
		s.archive.number(id)
	}
	return s
}

// Seed puts individuals before all others that will be asked for.
func (s *Search[T]) Seed(individuals ...T) { s.seeds = append(s.seeds, individuals...) }

// Ask returns the next individual to evaluate (lines 4 to 9): a new one with
// probability P_r or where there is nothing to mutate, else a mutation of one
// that was sampled from a population.
func (s *Search[T]) Ask() T {
	s.mutated = false
	if len(s.seeds) > 0 {
		next := s.seeds[0]
		s.seeds = s.seeds[1:]
		return next
	}
	if s.chain.left == 0 && !s.draw() {
		return s.problem.Sample(s.rand, s.pace.tuning.Smart)
	}
	s.chain.left--
	s.mutated = true
	return s.problem.Mutate(s.rand, s.chain.current.individual, s.pace.share())
}

// draw samples an individual to mutate, unless chance is for a new one or no
// population has any.
func (s *Search[T]) draw() bool {
	now := s.Applied()
	if now.Random > s.rand.Float64() {
		return false
	}
	target, e, ok := s.archive.sample(s.rand)
	if ok {
		s.chain = chain[T]{target, e, now.Mutations}
	}
	return ok
}

// Verdict is what became of an evaluated individual.
type Verdict struct {
	// First are the IDs of the targets that it is the first to cover.
	First []string
	// Archived tells that it is now the archive's for some target.
	Archived bool
}

// Tell hands back an evaluated individual with its scores, one for each target
// that it reached (lines 10 to 20). Where it is the one that Ask returned last,
// and a mutation, those that are still to come in a row may go on from it.
func (s *Search[T]) Tell(t T, scores []model.Score) Verdict {
	e := entry[T]{individual: t, size: s.problem.Size(t), covers: countCovered(scores)}
	var v Verdict
	for _, sc := range scores {
		e.h = sc.H
		added, first := s.archive.add(sc.Target, e)
		v.Archived = v.Archived || added && sc.H >= 1
		if first {
			v.First = append(v.First, sc.Target)
		}
	}
	if s.mutated {
		s.mutated = false
		s.follow(e, scores, len(v.First) > 0)
	}
	return v
}

// follow lets further mutations go on from a mutated individual where it is the
// first to cover something, or no worse for the target that it was sampled for.
func (s *Search[T]) follow(e entry[T], scores []model.Score, first bool) {
	target := s.archive.populations[s.chain.target].target
	e.h = 0
	for _, sc := range scores {
		if sc.Target == target {
			e.h = sc.H
		}
	}
	if first || rank(e, s.chain.current) <= 0 {
		s.chain.current = e
	}
}

func countCovered(scores []model.Score) int {
	n := 0
	for _, sc := range scores {
		if sc.H >= 1 {
			n++
		}
	}
	return n
}

// Use tells the search which share of its budget is gone, 0 to 1 (line 21).
func (s *Search[T]) Use(used float64) {
	s.pace.used = used
	s.archive.shrink(s.Applied().Population)
}

// Turn sets one parameter from now on; one that moves goes on from there.
// Where smart sampling is turned off, the seeds that still wait go with it.
func (s *Search[T]) Turn(t model.Turn) {
	s.pace.turn(t)
	s.archive.shrink(s.Applied().Population)
	if s.pace.tuning.Smart == 0 {
		s.seeds = nil
	}
}

// Applied returns what the parameters come to at this moment.
func (s *Search[T]) Applied() model.Tuning { return s.pace.applied() }

// Targets returns how many targets there are and how many are covered.
func (s *Search[T]) Targets() (all, covered int) {
	return len(s.archive.populations), s.archive.covered
}

// Kept is a target that is covered, and by what.
type Kept[T any] struct {
	Target     string
	Individual T
}

// Archive returns the best individual of each covered target, in the order in
// which the targets became known (line 23).
func (s *Search[T]) Archive() []Kept[T] {
	var out []Kept[T]
	for _, p := range s.archive.populations {
		if p.covered {
			out = append(out, Kept[T]{p.target, p.entries[0].individual})
		}
	}
	return out
}
