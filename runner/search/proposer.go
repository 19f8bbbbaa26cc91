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
	rowReplays     rowReplays
	kinds          []*testKind
	migration      *migration   // migration of an island; nil for other runs
	sweepCalls     int          // requests of sweeps so far
	reductionCalls int          // requests of reductions so far
	reductions     []*reduction // waiting reductions, the newest last
	negativeRate   findingRate  // rate at which negative tests find new targets with a 5xx
	otherRate      findingRate  // rate at which all other tests find new targets with a 5xx
	attemptRate    findingRate  // rate at which attempts find new targets
	searchRate     findingRate  // rate at which tests that the search makes find new targets
}

// matchOperands keeps the operands with which the service compared the values of a test, so that mutations of the
// test can try them. It ignores sweeps and tests of a resumed run.
func (p *proposer) matchOperands(t *trial, compared []model.ComparedOperands) {
	if t.resumed == nil && !t.sweeps() {
		t.hints = p.tests.MatchOperands(t.individual, compared)
	}
}

// noteReached records a test for extensions if the test is the first to cover a code target. It ignores sweeps and
// tests of a resumed run.
func (p *proposer) noteReached(t *trial) {
	if t.resumed == nil && !t.sweeps() && t.lineage.Code > 0 {
		p.tests.RecordReached(t.individual)
	}
}

// observeContacts notes which hosts the service contacted during a test, and plans host replays. It does
// nothing without a virtual network, or with one that is closed.
func (p *proposer) observeContacts(t *trial, planned model.Test, done played) {
	if n := p.plan.Net; n == nil || n.Closed {
		return
	}
	p.tests.Hosts().ObserveContacts(planned, withoutAnsweredHosts(done.startContacts))
	p.tests.Hosts().ObserveContacts(planned, done.contacts)
	p.hostReplays.observe(t, done.contacts, p.tests.Hosts())
}

// drawBinary decides at random whether a test gets no partial scores for statuses.
func (p *proposer) drawBinary() bool {
	return occurs(p.chance, p.plan.Sampling.Binary)
}

// occurs returns true with the given probability. It draws no random number if the probability is 0.
func occurs(r *rand.Rand, probability float64) bool {
	return probability > 0 && r.Float64() < probability
}

// namedByTest reports whether a test sent the name of a host to the service. The service may then contact the host
// only because of the test.
func (p *proposer) namedByTest(host string) bool { return p.tests.Hosts().NamedByTest(host) }

// next returns the next test. Queued tests come first. Then come host replays, row replays, reductions, the kinds of
// testKinds, and sweeps. A kind of test is chosen only while it has used less than its share of the requests so far.
// If no kind is chosen, the search decides. If no sweep can be made, the share of sweeps counts as used. Without this
// rule, the unused share would grow, and later only sweeps would follow.
func (p *proposer) next() mio.Candidate[*trial] {
	if p.search.HasQueued() {
		return p.search.Ask()
	}
	if asked := p.nextHostReplay(); asked != nil {
		return *asked
	}
	if asked := p.nextRowReplay(); asked != nil {
		return *asked
	}
	if p.reductionCalls < p.shareOfCalls(reductionShare) && p.startReduction() {
		return p.search.Ask()
	}
	if asked, ok := p.nextOfKind(); ok {
		return asked
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

// extensionsWithHosts is the factor of the share of extensions if the service uses hosts.
const extensionsWithHosts = 4

// extensionShare returns the share of the requests for extensions; see model.Sampling.
func (p *proposer) extensionShare() float64 {
	if p.tests.Hosts().Populated() {
		return min(1, extensionsWithHosts*p.plan.Sampling.Extensions)
	}
	return p.plan.Sampling.Extensions
}

// maxNegativeGrowth is the maximum factor by which the share of negative tests grows.
const maxNegativeGrowth = 4

// negativeShare returns the share of the requests for negative tests. The share grows while negative tests make
// operations fail more often than other tests do.
func (p *proposer) negativeShare() float64 {
	return p.plan.Sampling.Negative * p.negativeRate.over(p.otherRate, maxNegativeGrowth)
}

// maxAttemptGrowth is the maximum factor by which the share of attempts grows.
const maxAttemptGrowth = 2.5

// attemptShare returns the share of the requests for attempts. If coverage guides the search, the share grows while
// attempts reach more than mutations do: the first 2xx of an operation often reaches much of the source, while a
// mutation often reaches only one more branch.
func (p *proposer) attemptShare() float64 {
	if !p.code.guides() {
		return p.plan.Sampling.Attempts
	}
	return p.plan.Sampling.Attempts * p.attemptRate.over(p.searchRate, maxAttemptGrowth)
}

// The factors by which the shares of sweeps and interaction tests are multiplied. systematicWithHosts applies if the
// service uses hosts; otherwise systematicWithSource applies if probes guide the search. In both cases mutations find
// more than sweeps and interaction tests.
const (
	systematicWithHosts  = 0.4
	systematicWithSource = 0.6
)

// systematicShare returns the share of sweeps or of interaction tests. It multiplies the share by systematicWithHosts
// or systematicWithSource if one of them applies.
func (p *proposer) systematicShare(share float64) float64 {
	switch {
	case p.tests.Hosts().Populated():
		return share * systematicWithHosts
	case p.plan.Probes != nil && p.code.guides():
		return share * systematicWithSource
	}
	return share
}

// sweepShare returns the number of requests that sweeps may have used so far.
func (p *proposer) sweepShare() int { return p.shareOfCalls(p.systematicShare(p.plan.Sampling.Sweep)) }

func (p *proposer) interactionShare() float64 { return p.systematicShare(p.plan.Sampling.Interactions) }

// shareOfCalls returns a share of the number of requests so far.
func (p *proposer) shareOfCalls(share float64) int {
	return int(share * float64(p.pool.requestsSent()))
}

// completeSweeps is the number of complete sweeps of an operation after which further sweeps find little. Each later
// sweep counts as more requests than it sends, so that there are fewer sweeps.
const completeSweeps = 8

// learn records what a test shows for later tests: which users the operations accepted, how many server errors and
// targets the test found first, and the successful calls of the test for later sweeps. For a sweep, such as a negative
// test, it records the statuses and plans reductions. For a test of a resumed run, it records only the users.
// firstCalls is as in testCoverage.
func (p *proposer) learn(t *trial, planned model.Test, v mio.Outcome, firstCalls map[string]int) {
	p.noteAccess(t)
	if t.resumed != nil {
		return
	}
	covering := p.targets.lastCalls(t.test, v.FirstCovered)
	rate := &p.otherRate
	if t.individual.IsNegative() {
		rate = &p.negativeRate
	}
	requests := len(t.test.Calls) + p.pool.resetCost
	rate.add(serverErrors(t.test, covering), requests)
	p.learnYield(t, len(v.FirstCovered), requests)
	for i, c := range t.test.Calls {
		if c.Status/100 == 2 {
			p.tests.RecordSuccess(t.individual, i)
		}
	}
	switch {
	case t.individual.IsNegative():
		p.tests.RecordNegative(t.individual, statuses(t.test), covering)
		p.planReductions(t, planned, v.FirstCovered, firstCalls)
	case t.sweeps():
		rounds := p.tests.RecordSweep(t.individual, statuses(t.test))
		p.sweepCalls += int(float64(requests) * max(1, rounds/completeSweeps))
		p.planReductions(t, planned, v.FirstCovered, firstCalls)
	}
}

// learnYield records how many targets a test was the first to cover. It records this only for attempts and for tests
// that the search itself made.
func (p *proposer) learnYield(t *trial, found, requests int) {
	switch {
	case t.lineage.Rule == model.FromAttempt:
		p.attemptRate.add(found, requests)
	case t.lineage.Rule != model.FromInitialTemplate && t.reduces == nil && !t.sweeps():
		p.searchRate.add(found, requests)
	}
}

// partOfSweep returns a trial with some calls of a sweep. Playing the trial shows whether these calls cover the code
// targets.
func (p *proposer) partOfSweep(sweep *trial, calls []int, codeTargets []int) *trial {
	lineage := minimisedLineage(sweep.test, p.pool.requestsSent())
	lineage.Rule = sweepRule(sweep)
	return &trial{individual: sweep.individual.KeepCalls(calls), lineage: lineage, codeTargets: codeTargets}
}

// observeAnswer reads the answer to a call. Later tests can use its values, and can follow what it says about inputs.
// Attempts take values only from tests of this run, not from tests of a resumed run.
func (p *proposer) observeAnswer(t *trial, call int, reply model.Reply) {
	p.tests.ObserveReply(t.test.Calls[call].Op, reply)
	if t.resumed == nil {
		p.tests.ObserveAnswer(t.individual, call, statuses(t.test), reply)
	}
}

func statuses(t model.Test) []int {
	all := make([]int, len(t.Calls))
	for i, c := range t.Calls {
		all[i] = c.Status
	}
	return all
}

// serverErrors returns how many of the given calls were answered with a 5xx.
func serverErrors(t model.Test, calls []int) (n int) {
	for _, i := range calls {
		n += boolToInt(t.Calls[i].Status/100 == 5)
	}
	return n
}

// planReductions adds reductions of a sweep for two kinds of calls:
//   - for each code target that the sweep covers, the first call that covers it
//   - for each ID in targets, the last call that covers the target
//
// targets has the IDs of the targets that the sweep is the first test to cover.
func (p *proposer) planReductions(t *trial, planned model.Test, targets []string, firstCalls map[string]int) {
	codeTargets := map[int][]int{} // call → code targets that it covers first; empty for a call that covers only other targets
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

// noteAccess records which users each operation accepted. If an operation refused the user of a call, noteAccess
// queues the test again with the next user for that call, until the operation accepts a user.
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
			lineage := &model.TestLineage{Call: p.pool.requestsSent(), Rule: model.FromMutation, Parent: t.test.ID, Change: ind.Change()}
			p.search.Enqueue(&trial{individual: ind, lineage: lineage})
		}
	}
}
