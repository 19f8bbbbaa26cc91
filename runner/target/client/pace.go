package client

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Pacer decides when requests may be sent. Clients of the same service share a Pacer. A Pacer is
// safe for concurrent use.
type Pacer struct {
	limiter *rate.Limiter // nil means no limit

	mu      sync.Mutex
	until   time.Time // no request is sent before this time
	refused int       // answers that asked for fewer requests
}

// NewPacer returns a pacer that allows perSecond requests a second; 0 or less means no limit.
func NewPacer(perSecond float64) *Pacer {
	if perSecond <= 0 {
		return &Pacer{}
	}
	return &Pacer{limiter: rate.NewLimiter(rate.Limit(perSecond), 1)}
}

// RefusedCount returns the number of answers that asked for fewer requests.
func (p *Pacer) RefusedCount() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refused
}

// wait waits until one request may be sent. It returns an error if the context ends first.
func (p *Pacer) wait(ctx context.Context) error {
	slot, delay := p.reserve()
	if delay <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		if slot != nil {
			slot.Cancel()
		}
		return ctx.Err()
	}
}

// reserve reserves a slot for the next request, and returns the delay until the request may be sent.
// slot is nil if there is no limit on the rate.
func (p *Pacer) reserve() (slot *rate.Reservation, delay time.Duration) {
	if p.limiter != nil {
		slot = p.limiter.Reserve()
		delay = slot.Delay()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.until.IsZero() {
		delay = max(delay, time.Until(p.until))
	}
	return slot, delay
}

// refuse counts an answer that asked for fewer requests, and delays all requests until the pause is over.
func (p *Pacer) refuse(pause time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused++
	if until := time.Now().Add(pause); pause > 0 && until.After(p.until) {
		p.until = until
	}
}
