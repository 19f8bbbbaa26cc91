package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sonde/model"
	"sonde/runner/client"
	"sonde/runner/oracle"
	"sonde/runner/sut"
)

// caller plays tests on the service: within the budget, with a reset before
// each. One goroutine owns it.
type caller struct {
	plan     model.Plan
	budget   *budget
	client   *client.Client
	service  sut.Service
	book     book
	failures int // tests in a row after which nobody was there
	restarts int
	last     ending
	broken   *model.Fault // how the service failed in the last test without an answer, if it did
	late     *model.Fault // the same for the test before, where it is known only now
}

// newCaller checks the plan, and that the service is there unless it is ours to
// start. No request has left yet.
func newCaller(ctx context.Context, p model.Plan, hosts []string) (*caller, error) {
	if len(p.Spec.Operations) == 0 {
		return nil, fmt.Errorf("%q has no operation that could be called", p.Spec.Source)
	}
	judge, err := oracle.NewJudge(p)
	if err != nil {
		return nil, err
	}
	c := &caller{plan: p, budget: &budget{limits: p.Limits, start: time.Now()}, book: newBook(judge)}
	c.service, err = sut.Open(p, sut.Options{Client: client.Options{AllowHosts: hosts, Users: p.Users, Take: c.budget.take, TakeLogin: c.budget.takeLogin, Timeout: p.Timeout}})
	if err != nil {
		return nil, err
	}
	if p.Service == nil {
		return c, c.start(ctx)
	}
	return c, nil
}

// start starts the service if it is ours to start, and looks whether it is
// there.
func (c *caller) start(ctx context.Context) error {
	err := c.setUp(func() error { return c.service.Start(ctx) })
	c.client = c.service.Client()
	if err != nil && ctx.Err() == nil && !errors.Is(err, client.ErrBudget) {
		return &Unreachable{err}
	}
	return err
}

// setUp does something whose requests are not of a test.
func (c *caller) setUp(do func() error) error {
	c.budget.inSet = true
	defer func() { c.budget.inSet = false }()
	return do()
}

// room tells whether the budget lets another test begin.
func (c *caller) room() bool {
	return !c.budget.spent() && c.budget.fits(c.service.Cost())
}

// play resets the service and plays a test: see client.Play. Without results
// the test tells nothing. The error says why no more tests can be played:
// client.ErrBudget, the context's, a *sut.Failed, a *client.LoginError or an
// *Unreachable.
func (c *caller) play(ctx context.Context, t model.Test) (model.Test, []client.Result, error) {
	c.broken, c.late = nil, nil
	timed, cancel := c.budget.deadline(ctx)
	defer cancel()
	if err := c.fresh(ctx, timed); err != nil {
		return t, nil, err
	}
	played, results := c.client.Play(timed, c.plan.Spec, t)
	if timed.Err() != nil || len(results) == 0 {
		return t, nil, ended(ctx)
	}
	if err := lockedOut(results); err != nil {
		return t, nil, err
	}
	return played, results, c.judge(ctx, timed, played, results)
}

// lockedOut returns the error of a log-in that never worked, if a test ended in
// one.
func lockedOut(results []client.Result) error {
	var err *client.LoginError
	if errors.As(results[len(results)-1].Exchange.Err, &err) {
		return err
	}
	return nil
}

// ended is the error of a test that was cut short: by somebody, or else by the
// budget.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return client.ErrBudget
}

// summary is what the calls came to so far.
func (c *caller) summary() model.Summary {
	b := c.budget
	s := model.Summary{
		Calls: b.calls, SetUp: b.setUp, Budget: b.limits.Calls,
		Operations: len(c.plan.Spec.Operations), Checking: b.checking, Elapsed: b.elapsed(),
		Unanswered: c.book.unanswered, NoAnswer: c.book.noAnswer, Restarts: c.restarts,
	}
	c.book.tally(&s)
	s.Warnings = c.warnings()
	for _, counts := range c.book.grid {
		s.With2xx += anyIn(counts, 2)
		s.With5xx += anyIn(counts, 5)
	}
	if seconds := s.Elapsed.Seconds(); seconds > 0 {
		s.Rate = float64(s.Calls) / seconds
	}
	return s
}
