package search

import (
	"sync"

	"sonde/model"
)

// requestQueue holds what a person asks of a run from outside. The scheduler takes it between two
// tests.
type requestQueue struct {
	mu      sync.Mutex
	paused  bool
	steps   int // tests that may still be played while it is paused
	pending []model.Command
	wake    chan struct{} // closed and replaced at each change
}

func newRequestQueue() *requestQueue { return &requestQueue{wake: make(chan struct{})} }

func (c *requestQueue) change(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
	close(c.wake)
	c.wake = make(chan struct{})
}

// take returns the commands since the last call, whether to wait, and a channel that is closed
// when there are more. It uses up a step.
func (c *requestQueue) take() (steers []model.Command, wait bool, wake <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	steers, c.pending = c.pending, nil
	wait = c.paused && c.steps == 0
	if c.paused && c.steps > 0 {
		c.steps--
	}
	return steers, wait, c.wake
}

// isPaused reports whether the run is paused. A step does not end the pause.
func (c *requestQueue) isPaused() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.paused
}
