package client

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Pacer says when requests may leave. Clients that call the same service share
// one; nil is as fast as can be. It may be used by several goroutines.
type Pacer struct {
	limiter *rate.Limiter // nil is without limit

	mu      sync.Mutex
	until   time.Time // the service wants nothing before
	refused int
}

// NewPacer returns a pace of at most so many requests a second; 0 is without
// limit.
func NewPacer(perSecond float64) *Pacer {
	if perSecond <= 0 {
		return &Pacer{}
	}
	return &Pacer{limiter: rate.NewLimiter(rate.Limit(perSecond), 1)}
}

// RefusedCount returns how many answers asked for fewer calls.
func (p *Pacer) RefusedCount() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refused
}

// wait waits for the turn of one request; the error is the context's.
func (p *Pacer) wait(ctx context.Context) error {
	turn, delay := p.turn()
	if delay <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		if turn != nil {
			turn.Cancel()
		}
		return ctx.Err()
	}
}

// turn takes a turn, which is nil where there is no limit, and tells how long it
// is until then.
func (p *Pacer) turn() (turn *rate.Reservation, delay time.Duration) {
	if p.limiter != nil {
		turn = p.limiter.Reserve()
		delay = turn.Delay()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.until.IsZero() {
		delay = max(delay, time.Until(p.until))
	}
	return turn, delay
}

// refuse notes that an answer asked for fewer calls.
func (p *Pacer) refuse() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused++
}

// hold lets nothing leave for a while.
func (p *Pacer) hold(pause time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := time.Now().Add(pause); until.After(p.until) {
		p.until = until
	}
}
