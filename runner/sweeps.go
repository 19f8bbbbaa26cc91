package runner

import (
	"sonde/model"
	"sonde/runner/mio"
)

// next is a sweep where those had less than their share of the calls, else what
// the search asks for.
func (e *engine) next() mio.Asked[*trial] {
	if e.search.Applied().Smart > 0 && e.swept < int(e.plan.Sampling.Sweep*float64(e.budget.calls)) {
		if ind := e.tests.Sweep(e.chance); ind != nil {
			return mio.Asked[*trial]{Individual: &trial{individual: ind}, Rule: mio.Sampled}
		}
	}
	return e.search.Ask()
}

// learn lets later sweeps know what went well in a test, and what became of it if
// it is a sweep or a piece of one.
func (e *engine) learn(t *trial, planned model.Test, v mio.Verdict, scores []model.Score) {
	if t.kept != nil {
		return
	}
	for i, c := range t.test.Calls {
		if c.Status/100 == 2 {
			e.tests.Prove(t.individual, i)
		}
	}
	if !t.sweeps() && t.seeks == nil {
		return
	}
	e.swept += len(t.test.Calls) + e.cost
	if t.sweeps() {
		e.tests.Swept(t.individual, statuses(t.test))
		e.single(t, planned, v.First)
	}
	if places := e.source.covering(scores); len(places) > 0 && v.Archived {
		e.split(t, planned, places)
	}
}

// shortPiece is as many calls as a piece of a sweep may have that is kept.
const shortPiece = 8

// split lets the search try the halves of a sweep that covers places in the
// service's source: nobody can say which call does.
func (e *engine) split(t *trial, planned model.Test, places []int) {
	n := len(t.test.Calls)
	if n <= shortPiece {
		return
	}
	all := numbers(n)
	for _, half := range [][]int{all[:n/2], all[n/2:]} {
		if keep := needed(planned, half...); len(keep) < n {
			e.search.Begin(e.part(t, keep, places))
		}
	}
}

// part is a test of some calls of a sweep, of which it is to be seen whether it
// covers places that are covered.
func (e *engine) part(of *trial, calls []int, places []int) *trial {
	birth := smaller(of.test, e.budget.calls)
	birth.Rule = model.BySweep
	return &trial{individual: of.individual.Only(calls), birth: birth, seeks: places}
}

func statuses(t model.Test) []int {
	all := make([]int, len(t.Calls))
	for i, c := range t.Calls {
		all[i] = c.Status
	}
	return all
}

// single lets the search try alone what a sweep was the first to cover: the calls
// that do, each with those that it takes something from.
func (e *engine) single(t *trial, planned model.Test, targets []string) {
	tried := map[int]bool{}
	for _, i := range e.targets.last(t.test, targets) {
		if !tried[i] {
			tried[i] = true
			e.search.Begin(e.part(t, needed(planned, i), nil))
		}
	}
}
