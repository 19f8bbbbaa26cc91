// Package mio is the Many Independent Objective algorithm of the EvoMaster
// paper (section 2.4, Algorithm 1) alone: ask it for an individual, tell it
// how near that came to each target. It knows no HTTP, no clock and no
// goroutine, and its only source of chance is the one that it is given.
package mio

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"sonde/model"
)

// Problem is what the search needs to know of its individuals. Sample and
// Mutate must draw all chance from r; Mutate returns a new individual and
// leaves the given one as it is.
type Problem[T any] interface {
	// Sample is the paper's RandomIndividual. smart is the probability that the
	// new individual follows a template.
	Sample(r *rand.Rand, smart float64) T
	// Mutate returns a neighbour that is to come nearer to a target, given by its
	// number. pace says how far the search is on its way to the focused phase, where
	// it is 1: mutations become smaller.
	Mutate(r *rand.Rand, t T, target int, pace float64) T
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
	chain   *chain[T] // nil before the first
	urged   []T       // to be asked before all others
	planted []T       // to be asked after those
	begin   []T       // and these
}

// chain is an individual that was sampled for a target and is mutated several
// times in a row.
type chain[T any] struct {
	target  int
	current entry[T]
	left    int // mutations still to come
}

// Rule is how the search came by an individual.
type Rule int

// The rules.
const (
	Planted Rule = iota // somebody wants it tried
	Initial             // the search begins with it
	Sampled             // new, by line 5
	Mutated             // by lines 7 and 8
)

// Candidate is an individual to evaluate, and where it comes from.
type Candidate[T any] struct {
	Individual T
	Rule       Rule
	// Parent is what a mutated individual was mutated from, and Target the target
	// that its chain was drawn for.
	Parent T
	Target string

	chain *chain[T]
}

// New returns a search over the targets, whose numbers are their places in the
// list, from 1 on. More may turn up in Tell.
func New[T any](p Problem[T], r *rand.Rand, t model.Tuning, targets []string) *Search[T] {
	s := &Search[T]{problem: p, rand: r, pace: newPace(t)}
	s.archive.limit = s.AppliedTuning().Population
	for _, id := range targets {
		s.archive.number(id)
	}
	return s
}

// TargetNumber is the number of a target, which becomes known where it was not.
func (s *Search[T]) TargetNumber(target string) int { return s.archive.number(target) + 1 }

// EnqueueFirst puts individuals that a person wants tried before all others.
func (s *Search[T]) EnqueueFirst(individuals ...T) { s.urged = append(s.urged, individuals...) }

// Enqueue puts individuals that somebody wants tried before those that the search
// makes.
func (s *Search[T]) Enqueue(individuals ...T) { s.planted = append(s.planted, individuals...) }

// HasQueued reports whether there is an individual that somebody wants tried.
func (s *Search[T]) HasQueued() bool { return len(s.urged)+len(s.planted) > 0 }

// EnqueueInitial lets the search begin with individuals that follow templates.
func (s *Search[T]) EnqueueInitial(individuals ...T) { s.begin = append(s.begin, individuals...) }

// Ask returns the next individual to evaluate (lines 4 to 9): a new one with
// probability P_r or where there is nothing to mutate, else a mutation of one
// that was sampled from a population. Several may be asked for before the first
// of them is told.
func (s *Search[T]) Ask() Candidate[T] {
	for _, first := range []struct {
		waiting *[]T
		rule    Rule
	}{{&s.urged, Planted}, {&s.planted, Planted}, {&s.begin, Initial}} {
		if w := *first.waiting; len(w) > 0 {
			*first.waiting = w[1:]
			return Candidate[T]{Individual: w[0], Rule: first.rule}
		}
	}
	if (s.chain == nil || s.chain.left == 0) && !s.draw() {
		return Candidate[T]{Individual: s.problem.Sample(s.rand, s.pace.tuning.Smart), Rule: Sampled}
	}
	return s.mutate(s.chain)
}

func (s *Search[T]) mutate(c *chain[T]) Candidate[T] {
	c.left--
	parent := c.current.individual
	return Candidate[T]{
		Individual: s.problem.Mutate(s.rand, parent, c.target+1, s.pace.share()), Rule: Mutated,
		Parent: parent, Target: s.archive.populations[c.target].target, chain: c,
	}
}

// draw samples an individual to mutate, unless chance is for a new one or no
// population has any.
func (s *Search[T]) draw() bool {
	now := s.AppliedTuning()
	if now.Random > s.rand.Float64() {
		return false
	}
	target, e, ok := s.archive.sample(s.rand)
	if ok {
		s.chain = &chain[T]{target: target, current: e, left: now.Mutations}
	}
	return ok
}

// Outcome is what became of an evaluated individual.
type Outcome struct {
	// FirstCovered are the IDs of the targets that it is the first to cover, and Numbers
	// those targets' numbers.
	FirstCovered []string
	FirstNumbers []int
	// Archived tells that it is now the archive's for some target.
	Archived bool
}

// Tell hands back an individual that was asked for, with its scores, one for
// each target that it reached (lines 10 to 20). The mutations that are still to
// come in a row may go on from it.
func (s *Search[T]) Tell(a Candidate[T], scores []model.Score) Outcome {
	v := s.Offer(a.Individual, scores)
	if a.chain != nil && a.chain == s.chain {
		s.follow(s.entry(a.Individual, scores), scores, len(v.FirstCovered) > 0)
	}
	return v
}

// Offer is Tell for an individual that nobody asked for.
func (s *Search[T]) Offer(t T, scores []model.Score) Outcome {
	e := s.entry(t, scores)
	var v Outcome
	for _, sc := range scores {
		added, first := s.archive.add(sc, e)
		v.Archived = v.Archived || added && sc.H >= 1
		if first {
			v.FirstCovered, v.FirstNumbers = append(v.FirstCovered, sc.Target), append(v.FirstNumbers, s.archive.place(sc)+1)
		}
	}
	return v
}

func (s *Search[T]) entry(t T, scores []model.Score) entry[T] {
	return entry[T]{individual: t, size: s.problem.Size(t), covers: countCovered(scores)}
}

// follow lets further mutations go on from a mutated individual where it is the
// first to cover something, or no worse for the target that it was sampled for.
func (s *Search[T]) follow(e entry[T], scores []model.Score, first bool) {
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

// SetBudgetUsed tells the search which share of its budget is gone, 0 to 1 (line 21).
func (s *Search[T]) SetBudgetUsed(used float64) {
	s.pace.used, s.archive.used = used, used
	s.archive.shrink(s.AppliedTuning().Population)
}

// Tune sets one parameter from now on; one that moves goes on from there.
// Where smart sampling is turned off, what the search still had to begin with
// goes with it.
func (s *Search[T]) Tune(t model.TuningChange) {
	s.pace.turn(t)
	s.archive.shrink(s.AppliedTuning().Population)
	if s.pace.tuning.Smart == 0 {
		s.begin = nil
	}
}

// SetWeights says how much each target matters from now on: those with 0 are not
// sought any more, and one with 2 is sought twice as often as one with 1, which
// is what each has at first. What is found by the way is kept all the same.
func (s *Search[T]) SetWeights(weight func(target string) float64) {
	s.archive.weigh(weight)
	s.chain = nil
}

// AppliedTuning returns what the parameters come to at this moment.
func (s *Search[T]) AppliedTuning() model.Tuning { return s.pace.applied() }

// Targets returns how many targets there are and how many are covered.
func (s *Search[T]) Targets() (all, covered int) {
	return len(s.archive.populations), s.archive.covered
}

// OpenTargets are targets that were reached and are not covered, at most so many: those with
// the lowest counters, which are sampled next, the nearest of them first.
func (s *Search[T]) OpenTargets(most int) []model.OpenTarget {
	var out []model.OpenTarget
	for l := s.archive.open.lowest; l != nil && len(out) < most; l = l.next {
		for _, i := range l.targets[:min(len(l.targets), most-len(out))] {
			p := &s.archive.populations[i]
			out = append(out, model.OpenTarget{Target: p.target, Near: p.entries[0].h, Tests: len(p.entries), Counter: l.counter, Since: p.since})
		}
	}
	slices.SortFunc(out, func(a, b model.OpenTarget) int {
		return cmp.Or(cmp.Compare(b.Near, a.Near), cmp.Compare(a.Target, b.Target))
	})
	return out
}

// ArchiveEntry is a target that is covered, and by what.
type ArchiveEntry[T any] struct {
	Target     string
	Individual T
	Number     int // the target's, from 1 on
}

// Archive returns the best individual of each covered target, in the order in
// which the targets became known (line 23).
func (s *Search[T]) Archive() []ArchiveEntry[T] {
	var out []ArchiveEntry[T]
	for i := range s.archive.populations {
		if p := &s.archive.populations[i]; p.covered {
			out = append(out, ArchiveEntry[T]{Target: p.target, Individual: p.entries[0].individual, Number: i + 1})
		}
	}
	return out
}
