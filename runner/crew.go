package runner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"sonde/model"
	"sonde/model/route"
	"sonde/runner/client"
	"sonde/runner/oracle"
	"sonde/runner/probe"
)

// crew is a plan's callers, each with its copy of the service, the budget that
// they share, and what they have seen. One goroutine owns it.
type crew struct {
	plan    model.Plan
	budget  *budget
	book    book
	callers []*caller // at least one
	pace    *client.Pace
	source  *source // nil where nobody sees it

	resets   bool // before each test, to the service as it was at first
	cost     int  // the requests that a reset takes
	restarts int  // of services that died or hung

	router *route.Router // nil until it is needed
	ended  []model.Ended // users whom calls have ended

	probeless bool  // the service was built with probes, and does not use them
	unseen    error // why nobody sees any more what the driver told
	mute      bool  // the driver does not say what its targets mean
}

// ErrWorkers is the error of a plan with more workers than copies of the service.
var ErrWorkers = errors.New("several workers need a copy of the service each: say in sonde.yaml how to start it, or leave --workers out")

// ErrDrivers is the error of a plan with more workers than its driver has copies of
// the service.
var ErrDrivers = errors.New("several workers need a copy of the service each, and a driver has one: leave --workers out, or let sonde.yaml start a driver for each, as in sut: {run: [driver, \"{port}\"], driver: \"http://127.0.0.1:{port}\"}")

// newCrew checks the plan, and that the service is there unless it is ours to
// start. No request of a test has left yet.
func newCrew(ctx context.Context, p model.Plan, hosts []string) (*crew, error) {
	if len(p.Spec.Operations) == 0 {
		return nil, fmt.Errorf("%q has no operation that could be called", p.Spec.Source)
	}
	workers := max(1, p.Workers)
	switch {
	case p.Driver != nil && workers > 1 && !p.Driver.Copies():
		return nil, ErrDrivers
	case p.Driver == nil && p.Service == nil && workers > 1+len(p.Copies):
		return nil, ErrWorkers
	}
	judge, err := oracle.NewJudge(p)
	if err != nil {
		return nil, err
	}
	c := &crew{plan: p, budget: &budget{limits: p.Limits, start: time.Now()}, book: newBook(judge), pace: client.NewPace(p.Rate)}
	var m *probe.Manifest
	if p.Probes != nil {
		m, err = probe.ReadManifest(p.Probes.Binary)
		if err != nil {
			return nil, err
		}
		c.source = newSource(m)
	}
	if p.Driver != nil {
		c.source = newSource(&probe.Manifest{})
	}
	for i := range workers {
		next, err := newCaller(p, hosts, i, c.pace, m)
		if err != nil {
			c.stop()
			return nil, err
		}
		c.callers = append(c.callers, next)
	}
	c.resets, c.cost = c.first().service.Resets(), c.first().service.Cost()
	if !c.starts() {
		return c, c.start(ctx)
	}
	return c, nil
}

// starts reports whether the service is started for the run.
func (c *crew) starts() bool { return c.plan.Service != nil || c.plan.Driver != nil }

// start starts the copies of the service if they are ours to start, and looks
// whether they are there.
func (c *crew) start(ctx context.Context) error {
	for _, w := range c.callers {
		c.budget.fill(&w.purse, math.MaxInt)
		err := w.start(ctx)
		c.budget.settle(&w.purse)
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *crew) stop() {
	for _, w := range c.callers {
		w.service.Stop()
		w.close()
	}
}

// first is the caller of all that is played one after the other.
func (c *crew) first() *caller { return c.callers[0] }

// room reports whether the budget lets another test begin.
func (c *crew) room() bool { return !c.budget.spent() && c.budget.left() > c.cost }

// play plays a test with so many requests at most, and waits for its end.
func (c *crew) play(ctx context.Context, t model.Test, most int) played {
	c.first().still = 0
	return c.through(ctx, t, most, c.first().play)
}

// goOn is play without the reset.
func (c *crew) goOn(ctx context.Context, t model.Test) played {
	return c.through(ctx, t, math.MaxInt, c.first().goOn)
}

// through plays a test in one way, within the budget.
func (c *crew) through(ctx context.Context, t model.Test, most int, play func(ctx, timed context.Context, t model.Test) played) played {
	timed, cancel := c.budget.deadline(ctx)
	defer cancel()
	w := c.first()
	c.budget.fill(&w.purse, most)
	p := play(ctx, timed, t)
	p.short = w.purse.short
	c.budget.settle(&w.purse)
	c.restarts += p.restarts
	return p
}

// enter counts the answers to a test, and returns the faults that are new.
func (c *crew) enter(p played) []model.Fault {
	c.book.count(p.test, p.results)
	return c.book.enter(c.wrong(p)...)
}

// wrong is all that is wrong with what was played.
func (c *crew) wrong(p played) []model.Fault {
	faults := append(c.book.judged(p.test, p.results, p.contacts, p.at), c.leaks(p)...)
	if p.broken != nil {
		faults = append(faults, *p.broken)
	}
	return faults
}

// lost are the users who could log in at first and then not any more.
func (c *crew) lost() []string {
	var all []string
	for _, w := range c.callers {
		all = append(all, w.service.Client().Lost()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// summary is what the calls came to so far.
func (c *crew) summary() model.Summary {
	b := c.budget
	s := model.Summary{
		Calls: b.calls, SetUp: b.setUp, Budget: b.limits.Calls,
		Operations: len(c.plan.Spec.Operations), Checking: b.checking, Minimising: b.minimising, Elapsed: b.elapsed(),
		Unanswered: c.book.unanswered, NoAnswer: c.book.noAnswer, Restarts: c.restarts,
	}
	s.CountFaults(c.book.faults)
	s.CountAnswers(c.book.grid)
	s.NotAnswered = c.book.mute()
	s.CountDeclared(c.plan.Spec, c.book.grid)
	s.Warnings, s.Code = c.warnings(), c.source.now()
	if seconds := s.Elapsed.Seconds(); seconds > 0 {
		s.Rate = float64(s.Calls) / seconds
	}
	return s
}
