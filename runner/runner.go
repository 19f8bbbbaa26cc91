// Package runner is one run of the search: a plan goes in, events and
// snapshots come out. It owns the run's goroutine, its budget and its end.
package runner

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"sonde/model"
	"sonde/runner/client"
	"sonde/runner/mio"
	"sonde/runner/oracle"
	"sonde/runner/rest"
	"sonde/runner/sut"
)

// Sink is where a run leaves what it finds. Its functions may be nil; they are
// called from one goroutine, and an error of theirs ends the run.
type Sink struct {
	// Emit is called with each event.
	Emit func(model.Event) error
	// Save is called with all tests kept so far: now and then while they
	// change, and at the end.
	Save func([]model.Test) error
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
// request has left yet. Hosts are those that may be called besides loopback.
func New(ctx context.Context, p model.Plan, hosts ...string) (*Run, error) {
	if p.Limits.Calls <= 0 && p.Limits.Time <= 0 {
		return nil, errors.New("a search needs a limit: say how many calls or how much time")
	}
	if len(p.Spec.Operations) == 0 {
		return nil, fmt.Errorf("%q has no operation that could be called", p.Spec.Source)
	}
	e, err := newEngine(p, hosts)
	if err != nil {
		return nil, err
	}
	if err := e.client.Reachable(ctx); err != nil {
		return nil, &Unreachable{err}
	}
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

// engine is the run from inside; one goroutine owns it.
type engine struct {
	plan    model.Plan
	sink    Sink
	run     *Run
	budget  *budget
	client  *client.Client
	service *sut.Service
	targets *targets
	search  *mio.Search[*trial]

	covered   map[string]bool
	book      book
	trials    int
	failures  int // tests in a row that ended without an answer
	lastShown time.Time
	lastSaved time.Time
	unsaved   bool
	cancelled bool
	err       error // why the run ends before its time
	sinkErr   error // why nothing more can be written
}

// trial is an individual on its way: evaluated once, then frozen.
type trial struct {
	individual *rest.Individual
	test       model.Test // what was sent of it
}

// problem lets mio search over trials.
type problem struct{ *rest.Problem }

func (p problem) Sample(r *rand.Rand, smart float64) *trial {
	return &trial{individual: p.Problem.Sample(r, smart)}
}

func (p problem) Mutate(r *rand.Rand, t *trial, pace float64) *trial {
	return &trial{individual: p.Problem.Mutate(r, t.individual, pace)}
}

// Size is the number of calls that were sent: what comes after a chain that
// broke costs nothing.
func (p problem) Size(t *trial) int { return len(t.test.Calls) }

func newEngine(p model.Plan, hosts []string) (*engine, error) {
	e := &engine{
		plan:    p,
		run:     &Run{control: newControl(), stop: make(chan struct{}), done: make(chan struct{})},
		budget:  &budget{limits: p.Limits, start: time.Now()},
		targets: newTargets(p.Spec, p.Templates),
		covered: map[string]bool{},
		book:    newBook(),
	}
	e.run.engine = e
	var err error
	e.client, err = client.New(p.BaseURL, client.Options{AllowHosts: hosts, Users: p.Users, Take: e.budget.take})
	if err != nil {
		return nil, err
	}
	e.service = sut.New(e.client, p.Reset)
	chance := rand.New(rand.NewPCG(p.Seed, 0))
	tests := rest.New(p.Spec, p.Templates, p.Users)
	e.search = mio.New(problem{tests}, chance, p.Tuning, e.targets.order)
	if p.Tuning.Smart > 0 {
		for _, ind := range tests.Initial(chance) {
			e.search.Seed(&trial{individual: ind})
		}
	}
	return e, nil
}

// loop is Algorithm 1's while.
func (e *engine) loop(ctx context.Context) {
	defer close(e.run.done)
	defer e.client.Close()
	e.budget.start = time.Now()
	e.guard(func() {
		e.emit(model.Started{Targets: len(e.targets.order)})
		for e.goesOn() && e.gate(ctx) {
			e.evaluate(ctx, e.search.Ask())
			e.search.Use(e.budget.used())
			e.refresh()
		}
	})
	e.guard(func() { e.finish(ctx) })
	e.publish(model.Done)
}

// guard turns a panic into the end of the run: whoever draws on a terminal must
// be able to clean up, and what was found must reach the disk.
func (e *engine) guard(work func()) {
	defer func() {
		if p := recover(); p != nil {
			e.err = fmt.Errorf("sonde itself failed at call %d: %v; please report it with this: %s", e.budget.calls, p, debug.Stack())
		}
	}()
	work()
}

func (e *engine) goesOn() bool {
	return e.err == nil && e.sinkErr == nil && !e.budget.spent() && e.budget.resetFits(e.service.Resets())
}

// evaluate plays one trial and tells the search how it went. What was cut short
// by the end of the run is not judged.
func (e *engine) evaluate(ctx context.Context, t *trial) {
	timed, cancel := e.budget.deadline(ctx)
	defer cancel()
	if !e.reset(timed) {
		return
	}
	e.trials++
	planned, results := e.client.Play(timed, e.plan.Spec, t.individual.Test())
	if timed.Err() != nil || len(results) == 0 {
		return
	}
	t.test = planned
	t.test.ID = fmt.Sprintf("t%d", e.trials)
	t.test.Calls = planned.Calls[:len(results)] // what was not sent tells nothing
	faults := e.book.enter(t.test, results, e.budget.calls)
	verdict := e.search.Tell(t, e.targets.scores(planned, results, e.covered))
	if verdict.Archived {
		t.test.Checks = checks(results, e.service.Resets())
		e.unsaved = true
	}
	e.report(verdict.First, faults)
	e.watch(ctx, results[len(results)-1].Exchange.Err)
}

func (e *engine) reset(ctx context.Context) bool {
	e.budget.inSet = true
	err := e.service.Reset(ctx)
	e.budget.inSet = false
	var wrong *sut.WrongAnswer
	switch {
	case errors.As(err, &wrong):
		e.err = err
	case err != nil && ctx.Err() == nil:
		e.watch(ctx, err)
	}
	return err == nil
}

// patience is how many tests in a row may end without an answer before
// somebody looks whether the service is still there.
const patience = 5

// watch ends the run when the service has gone. One that is there but breaks
// the connection now and then is worth going on with.
func (e *engine) watch(ctx context.Context, err error) {
	if err == nil || errors.Is(err, client.ErrBudget) {
		e.failures = 0
		return
	}
	if e.failures++; e.failures < patience {
		return
	}
	e.failures = 0
	if e.client.Reachable(ctx) != nil && ctx.Err() == nil {
		e.err = &Unreachable{fmt.Errorf("%q stopped answering after call %d: see its log, then start it again", e.plan.BaseURL, e.budget.calls)}
	}
}

func checks(results []client.Result, reset bool) []model.Check {
	var all []model.Check
	for i, r := range results {
		all = append(all, oracle.Checks(i, r.Exchange.Reply, reset)...)
	}
	return all
}

// report enters what is new into the curve and emits it.
func (e *engine) report(first []string, faults []model.Fault) {
	for _, id := range first {
		e.covered[id] = true
		e.emit(model.Covered{Call: e.budget.calls, Target: id})
	}
	if len(first) > 0 {
		e.book.curve = append(e.book.curve, model.Point{Calls: e.budget.calls, Covered: len(e.covered)})
	}
	for _, f := range faults {
		e.emit(model.Found{Fault: f})
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

func (e *engine) emit(ev model.Event) {
	if e.sink.Emit != nil && e.sinkErr == nil {
		e.sinkErr = e.sink.Emit(ev)
	}
}

func (e *engine) save() {
	if e.sink.Save != nil && e.unsaved && e.sinkErr == nil {
		e.sinkErr = e.sink.Save(e.tests())
	}
	e.unsaved, e.lastSaved = false, time.Now()
}

// finish saves and tells of the end.
func (e *engine) finish(ctx context.Context) {
	e.cancelled = ctx.Err() != nil
	e.unsaved = true
	e.save()
	if e.err != nil {
		e.emit(model.Note{Call: e.budget.calls, Text: e.err.Error()})
	}
	e.emit(model.Stopped{Summary: e.summary()})
}
