package search

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sonde/model"
	"sonde/model/route"
	"sonde/runner/instrument/probedata"
	"sonde/runner/search/oracle"
)

// testbed is the service under test of a plan: its workers, the judge of their results and the
// tracker of covered code.
type testbed struct {
	plan  model.Plan
	pool  *workerPool
	judge *judge
	code  *codeTracker

	router *route.Router // nil until it is needed

	startup model.StartupStubsFound // set by start

	// obstacles returns the reasons that the search has found why an operation does not succeed. It is nil outside of
	// searches.
	obstacles func(model.OpID) []string
}

// ErrTooManyWorkers is the error of a plan with more workers than copies of the service.
var ErrTooManyWorkers = errors.New(
	"each worker needs its own copy of the service: configure in sonde.yaml how to start it, or omit --workers",
)

// ErrSharedDriver is the error of a plan with several workers and a driver that has only one copy of the
// service.
var ErrSharedDriver = errors.New("each worker needs its own copy of the service, and a driver has one: " +
	"omit --workers, or let sonde.yaml start a driver for each worker, " +
	"as in sut: {run: [driver, \"{port}\"], driver: \"http://127.0.0.1:{port}\"}")

// newTestbed checks the plan and returns its testbed. If the plan does not say how to start the service, newTestbed
// also checks that the service answers. It plays no test.
func newTestbed(ctx context.Context, p model.Plan, hosts []string) (*testbed, error) {
	if len(p.Spec.Operations) == 0 {
		return nil, fmt.Errorf("%q has no operation that could be called", p.Spec.Source)
	}
	workers := max(1, p.Workers)
	switch {
	case p.Driver != nil && workers > 1 && !p.Driver.SupportsCopies():
		return nil, ErrSharedDriver
	case p.Driver == nil && p.Service == nil && workers > 1+len(p.Copies):
		return nil, ErrTooManyWorkers
	}
	rules, err := oracle.NewRules(p)
	if err != nil {
		return nil, err
	}
	var m *probedata.Manifest
	if p.Probes != nil {
		m, err = probedata.ReadManifest(p.Probes.Binary)
		if err != nil {
			return nil, err
		}
	}
	pool, err := newWorkerPool(p, hosts, workers, m)
	if err != nil {
		return nil, err
	}
	if !pool.resets {
		rules.KeepState()
	}
	b := &testbed{
		plan:  p,
		pool:  pool,
		judge: newJudge(p, rules, pool.resets),
		code:  newCodeTracker(p, pool, m),
	}
	if !pool.starts() {
		return b, pool.start(ctx)
	}
	return b, nil
}

// start starts the copies of the service if the plan says how, and checks that they answer. In a virtual network it
// finds the stubs that the start needs; observe is as for newStartupSearch.
func (t *testbed) start(ctx context.Context, observe func(permanent []model.Stub, contacts []model.Contact)) (err error) {
	all := t.pool.workers
	if n := t.plan.Net; n != nil && !n.Closed && t.plan.Service != nil {
		t.startup, err = newStartupSearch(t, observe).run(ctx)
		if err != nil {
			return err
		}
		for _, w := range all[1:] {
			w.network.permanent = all[0].network.permanent
			if err := w.network.beginStart(); err != nil {
				return err
			}
		}
		all = all[1:]
	}
	return t.pool.startWorkers(ctx, all)
}

// lostUsers returns the users who could log in at first and later could not.
func (t *testbed) lostUsers() []string {
	var all []string
	for _, w := range t.pool.workers {
		all = append(all, w.service.Client().LostUsers()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// summary returns the figures of all calls so far.
func (t *testbed) summary() model.Summary {
	b := t.pool.budget
	s := model.Summary{
		Calls: b.calls, SetUp: b.setUp, Budget: b.limits.Calls,
		Operations: len(t.plan.Spec.Operations), Checking: b.checking, Minimising: b.minimising, Elapsed: b.elapsed(),
		Unanswered: t.judge.stats.unanswered, NoAnswer: t.judge.stats.noAnswer, Restarts: t.pool.restarts,
	}
	s.CountFaults(t.judge.faults.all())
	s.CountAnswers(t.judge.stats.counts)
	s.NotAnswered = t.judge.stats.unansweredOperations()
	s.CountDeclared(t.plan.Spec, t.judge.stats.counts)
	s.Warnings, s.Code = t.warnings(), t.code.coverage.snapshot()
	if seconds := s.Elapsed.Seconds(); seconds > 0 {
		s.Rate = float64(s.Calls) / seconds
	}
	return s
}
