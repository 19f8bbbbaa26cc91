package search

import (
	"sync"

	"sonde/model"
)

// requestQueue holds what the user has requested of a run: commands, pauses and steps. The scheduler
// drains it between two tests. Any goroutine may use it.
type requestQueue struct {
	mu      sync.Mutex
	paused  bool
	steps   int // tests that may still be played during the pause
	pending []model.Command
	wake    chan struct{} // closed and replaced at each change
}

func newRequestQueue() *requestQueue { return &requestQueue{wake: make(chan struct{})} }

// change calls f with the lock held, and then wakes the scheduler if it waits.
func (r *requestQueue) change(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
	close(r.wake)
	r.wake = make(chan struct{})
}

// drain removes and returns the commands. wait is true if the run is paused and no step was requested. If the
// run is paused and a step was requested, drain uses up the step. wake is closed at the next change of the
// queue.
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
