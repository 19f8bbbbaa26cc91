package search

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/target/client"
)

// resume gives a new scheduler the state of the run that it continues: the tests and faults, and the applied
// commands. newScheduler has restored the budget before. resume queues the kept tests first. When they have been
// played, the search has individuals near the open targets, and values from answers.
func (s *scheduler) resume(r *model.ResumeState) {
	s.pool.resume(r)
	s.asked = testsAsked(r)
	s.judged = s.asked
	s.proposer.resume()
	s.judge.stats.resume(r)
	for _, t := range r.Tests {
		s.adoptTest(t)
	}
	for _, f := range r.Faults {
		s.judge.faults.restore(f)
	}
	if n := s.judge.targets.coveredCount; n > 0 {
		s.judge.stats.addCurvePoint(s.pool.requestsSent(), n)
	}
	s.reapplyCommands()
}

// resume assumes that the resumed run has used up the shares of all kinds of tests. The exact numbers are not saved.
func (p *proposer) resume() {
	p.reductionCalls = p.shareOfCalls(reductionShare)
	for _, k := range p.kinds {
		k.used = p.shareOfCalls(k.share())
	}
	p.sweepCalls = p.sweepShare()
}

// resume counts the restarts of the resumed run.
func (p *workerPool) resume(r *model.ResumeState) { p.restarts = r.Last.Restarts }

// resume counts the budget that the resumed run had used.
func (b *budget) resume(r *model.ResumeState) {
	last := r.Last
	b.calls += requestsSent(r)
	b.setUp += last.SetUp
	b.checking, b.minimising, b.elapsedBefore = last.Checking, last.Minimising, last.Elapsed
	b.unsearched = last.Checking + last.Minimising // the set-up of checking and minimising is missing, because it is not recorded
	if !r.Ended {
		b.assumeUnrecorded()
	}
}

// requestsSent returns the number of requests that the resumed run is known to have sent; it may have sent more. If
// the run was killed, its tests and faults may have higher call numbers than its last event.
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

// assumeUnrecorded adds a thousandth of the budget, because a killed run may have used that much after its last
// progress event. Tests that were being played when the run was killed are not counted.
func (b *budget) assumeUnrecorded() {
	b.calls = max(b.calls, min(b.calls+b.limits.Calls/1000, b.limits.Calls))
	b.elapsedBefore += b.limits.Time / 1000
}

// testsAsked returns the number of tests that the resumed run is known to have asked for. The number is high enough
// for new tests to get unique IDs.
func testsAsked(r *model.ResumeState) int {
	n := r.Last.Asked
	for _, t := range r.Tests {
		if number, err := strconv.Atoi(strings.TrimPrefix(t.ID, "t")); err == nil {
			n = max(n, number)
		}
	}
	return n
}

// adoptTest puts a test of the resumed run into the archive as it is, and queues the test.
func (s *scheduler) adoptTest(t model.Test) {
	var scores []model.Score
	for _, id := range t.Covers {
		scores = append(scores, model.Score{Target: id, H: 1})
		s.judge.targets.cover(id)
	}
	t.EarlierState = ""
	t.Covers, t.Code = nil, 0 // playing the test will find its code targets
	kept := &trial{individual: s.proposer.tests.AdoptTest(s.proposer.chance, t), lineage: t.Lineage, test: t}
	s.archive.search.Offer(kept, scores)
	s.archive.search.Enqueue(&trial{individual: kept.individual, resumed: kept})
}

// reapplyCommands applies the commands of the resumed run again. A tuned parameter changes gradually from the value
// that it had when the command was given. Each command is therefore applied with the share of the budget that was
// used at that time. reapplyCommands does not play the user's seqs again.
func (s *scheduler) reapplyCommands() {
	for _, command := range s.pendingCommands {
		s.judge.stats.addCommand(command)
	}
	s.usage.advance(s.asked)
	for _, command := range s.pendingCommands {
		if command.Try == nil {
			s.archive.search.SetBudgetUsed(s.usage.used * float64(command.Call) / float64(max(s.pool.requestsSent(), command.Call, 1)))
			s.commands.apply(command.Command)
		}
	}
	s.pendingCommands = nil
	s.archive.search.SetBudgetUsed(s.usage.used)
}

// resume restores the curve and the counts of answers. If the counts were not saved, it counts the answers to the kept
// tests.
func (s *statistics) resume(r *model.ResumeState) {
	s.unanswered, s.noAnswer, s.curve = r.Last.Unanswered, r.Last.NoAnswer, slices.Clone(r.Curve)
	for op, counts := range r.Answers {
		s.counts[op] = maps.Clone(counts)
	}
	if r.Answers == nil {
		for _, t := range r.Tests {
			s.countTest(t)
		}
	}
}

// countTest counts the answers in a test of the resumed run.
func (s *statistics) countTest(t model.Test) {
	var results []client.CallResult
	for _, c := range t.Calls {
		if c.Status > 0 {
			results = append(results, client.CallResult{Exchange: model.Exchange{Reply: model.Reply{Status: c.Status}}})
		}
	}
	t.Calls = t.Calls[:len(results)] // calls without an answer are at the end
	s.countAnswers(t, results)
}
