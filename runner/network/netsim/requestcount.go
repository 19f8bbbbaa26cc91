package netsim

import (
	"sync"
	"time"
)

// requestCount counts requests in flight. The zero value has none.
type requestCount struct {
	mu   sync.Mutex
	open int
	none chan struct{} // closed when open becomes 0; nil while open is 0
}

// begin counts a request. The caller must call done when the request is over.
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

// wait waits until no request is in flight. It returns false if that takes longer than
// atMost.
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
