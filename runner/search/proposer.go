package search

import (
	"maps"
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/search/individual"
	"sonde/runner/search/mio"
)

// proposer says which test is played next.
type proposer struct {
	plan           model.Plan
	pool           *workerPool
	tests          *individual.Problem
	chance         *rand.Rand
	search         *mio.Search[*trial]
	targets        *targetIndex
	code           *codeTracker
	hostReplays    hostReplays
	sweepCalls     int          // requests of sweeps,
	onward         int          // of tests that go on from others,
	reductionCalls int          // and of reductions,
	reductions     []*reduction // of which these wait
}

// noteOperands keeps what the service compared a test's values with: mutations of it try
// that.
func (p *proposer) noteOperands(t *trial, compared []model.Compared) {
	if t.resumed == nil && !t.sweeps() {
		t.hints = p.tests.MatchOperands(t.individual, compared)
		if t.birth.Code > 0 {
			p.tests.RecordReached(t.individual)
		}
	}
}

// next is a step of a reduction, a test that goes on from another or a sweep, where
// those had less than their share of the calls, else what the search asks for. What
// somebody wants tried goes first. While none can be made, their share counts as used: else
// there would be nothing but sweeps afterwards.
func (p *proposer) next() mio.Candidate[*trial] {
	if p.search.HasQueued() {
		return p.search.Ask()
	}
	if asked := p.nextHostReplay(); asked != nil {
		return *asked
	}
	if p.reductionCalls < p.shareOfCalls(reductionShare) && p.startReduction() {
		return p.search.Ask()
	}
	if p.onward < p.shareOfCalls(p.onwardShare()) {
		if ind := p.tests.ExtendReached(p.chance); ind != nil {
			p.onward += ind.Len() + p.pool.resetCost
			return mio.Candidate[*trial]{Individual: &trial{individual: ind}, Rule: mio.Sampled}
		}
	}
	if p.sweepCalls >= p.sweepShare() {
		return p.search.Ask()
	}
	if p.search.AppliedTuning().Smart > 0 {
		if ind := p.tests.Sweep(p.chance); ind != nil {
			return mio.Candidate[*trial]{Individual: &trial{individual: ind}, Rule: mio.Sampled}
		}
	}
	p.sweepCalls = p.sweepShare()
	return p.search.Ask()
}

// How many of the calls go on from tests that were the first to come somewhere in the
// source: more where what hosts say can be gone on with, too.
const (
	onwardShareDefault   = 0.05
	onwardShareWithHosts = 0.2
)

func (p *proposer) onwardShare() float64 {
	if p.tests.Hosts().Populated() {
		return onwardShareWithHosts
	}
	return onwardShareDefault
}

// sweepShareWithHosts is how much of their share sweeps have where there are hosts to be searched
// for, too.
const sweepShareWithHosts = 0.4

// sweepShare is how many of the requests so far sweeps may have made.
func (p *proposer) sweepShare() int {
	share := p.plan.Sampling.Sweep
	if p.tests.Hosts().Populated() {
		share *= sweepShareWithHosts
	}
	return p.shareOfCalls(share)
}

// shareOfCalls is so much of the requests so far.
func (p *proposer) shareOfCalls(share float64) int { return int(share * float64(p.pool.budget.calls)) }

// fullRounds is how often it takes to sweep over an operation until more of it
// brings less. From then on a sweep counts for more than its calls, so that there
// are fewer.
const fullRounds = 8

// learn lets later sweeps know what went well in a test, and what became of it if
// it is a sweep. Marks are of that: see played.
func (p *proposer) learn(t *trial, planned model.Test, v mio.Outcome, marks map[string]int) {
	p.noteAccess(t)
	if t.resumed != nil {
		return
	}
	for i, c := range t.test.Calls {
		if c.Status/100 == 2 {
			p.tests.RecordSuccess(t.individual, i)
		}
	}
	if t.sweeps() {
		rounds := p.tests.RecordSweep(t.individual, statuses(t.test))
		p.sweepCalls += int(float64(len(t.test.Calls)+p.pool.resetCost) * max(1, rounds/fullRounds))
		p.planReductions(t, planned, v.FirstCovered, marks)
	}
}

// partOfSweep is a test of some calls of a sweep, of which it is to be seen whether it
// covers places that are covered.
func (p *proposer) partOfSweep(of *trial, calls []int, places []int) *trial {
	birth := minimisedBirth(of.test, p.pool.budget.calls)
	birth.Rule = model.FromSweep
	return &trial{individual: of.individual.KeepCalls(calls), birth: birth, codeTargets: places}
}

func statuses(t model.Test) []int {
	all := make([]int, len(t.Calls))
	for i, c := range t.Calls {
		all[i] = c.Status
	}
	return all
}

// planReductions lets the search try alone what a sweep was the first to cover: the calls
// that do, each with those that it takes something from.
func (p *proposer) planReductions(t *trial, planned model.Test, targets []string, marks map[string]int) {
	places := map[int][]int{} // by call: of the source
	for id, call := range marks {
		if i := p.code.coverage.target(id); i >= 0 && call < len(t.test.Calls) {
			places[call] = append(places[call], i)
		}
	}
	for _, i := range p.targets.lastCalls(t.test, targets) {
		places[i] = append(places[i], nil...)
	}
	for _, i := range slices.Sorted(maps.Keys(places)) {
		slices.Sort(places[i])
		p.addReduction(t, planned, i, places[i])
	}
}

// noteAccess lets later tests know which users were accepted where. A call that was
// refused is made by the other users, too, until one of them is accepted: the test is
// played again with that call made by the next of them.
func (p *proposer) noteAccess(t *trial) {
	for _, c := range t.test.Calls {
		p.tests.RecordStatus(c.Op, c.User, c.Status)
	}
	if t.resumed != nil || t.sweeps() {
		return
	}
	for i, c := range t.test.Calls {
		if !isForbidden(c.Status) {
			continue
		}
		if ind := p.tests.RetryAsNextUser(t.individual, i); ind != nil {
			birth := &model.TestLineage{Call: p.pool.budget.calls, Rule: model.FromMutation, Parent: t.test.ID, Change: ind.Change()}
			p.search.Enqueue(&trial{individual: ind, birth: birth})
		}
	}
}
