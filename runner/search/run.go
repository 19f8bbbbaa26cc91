package search

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"sonde/model"
)

// Run is a search. Its methods may be called from any goroutine.
type Run struct {
	scheduler *scheduler
	requests  *requestQueue
	snapshot  atomic.Pointer[model.Snapshot]
	stop      chan struct{} // closed once, by Stop
	stopOnce  sync.Once
	done      chan struct{}
}

// New checks the plan and that the service is reachable, and prepares a search. It sends no
// request of a test. A service that the plan says how to start is started by Start and stopped
// before the run is done. Hosts are those that may be called besides loopback.
func New(ctx context.Context, p model.Plan, hosts ...string) (*Run, error) {
	if p.Limits.Calls <= 0 && p.Limits.Time <= 0 {
		return nil, errors.New("a search needs a limit: say how many calls or how much time")
	}
	b, err := newTestbed(ctx, p, hosts)
	if err != nil {
		return nil, err
	}
	s := newScheduler(b)
	s.publish(model.PhaseRunning)
	return s.run, nil
}

// Start begins the search. It must be called once. The run ends when its limits are reached, by
// Stop, or when ctx ends.
func (r *Run) Start(ctx context.Context, s Sink) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-r.stop:
		case <-r.done:
		}
		cancel()
	}()
	r.scheduler.journal.sink = s
	go r.scheduler.loop(ctx)
}

// UnreachableError is the error of a service that does not answer.
type UnreachableError struct{ error }

// NewUnreachableError wraps the reason.
func NewUnreachableError(reason error) *UnreachableError { return &UnreachableError{reason} }

func (u *UnreachableError) Unwrap() error { return u.error }

// Snapshot returns the newest state. It is at most a fraction of a second old, or as old as the
// test that is being played.
func (r *Run) Snapshot() model.Snapshot { return *r.snapshot.Load() }

// Wait waits for the end of the run and returns its last state.
func (r *Run) Wait() model.Snapshot {
	<-r.done
	return r.Snapshot()
}

// Apply requests a change of the search. A later snapshot shows it once it is in force.
func (r *Run) Apply(s model.Command) {
	r.requests.change(func() { r.requests.pending = append(r.requests.pending, s) })
}

// Tune is Apply for a knob.
func (r *Run) Tune(t model.TuningChange) { r.Apply(model.Command{Change: &t}) }

// Pause holds the run before its next test.
func (r *Run) Pause() { r.requests.change(func() { r.requests.paused = true }) }

// Resume continues a paused run.
func (r *Run) Resume() { r.requests.change(func() { r.requests.paused, r.requests.steps = false, 0 }) }

// Step pauses the run and lets it play one more test.
func (r *Run) Step() {
	r.requests.change(func() {
		r.requests.paused = true
		r.requests.steps++
	})
}

// Stop ends the run. What it has kept stays.
func (r *Run) Stop() { r.stopOnce.Do(func() { close(r.stop) }) }
