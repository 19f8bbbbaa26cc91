package individual

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
)

// A sweep is a test that calls one operation, the target, many times on the same resources. Most of these calls
// differ in one value from a base call; the others have new random values. The base call has the values of a
// successful call, if there was one. The chain of a sweep is the calls that create what the target needs. A sweep
// needs one reset and one chain; separate tests would need a reset and a chain for each value.

// sweepDraws is the number of templates that are drawn as candidates for the next sweep. The template whose target
// was swept least often is used.
const sweepDraws = 8

// maxRefusals is the number of times in a row that one operation may refuse a call with the same status. After that,
// the sweep ends, because the resource that the calls need is most likely missing or used up.
const maxRefusals = 6

// IsSweep reports whether the individual is a sweep.
func (ind *Individual) IsSweep() bool { return ind.sweep != nil }

// IsNegative reports whether the individual is a negative test. Such a test is a sweep, too.
func (ind *Individual) IsNegative() bool { return ind.sweep != nil && ind.sweep.kinds != nil }

// sweeper makes sweeps. It uses the lessons of earlier answers.
type sweeper struct {
	calls     *callSampler
	templates *templateSet
	constants constants
	hosts     *hostStubs
	lessons   lessons
	negative  negativeProgress
}

// next returns a sweep of one of the operations that were swept least, nil if it finds none that can be swept.
func (w *sweeper) next(r *rand.Rand) *Individual {
	t, ok := w.leastSwept(r)
	if !ok {
		return nil
	}
	s := newSweepBuilder(w, r, t)
	s.addContext()
	s.addVariations()
	s.addDeletions()
	w.hosts.sample(r, s.ind)
	w.lessons.beginSweep(s.ind.sweep)
	return s.ind
}

// othersRounds is the number of rounds of sweeps after which an island sweeps operations with which another island began.
const othersRounds = 8

// leastSwept draws some templates, and returns the template whose target was swept least. ok is false if none
// of the drawn templates can be varied.
func (w *sweeper) leastSwept(r *rand.Rand) (least model.Template, ok bool) {
	if !w.templates.drawable() {
		return least, false
	}
	rounds := func(t model.Template) float64 {
		return w.lessons.rounds[t.Target()] + float64(w.calls.operations.handicap(t.Target(), othersRounds))
	}
	for range sweepDraws {
		t := w.templates.mostLinked(w.templates.draw(r).Target())
		if len(w.calls.operations.variableSteps(t)) > 0 && (!ok || rounds(t) < rounds(least)) {
			least, ok = t, true
		}
	}
	return least, ok
}

// variableSteps returns the indexes of the steps of a template whose calls can be varied, the last step
// first. Calls of muted operations are not varied.
func (s *operationSet) variableSteps(t model.Template) []int {
	var all []int
	for i, step := range slices.Backward(t.Steps) {
		if s.byID[step.Op].canVary() && !s.muted(step.Op) {
			all = append(all, i)
		}
	}
	return all
}

// canVary reports whether calls of an operation have values outside the path.
func (c *chromosome) canVary() bool {
	return c.body != nil || slices.ContainsFunc(c.op.Params, func(p model.Parameter) bool { return p.In != model.InPath })
}
