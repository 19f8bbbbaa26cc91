package runner

import (
	"context"

	"sonde/model"
)

// aside is a part of a run that plays tests which the search did not ask for,
// one after the other and within a limit of its own.
type aside struct {
	*engine
	sent, limit int // requests, resets included
}

// play plays a test if there is room for it, and reports whether that says
// anything. Once the budget was too short for a test, no other is played: a run
// that is repeated then ends where the one did that went by time.
func (a *aside) play(ctx context.Context, t model.Test) (p played, ok bool) {
	if a.sent+len(t.Calls)+a.cost > a.limit || !a.more() || !a.gate(ctx) {
		return p, false
	}
	before := a.budget.calls
	p = a.crew.play(ctx, t, a.rest())
	a.sent += a.budget.calls - before
	a.restarted(p)
	a.short = p.short
	a.fail(ctx, p.err)
	a.pass(p.results)
	a.history.see(p.test, p.results)
	a.discern(ctx, a.first(), &p)
	a.settled(p.setUp)
	if p.late != nil {
		a.report(nil, 0, a.book.enter(*p.late))
	}
	a.mourn(p.ended)
	a.progress()
	a.refresh()
	return p, len(p.results) > 0 && !p.short
}

// more reports whether more may be played.
func (a *aside) more() bool {
	return a.err == nil && a.sinkErr == nil && !a.short && a.room() && a.rest() > a.cost
}

// rest is how many requests may be sent: no more than there are left of the
// budget, and of those that a run sent which is repeated as far as it came.
func (a *aside) rest() int {
	left := a.budget.left()
	if r := a.plan.Replay; r != nil && r.Asked > 0 {
		left = min(left, r.Calls-a.budget.calls)
	}
	return left
}
