package search

import (
	"context"
	"math"
	"time"

	"sonde/model"
)

// budget counts every request that leaves, and says when it is enough. Callers
// get their part of it in a purse, test by test, so that what a test may send
// follows from the tests before it and not from who is faster.
type budget struct {
	limits        model.Limits
	elapsedBefore time.Duration // of a run that goes on
	start         time.Time
	paused        time.Duration
	reserved      int // what is in purses that are not settled yet

	calls, setUp, checking, minimising int // of all purses that are settled

	inCheck      bool // the calls of this moment look closer at what was found
	inMinimising bool // they play kept tests again, or smaller ones
}

// quota is what a caller may send for one test, and what it has sent.
type quota struct {
	given, left  int
	calls, setUp int
	callsBefore  int  // requests of the budget when it was filled
	inSetUp      bool // the requests of this moment are set-up
	exhausted    bool // there was too little in it
}

// take is asked before each request; where it says no, none may leave.
func (p *quota) take() bool {
	if p.left == 0 {
		p.exhausted = true
		return false
	}
	p.left--
	p.calls++
	if p.inSetUp {
		p.setUp++
	}
	return true
}

// takeLogin is take for the requests of log-ins, which are set-up.
func (p *quota) takeLogin() (ok bool) {
	p.asSetUp(func() { ok = p.take() })
	return ok
}

// asSetUp does something whose requests are set-up.
func (p *quota) asSetUp(do func()) {
	was := p.inSetUp
	p.inSetUp = true
	do()
	p.inSetUp = was
}

// lastCall is the number of the last request that left.
func (p *quota) lastCall() int { return p.callsBefore + p.calls }

// remaining is how many requests may be given away.
func (b *budget) remaining() int {
	if b.limits.Calls == 0 {
		return math.MaxInt
	}
	return b.limits.Calls - b.calls - b.reserved
}

// grant puts so many requests into an empty quota, or all that remain.
func (b *budget) grant(p *quota, requests int) {
	n := min(requests, b.remaining())
	*p = quota{given: n, left: n, callsBefore: b.calls}
	if b.limits.Calls > 0 {
		b.reserved += n
	}
}

// settle counts what was taken of a purse, and empties it.
func (b *budget) settle(p *quota) {
	b.calls += p.calls
	b.setUp += p.setUp
	switch {
	case b.inCheck:
		b.checking += p.calls - p.setUp
	case b.inMinimising:
		b.minimising += p.calls - p.setUp
	}
	if b.limits.Calls > 0 {
		b.reserved -= p.given
	}
	*p = quota{callsBefore: b.calls}
}

func (b *budget) elapsed() time.Duration { return b.elapsedBefore + time.Since(b.start) - b.paused }

func (b *budget) exhausted() bool {
	return b.limits.Calls > 0 && b.calls >= b.limits.Calls || b.limits.Time > 0 && b.elapsed() >= b.limits.Time
}

// usedShare returns the share of the budget that is gone, 0 to 1.
func (b *budget) usedShare() float64 {
	used := 0.0
	if b.limits.Calls > 0 {
		used = float64(b.calls) / float64(b.limits.Calls)
	}
	if b.limits.Time > 0 {
		used = max(used, float64(b.elapsed())/float64(b.limits.Time))
	}
	return min(used, 1)
}

// deadline ends a context when the time is up.
func (b *budget) deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if b.limits.Time <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, b.limits.Time-b.elapsed())
}
