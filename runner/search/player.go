package search

import (
	"context"

	"sonde/model"
)

// player is a part of a run that plays tests which the search did not ask for,
// one after the other and within a limit of its own.
type player struct {
	scheduler   *scheduler
	sent, limit int // requests, resets included
}

// play plays a test if there is room for it, and reports whether that says
// anything. Once the budget was too short for a test, no other is played: a run
// that is repeated then ends where the one did that went by time.
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

// canPlay reports whether more may be played.
func (a *player) canPlay() bool {
	return a.scheduler.err == nil && a.scheduler.journal.sinkErr == nil && !a.scheduler.outOfBudget && a.scheduler.pool.canStart() && a.remaining() > a.scheduler.pool.resetCost
}

// remaining is how many requests may be sent: no more than there are left of the
// budget, and of those that a run sent which is repeated as far as it came.
func (a *player) remaining() int {
	left := a.scheduler.pool.budget.remaining()
	if r := a.scheduler.plan.Replay; r != nil && r.Asked > 0 {
		left = min(left, r.Calls-a.scheduler.pool.budget.calls)
	}
	return left
}

// renamer gives tests values of their own: in place of some, or of all where only is nil.
func (a *player) renamer(only []string) *renamer {
	return newRenamer(a.scheduler.plan.Spec, a.scheduler.judge.naming, a.scheduler.proposer.chance, only)
}
