package individual

import "math/rand/v2"

const (
	repeatChance     = 0.5 // that a reached test is extended by its last operation again
	keepValuesChance = 0.5 // that the added call keeps its values, except for one
)

// RecordReached lets later tests extend one that was the first to reach some place in
// the service's source.
func (p *Problem) RecordReached(ind *Individual) {
	if p.sampling.Operands == 0 {
		return
	}
	p.hosts.model.RecordSuccess(ind.stubs)
	p.reached.add(ind)
}

// ExtendReached returns one of the recorded tests with one more call, or with more messages from one
// of its hosts. It returns nil if no test was recorded.
func (p *Problem) ExtendReached(r *rand.Rand) *Individual {
	from := p.reached.draw(r)
	if from == nil {
		return nil
	}
	ind := from.clone()
	ind.change = ""
	if p.hosts.extend(r, ind) {
		ind.change = changedHosts
		return ind
	}
	if len(ind.calls) >= maxCalls {
		ind = ind.KeepCalls(allButOne(r, len(ind.calls)))
	}
	p.appendCall(r, ind)
	return ind
}

// appendCall appends a call: the last one again, the target of a template that needs what the test
// has created, or any.
func (p *Problem) appendCall(r *rand.Rand, ind *Individual) {
	last := len(ind.calls) - 1
	if r.Float64() < repeatChance && ind.repeatAtEnd(last) {
		p.changeLastCall(r, ind)
		return
	}
	for range continuationTries {
		if p.templates.drawable() && p.continueWith(r, ind, p.drawTemplate(r), maxCalls) {
			return
		}
	}
	user := p.userOf(r, ind)
	ind.calls = append(ind.calls, p.sampleCall(r, p.operations.draw(r), user))
	p.changeLastCall(r, ind)
}

// allButOne returns the numbers below n without one of them, which is not the last.
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

// changeLastCall gives the last call of a test other values.
func (p *Problem) changeLastCall(r *rand.Rand, ind *Individual) {
	last := len(ind.calls) - 1
	if r.Float64() >= keepValuesChance {
		ind.calls[last].resampleTexts(r)
	}
	if p.constants.due(r, p.sampling.Constants) {
		p.constants.assign(r, ind.leavesOf(last))
	}
}
