package search

import (
	"slices"

	"sonde/model"
)

// maxReductionTests bounds the tests of one reduction.
const maxReductionTests = 20

// maxReductions bounds the waiting reductions. If there are more, the oldest is dropped.
const maxReductions = 200

// reductionShare is the share of the requests that reductions may use.
const reductionShare = 0.08

// reduction looks for the fewest calls of a sweep that cover some code targets. One call of the sweep was the first
// to cover these targets. The reduction first tries that call alone, with the calls from which it takes values. If
// these calls do not cover the targets, the reduction uses delta debugging. It queues one test at a time.
type reduction struct {
	sweep       *trial
	planned     model.Test
	call        int
	codeTargets []int

	calls     []int  // the fewest calls that have covered the targets so far; nil until the first test was tried
	chunk, at int    // how many of these calls the next test leaves out, and from which index on
	tries     int    // number of tests so far
	best      *trial // the trial that has exactly calls; nil if that is the sweep
}

// addReduction adds a reduction for a call of a sweep that covers a target which no earlier test covered. Without
// code targets, it queues the first test of the reduction at once. With code targets, the reduction waits, because a
// sweep may be the first to cover many of them.
func (p *proposer) addReduction(sweep *trial, planned model.Test, call int, codeTargets []int) {
	r := &reduction{sweep: sweep, planned: planned, call: call, codeTargets: codeTargets}
	if len(codeTargets) > 0 {
		p.postpone(r)
		return
	}
	p.enqueueStep(r, r.next())
}

// postpone adds a reduction to the waiting ones. If there are too many, it drops the oldest.
func (p *proposer) postpone(r *reduction) {
	p.reductions = append(p.reductions[max(0, len(p.reductions)+1-maxReductions):], r)
}

func (p *proposer) enqueueStep(r *reduction, calls []int) {
	t := p.partOfSweep(r.sweep, calls, r.codeTargets)
	if len(r.codeTargets) > 0 {
		t.reduces, t.reductionCalls = r, calls
	}
	p.search.Enqueue(t)
}

// advanceReduction continues a reduction after one of its tests was played. It does nothing if the plan has no
// extensions, because only extensions use the result of a reduction.
func (p *proposer) advanceReduction(t *trial, seen []model.Score) {
	r := t.reduces
	if p.plan.Sampling.Extensions == 0 {
		return
	}
	does := !slices.ContainsFunc(r.codeTargets, func(i int) bool { return !p.code.coverage.covers(seen, i) })
	switch {
	case does && r.calls == nil:
		p.tests.RecordReached(t.individual)
		return
	case does:
		r.calls, r.best = t.reductionCalls, t
	case r.calls == nil:
		r.calls = indexes(r.call + 1)
		r.chunk = len(r.calls) / 2
	default:
		r.at += r.chunk
	}
	p.postpone(r)
}

// takeReduction removes and returns a waiting reduction. It prefers the newest reduction that has not begun, because
// one test is most often enough for a reduction. If all have begun, it takes the newest.
func (p *proposer) takeReduction() *reduction {
	at := len(p.reductions) - 1
	for i, r := range slices.Backward(p.reductions) {
		if r.calls == nil {
			at = i
			break
		}
	}
	r := p.reductions[at]
	p.reductions = slices.Delete(p.reductions, at, at+1)
	return r
}

// startReduction queues the next test of a waiting reduction. It returns false if no waiting reduction has another
// test.
func (p *proposer) startReduction() bool {
	for len(p.reductions) > 0 {
		r := p.takeReduction()
		if next := r.next(); next != nil {
			p.reductionCalls += len(next) + p.pool.resetCost
			p.enqueueStep(r, next)
			return true
		}
		if r.best != nil {
			p.tests.RecordReached(r.best.individual)
		}
	}
	return false
}

// next returns the calls to try next. It returns nil if no more calls can be left out or maxReductionTests is reached.
func (r *reduction) next() []int {
	r.tries++
	if r.calls == nil {
		return neededCalls(r.planned, r.call)
	}
	for r.chunk > 0 && r.tries <= maxReductionTests {
		last := len(r.calls) - 1
		if r.at >= last {
			r.chunk, r.at = r.chunk/2, 0
			continue
		}
		keep := slices.Delete(slices.Clone(r.calls), r.at, min(r.at+r.chunk, last))
		keep = neededCalls(r.planned, keep...)
		if len(keep) < len(r.calls) {
			return keep
		}
		r.at += r.chunk
	}
	return nil
}
