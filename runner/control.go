package runner

import (
	"context"
	"sync"
	"time"

	"sonde/model"
)

// control is how a person steers a run from outside: wishes are written down
// and taken up between two tests.
type control struct {
	mu     sync.Mutex
	paused bool
	turns  []model.Turn
	wake   chan struct{} // closed and replaced whenever something changed
}

func newControl() *control { return &control{wake: make(chan struct{})} }

func (c *control) change(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
	close(c.wake)
	c.wake = make(chan struct{})
}

// wishes returns what was asked for since the last time, and a channel that is
// closed when there is more.
func (c *control) wishes() (turns []model.Turn, paused bool, wake <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	turns, c.turns = c.turns, nil
	return turns, c.paused, c.wake
}

// Turn asks for a knob to be turned. The snapshot tells when it is in force.
func (r *Run) Turn(t model.Turn) {
	r.control.change(func() { r.control.turns = append(r.control.turns, t) })
}

// Pause holds the run before its next test.
func (r *Run) Pause() { r.control.change(func() { r.control.paused = true }) }

// Resume lets a paused run go on.
func (r *Run) Resume() { r.control.change(func() { r.control.paused = false }) }

// Stop ends the run; what it has kept stays.
func (r *Run) Stop() { r.stopOnce.Do(func() { close(r.stop) }) }

// gate takes up wishes, waits while the run is paused, and tells whether it
// goes on.
func (e *engine) gate(ctx context.Context) bool {
	for {
		turns, paused, wake := e.run.control.wishes()
		for _, t := range turns {
			e.turn(t)
		}
		if !paused || ctx.Err() != nil {
			return ctx.Err() == nil
		}
		e.wait(ctx, wake)
	}
}

func (e *engine) turn(t model.Turn) {
	e.search.Turn(t)
	e.plan.Tuning = e.plan.Tuning.With(t)
	tuned := model.Tuned{Call: e.budget.calls, Turn: t, Tuning: e.plan.Tuning}
	e.book.marks = append(e.book.marks, tuned)
	e.emit(tuned)
	e.publish(model.Running)
}

// wait holds a paused run until something changes.
func (e *engine) wait(ctx context.Context, wake <-chan struct{}) {
	start := time.Now()
	e.publish(model.Paused)
	select {
	case <-wake:
	case <-ctx.Done():
	}
	e.budget.paused += time.Since(start)
}
