package search

import (
	"context"
	"math"
	"time"

	"sonde/model"
)

// budget counts the requests to the service, and the requests that log users in or create users at any
// host. It does not count requests to a driver. It also decides when a run has reached one of its
// limits.
//
// Each test gets a quota of the budget before it is played. The number of requests that a test may send
// therefore depends on the tests before it, and not on the speed of the workers.
type budget struct {
	limits        model.Limits
	elapsedBefore time.Duration // time that the resumed run had used
	timeIsUp      bool          // this run replays another run, whose time was up
	start         time.Time
	paused        time.Duration // total length of the pauses
	reserved      int           // requests in quotas that are not settled yet
	keptForLast   int           // requests that are not granted before the last operations of the run
	lease         *lease        // lease of an island; nil for other runs

	// Numbers of requests of all settled quotas. calls includes the other three.
	calls, setUp, checking, minimising int
	// unsearched is the number of all requests while faults were checked or tests were minimised, also for set-up.
	unsearched int

	inCheck      bool // settle counts requests as checking
	inMinimising bool // settle counts requests as minimising
}

// quota is the number of requests that a worker may send for one test, and the number that it has sent.
type quota struct {
	given, left  int
	calls, setUp int  // requests that were sent, and those among them for set-up
	callsBefore  int  // budget.calls when the quota was granted or emptied
	inSetUp      bool // requests count as set-up now
	exhausted    bool // a request was refused because nothing was left
	lease        *lease
}

// take counts a request before it is sent. If it returns false, the request must not be sent.
func (q *quota) take() bool {
	if q.left == 0 || !q.lease.take() {
		q.exhausted = true
		return false
	}
	q.left--
	q.calls++
	if q.inSetUp {
		q.setUp++
	}
	return true
}

// takeLogin is like take, but for a request that logs a user in or creates a user. Such a request counts as
// set-up.
func (q *quota) takeLogin() (ok bool) {
	q.asSetUp(func() { ok = q.take() })
	return ok
}

// asSetUp calls a function whose requests count as set-up.
func (q *quota) asSetUp(do func()) {
	was := q.inSetUp
	q.inSetUp = true
	do()
	q.inSetUp = was
}

// lastCall returns the number, in the run, of the last request that was sent.
func (q *quota) lastCall() int { return q.callsBefore + q.calls }

// remaining returns how many requests can be granted now. It is math.MaxInt without a limit.
func (b *budget) remaining() int {
	if b.limits.Calls == 0 {
		return math.MaxInt
	}
	return max(0, b.limits.Calls-b.calls-b.reserved-b.keptForLast)
}

// keepForLast reserves a share of the budget, from 0 to 1, for the last operations of the run. Tests before these
// cannot use the reserved requests.
func (b *budget) keepForLast(share float64) { b.keptForLast = int(share * float64(b.limits.Calls)) }

// grant puts requests into an empty quota: the given number, or all that remain if these are fewer.
func (b *budget) grant(q *quota, requests int) {
	n := min(requests, b.remaining())
	*q = quota{given: n, left: n, callsBefore: b.calls, lease: b.lease}
	if b.limits.Calls > 0 {
		b.reserved += n
	}
}

// settle counts the requests that were sent from a quota, returns the others to the budget, and empties the quota.
func (b *budget) settle(q *quota) {
	b.calls += q.calls
	b.setUp += q.setUp
	if b.inCheck || b.inMinimising {
		b.unsearched += q.calls
	}
	switch {
	case b.inCheck:
		b.checking += q.calls - q.setUp
	case b.inMinimising:
		b.minimising += q.calls - q.setUp
	}
	if b.limits.Calls > 0 {
		b.reserved -= q.given
	}
	*q = quota{callsBefore: b.calls}
}

// searched returns the number of requests that served the search: those that checked no faults and minimised no tests.
func (b *budget) searched() int { return b.calls - b.unsearched }

func (b *budget) begin() { b.start = time.Now() }

// addPause excludes a pause of length d from elapsed.
func (b *budget) addPause(d time.Duration) { b.paused += d }

// beginChecking lets settle count requests as checking until end is called.
func (b *budget) beginChecking() (end func()) {
	b.inCheck = true
	return func() { b.inCheck = false }
}

// beginMinimising lets settle count requests as minimising until end is called.
func (b *budget) beginMinimising() (end func()) {
	b.inMinimising = true
	return func() { b.inMinimising = false }
}

// elapsed returns how long the run has taken, without pauses.
func (b *budget) elapsed() time.Duration { return b.elapsedBefore + time.Since(b.start) - b.paused }

// exhausted reports whether a limit is reached.
func (b *budget) exhausted() bool {
	return b.timeIsUp || b.lease.hasEnded() || b.limits.Calls > 0 && b.calls >= b.limits.Calls ||
		b.limits.Time > 0 && b.elapsed() >= b.limits.Time
}

// usedShare returns the used share of the budget, from 0 to 1. If requests and time are limited, the larger
// share counts.
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

// deadline returns a context that ends with ctx, or earlier when the time limit is reached.
func (b *budget) deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if b.limits.Time <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, b.limits.Time-b.elapsed())
}
