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
func (p *player) play(ctx context.Context, t model.Test) (done played, ok bool) {
	if p.sent+len(t.Calls)+p.scheduler.pool.resetCost > p.limit || !p.canPlay() || !p.scheduler.prepareTest(ctx) {
		return done, false
	}
	done, sent := p.scheduler.playNow(ctx, t, p.scheduler.requestsLeft())
	p.sent += sent
	return done, len(done.results) > 0 && !done.short
}

// canPlay reports whether another test may be played.
func (p *player) canPlay() bool { return p.scheduler.canPlayNow() }

// renamer returns a renamer that replaces some values of tests, or all if only is nil.
func (p *player) renamer(only []string) *renamer {
	return newRenamer(p.scheduler.plan.Spec, p.scheduler.judge.naming, p.scheduler.proposer.chance, only)
}

// holdsFor reports whether a condition holds for a test both with fresh values and as it is: fresh
// values alone may be the cause.
func (p *player) holdsFor(ctx context.Context, t model.Test, condition func(played) bool) bool {
	own, renamed := p.renamer(nil).rename(t)
	done, ok := p.play(ctx, own)
	if !ok || !condition(done) {
		return false
	}
	if renamed {
		done, ok = p.play(ctx, t)
	}
	return ok && condition(done)
}
