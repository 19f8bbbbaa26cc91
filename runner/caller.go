package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sonde/model"
	"sonde/runner/client"
	"sonde/runner/sut"
)

// caller plays tests on the service: within the budget, with a reset before
// each. One goroutine owns it.
type caller struct {
	plan     model.Plan
	budget   *budget
	client   *client.Client
	service  *sut.Service
	book     book
	failures int // tests in a row that ended without an answer
}

// newCaller checks the plan, and that the service is there. No request has left
// yet.
func newCaller(ctx context.Context, p model.Plan, hosts []string) (*caller, error) {
	if len(p.Spec.Operations) == 0 {
		return nil, fmt.Errorf("%q has no operation that could be called", p.Spec.Source)
	}
	c := &caller{plan: p, budget: &budget{limits: p.Limits, start: time.Now()}, book: newBook()}
	var err error
	if c.client, err = client.New(p.BaseURL, client.Options{AllowHosts: hosts, Users: p.Users, Take: c.budget.take}); err != nil {
		return nil, err
	}
	c.service = sut.New(c.client, p.Reset)
	if err := c.client.Reachable(ctx); err != nil {
		return nil, &Unreachable{err}
	}
	return c, nil
}

// room tells whether the budget lets another test begin.
func (c *caller) room() bool {
	return !c.budget.spent() && c.budget.resetFits(c.service.Resets())
}

// play resets the service and plays a test: see client.Play. Without results
// the test tells nothing. The error says why no more tests can be played:
// client.ErrBudget, the context's, a *sut.WrongAnswer or an *Unreachable.
func (c *caller) play(ctx context.Context, t model.Test) (model.Test, []client.Result, error) {
	timed, cancel := c.budget.deadline(ctx)
	defer cancel()
	if !c.room() {
		return t, nil, client.ErrBudget
	}
	if err := c.reset(timed); err != nil {
		return t, nil, c.resetError(ctx, timed, err)
	}
	played, results := c.client.Play(timed, c.plan.Spec, t)
	if timed.Err() != nil || len(results) == 0 {
		return t, nil, ended(ctx)
	}
	return played, results, c.watch(ctx, results[len(results)-1].Exchange.Err)
}

func (c *caller) reset(ctx context.Context) error {
	c.budget.inSet = true
	defer func() { c.budget.inSet = false }()
	return c.service.Reset(ctx)
}

// resetError says what a reset that failed means for the tests after it.
func (c *caller) resetError(ctx, timed context.Context, err error) error {
	var wrong *sut.WrongAnswer
	switch {
	case errors.As(err, &wrong):
		return err
	case timed.Err() != nil || errors.Is(err, client.ErrBudget):
		return ended(ctx)
	}
	return c.watch(ctx, err)
}

// ended is the error of a test that was cut short: by somebody, or else by the
// budget.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return client.ErrBudget
}

// patience is how many tests in a row may end without an answer before
// somebody looks whether the service is still there.
const patience = 5

// watch returns an error when the service has gone. One that is there but
// breaks the connection now and then is worth going on with.
func (c *caller) watch(ctx context.Context, err error) error {
	if err == nil {
		c.failures = 0
		return nil
	}
	if c.failures++; c.failures < patience {
		return nil
	}
	c.failures = 0
	if c.client.Reachable(ctx) != nil && ctx.Err() == nil {
		return &Unreachable{fmt.Errorf("%q stopped answering after call %d: see its log, then start it again", c.plan.BaseURL, c.budget.calls)}
	}
	return nil
}

// summary is what the calls came to so far.
func (c *caller) summary() model.Summary {
	b := c.budget
	s := model.Summary{
		Calls: b.calls, SetUp: b.setUp, Budget: b.limits.Calls,
		Operations: len(c.plan.Spec.Operations), Faults: len(c.book.faults), Elapsed: b.elapsed(),
		Unanswered: c.book.unanswered, NoAnswer: c.book.noAnswer,
	}
	for _, counts := range c.book.grid {
		s.With2xx += anyIn(counts, 2)
		s.With5xx += anyIn(counts, 5)
	}
	if seconds := s.Elapsed.Seconds(); seconds > 0 {
		s.Rate = float64(s.Calls) / seconds
	}
	return s
}
