package search

import (
	"maps"
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/search/individual"
	"sonde/runner/search/mio"
)

// proposer decides which test is played next.
type proposer struct {
	plan           model.Plan
	pool           *workerPool
	tests          *individual.Problem
	chance         *rand.Rand
	search         *mio.Search[*trial]
	targets        *targetIndex
	code           *codeTracker
	hostReplays    hostReplays
	sweepCalls     int          // requests of sweeps
	extensionCalls int          // requests of tests that continue earlier ones
	reductionCalls int          // requests of reductions
	reductions     []*reduction // waiting reductions
}

// noteOperands keeps the operands that the service compared a test's values with, so that
// mutations of the test can try them.
func (p *proposer) noteOperands(t *trial, compared []model.ComparedOperands) {
	if t.resumed == nil && !t.sweeps() {
		t.hints = p.tests.MatchOperands(t.individual, compared)
		if t.lineage.Code > 0 {
			p.tests.RecordReached(t.individual)
		}
	}
}

// observeContacts learns from the contacts of a test which hosts the service uses, unless the plan's
// virtual network is closed.
func (p *proposer) observeContacts(t *trial, planned model.Test, done played) {
	if n := p.plan.Net; n == nil || n.Closed {
		return
	}
	p.tests.Hosts().ObserveContacts(planned, done.startContacts)
	p.tests.Hosts().ObserveContacts(planned, done.contacts)
	p.hostReplays.observe(t, done.contacts)
}

// namedByTest reports whether a test named the host, so that it is not a host of the service itself.
func (p *proposer) namedByTest(host string) bool { return p.tests.Hosts().NamedByTest(host) }

// next returns the next test. Tests that a person queued come first. Then come host replays, steps
// of reductions, continuations of tests and sweeps, each while it has used less than its share of
// the calls, and otherwise what the search asks for. If no sweep can be made, its share counts as
// used; otherwise only sweeps would follow later.
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
	if p.extensionCalls < p.shareOfCalls(p.extensionShare()) {
		if ind := p.tests.ExtendReached(p.chance); ind != nil {
			p.extensionCalls += ind.Len() + p.pool.resetCost
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

// The share of the calls that continue tests which were the first to reach something in the source.
// It is larger if the messages of hosts can be continued, too.
const (
	extensionShareDefault   = 0.05
	extensionShareWithHosts = 0.2
)

func (p *proposer) extensionShare() float64 {
	if p.tests.Hosts().Populated() {
		return extensionShareWithHosts
	}
	return extensionShareDefault
}

// sweepShareWithHosts reduces the share of sweeps if there are hosts to search for, too.
const sweepShareWithHosts = 0.4

// sweepShare returns the number of requests that sweeps may have used so far.
func (p *proposer) sweepShare() int {
	share := p.plan.Sampling.Sweep
	if p.tests.Hosts().Populated() {
		share *= sweepShareWithHosts
	}
	return p.shareOfCalls(share)
}

// shareOfCalls returns a share of the requests so far.
func (p *proposer) shareOfCalls(share float64) int {
	return int(share * float64(p.pool.requestsSent()))
}

// fullRounds is the number of complete sweeps of an operation after which further ones find less.
// From then on a sweep counts for more than its calls, so that there are fewer.
const completeSweeps = 8

// learn passes the successful calls of a test on to later sweeps, and the results of a sweep to its
// statistics and reductions. Marks are those of played.
func (p *proposer) learn(t *trial, planned model.Test, v mio.Outcome, firstCalls map[string]int) {
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
		p.sweepCalls += int(float64(len(t.test.Calls)+p.pool.resetCost) * max(1, rounds/completeSweeps))
		p.planReductions(t, planned, v.FirstCovered, firstCalls)
	}
}

// partOfSweep returns a trial of some calls of a sweep that checks whether these cover some code
// targets.
func (p *proposer) partOfSweep(sweep *trial, calls []int, codeTargets []int) *trial {
	birth := minimisedLineage(sweep.test, p.pool.requestsSent())
	birth.Rule = model.FromSweep
	return &trial{individual: sweep.individual.KeepCalls(calls), lineage: birth, codeTargets: codeTargets}
}

func statuses(t model.Test) []int {
	all := make([]int, len(t.Calls))
	for i, c := range t.Calls {
		all[i] = c.Status
	}
	return all
}

// planReductions plans trials of those calls alone that made a sweep the first to cover something,
// each with the calls that it takes values from.
func (p *proposer) planReductions(t *trial, planned model.Test, targets []string, firstCalls map[string]int) {
	codeTargets := map[int][]int{} // by call: of the source
	for id, call := range firstCalls {
		if i := p.code.coverage.indexOfID(id); i >= 0 && call < len(t.test.Calls) {
			codeTargets[call] = append(codeTargets[call], i)
		}
	}
	for _, i := range p.targets.lastCalls(t.test, targets) {
		codeTargets[i] = append(codeTargets[i], nil...)
	}
	for _, i := range slices.Sorted(maps.Keys(codeTargets)) {
		slices.Sort(codeTargets[i])
		p.addReduction(t, planned, i, codeTargets[i])
	}
}

// noteAccess notes which users were accepted where. If a call was refused, the test is queued again
// with the next user for that call, until some user is accepted.
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
			birth := &model.TestLineage{Call: p.pool.requestsSent(), Rule: model.FromMutation, Parent: t.test.ID, Change: ind.Change()}
			p.search.Enqueue(&trial{individual: ind, lineage: birth})
		}
	}
}
