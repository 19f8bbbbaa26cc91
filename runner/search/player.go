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
	p, sent := a.scheduler.playNow(ctx, t, a.scheduler.requestsLeft())
	a.sent += sent
	return p, len(p.results) > 0 && !p.short
}

// canPlay reports whether another test may be played.
func (a *player) canPlay() bool { return a.scheduler.canPlayNow() }

// renamer returns a renamer that replaces some values of tests, or all if only is nil.
func (a *player) renamer(only []string) *renamer {
	return newRenamer(a.scheduler.plan.Spec, a.scheduler.judge.naming, a.scheduler.proposer.chance, only)
}

// holdsFor reports whether a condition holds for a test both with fresh values and as it is: fresh
// values alone may be the cause.
func (a *player) holdsFor(ctx context.Context, t model.Test, is func(played) bool) bool {
	own, renamed := a.renamer(nil).rename(t)
	p, ok := a.play(ctx, own)
	if !ok || !is(p) {
		return false
	}
	if renamed {
		p, ok = a.play(ctx, t)
	}
	return ok && is(p)
}
