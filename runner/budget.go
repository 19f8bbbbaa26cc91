package runner

import (
	"context"
	"time"

	"sonde/model"
)

// budget counts every request that leaves, and says when it is enough.
type budget struct {
	limits model.Limits
	start  time.Time
	paused time.Duration
	calls  int
	setUp  int
	inSet  bool // the requests of this moment are set-up

	checking int
	inCheck  bool // the requests of this moment look closer at what was found
}

// take is asked before each request; where it says no, none may leave.
func (b *budget) take() bool {
	if b.spent() {
		return false
	}
	b.calls++
	switch {
	case b.inSet:
		b.setUp++
	case b.inCheck:
		b.checking++
	}
	return true
}

// takeLogin is take for the requests of log-ins, which are set-up.
func (b *budget) takeLogin() bool {
	was := b.inSet
	b.inSet = true
	defer func() { b.inSet = was }()
	return b.take()
}

func (b *budget) elapsed() time.Duration { return time.Since(b.start) - b.paused }

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

// fits tells whether as many requests leave room for a call after them.
func (b *budget) fits(requests int) bool {
	return b.limits.Calls == 0 || b.calls+requests < b.limits.Calls
}

// deadline ends a context when the time is up.
func (b *budget) deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if b.limits.Time <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, b.limits.Time-b.elapsed())
}
