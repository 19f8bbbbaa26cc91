package search

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/target/client"
)

// resume brings a new scheduler to where a run was that goes on: with the tests and
// faults that it had kept, what was done to it, and what it had used of its
// budget. The kept tests are played once more before all else, so that the search
// has something to start from for the targets that are still open, and values of
// answers to use again.
func (e *scheduler) resume(r *model.Resume) {
	last, book := r.Last, &e.judge.stats
	e.pool.restarts, book.unanswered, book.noAnswer = last.Restarts, last.Unanswered, last.NoAnswer
	e.asked = testsAsked(r)
	e.judged = e.asked
	e.proposer.resume()
	book.resume(r)
	for _, t := range r.Tests {
		e.adoptTest(t)
	}
	for _, f := range r.Faults {
		f.Unrepeated = ""
		e.judge.faults.rules.RememberFault(f)
		e.judge.faults.add(keyOf(f), f)
	}
	book.curve = slices.Clone(r.Curve)
	if n := e.judge.targets.coveredCount; n > 0 {
		book.curve = append(book.curve, model.CurvePoint{Calls: e.pool.budget.calls, Covered: n})
	}
	e.replaySteering()
}

// resume takes the shares of a run that goes on as used.
func (p *proposer) resume() {
	p.onward, p.reductionCalls = p.shareOfCalls(p.onwardShare()), p.shareOfCalls(reductionShare)
	p.sweepCalls = p.sweepShare() // as far as is known, and so that it goes on as it went
}

// resume counts what a run that goes on had used.
func (b *budget) resume(r *model.Resume) {
	last := r.Last
	b.calls, b.setUp, b.checking, b.minimising, b.elapsedBefore = requestsSent(r), last.SetUp, last.Checking, last.Minimising, last.Elapsed
	if !r.Ended {
		b.assumeUnrecorded()
	}
}

// requestsSent is how many requests had left at least: what was found tells of more than
// the last event where the run was killed between two.
func requestsSent(r *model.Resume) int {
	n := r.Last.Call
	for _, t := range r.Tests {
		if t.Lineage != nil {
			n = max(n, t.Lineage.Call)
		}
	}
	for _, f := range r.Faults {
		n = max(n, f.At)
	}
	return n
}

// assumeUnrecorded counts what may have left of a run that was killed since it told last:
// it does so each time another thousandth of the budget is used up. The tests
// that were under way when it was killed are not known.
func (b *budget) assumeUnrecorded() {
	b.calls = max(b.calls, min(b.calls+b.limits.Calls/1000, b.limits.Calls))
	b.elapsedBefore += b.limits.Time / 1000
}

// testsAsked is how many tests had been asked for at least, so that no ID comes twice.
func testsAsked(r *model.Resume) int {
	n := r.Last.Asked
	for _, t := range r.Tests {
		if number, err := strconv.Atoi(strings.TrimPrefix(t.ID, "t")); err == nil {
			n = max(n, number)
		}
	}
	return n
}

// adoptTest takes a test of before into the archive as it is, and has it played.
func (e *scheduler) adoptTest(t model.Test) {
	var scores []model.Score
	for _, id := range t.Covers {
		scores = append(scores, model.Score{Target: id, H: 1})
		e.judge.targets.cover(id)
	}
	t.EarlierState = ""
	t.Covers, t.Code = nil, 0 // what it covers of the source is seen when it is played
	kept := &trial{individual: e.proposer.tests.AdoptTest(e.proposer.chance, t), birth: t.Lineage, test: t}
	e.archive.search.Offer(kept, scores)
	e.archive.search.Enqueue(&trial{individual: kept.individual, resumed: kept})
}

// replaySteering does to the search what was done to it before, each thing when it was
// done, for knobs move on from there; but for seqs that were tried.
func (e *scheduler) replaySteering() {
	e.judge.stats.steered = slices.Clone(e.script)
	e.usage.advance(e.asked)
	for _, s := range e.script {
		if s.Try == nil {
			e.archive.search.SetBudgetUsed(e.usage.used * float64(s.Call) / float64(max(e.pool.budget.calls, s.Call, 1)))
			e.controls.apply(s.Command)
		}
	}
	e.script = nil
	e.archive.search.SetBudgetUsed(e.usage.used)
}

// resume counts what was answered before: all of it where that was kept.
func (b *statistics) resume(r *model.Resume) {
	for op, counts := range r.Answers {
		b.counts[op] = maps.Clone(counts)
	}
	if r.Answers == nil {
		for _, t := range r.Tests {
			b.countTest(t)
		}
	}
}

// countTest counts what was answered in a test of before, once.
func (b *statistics) countTest(t model.Test) {
	var results []client.CallResult
	for _, c := range t.Calls {
		if c.Status > 0 {
			results = append(results, client.CallResult{Exchange: model.Exchange{Reply: model.Reply{Status: c.Status}}})
		}
	}
	t.Calls = t.Calls[:len(results)] // those that got no answer are the last
	b.countAnswers(t, results)
}
