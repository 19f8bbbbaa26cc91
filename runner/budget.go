package runner

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
	limits model.Limits
	before time.Duration // of a run that goes on
	start  time.Time
	paused time.Duration
	out    int // what is in purses that are not settled yet

	calls, setUp, checking, minimising int // of all purses that are settled

	inCheck bool // the calls of this moment look closer at what was found
	inKeep  bool // they play kept tests again, or smaller ones
}

// purse is what a caller may send for one test, and what it has sent.
type purse struct {
	given, left  int
	calls, setUp int
	before       int  // requests of the budget when it was filled
	inSet        bool // the requests of this moment are set-up
	short        bool // there was too little in it
}

// take is asked before each request; where it says no, none may leave.
func (p *purse) take() bool {
	if p.left == 0 {
		p.short = true
		return false
	}
	p.left--
	p.calls++
	if p.inSet {
		p.setUp++
	}
	return true
}

// takeLogin is take for the requests of log-ins, which are set-up.
func (p *purse) takeLogin() (ok bool) {
	p.during(func() { ok = p.take() })
	return ok
}

// during does something whose requests are set-up.
func (p *purse) during(do func()) {
	was := p.inSet
	p.inSet = true
	do()
	p.inSet = was
}

// at is the number of the last request that left.
func (p *purse) at() int { return p.before + p.calls }

// left is how many requests may be given away.
func (b *budget) left() int {
	if b.limits.Calls == 0 {
		return math.MaxInt
	}
	return b.limits.Calls - b.calls - b.out
}

// fill puts so many requests into an empty purse, or all that are left.
func (b *budget) fill(p *purse, requests int) {
	n := min(requests, b.left())
	*p = purse{given: n, left: n, before: b.calls}
	if b.limits.Calls > 0 {
		b.out += n
	}
}

// settle counts what was taken of a purse, and empties it.
func (b *budget) settle(p *purse) {
	b.calls += p.calls
	b.setUp += p.setUp
	switch {
	case b.inCheck:
		b.checking += p.calls - p.setUp
	case b.inKeep:
		b.minimising += p.calls - p.setUp
	}
	if b.limits.Calls > 0 {
		b.out -= p.given
	}
	*p = purse{before: b.calls}
}

func (b *budget) elapsed() time.Duration { return b.before + time.Since(b.start) - b.paused }

func (b *budget) spent() bool {
	return b.limits.Calls > 0 && b.calls >= b.limits.Calls || b.limits.Time > 0 && b.elapsed() >= b.limits.Time
}

// used returns the share of the budget that is gone, 0 to 1.
func (b *budget) used() float64 {
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
