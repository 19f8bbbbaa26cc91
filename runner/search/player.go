package search

import (
	"context"
	"slices"

	"sonde/model"
)

// player plays tests that the search did not ask for. It begins no test whose reset and calls
// would exceed its limit of requests; log-ins and restarts may exceed it. The fault checker and the reducer each have
// a player.
type player struct {
	scheduler   *scheduler
	sent, limit int   // requests, resets included
	current     *task // the task that has its turn, nil if tests are played one after the other
}

// play plays a test if the limit and the budget allow it. ok is false if the test was not played or its outcome
// cannot be used. After a test for whose requests the budget was too small, the player plays no further tests. A
// replay of a run that was limited by time therefore ends at the same test.
func (p *player) play(ctx context.Context, t model.Test) (done played, ok bool) {
	least := len(t.Calls) + p.scheduler.pool.resetCost
	if p.sent+least > p.limit || !p.canPlay() || !p.scheduler.prepareTest(ctx) {
		return done, false
	}
	var sent int
	if now := p.current; now == nil {
		done, sent = p.scheduler.playNow(ctx, t, p.scheduler.requestsLeft())
	} else {
		p.sent += least // other tasks play tests meanwhile
		if !now.ask(t) {
			return done, false
		}
		done, sent = now.done, now.sent-least
	}
	p.sent += sent
	return done, len(done.results) > 0 && !done.short
}

// canPlay reports whether the run and its budget allow another test.
func (p *player) canPlay() bool { return p.scheduler.canPlayNow() }

// renamer returns a renamer that replaces the values in only, or all values if only is nil.
func (p *player) renamer(only []string) *renamer {
	return newRenamer(p.scheduler.plan.Spec, p.scheduler.judge.naming, p.scheduler.proposer.chance, only)
}

// holdsFor plays a test with fresh values and, if any value was replaced, also with its own values. It reports
// whether a condition holds for each outcome. If the condition held only with fresh values, these might be the cause.
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

// holdsForAll reports whether there are tests, and holdsFor is true for each of them.
func (p *player) holdsForAll(ctx context.Context, tests []model.Test, condition func(played) bool) bool {
	return len(tests) > 0 && !slices.ContainsFunc(tests, func(t model.Test) bool { return !p.holdsFor(ctx, t, condition) })
}
