package search

import (
	"context"

	"sonde/model"
)

// player plays tests that the search did not ask for, one after the other and within a limit of
// its own. The fault checker and the reducer each have one.
type player struct {
	scheduler   *scheduler
	sent, limit int // requests, resets included
}

// play plays a test if the limit and the budget allow it, and reports whether the result can be
// used. Once the budget was too short for a test, no further test is played, so that repeating a
// run that was limited by time ends at the same test.
func (a *player) play(ctx context.Context, t model.Test) (p played, ok bool) {
	if a.sent+len(t.Calls)+a.scheduler.pool.resetCost > a.limit || !a.canPlay() || !a.scheduler.gate(ctx) {
		return p, false
	}
	before := a.scheduler.pool.budget.calls
	p = a.scheduler.pool.play(ctx, t, a.remaining())
	a.sent += a.scheduler.pool.budget.calls - before
	a.scheduler.journal.noteRestarts(p)
	a.scheduler.outOfBudget = p.short
	a.scheduler.stopOnError(ctx, p.err)
	a.scheduler.journal.countReplies(p.results)
	a.scheduler.judge.history.observe(p.test, p.results)
	a.scheduler.locateScores(ctx, a.scheduler.pool.first(), &p)
	a.scheduler.code.noteSetUp(p.setUp)
	if p.late != nil {
		a.scheduler.archive.record(nil, 0, a.scheduler.judge.faults.record(*p.late))
	}
	a.scheduler.handleEnded(p.ended)
	a.scheduler.updateProgress()
	a.scheduler.publishIfDue()
	return p, len(p.results) > 0 && !p.short
}

// canPlay reports whether another test may be played.
func (a *player) canPlay() bool {
	s := a.scheduler
	return s.err == nil && s.journal.sinkErr == nil && !s.outOfBudget && s.pool.canStart() && a.remaining() > s.pool.resetCost
}

// remaining returns how many requests may still be sent. If the run repeats another one, it sends
// no more than that did.
func (a *player) remaining() int {
	left := a.scheduler.pool.budget.remaining()
	if r := a.scheduler.plan.Replay; r != nil && r.Asked > 0 {
		left = min(left, r.Calls-a.scheduler.pool.budget.calls)
	}
	return left
}

// renamer returns a renamer that replaces some values of tests, or all if only is nil.
func (a *player) renamer(only []string) *renamer {
	return newRenamer(a.scheduler.plan.Spec, a.scheduler.judge.naming, a.scheduler.proposer.chance, only)
}
