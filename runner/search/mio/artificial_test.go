package mio_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/search/mio"
)

// artificial is a problem without HTTP under the assumptions of the MIO paper: many independent targets, some of
// which cannot be covered. A test is a few steps. A step calls one function with an integer, and each function has
// one target value.
type artificial struct {
	goals []int // function → its target value; -1 if the target cannot be covered
	names []string
}

// The range of a step's integer, and the maximum number of steps of a test.
const (
	span     = 1 << 16
	maxSteps = 5
)

type step struct{ function, x int }

// newArtificial returns a problem with a number of targets, spread over the range. Some of them are infeasible:
// the scores of such a target rise towards an end of the range, but never reach 1.
func newArtificial(targets, infeasible int) artificial {
	r := rand.New(rand.NewPCG(2017, 3))
	var p artificial
	for i := range targets {
		goal := r.IntN(span)
		if i < infeasible {
			goal = -1
		}
		p.goals = append(p.goals, goal)
		p.names = append(p.names, fmt.Sprint("f", i))
	}
	return p
}

func (p artificial) Sample(r *rand.Rand, _ float64) []step {
	var t []step
	for range 1 + r.IntN(maxSteps) {
		t = append(t, p.step(r))
	}
	return t
}

func (p artificial) step(r *rand.Rand) step { return step{r.IntN(len(p.goals)), r.IntN(span)} }

// Mutate adds or removes a step, or mutates integers as in the EvoMaster paper (section 4.2). Each of k integers
// mutates with probability 1/k, by plus or minus 2^i. The maximum i decreases during the search.
func (p artificial) Mutate(r *rand.Rand, t []step, _ int, pace float64) []step {
	t = slices.Clone(t)
	if r.Float64() < 0.25 {
		return p.restructure(r, t)
	}
	changed := false
	for i := range t {
		if r.IntN(len(t)) == 0 {
			t[i].x, changed = moved(r, t[i].x, pace), true
		}
	}
	if !changed {
		i := r.IntN(len(t))
		t[i].x = moved(r, t[i].x, pace)
	}
	return t
}

func (p artificial) restructure(r *rand.Rand, t []step) []step {
	if len(t) > 1 && (len(t) == maxSteps || r.IntN(2) == 0) {
		i := r.IntN(len(t))
		return slices.Delete(t, i, i+1)
	}
	return slices.Insert(t, r.IntN(len(t)+1), p.step(r))
}

func moved(r *rand.Rand, x int, pace float64) int {
	delta := 1 << r.IntN(16-int(8*pace))
	if r.IntN(2) == 0 {
		delta = -delta
	}
	return min(max(x+delta, 0), span-1)
}

func (p artificial) Size(t []step) int { return len(t) }

// scores is the fitness function. It returns no score for a target that no step calls. For other targets, the score
// rises as the branch distance of the best step falls.
func (p artificial) scores(t []step) []model.Score {
	out := make([]model.Score, 0, len(t))
	for _, s := range t {
		name := p.names[s.function]
		h := 1 / (1 + math.Abs(float64(s.x-p.goals[s.function])))
		i := slices.IndexFunc(out, func(have model.Score) bool { return have.Target == name })
		if i < 0 {
			out = append(out, model.Score{Target: name, H: h})
			continue
		}
		out[i].H = max(out[i].H, h)
	}
	return out
}

// method is an algorithm. It makes budget evaluations with one seed, and returns how many targets it covered.
type method func(p artificial, seed uint64, budget int) int

func chance(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func (p artificial) search(seed uint64, budget int, t model.Tuning) *mio.Search[[]step] {
	s := mio.New(p, chance(seed), t, p.names)
	for i := range budget {
		x := s.Ask()
		s.Tell(x, p.scores(x.Individual))
		s.SetBudgetUsed(float64(i+1) / float64(budget))
	}
	return s
}

func byMIO(p artificial, seed uint64, budget int) int {
	_, covered := p.search(seed, budget, model.DefaultTuning()).Targets()
	return covered
}

// byChance is random search: it samples each test independently, and counts the covered targets.
func byChance(p artificial, seed uint64, budget int) int {
	r, covered := chance(seed), map[string]bool{}
	for range budget {
		open(p.scores(p.Sample(r, 0)), covered)
	}
	return len(covered)
}

// byOnePlusOne is the (1+1) EA: a mutation replaces its parent if the sum of its scores over uncovered targets is not
// lower. The mutations become smaller as in MIO.
func byOnePlusOne(p artificial, seed uint64, budget int) int {
	r, covered := chance(seed), map[string]bool{}
	parent := p.Sample(r, 0)
	for i := range budget - 1 {
		before := p.scores(parent)
		child := p.Mutate(r, parent, 0, pace(i, budget))
		after := open(p.scores(child), covered)
		if after >= open(before, covered) {
			parent = child
		}
	}
	return len(covered)
}

// byOnePlusOneEach runs a (1+1) EA for each target in turn, each with the same share of the budget. It also counts
// targets that are covered during the share of another target.
func byOnePlusOneEach(p artificial, seed uint64, budget int) int {
	r, covered := chance(seed), map[string]bool{}
	share := budget / len(p.goals)
	for _, target := range p.names {
		if covered[target] {
			continue
		}
		parent := p.Sample(r, 0)
		best := p.toward(target, parent, covered)
		for i := 1; i < share && best < 1; i++ {
			child := p.Mutate(r, parent, 0, pace(i, share))
			if h := p.toward(target, child, covered); h >= best {
				parent, best = child, h
			}
		}
	}
	return len(covered)
}

// toward evaluates a test and returns its score for one target.
func (p artificial) toward(target string, t []step, covered map[string]bool) float64 {
	h := 0.0
	scores := p.scores(t)
	for _, s := range scores {
		if s.Target == target {
			h = s.H
		}
	}
	open(scores, covered)
	return h
}

// open returns the sum of the scores of uncovered targets, and notes the targets that are covered now.
func open(scores []model.Score, covered map[string]bool) float64 {
	sum := 0.0
	for _, s := range scores {
		if covered[s.Target] {
			continue
		}
		sum += s.H
		if s.H >= 1 {
			covered[s.Target] = true
		}
	}
	return sum
}

func pace(i, budget int) float64 { return min(1, 2*float64(i)/float64(budget)) }
