// Package mio is the Many Independent Objective algorithm of the EvoMaster paper (section 2.4, Algorithm 1). A caller
// asks for an individual, evaluates the individual, and returns scores that say how near the individual came to each
// target. The package does not depend on HTTP, clocks or goroutines, and takes random numbers only from the given
// source. Line numbers in comments are those of Algorithm 1.
//
// The heuristic value h of an individual for a target, Score.H, is from 0 to 1 as in the paper: 0 if the target was
// not reached, 1 if it was covered.
package mio

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"sonde/model"
)

// Problem defines the individuals for the search. Sample and Mutate must take all random numbers from r.
// Mutate returns a new individual and leaves the given one unchanged.
type Problem[T any] interface {
	// Sample is the paper's RandomIndividual. smart is the probability that the new individual follows
	// a template.
	Sample(r *rand.Rand, smart float64) T
	// Mutate returns a neighbour of t that may come nearer to a target, given by its number. pace is the used
	// share of the part of the budget before the focused phase, and 1 in the focused phase. Mutations should
	// become smaller as pace grows.
	Mutate(r *rand.Rand, t T, target int, pace float64) T
	// Size is the length of an individual. Of individuals with the same effect the shorter one is better.
	Size(t T) int
}

// Search is one run of the algorithm. It must be used by one goroutine at a time.
type Search[T any] struct {
	problem Problem[T]
	rand    *rand.Rand
	pace    pace
	archive archive[T]
	chain   *chain[T] // nil before the first chain
	single  float64   // see SetSingle
	ties    float64   // see SetPlainTies

	// Ask empties these queues in this order before it makes individuals.
	firstQueue, queue, initialQueue []T
}

// chain is a series of mutations that begins with an individual sampled for a target.
type chain[T any] struct {
	target  int
	current entry[T]
	left    int // number of mutations still to come
}

// Rule is the way in which the search made an individual.
type Rule int

// The rules.
const (
	Enqueued Rule = iota // the individual was enqueued
	Initial              // the individual was enqueued as an initial one
	Sampled              // the individual is a new one of line 5
	Mutated              // the individual was mutated by lines 7 and 8
)

// Candidate is an individual to evaluate, and how it was made.
type Candidate[T any] struct {
	Individual T
	Rule       Rule
	// Parent is the individual that was mutated. Target is the target for which the chain's first individual was
	// sampled. Both are set only for Mutated.
	Parent T
	Target string

	chain *chain[T]
}

// New returns a search over the targets. Their numbers are their positions in the list, from 1. Tell, Offer and
// TargetNumber add further targets.
func New[T any](p Problem[T], r *rand.Rand, t model.Tuning, targets []string) *Search[T] {
	s := &Search[T]{problem: p, rand: r, pace: newPace(t)}
	s.archive.limit = s.AppliedTuning().Population
	for _, id := range targets {
		s.archive.indexOf(id)
	}
	return s
}

// SetSingle sets the probability that a chain ends after one mutation, as in Algorithm 1, which has no chains.
func (s *Search[T]) SetSingle(probability float64) { s.single = probability }

// SetPlainTies sets the probability that a tie is plain. A tie is between two individuals of the same size that cover
// a target. In a plain tie, the search keeps the earlier individual. Otherwise it keeps the one that covers more
// targets.
func (s *Search[T]) SetPlainTies(probability float64) { s.ties = probability }

// TargetNumber returns the number of a target, and adds the target if it is new.
func (s *Search[T]) TargetNumber(target string) int { return s.archive.indexOf(target) + 1 }

// EnqueueFirst queues individuals that Ask returns before all others.
func (s *Search[T]) EnqueueFirst(individuals ...T) {
	s.firstQueue = append(s.firstQueue, individuals...)
}

// Enqueue queues individuals that Ask returns before the individuals that the search makes.
func (s *Search[T]) Enqueue(individuals ...T) { s.queue = append(s.queue, individuals...) }

// HasQueued reports whether the queues of Enqueue and EnqueueFirst hold an individual.
func (s *Search[T]) HasQueued() bool { return len(s.firstQueue)+len(s.queue) > 0 }

// EnqueueInitial queues initial individuals. Ask returns them after the other queued individuals.
func (s *Search[T]) EnqueueInitial(individuals ...T) {
	s.initialQueue = append(s.initialQueue, individuals...)
}

// DropQueued removes the queued and initial individuals for which drop returns true. Individuals of EnqueueFirst
// stay.
func (s *Search[T]) DropQueued(drop func(T) bool) {
	s.queue, s.initialQueue = slices.DeleteFunc(s.queue, drop), slices.DeleteFunc(s.initialQueue, drop)
}

// Ask returns the next individual to evaluate (lines 4 to 9 of Algorithm 1). A queued individual comes first, then the
// next mutation of the current chain. After the chain, Ask returns a new individual with the probability Tuning.Random
// (P_r in the paper), or if no target can be sampled; otherwise it starts another chain. Callers may ask for several
// individuals before they return the scores of the first.
func (s *Search[T]) Ask() Candidate[T] {
	for _, first := range []struct {
		waiting *[]T
		rule    Rule
	}{{&s.firstQueue, Enqueued}, {&s.queue, Enqueued}, {&s.initialQueue, Initial}} {
		if w := *first.waiting; len(w) > 0 {
			*first.waiting = w[1:]
			return Candidate[T]{Individual: w[0], Rule: first.rule}
		}
	}
	if (s.chain == nil || s.chain.left == 0) && !s.startChain() {
		return Candidate[T]{Individual: s.problem.Sample(s.rand, s.pace.tuning.Smart), Rule: Sampled}
	}
	return s.mutate(s.chain)
}

func (s *Search[T]) mutate(c *chain[T]) Candidate[T] {
	c.left--
	parent := c.current.individual
	return Candidate[T]{
		Individual: s.problem.Mutate(s.rand, parent, c.target+1, s.pace.share()),
		Rule:       Mutated,
		Parent:     parent,
		Target:     s.archive.populations[c.target].target,
		chain:      c,
	}
}

// startChain samples an individual from a population and starts a chain with it. It returns false if Ask should make
// a new individual: with the probability Tuning.Random, or because no target can be sampled.
func (s *Search[T]) startChain() bool {
	now := s.AppliedTuning()
	if now.Random > s.rand.Float64() {
		return false
	}
	target, e, ok := s.archive.sample(s.rand)
	if !ok {
		return false
	}
	s.chain = &chain[T]{target: target, current: e, left: now.Mutations}
	if s.single > 0 && s.rand.Float64() < s.single {
		s.chain.left = 1
	}
	return true
}

// Outcome is the result of offering an evaluated individual.
type Outcome struct {
	// FirstCovered are the IDs of the targets that the individual is the first to cover, and
	// FirstNumbers the numbers of these targets.
	FirstCovered []string
	FirstNumbers []int
	// Archived is true if the archive now keeps the individual for some target.
	Archived bool
}

// Tell returns an evaluated individual to the search, with one score for each target that it reached (lines 10 to 20
// of Algorithm 1). Further mutations of the candidate's chain may continue from the individual.
func (s *Search[T]) Tell(a Candidate[T], scores []model.Score) Outcome {
	v := s.Offer(a.Individual, scores)
	if a.chain != nil && a.chain == s.chain {
		s.continueFrom(s.entry(a.Individual, scores), scores, len(v.FirstCovered) > 0)
	}
	return v
}

// Offer is like Tell, but for an individual that did not come from Ask.
func (s *Search[T]) Offer(t T, scores []model.Score) Outcome {
	e := s.entry(t, scores)
	var v Outcome
	for _, sc := range scores {
		added, first := s.archive.add(sc, e)
		v.Archived = v.Archived || added && sc.H >= 1
		if first {
			v.FirstCovered = append(v.FirstCovered, sc.Target)
			v.FirstNumbers = append(v.FirstNumbers, s.archive.populationIndex(sc)+1)
		}
	}
	return v
}

func (s *Search[T]) entry(t T, scores []model.Score) entry[T] {
	e := entry[T]{individual: t, size: s.problem.Size(t)}
	if s.ties == 0 || s.rand.Float64() >= s.ties {
		e.covers = countCovered(scores)
	}
	return e
}

// continueFrom lets the chain continue from a mutated individual if the individual is the first to cover a
// target, or if it is at least as good for the chain's target as the chain's current individual.
func (s *Search[T]) continueFrom(e entry[T], scores []model.Score, first bool) {
	target := s.archive.populations[s.chain.target].target
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

// SetBudgetUsed sets the used share of the budget, from 0 to 1 (line 21 of Algorithm 1).
func (s *Search[T]) SetBudgetUsed(used float64) {
	s.pace.used, s.archive.used = used, used
	s.archive.shrink(s.AppliedTuning().Population)
}

// Tune sets one parameter. A parameter that changes during the search continues from the new value. If
// smart sampling is turned off, the remaining initial individuals are dropped.
func (s *Search[T]) Tune(t model.TuningChange) {
	s.pace.set(t)
	s.archive.shrink(s.AppliedTuning().Population)
	if s.pace.tuning.Smart == 0 {
		s.initialQueue = nil
	}
}

// SetWeights sets the weights of the targets and ends the current chain. The initial weight is 1. A target of weight 2
// is sampled twice as often; a target of weight 0 is not sampled. Individuals that cover a target are kept whatever its
// weight is.
func (s *Search[T]) SetWeights(weight func(target string) float64) {
	s.archive.setWeights(weight)
	s.chain = nil
}

// SetDelay sets a function that returns the delay of a target. A target with delay n is sampled only after each other
// target was sampled n times. The arguments are an individual that is the first to reach the target, and the number
// of the target. The delay ends when an individual comes nearer to the target. It also ends when delay returns 0 for
// another individual that reaches the target.
func (s *Search[T]) SetDelay(delay func(t T, target int) int) { s.archive.delay = delay }

// AppliedTuning returns the current values of the parameters.
func (s *Search[T]) AppliedTuning() model.Tuning { return s.pace.applied() }

// Targets returns how many targets there are and how many are covered.
func (s *Search[T]) Targets() (all, covered int) {
	return len(s.archive.populations), s.archive.covered
}

// OpenTargets returns targets that were reached and are not covered, at most the given number. It chooses the targets
// with the lowest counters, because these are sampled next. The targets to which individuals came nearest are first
// in the result.
func (s *Search[T]) OpenTargets(most int) []model.OpenTarget {
	var out []model.OpenTarget
	for l := s.archive.open.lowest; l != nil && len(out) < most; l = l.next {
		for _, i := range l.targets[:min(len(l.targets), most-len(out))] {
			p := &s.archive.populations[i]
			out = append(out, model.OpenTarget{
				Target:  p.target,
				Near:    p.entries[0].h,
				Tests:   len(p.entries),
				Counter: l.counter,
				Since:   p.since,
			})
		}
	}
	slices.SortFunc(out, func(a, b model.OpenTarget) int {
		return cmp.Or(cmp.Compare(b.Near, a.Near), cmp.Compare(a.Target, b.Target))
	})
	return out
}

// ArchiveEntry is a target that was reached, with the best individual for it.
type ArchiveEntry[T any] struct {
	Target     string
	Individual T
	Number     int     // the target's number, from 1
	H          float64 // the individual's heuristic value for the target
}

// Archive returns the best individual of each covered target, in the order in which the targets became known (line 23
// of Algorithm 1).
func (s *Search[T]) Archive() []ArchiveEntry[T] {
	return s.bestFrom(1)
}

// Best returns the best individual of each target that was reached, in the order in which the targets became known.
func (s *Search[T]) Best() []ArchiveEntry[T] { return s.bestFrom(0) }

// bestFrom is like Best, but returns only targets for which an individual has at least the heuristic value h.
func (s *Search[T]) bestFrom(h float64) []ArchiveEntry[T] {
	var out []ArchiveEntry[T]
	for i := range s.archive.populations {
		if p := &s.archive.populations[i]; len(p.entries) > 0 && p.entries[0].h >= h {
			best := p.entries[0]
			out = append(out, ArchiveEntry[T]{Target: p.target, Individual: best.individual, Number: i + 1, H: best.h})
		}
	}
	return out
}

// BestH returns the heuristic value of the best individual for a target, 0 if the target was not reached or is not
// known.
func (s *Search[T]) BestH(target string) float64 {
	i, known := s.archive.index[target]
	if !known || len(s.archive.populations[i].entries) == 0 {
		return 0
	}
	return s.archive.populations[i].entries[0].h
}
