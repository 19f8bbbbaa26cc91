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

func (r *requestQueue) change(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
	close(r.wake)
	r.wake = make(chan struct{})
}

// take returns the commands since the last call, whether to wait, and a channel that is closed
// when there are more. It uses up a step.
func (r *requestQueue) drain() (commands []model.Command, wait bool, wake <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	commands, r.pending = r.pending, nil
	wait = r.paused && r.steps == 0
	if r.paused && r.steps > 0 {
		r.steps--
	}
	return commands, wait, r.wake
}

// isPaused reports whether the run is paused. A step does not end the pause.
func (r *requestQueue) isPaused() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.paused
}
