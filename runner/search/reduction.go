package search

import (
	"slices"

	"sonde/model"
)

// maxReductionTests is how many tests it may take to find out what a call needs.
const maxReductionTests = 20

// maxReductions is how many reductions wait for their turn; of more the oldest are
// given up.
const maxReductions = 200

// reductionShare is how many of the calls reductions may make.
const reductionShare = 0.08

// reduction looks for few calls of a sweep that cover places in the source which
// one of them was the first to cover: first for that call alone, and if the service
// wants to have seen others before it, by delta debugging. The search is given a
// test at a time.
type reduction struct {
	sweep   *trial
	planned model.Test
	call    int
	places  []int

	calls     []int // that do, nil as long as the call alone may
	chunk, at int   // how many of them are left out next, and where
	tries     int
	best      *trial // of those calls; nil where that is the sweep
}

// addReduction lets the search try alone a call of a sweep that was the first to cover
// something, with those that it takes something from: soon what covers places in the
// source, of which one sweep may be the first to cover many, and at once what does not.
func (p *proposer) addReduction(sweep *trial, planned model.Test, call int, places []int) {
	r := &reduction{sweep: sweep, planned: planned, call: call, places: places}
	if len(places) > 0 {
		p.postpone(r)
		return
	}
	p.enqueueStep(r, r.next())
}

// postpone lets a reduction wait for its turn.
func (p *proposer) postpone(r *reduction) {
	p.reductions = append(p.reductions[max(0, len(p.reductions)+1-maxReductions):], r)
}

func (p *proposer) enqueueStep(r *reduction, calls []int) {
	t := p.partOfSweep(r.sweep, calls, r.places)
	if len(r.places) > 0 {
		t.reduces, t.reductionCalls = r, calls
	}
	p.search.Enqueue(t)
}

// advanceReduction goes on with a reduction when one of its tests was played.
func (p *proposer) advanceReduction(t *trial, seen []model.Score) {
	r := t.reduces
	if p.plan.Sampling.Operands == 0 {
		return
	}
	does := !slices.ContainsFunc(r.places, func(i int) bool { return !p.code.coverage.covers(seen, i) })
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

// takeReduction takes the reduction whose turn it is: the last that has not begun, for most
// calls do alone, else the last.
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

// startReduction plants the next test of a reduction that waits, and reports whether there
// was one.
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

// next are the calls to try next, nil where there is nothing more to leave out.
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
