package netsim

import (
	"sync"
	"time"
)

// requestCount counts requests that are not over. The zero value counts none.
type requestCount struct {
	mu   sync.Mutex
	open int
	none chan struct{} // closed when open falls to 0; nil while it is
}

// begin counts a request until done is called.
func (c *requestCount) begin() (done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open++
	if c.none == nil {
		c.none = make(chan struct{})
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.open--
		if c.open == 0 {
			close(c.none)
			c.none = nil
		}
	}
}

// wait waits until no request is open, and reports whether that came within a time.
func (c *requestCount) wait(atMost time.Duration) bool {
	c.mu.Lock()
	none := c.none
	c.mu.Unlock()
	if none == nil {
		return true
	}
	late := time.NewTimer(atMost)
	defer late.Stop()
	select {
	case <-none:
		return true
	case <-late.C:
		return false
	}
}
