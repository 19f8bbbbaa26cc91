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

// resume counts the proposer's shares of the resumed run as used.
func (p *proposer) resume() {
	p.extensionCalls, p.reductionCalls = p.shareOfCalls(p.extensionShare()), p.shareOfCalls(reductionShare)
	p.sweepCalls = p.sweepShare() // an estimate: the exact number is not saved
}

// resume counts the restarts of the resumed run.
func (p *workerPool) resume(r *model.ResumeState) { p.restarts = r.Last.Restarts }

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
func (s *scheduler) adoptTest(t model.Test) {
	var scores []model.Score
	for _, id := range t.Covers {
		scores = append(scores, model.Score{Target: id, H: 1})
		s.judge.targets.cover(id)
	}
	t.EarlierState = ""
	t.Covers, t.Code = nil, 0 // its code targets are found when it is played
	kept := &trial{individual: s.proposer.tests.AdoptTest(s.proposer.chance, t), lineage: t.Lineage, test: t}
	s.archive.search.Offer(kept, scores)
	s.archive.search.Enqueue(&trial{individual: kept.individual, resumed: kept})
}

// replaySteering applies the commands of the resumed run again, each at its time, because knobs
// continue from where they were set. Seqs that were tried are not tried again.
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

// resume restores the curve and the counts of answers. If the counts were not saved, it counts the answers in
// the kept tests.
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
	t.Calls = t.Calls[:len(results)] // calls without an answer are last
	s.countAnswers(t, results)
}
