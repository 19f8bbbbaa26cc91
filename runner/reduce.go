package runner

import (
	"slices"

	"sonde/model"
)

// mostReductions is how many tests it may take to find out what a call needs.
const mostReductions = 20

// mostWaiting is how many reductions wait for their turn; of more the oldest are
// given up.
const mostWaiting = 200

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

// reduce lets the search try alone a call of a sweep that was the first to cover
// something, with those that it takes something from: soon what covers places in the
// source, of which one sweep may be the first to cover many, and at once what does not.
func (e *engine) reduce(sweep *trial, planned model.Test, call int, places []int) {
	r := &reduction{sweep: sweep, planned: planned, call: call, places: places}
	if len(places) > 0 {
		e.postpone(r)
		return
	}
	e.plant(r, r.next())
}

// postpone lets a reduction wait for its turn.
func (e *engine) postpone(r *reduction) {
	e.waiting = append(e.waiting[max(0, len(e.waiting)+1-mostWaiting):], r)
}

func (e *engine) plant(r *reduction, calls []int) {
	t := e.piece(r.sweep, calls, r.places)
	if len(r.places) > 0 {
		t.reduces, t.calls = r, calls
	}
	e.search.Plant(t)
}

// reduced goes on with a reduction when one of its tests was played.
func (e *engine) reduced(t *trial, seen []model.Score) {
	r := t.reduces
	if e.plan.Sampling.Operands == 0 {
		return
	}
	does := !slices.ContainsFunc(r.places, func(i int) bool { return !e.source.covers(seen, i) })
	switch {
	case does && r.calls == nil:
		e.tests.Reach(t.individual)
		return
	case does:
		r.calls, r.best = t.calls, t
	case r.calls == nil:
		r.calls = numbers(r.call + 1)
		r.chunk = len(r.calls) / 2
	default:
		r.at += r.chunk
	}
	e.postpone(r)
}

// turn takes the reduction whose turn it is: the last that has not begun, for most
// calls do alone, else the last.
func (e *engine) turn() *reduction {
	at := len(e.waiting) - 1
	for i, r := range slices.Backward(e.waiting) {
		if r.calls == nil {
			at = i
			break
		}
	}
	r := e.waiting[at]
	e.waiting = slices.Delete(e.waiting, at, at+1)
	return r
}

// goReduce plants the next test of a reduction that waits, and reports whether there
// was one.
func (e *engine) goReduce() bool {
	for len(e.waiting) > 0 {
		r := e.turn()
		if next := r.next(); next != nil {
			e.reducing += len(next) + e.cost
			e.plant(r, next)
			return true
		}
		if r.best != nil {
			e.tests.Reach(r.best.individual)
		}
	}
	return false
}

// next are the calls to try next, nil where there is nothing more to leave out.
func (r *reduction) next() []int {
	r.tries++
	if r.calls == nil {
		return needed(r.planned, r.call)
	}
	for r.chunk > 0 && r.tries <= mostReductions {
		last := len(r.calls) - 1
		if r.at >= last {
			r.chunk, r.at = r.chunk/2, 0
			continue
		}
		keep := slices.Delete(slices.Clone(r.calls), r.at, min(r.at+r.chunk, last))
		keep = needed(r.planned, keep...)
		if len(keep) < len(r.calls) {
			return keep
		}
		r.at += r.chunk
	}
	return nil
}
