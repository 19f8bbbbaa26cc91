package runner

import (
	"maps"
	"slices"

	"sonde/model"
	"sonde/runner/mio"
)

// next is a step of a reduction, a test that goes on from another or a sweep, where
// those had less than their share of the calls, else what the search asks for. What
// somebody wants tried goes first. While none can be made, their share counts as used: else
// there would be nothing but sweeps afterwards.
func (e *engine) next() mio.Asked[*trial] {
	if e.search.Waiting() {
		return e.search.Ask()
	}
	if asked := e.answer(); asked != nil {
		return *asked
	}
	if e.reducing < e.part(reductionShare) && e.goReduce() {
		return e.search.Ask()
	}
	if e.gone < e.part(e.onwardShare()) {
		if ind := e.tests.Onward(e.chance); ind != nil {
			e.gone += ind.Len() + e.cost
			return mio.Asked[*trial]{Individual: &trial{individual: ind}, Rule: mio.Sampled}
		}
	}
	if e.swept >= e.sweepShare() {
		return e.search.Ask()
	}
	if e.search.Applied().Smart > 0 {
		if ind := e.tests.Sweep(e.chance); ind != nil {
			return mio.Asked[*trial]{Individual: &trial{individual: ind}, Rule: mio.Sampled}
		}
	}
	e.swept = e.sweepShare()
	return e.search.Ask()
}

// How many of the calls go on from tests that were the first to come somewhere in the
// source: more where what hosts say can be gone on with, too.
const (
	usualOnward   = 0.05
	outsideOnward = 0.2
)

func (e *engine) onwardShare() float64 {
	if e.tests.World().Populated() {
		return outsideOnward
	}
	return usualOnward
}

// besideHosts is how much of their share sweeps have where there are hosts to be searched
// for, too.
const besideHosts = 0.4

// sweepShare is how many of the requests so far sweeps may have made.
func (e *engine) sweepShare() int {
	share := e.plan.Sampling.Sweep
	if e.tests.World().Populated() {
		share *= besideHosts
	}
	return e.part(share)
}

// part is so much of the requests so far.
func (e *engine) part(share float64) int { return int(share * float64(e.budget.calls)) }

// enoughRounds is how often it takes to sweep over an operation until more of it
// brings less. From then on a sweep counts for more than its calls, so that there
// are fewer.
const enoughRounds = 8

// learn lets later sweeps know what went well in a test, and what became of it if
// it is a sweep. Marks are of that: see played.
func (e *engine) learn(t *trial, planned model.Test, v mio.Verdict, marks map[string]int) {
	e.admit(t)
	if t.kept != nil {
		return
	}
	for i, c := range t.test.Calls {
		if c.Status/100 == 2 {
			e.tests.Prove(t.individual, i)
		}
	}
	if t.sweeps() {
		rounds := e.tests.Swept(t.individual, statuses(t.test))
		e.swept += int(float64(len(t.test.Calls)+e.cost) * max(1, rounds/enoughRounds))
		e.single(t, planned, v.First, marks)
	}
}

// piece is a test of some calls of a sweep, of which it is to be seen whether it
// covers places that are covered.
func (e *engine) piece(of *trial, calls []int, places []int) *trial {
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
func (e *engine) single(t *trial, planned model.Test, targets []string, marks map[string]int) {
	places := map[int][]int{} // by call: of the source
	for id, call := range marks {
		if i := e.source.place(id); i >= 0 && call < len(t.test.Calls) {
			places[call] = append(places[call], i)
		}
	}
	for _, i := range e.targets.last(t.test, targets) {
		places[i] = append(places[i], nil...)
	}
	for _, i := range slices.Sorted(maps.Keys(places)) {
		slices.Sort(places[i])
		e.reduce(t, planned, i, places[i])
	}
}
