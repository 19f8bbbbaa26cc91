package search

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"sonde/model"
)

// Sink receives what a run finds. Its functions may be nil. They are called from one goroutine; an
// error of one of them ends the run.
type Sink struct {
	// Emit is called with each event and its time.
	Emit func(model.LogEntry) error
	// SaveTests is called with all tests kept so far: from time to time while they change, and at
	// the end.
	SaveTests func([]model.Test) error
	// SaveFaults is called with all faults found so far, together with SaveTests.
	SaveFaults func([]model.Fault) error
	// SaveAnswers is called with the number of answers by operation and status, together with
	// SaveTests.
	SaveAnswers func(map[model.OpID]map[int]int) error
	// ObserveReply is called with each answer to a call of a test.
	ObserveReply func(model.Reply) error
	// SaveTraffic is called with the requests and answers of the kept tests, from time to time and
	// at the end. They contain no credentials.
	SaveTraffic func([]model.PlayedTest) error
	// SaveCode is called together with SaveTraffic if the run sees into the service: with the
	// coverage of its source as go tool cover reads it, and the code targets of each kept test.
	SaveCode func(profile []byte, covers []model.TestTargets) error
}

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
	c, err := newTestbed(ctx, p, hosts)
	if err != nil {
		return nil, err
	}
	e := newScheduler(c)
	e.publish(model.PhaseRunning)
	return e.run, nil
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
