package runner

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"sonde/model"
	"sonde/runner/mio"
	"sonde/runner/rest"
)

// engine is the run from inside; one goroutine owns it.
type engine struct {
	*crew
	sink    Sink
	run     *Run
	targets *targets
	tests   *rest.Problem
	chance  *rand.Rand
	search  *mio.Search[*trial]
	line    line
	pace    pacer
	weights model.Weights
	hosts   hosts
	answers answering
	naming  naming
	history *history // nil with a reset
	unsent  unsendable
	journal model.Journal
	held    bool // by a person, as was told
	door    doorkeeper
	denied  *model.Denied   // why the run stopped or is paused, nil where that is not the reason
	steers  []model.Steered // of the plan, those that are still to come

	asked    int                // tests that the search was asked for
	swept    int                // requests of sweeps,
	gone     int                // of tests that go on from others,
	reducing int                // and of reductions,
	waiting  []*reduction       // of which these wait
	through  int                // the number of the last that was judged
	last     *trial             // that test
	previous map[*caller]*trial // the last of each copy

	short     bool // the budget was too short for a test that was played aside
	lastShown time.Time
	lastSaved time.Time
	lastHeard time.Time // when traffic was saved
	unsaved   bool
	cancelled bool
	err       error // why the run ends before its time
	sinkErr   error // why nothing more can be written
}

func newEngine(c *crew) *engine {
	p := c.plan
	e := &engine{
		crew:    c,
		run:     &Run{control: newControl(), stop: make(chan struct{}), done: make(chan struct{})},
		targets: newTargets(p.Spec, p.Templates),
		tests:   rest.New(c.informed()),
		chance:  rand.New(rand.NewPCG(p.Seed, 0)),
		pace:    newPacer(c.budget, p.Replay),
		steers:  p.Steers,
		door:    newDoorkeeper(p),
		unsent:  unsendable{},
		naming:  newNaming(p),
	}
	e.run.engine = e
	c.watchUsers()
	if !c.resets {
		e.history = newHistory(e.naming)
	}
	c.tellOf(e.tests.World())
	if p.Net != nil {
		e.hosts.always = p.Net.Stubs
	}
	e.forget()
	e.search = mio.New(problem{e.tests, e.source}, e.chance, p.Tuning, e.wanted())
	if !c.resets && p.Resume == nil {
		for _, ind := range slices.Concat(e.tests.Looks(e.chance), e.tests.Creations(e.chance, p.Templates, creationCalls(p.Limits))) {
			e.search.Plant(&trial{individual: ind, birth: &model.Birth{Rule: model.ByBegin}})
		}
	}
	for _, t := range p.Recorded {
		e.search.Begin(&trial{individual: e.tests.Adopt(e.chance, t)})
	}
	if p.Tuning.Smart > 0 {
		for _, ind := range e.tests.Initial(e.chance) {
			e.search.Begin(&trial{individual: ind})
		}
	}
	if p.Resume != nil {
		e.resume(p.Resume)
	}
	return e
}

// creationShare is the share of the budget in calls that may be used to create something
// while a service that can't be reset is in its first state.
const creationShare = 0.03

func creationCalls(l model.Limits) int {
	if l.Calls > 0 {
		return int(creationShare * float64(l.Calls))
	}
	return 100
}

// loop is Algorithm 1's while.
func (e *engine) loop(ctx context.Context) {
	defer close(e.run.done)
	defer e.stop()
	e.guard(func() {
		e.open(ctx)
		e.budget.start = time.Now()
		e.begin()
		e.explore(ctx, 1-checkShare-e.plan.Minimise)
		e.check(ctx)
		e.windUp(ctx, e.plan.Minimise)
	})
	e.guard(func() { e.finish(ctx) })
	e.publish(model.Done)
}

// begin tells that the run begins, or goes on.
func (e *engine) begin() {
	e.lastHeard = time.Now() // what a run that goes on had said stays until there is as much again
	if e.plan.Resume != nil {
		e.emit(model.Resumed{Call: e.budget.calls, Asked: e.asked})
		return
	}
	e.emit(model.Started{Targets: e.targets.declared})
}

// explore searches until a share of the budget is used up. Each copy of the
// service plays a test; they are told in the order in which they were asked for,
// so that the search is the same however fast the copies are.
func (e *engine) explore(ctx context.Context, share float64) {
	e.line.open(ctx, e.callers)
	defer e.leave()
	for e.goesOn() && e.pace.used < share {
		if e.line.full() || !e.afford() {
			e.tell(ctx, e.line.next())
			continue
		}
		if !e.gate(ctx) {
			break
		}
		e.ask()
	}
	for !e.line.empty() {
		e.tell(ctx, e.line.next())
	}
}

// leave ends what is still being played, also where a panic ends the search, and
// counts what it has sent.
func (e *engine) leave() {
	e.line.close()
	for _, c := range e.callers {
		e.budget.settle(&c.purse)
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
	if !e.starts() {
		return
	}
	err := e.start(ctx)
	switch {
	case err == nil:
		e.attach()
		e.survey(ctx)
	case ctx.Err() == nil:
		e.err = err
	}
}

func (e *engine) goesOn() bool {
	return e.err == nil && e.sinkErr == nil && (e.room() || !e.line.empty()) && !e.pace.over(e.asked)
}

// ask lets the next copy of the service play what the search asks for.
func (e *engine) ask() {
	t := e.next()
	e.asked++
	if t.Individual.birth == nil {
		t.Individual.birth = birth(t, e.budget.calls)
	}
	e.send(t)
}

// tell takes a test that was played and tells the search how it went. What was
// cut short by the end of the run is not judged.
func (e *engine) tell(ctx context.Context, j *job) {
	e.discern(ctx, j.caller, &j.played)
	p := j.played
	e.budget.settle(&j.caller.purse)
	e.restarts += p.restarts
	e.restarted(p)
	e.fail(ctx, p.err)
	e.pass(p.results)
	e.history.see(p.test, p.results)
	e.settled(p.setUp)
	e.credit(j.caller, p.belated)
	e.blame(j.caller, p.late)
	if len(p.results) > 0 {
		e.judge(ctx, j)
	}
	e.mourn(p.ended)
	e.progress()
	e.refresh()
}

func (e *engine) judge(ctx context.Context, j *job) {
	t, p := j.asked.Individual, j.played
	planned := p.test
	t.test = planned
	t.test.ID = "t" + strconv.Itoa(j.number)
	t.test.Calls = planned.Calls[:len(p.results)] // what was not sent tells nothing
	if !e.resets {
		t.lucky = e.targets.lucky(t.test) + one(len(e.history.borrowed(t.test)) > 0)
	}
	p.test = t.test
	wrong := e.wrong(p)
	e.book.count(p.test, p.results)
	faults := e.book.enter(wrong...)
	e.history.judge(t.test, wrong)
	e.keepDoor(t.test)
	e.giveUp(e.unsent.note(p.test, p.results))
	if n := e.plan.Net; n != nil && !n.Closed {
		e.tests.World().See(planned, p.start)
		e.tests.World().See(planned, p.contacts)
		e.answers.turned(t, p.contacts)
	}
	scores := e.scores(planned, p)
	e.source.saw(p.seen)
	e.hosts.see(planned, p.start)
	e.hosts.see(planned, p.contacts)
	if t.sweeps() {
		scores = coveredOf(scores) // it is too long to be a good parent
	}
	verdict := e.search.Tell(j.asked, scores)
	t.birth.First, t.birth.Code = e.firsts(verdict)
	t.test.Birth = t.birth
	if verdict.Archived {
		t.test.Checks = e.checks(p)
		t.remember(p.results)
		e.unsaved = true
	}
	e.report(t.birth.First, t.birth.Code, faults)
	if t.kept != nil {
		t.kept.remember(p.results)
	}
	e.follow(j.caller, t, p.results)
	e.last, e.through = t, j.number
	for i, r := range p.results {
		if ctx.Err() != nil {
			break // dozens of large answers take seconds
		}
		e.tests.See(planned.Calls[i].Op, r.Exchange.Reply)
	}
	e.learn(t, planned, verdict, p.marks)
	t.sooner = p.sooner
	e.match(t, p.compared)
	if t.reduces != nil {
		e.reduced(t, p.seen)
	}
}

// blame lets the test before the current one be kept for what it did to its
// copy of the service, where that came out only after it was told.
func (e *engine) blame(c *caller, late *model.Fault) {
	t := e.previous[c]
	if late == nil || t == nil {
		return
	}
	e.offer(t, failed(late), e.book.enter(*late))
}

// forget lets no test be blamed any more that was told.
func (e *engine) forget() { e.previous = map[*caller]*trial{} }

// scores says how near a played test came to each target.
func (e *engine) scores(planned model.Test, p played) []model.Score {
	return slices.Concat(e.targets.scores(planned, p.results), failed(p.broken), e.targets.outcomes(p.contacts, e.tests.World().Told), p.seen)
}

// progress tells the search how much of the budget is used up.
func (e *engine) progress() {
	if e.pace.move(e.asked) {
		e.search.Use(e.pace.used)
		e.emit(e.soFar())
	}
}

// soFar is how far the run is: all that it needs to go on, should it be killed.
func (e *engine) soFar() model.Progress {
	b := e.budget
	targets, _ := e.known()
	return model.Progress{
		Call: b.calls, SetUp: b.setUp, Checking: b.checking, Minimising: b.minimising, Unanswered: e.book.unanswered,
		NoAnswer: e.book.noAnswer, Restarts: e.restarts, Asked: e.asked, Used: e.pace.used, Elapsed: b.elapsed(),
		Targets: targets,
	}
}
