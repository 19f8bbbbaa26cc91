package search

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/target/client"
)

// resume brings a new scheduler to the state of the run that it continues: its tests and faults,
// the commands that were applied, and the used budget. The kept tests are played once more first,
// so that the search has a start for the targets that are still open, and values from answers.
func (e *scheduler) resume(r *model.ResumeState) {
	e.pool.resume(r)
	e.asked = testsAsked(r)
	e.judged = e.asked
	e.proposer.resume()
	e.judge.stats.resume(r)
	for _, t := range r.Tests {
		e.adoptTest(t)
	}
	for _, f := range r.Faults {
		e.judge.faults.restore(f)
	}
	if n := e.judge.targets.coveredCount; n > 0 {
		e.judge.stats.addCurvePoint(e.pool.requestsSent(), n)
	}
	e.replaySteering()
}

// resume counts the proposer's shares of the resumed run as used.
func (p *proposer) resume() {
	p.onward, p.reductionCalls = p.shareOfCalls(p.onwardShare()), p.shareOfCalls(reductionShare)
	p.sweepCalls = p.sweepShare() // an estimate: the exact number is not saved
}

// resume counts the restarts of the resumed run.
func (c *workerPool) resume(r *model.ResumeState) { c.restarts = r.Last.Restarts }

// resume counts what the resumed run had used.
func (b *budget) resume(r *model.ResumeState) {
	last := r.Last
	b.calls, b.setUp, b.checking, b.minimising, b.elapsedBefore = requestsSent(r), last.SetUp, last.Checking, last.Minimising, last.Elapsed
	if !r.Ended {
		b.assumeUnrecorded()
	}
}

// requestsSent returns a lower bound of the requests that the resumed run had sent. If it was killed
// between two events, its tests and faults may have higher call numbers than the last event.
func requestsSent(r *model.ResumeState) int {
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

// assumeUnrecorded counts what a killed run may have sent after its last progress event, which it
// emits each time it has used another thousandth of the budget. The number of tests that were being
// played is not known.
func (b *budget) assumeUnrecorded() {
	b.calls = max(b.calls, min(b.calls+b.limits.Calls/1000, b.limits.Calls))
	b.elapsedBefore += b.limits.Time / 1000
}

// testsAsked returns a lower bound of the tests that were asked for, so that no ID is used twice.
func testsAsked(r *model.ResumeState) int {
	n := r.Last.Asked
	for _, t := range r.Tests {
		if number, err := strconv.Atoi(strings.TrimPrefix(t.ID, "t")); err == nil {
			n = max(n, number)
		}
	}
	return n
}

// adoptTest puts a test of the resumed run into the archive as it is, and queues it to be played.
func (e *scheduler) adoptTest(t model.Test) {
	var scores []model.Score
	for _, id := range t.Covers {
		scores = append(scores, model.Score{Target: id, H: 1})
		e.judge.targets.cover(id)
	}
	t.EarlierState = ""
	t.Covers, t.Code = nil, 0 // its code targets are found when it is played
	kept := &trial{individual: e.proposer.tests.AdoptTest(e.proposer.chance, t), birth: t.Lineage, test: t}
	e.archive.search.Offer(kept, scores)
	e.archive.search.Enqueue(&trial{individual: kept.individual, resumed: kept})
}

// replaySteering applies the commands of the resumed run again, each at its time, because knobs
// continue from where they were set. Seqs that were tried are not tried again.
func (e *scheduler) replaySteering() {
	for _, s := range e.script {
		e.judge.stats.addCommand(s)
	}
	e.usage.advance(e.asked)
	for _, s := range e.script {
		if s.Try == nil {
			e.archive.search.SetBudgetUsed(e.usage.used * float64(s.Call) / float64(max(e.pool.requestsSent(), s.Call, 1)))
			e.controls.apply(s.Command)
		}
	}
	e.script = nil
	e.archive.search.SetBudgetUsed(e.usage.used)
}

// resume restores the curve and the counts of answers. If the counts were not saved, it counts the answers in
// the kept tests.
func (b *statistics) resume(r *model.ResumeState) {
	b.unanswered, b.noAnswer, b.curve = r.Last.Unanswered, r.Last.NoAnswer, slices.Clone(r.Curve)
	for op, counts := range r.Answers {
		b.counts[op] = maps.Clone(counts)
	}
	if r.Answers == nil {
		for _, t := range r.Tests {
			b.countTest(t)
		}
	}
}

// countTest counts the answers in a test of the resumed run.
func (b *statistics) countTest(t model.Test) {
	var results []client.CallResult
	for _, c := range t.Calls {
		if c.Status > 0 {
			results = append(results, client.CallResult{Exchange: model.Exchange{Reply: model.Reply{Status: c.Status}}})
		}
	}
	t.Calls = t.Calls[:len(results)] // calls without an answer are last
	b.countAnswers(t, results)
}
