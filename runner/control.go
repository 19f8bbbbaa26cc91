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
	steps  int // tests that may still be played while it is paused
	steers []model.Steer
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

// wishes returns what was asked for since the last time, whether to wait, and a
// channel that is closed when there is more. A step is used up by asking.
func (c *control) wishes() (steers []model.Steer, wait bool, wake <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	steers, c.steers = c.steers, nil
	wait = c.paused && c.steps == 0
	if c.paused && c.steps > 0 {
		c.steps--
	}
	return steers, wait, c.wake
}

// holds reports whether a person wants the run held, steps left out.
func (c *control) holds() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.paused
}

// Steer asks for something to be done to the search. The snapshot tells when it
// is in force.
func (r *Run) Steer(s model.Steer) {
	r.control.change(func() { r.control.steers = append(r.control.steers, s) })
}

// Turn is Steer for a knob.
func (r *Run) Turn(t model.Turn) { r.Steer(model.Steer{Turn: &t}) }

// Pause holds the run before its next test.
func (r *Run) Pause() { r.control.change(func() { r.control.paused = true }) }

// Resume lets a paused run go on.
func (r *Run) Resume() { r.control.change(func() { r.control.paused, r.control.steps = false, 0 }) }

// Step holds the run, and lets it play one more test.
func (r *Run) Step() {
	r.control.change(func() {
		r.control.paused = true
		r.control.steps++
	})
}

// Stop ends the run; what it has kept stays.
func (r *Run) Stop() { r.stopOnce.Do(func() { close(r.stop) }) }

// gate takes up wishes, waits while the run is paused, and reports whether it
// goes on.
func (e *engine) gate(ctx context.Context) bool {
	for len(e.steers) > 0 && e.steers[0].Asked <= e.asked {
		e.steer(e.steers[0].Steer)
		e.steers = e.steers[1:]
	}
	for {
		steers, wait, wake := e.run.control.wishes()
		e.hold(e.run.control.holds())
		for _, s := range steers {
			e.steer(s)
		}
		if !e.run.control.holds() {
			e.letOn()
		}
		if !wait || ctx.Err() != nil {
			return ctx.Err() == nil
		}
		e.wait(ctx, wake)
	}
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
