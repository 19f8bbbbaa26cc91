package client

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Pace says when requests may leave. Clients that call the same service share
// one; nil is as fast as can be. It may be used by several goroutines.
type Pace struct {
	limiter *rate.Limiter

	mu      sync.Mutex
	until   time.Time // the service wants nothing before
	refused int
}

// NewPace returns a pace of at most so many requests a second; 0 is without
// limit.
func NewPace(perSecond float64) *Pace {
	limit := rate.Inf
	if perSecond > 0 {
		limit = rate.Limit(perSecond)
	}
	return &Pace{limiter: rate.NewLimiter(limit, 1)}
}

// Refused returns how many answers asked for fewer calls.
func (p *Pace) Refused() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refused
}

// wait waits for the turn of one request; the error is the context's.
func (p *Pace) wait(ctx context.Context) error {
	turn := p.limiter.Reserve()
	p.mu.Lock()
	delay := max(turn.Delay(), time.Until(p.until))
	p.mu.Unlock()
	if delay <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		turn.Cancel()
		return ctx.Err()
	}
}

// refuse notes that an answer asked for fewer calls.
func (p *Pace) refuse() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused++
}

// hold lets nothing leave for a while.
func (p *Pace) hold(pause time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := time.Now().Add(pause); until.After(p.until) {
		p.until = until
	}
}
