package client

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Pacer decides when requests may be sent. Clients of the same service share one. It is safe for
// concurrent use.
type Pacer struct {
	limiter *rate.Limiter // nil is no limit

	mu      sync.Mutex
	until   time.Time // no request is sent before
	refused int
}

// NewPacer returns a pacer of at most perSecond requests a second; 0 is no limit.
func NewPacer(perSecond float64) *Pacer {
	if perSecond <= 0 {
		return &Pacer{}
	}
	return &Pacer{limiter: rate.NewLimiter(rate.Limit(perSecond), 1)}
}

// RefusedCount returns how many answers asked for fewer requests.
func (p *Pacer) RefusedCount() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refused
}

// wait waits until one request may be sent. The error is the context's.
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

// turn reserves the next slot and returns the delay until it. The reservation is nil if there is
// no limit.
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

// refuse counts an answer that asked for fewer requests.
func (p *Pacer) refuse() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused++
}

// hold lets no request be sent for a while.
func (p *Pacer) hold(pause time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := time.Now().Add(pause); until.After(p.until) {
		p.until = until
	}
}
