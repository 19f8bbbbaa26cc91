package individual

import (
	"math/rand/v2"

	"sonde/model"
)

const (
	repeatChance     = 0.5 // probability of extending a reached test by a copy of its last call
	keepValuesChance = 0.5 // probability of keeping the texts of the added call
)

// extender makes tests longer. It continues sampled tests, and adds calls to reached tests: tests that were
// the first to reach some place in the service's source.
type extender struct {
	sampling  *model.Sampling
	maxCalls  int // see model.Sizes
	calls     *callSampler
	templates *templateSet
	constants constants
	hosts     *hostStubs
	reached   reachedTests
}

// recordReached keeps a reached test, which may be extended later. It does nothing if the plan has no extensions.
func (e *extender) recordReached(ind *Individual) {
	if e.sampling.Extensions == 0 {
		return
	}
	e.hosts.model.RecordSuccess(ind.stubs)
	e.reached.add(ind)
}

// extendReached returns one of the reached tests with further calls, or with more messages from one of its hosts. If
// the test is too long, extendReached first removes one of its calls. extendReached returns nil if there are no
// reached tests.
func (e *extender) extendReached(r *rand.Rand) *Individual {
	from := e.reached.draw(r)
	if from == nil {
		return nil
	}
	ind := from.clone()
	ind.change = ""
	if e.hosts.extend(r, ind) {
		ind.change = changedHosts
		return ind
	}
	if len(ind.calls) >= e.maxCalls {
		ind = ind.KeepCalls(allButOne(r, len(ind.calls)))
	}
	e.appendCalls(r, ind)
	return ind
}

// appendCalls appends one of these: the last call again, calls for the steps of a template that needs what the test
// has created, or a random call.
func (e *extender) appendCalls(r *rand.Rand, ind *Individual) {
	last := len(ind.calls) - 1
	if r.Float64() < repeatChance && ind.repeatAtEnd(last, e.maxCalls) {
		e.changeLastCall(r, ind)
		return
	}
	for range continuationTries {
		if e.templates.drawable() && e.continueWith(r, ind, e.templates.draw(r), e.maxCalls) {
			return
		}
	}
	user := e.calls.users.userOf(r, ind)
	ind.calls = append(ind.calls, e.calls.random(r, user))
	e.changeLastCall(r, ind)
}

// allButOne returns the numbers from 0 to n-1 in order, without one that is chosen at random. It never leaves out
// n-1.
func allButOne(r *rand.Rand, n int) []int {
	omitted := r.IntN(n - 1)
	var all []int
	for i := range n {
		if i != omitted {
			all = append(all, i)
		}
	}
	return all
}

// changeLastCall may set the texts of a test's last call to new random values, and one of its values to
// a constant.
func (e *extender) changeLastCall(r *rand.Rand, ind *Individual) {
	last := len(ind.calls) - 1
	if r.Float64() >= keepValuesChance {
		ind.calls[last].resampleTexts(r)
	}
	if e.constants.due(r, e.sampling.Constants) {
		e.constants.assign(r, ind.leavesOf(last))
	}
}
