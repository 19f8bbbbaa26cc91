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
// it is a sweep, which was the first to cover some targets.
func (e *engine) learn(t *trial, planned model.Test, first []string) {
	if t.kept != nil {
		return
	}
	for i, c := range t.test.Calls {
		if c.Status/100 == 2 {
			e.tests.Prove(t.individual, i)
		}
	}
	if t.sweeps() {
		e.swept += len(t.test.Calls) + e.cost
		e.tests.Swept(t.individual, statuses(t.test))
		e.single(t, planned, first)
	}
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
			birth := smaller(t.test, e.budget.calls)
			birth.Rule = model.BySweep
			e.search.Begin(&trial{individual: t.individual.Only(needed(planned, i)), birth: birth})
		}
	}
}
