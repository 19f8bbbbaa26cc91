// Package runner is one run of the search: a plan goes in, events and
// snapshots come out. It owns the run's goroutine, its budget and its end.
package runner

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"sonde/model"
)

// Sink is where a run leaves what it finds. Its functions may be nil; they are
// called from one goroutine, and an error of theirs ends the run.
type Sink struct {
	// Emit is called with each event, and when it came.
	Emit func(model.Logged) error
	// Save is called with all tests kept so far: now and then while they
	// change, and at the end.
	Save func([]model.Test) error
	// Faults is called with all faults found so far, when Save is.
	Faults func([]model.Fault) error
	// Answers is called with how often each operation was answered with each status,
	// when Save is.
	Answers func(map[model.OpID]map[int]int) error
	// Answer is called with each answer to a call of a test, for those who count
	// what the search does not look at.
	Answer func(model.Reply) error
	// Traffic is called with what was sent and answered in the tests that are
	// kept, now and then and at the end. It holds no credential.
	Traffic func([]model.Played) error
	// Code is called, where the run sees into the service, with what was reached of
	// its source, as go tool cover reads it, and what the tests are kept for there;
	// when Traffic is.
	Code func(profile []byte, covers []model.CodeCovers) error
}

// Run is a search. Its methods may be called from any goroutine.
type Run struct {
	engine   *engine
	control  *control
	snapshot atomic.Pointer[model.Snapshot]
	stop     chan struct{} // closed once, by Stop
	stopOnce sync.Once
	done     chan struct{}
}

// New checks the plan and that the service is there, and prepares a search. No
// request has left yet, and a service that the plan says how to start is not
// started before Go; it is stopped before the run is Done. Hosts are those that
// may be called besides loopback.
func New(ctx context.Context, p model.Plan, hosts ...string) (*Run, error) {
	if p.Limits.Calls <= 0 && p.Limits.Time <= 0 {
		return nil, errors.New("a search needs a limit: say how many calls or how much time")
	}
	c, err := newCrew(ctx, p, hosts)
	if err != nil {
		return nil, err
	}
	e := newEngine(c)
	e.publish(model.Running)
	return e.run, nil
}

// Go begins the search, once. It goes on until its limits, Stop, or the end of
// ctx.
func (r *Run) Go(ctx context.Context, s Sink) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-r.stop:
		case <-r.done:
		}
		cancel()
	}()
	r.engine.sink = s
	go r.engine.loop(ctx)
}

// Unreachable is the error of a service that does not answer.
type Unreachable struct{ error }

// NewUnreachable returns the error for a reason.
func NewUnreachable(reason error) *Unreachable { return &Unreachable{reason} }

func (u *Unreachable) Unwrap() error { return u.error }

// Snapshot returns the newest state: at most a fraction of a second old, or as
// old as the test that is being played.
func (r *Run) Snapshot() model.Snapshot { return *r.snapshot.Load() }

// Wait returns the last state, when the run is over.
func (r *Run) Wait() model.Snapshot {
	<-r.done
	return r.Snapshot()
}
