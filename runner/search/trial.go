package search

import (
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"sonde/model"
	"sonde/runner/search/individual"
	"sonde/runner/search/mio"
	"sonde/runner/target/client"
)

// trial is an individual of the search and what is known about it. It does not change after its evaluation, except
// that its test may be played again.
type trial struct {
	individual     *individual.Individual
	codeTargets    []int      // the code targets that a part of a sweep should cover
	reduces        *reduction // the reduction that made the trial, nil for none
	reductionCalls []int      // the calls of the sweep that the trial has; nil unless reduces is set
	resumed        *trial     // the kept test of a resumed run to play again, nil for none
	lineage        *model.TestLineage
	test           model.Test          // the calls that were sent
	foreignCalls   int                 // calls on resources of other tests, plus 1 for values of other tests
	results        []client.CallResult // nil once a later test of the worker was judged; see archive.setPrevious
	hints          []individual.Hint   // operands with which the service compared values of the test
	exchanges      []model.Exchange    // exchanges of a kept test; see remember
	nearCalls      []nearCall          // see testCoverage

	replayed      bool // the test was played again
	droppedChecks int  // checks that did not hold when the test was played again
	removedCalls  int  // calls removed by minimising
}

// testToPlay returns the test of the individual. If the trial plays a kept test of a resumed run, it returns that
// test unchanged.
func (t *trial) testToPlay() model.Test {
	if t.resumed != nil {
		return t.resumed.test
	}
	return t.individual.Test()
}

func (t *trial) sweeps() bool { return t.individual != nil && t.individual.IsSweep() }

// problem adapts individual.Problem to mio.
type problem struct {
	Problem  *individual.Problem
	coverage *codeCoverage
	chance   *rand.Rand
	delayed  float64 // see model.Sampling.Delay
}

func (p problem) Sample(r *rand.Rand, smart float64) *trial {
	return &trial{individual: p.Problem.Sample(r, smart)}
}

func (p problem) Mutate(r *rand.Rand, t *trial, target int, pace float64) *trial {
	hints := p.coverage.hints(target, t.hints)
	if ind := p.Problem.MutateRows(r, t.individual, pace, hints); ind != nil {
		return &trial{individual: ind}
	}
	if ind := p.Problem.MutateHosts(r, t.individual, pace, hints); ind != nil {
		return &trial{individual: ind}
	}
	if len(t.test.Calls) > 1 && p.coverage.indexOf(target) >= 0 && r.Float64() < aimedShare {
		if ind := p.Problem.MutateCall(r, t.individual, t.nearestCall(target), pace, hints); ind != nil {
			return &trial{individual: ind}
		}
	}
	return &trial{individual: p.Problem.Mutate(r, t.individual, pace, hints)}
}

// unlikelyDelay is the delay of a code target for which the service compared no value of the test; see
// mio.Search.SetDelay. Such a target is sampled only after each other target was sampled unlikelyDelay times. A large
// service has thousands of such targets. Most of them depend on no request; an example is an error that never occurs.
const unlikelyDelay = 2

// delay returns the delay of a target that t is the first to reach; see mio.Search.SetDelay.
func (p problem) delay(t *trial, target int) int {
	if i := p.coverage.indexOf(target); i < 0 || len(t.hints) > 0 && len(p.coverage.hintsAbout(i, t.hints)) > 0 {
		return 0
	}
	if p.delayed < 1 && p.chance.Float64() >= p.delayed {
		return 0
	}
	return unlikelyDelay
}

// foreignCallCost is how many calls a foreign call adds to Size. A foreign call uses a resource that another test
// created. Creating a resource needs fewer calls, so a test that creates its own resources is smaller and is preferred.
const foreignCallCost = 10

// rowCost is how many calls a row adds to Size. A test that creates a resource by a call is therefore preferred to a
// test that inserts the resource as a row.
const rowCost = 2

// Size returns the number of calls that were sent, with the costs of foreign calls and rows added.
func (p problem) Size(t *trial) int {
	return len(t.test.Calls) + foreignCallCost*t.foreignCalls + rowCost*len(t.test.Rows)
}

// lineageOf returns the lineage of a candidate, without the number of requests sent so far.
func lineageOf(a mio.Candidate[*trial]) *model.TestLineage {
	b := &model.TestLineage{Rule: ruleOf(a), Template: a.Individual.individual.Target()}
	if a.Rule == mio.Mutated {
		b.Parent, b.Target, b.Change = a.Parent.test.ID, a.Target, a.Individual.individual.Change()
	}
	return b
}

func ruleOf(a mio.Candidate[*trial]) model.CreationRule {
	switch a.Rule {
	case mio.Enqueued:
		return model.FromPerson
	case mio.Mutated:
		return model.FromMutation
	}
	if a.Individual.sweeps() {
		return sweepRule(a.Individual)
	}
	if a.Individual.individual.Target() == "" {
		return model.FromRandomCalls
	}
	return model.FromTemplate
}

// sweepRule returns the rule by which a sweep was made.
func sweepRule(sweep *trial) model.CreationRule {
	if sweep.individual.IsNegative() {
		return model.FromNegative
	}
	return model.FromSweep
}

// aimedShare is the share of the mutations for a code target that change only one call: the call that came nearest to
// the target. It applies to tests with several calls.
const aimedShare = 0.8

// nearestCall returns the index of the call that came nearest to the target with the given number. It returns the
// last call unless nearCalls has another one for the target.
func (t *trial) nearestCall(target int) int {
	if i, earlier := slices.BinarySearchFunc(t.nearCalls, int32(target), nearCall.compare); earlier {
		return int(t.nearCalls[i].call)
	}
	return len(t.test.Calls) - 1
}

// hasSilentCall reports whether a call of the test got no answer. Such a test is not played again: it may end
// the service, and it is left to the fault checker.
func (t *trial) hasSilentCall() bool {
	return slices.ContainsFunc(t.test.Calls, func(c model.Call) bool { return c.Status == 0 })
}

// longWait is the minimum duration of a call for which the service counts as waiting long for a host.
const longWait = time.Second

// waitsLong reports whether the service waits long for a silent host in the test. Each further play takes as long.
func (t *trial) waitsLong() bool {
	silent := slices.ContainsFunc(t.test.Stubs, func(s model.Stub) bool {
		return slices.ContainsFunc(s.AllAnswers(), func(a model.Answer) bool { return a.Fault.IsSilent() })
	})
	return silent && slices.ContainsFunc(t.exchanges, func(x model.Exchange) bool { return x.Took >= longWait })
}

// remember keeps the exchanges of the test, cut to keptBody and keptHeader.
func (t *trial) remember(results []client.CallResult) {
	t.exchanges = make([]model.Exchange, len(results))
	for i, r := range results {
		x := r.Exchange
		x.Request.Body, x.Request.Truncated = keptPart(x.Request.Body)
		x.Reply = keptReply(x.Reply)
		t.exchanges[i] = x
	}
}

// Bounds in bytes of what is kept of a request and an answer: enough to understand the exchange, and little enough
// that thousands of tests fit into memory.
const (
	keptBody   = 16 << 10
	keptHeader = 16 << 10 // bytes of the names and of the values together
)

// keptReply returns an answer whose body and header are cut to the bounds.
func keptReply(r model.Reply) model.Reply {
	body, cut := keptPart(r.Body)
	r.Body, r.Truncated = body, r.Truncated || cut
	header, room := map[string][]string{}, keptHeader
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		for _, v := range r.Header[name] {
			room -= len(name) + len(v)
			if room < 0 {
				r.Truncated = true
				break
			}
			header[name] = append(header[name], v)
		}
	}
	r.Header = header
	return r
}

// keptPart returns the beginning of a body and whether anything was cut.
func keptPart(body []byte) (kept []byte, cut bool) {
	if len(body) <= keptBody {
		return body, false
	}
	return slices.Clone(body[:keptBody]), true
}

func (t *trial) keptCall(i int) keptCall {
	m := keptCall{test: t.test, at: i}
	if i < len(t.exchanges) {
		m.exchange = t.exchanges[i]
	}
	if i > maxLead {
		keep := neededCalls(t.test, append(sameResource(t.test, i), i)...)
		m.test, m.at = withCalls(t.test, keep), len(keep)-1
	}
	return m
}
