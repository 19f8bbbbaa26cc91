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

// New checks the plan and prepares a run. It plays no test. If the plan says how to start the service, Start starts
// the service, and the run stops the service at its end. Otherwise New checks that the service answers. hosts are the
// hosts that may be called besides those on this machine.
func New(ctx context.Context, p model.Plan, hosts ...string) (*Run, error) {
	return newRun(ctx, p, nil, hosts)
}

// newRun returns a run. island is nil unless the run is an island.
func newRun(ctx context.Context, p model.Plan, island *Island, hosts []string) (*Run, error) {
	if p.Limits.Calls <= 0 && p.Limits.Time <= 0 {
		return nil, errors.New("a search needs a limit: give a number of calls or a time")
	}
	b, err := newTestbed(ctx, p, hosts)
	if err != nil {
		return nil, err
	}
	s := newScheduler(b, island)
	s.publish(model.PhaseRunning)
	return s.run, nil
}

// Start begins the search. It must be called once. The run ends when its limits are reached, by Stop, by an
// error, or when ctx ends.
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

// UnreachableError is the error of a run whose service does not answer.
type UnreachableError struct{ error }

// NewUnreachableError returns an UnreachableError with a reason.
func NewUnreachableError(reason error) *UnreachableError { return &UnreachableError{reason} }

func (u *UnreachableError) Unwrap() error { return u.error }

// Snapshot returns the newest snapshot. Snapshots are made between tests, so the newest one shows the run as it was
// before the current test, or a fraction of a second earlier.
func (r *Run) Snapshot() model.Snapshot { return *r.snapshot.Load() }

// Wait waits for the end of the run and returns its last state.
func (r *Run) Wait() model.Snapshot {
	<-r.done
	return r.Snapshot()
}

// Apply queues a command. Snapshots show the command once it has taken effect.
func (r *Run) Apply(s model.Command) {
	r.requests.change(func() { r.requests.pending = append(r.requests.pending, s) })
}

// Tune queues a command that changes one parameter of the search.
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

// Stop ends the run. Tests and faults found so far are kept.
func (r *Run) Stop() { r.stopOnce.Do(func() { close(r.stop) }) }
