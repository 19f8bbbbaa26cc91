package runner

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"sonde/model"
	"sonde/runner/client"
	"sonde/runner/mio"
	"sonde/runner/oracle"
	"sonde/runner/rest"
	"sonde/runner/sut"
)

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
	if !e.service.Resets() {
		t.lucky = e.targets.lucky(t.test)
	}
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
