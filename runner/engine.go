package runner

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"time"

	"sonde/model"
	"sonde/runner/client"
	"sonde/runner/mio"
	"sonde/runner/oracle"
	"sonde/runner/rest"
)

// engine is the run from inside; one goroutine owns it.
type engine struct {
	*caller
	sink    Sink
	run     *Run
	targets *targets
	search  *mio.Search[*trial]

	covered   map[string]bool
	previous  *trial // the last one that was told
	trials    int
	lastShown time.Time
	lastSaved time.Time
	unsaved   bool
	cancelled bool
	err       error // why the run ends before its time
	sinkErr   error // why nothing more can be written
}

func newEngine(c *caller) *engine {
	p := c.plan
	e := &engine{
		caller:  c,
		run:     &Run{control: newControl(), stop: make(chan struct{}), done: make(chan struct{})},
		targets: newTargets(p.Spec, p.Templates),
		covered: map[string]bool{},
	}
	e.run.engine = e
	chance := rand.New(rand.NewPCG(p.Seed, 0))
	tests := rest.New(p.Spec, p.Templates, p.Users)
	e.search = mio.New(problem{tests}, chance, p.Tuning, e.targets.order)
	if p.Tuning.Smart > 0 {
		for _, ind := range tests.Initial(chance) {
			e.search.Seed(&trial{individual: ind})
		}
	}
	return e
}

// loop is Algorithm 1's while.
func (e *engine) loop(ctx context.Context) {
	defer close(e.run.done)
	defer e.service.Stop()
	e.guard(func() {
		e.open(ctx)
		e.budget.start = time.Now()
		e.emit(model.Started{Targets: len(e.targets.order)})
		e.explore(ctx, 1-checkShare)
		e.check(ctx)
		e.explore(ctx, 1)
	})
	e.guard(func() { e.finish(ctx) })
	e.publish(model.Done)
}

// explore searches until a share of the budget is used up.
func (e *engine) explore(ctx context.Context, share float64) {
	for e.goesOn() && e.budget.used() < share && e.gate(ctx) {
		e.evaluate(ctx, e.search.Ask())
		e.search.Use(e.budget.used())
		e.refresh()
	}
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

// open starts the service where that is ours to do.
func (e *engine) open(ctx context.Context) {
	if e.plan.Service == nil {
		return
	}
	if err := e.start(ctx); err != nil && ctx.Err() == nil {
		e.err = err
	}
}

func (e *engine) goesOn() bool {
	return e.err == nil && e.sinkErr == nil && e.room()
}

// evaluate plays one trial and tells the search how it went. What was cut short
// by the end of the run is not judged.
func (e *engine) evaluate(ctx context.Context, t *trial) {
	planned, results, err := e.play(ctx, t.individual.Test())
	e.fail(ctx, err)
	e.blame()
	if len(results) == 0 {
		return
	}
	e.trials++
	t.test = planned
	t.test.ID = fmt.Sprintf("t%d", e.trials)
	t.test.Calls = planned.Calls[:len(results)] // what was not sent tells nothing
	if !e.service.Resets() {
		t.lucky = e.targets.lucky(t.test)
	}
	faults := e.enter(t.test, results)
	verdict := e.search.Tell(t, append(e.targets.scores(planned, results, e.covered), failed(e.broken)...))
	if verdict.Archived {
		t.test.Checks = checks(results, e.service.Resets())
		e.unsaved = true
	}
	e.report(verdict.First, faults)
	e.previous = t
}

// blame lets the test before the current one be kept for what it did to the
// service, where that came out only after it was told.
func (e *engine) blame() {
	if e.late == nil || e.previous == nil {
		return
	}
	verdict := e.search.Tell(e.previous, failed(e.late))
	e.unsaved = true
	e.report(verdict.First, e.book.enter(*e.late))
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
		e.unsaved = true
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
	if e.sink.Faults != nil && e.unsaved && e.sinkErr == nil {
		e.sinkErr = e.sink.Faults(slices.Clone(e.book.faults))
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
