package study

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"sonde/model"
	"sonde/runner/search"

	"golang.org/x/sync/errgroup"
)

// patience is how many runs in a row may fail before the study ends at once.
const patience = 3

// RunAll makes the runs that the log does not have yet, some at a time. A run that
// fails does not keep the others from being made, unless it seems that they fail
// as well; the error is that of the first.
func (s Study) RunAll(ctx context.Context, l *Log, jobs int) error {
	todo, working := errgroup.WithContext(ctx)
	todo.SetLimit(jobs)
	var t tally
	for _, c := range s.cells() {
		if working.Err() == nil && !l.has(c) {
			todo.Go(func() error { return t.count(s.do(working, c, l)) })
		}
	}
	return cmp.Or(todo.Wait(), ctx.Err(), t.failed())
}

func (s Study) do(ctx context.Context, c Cell, l *Log) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r, err := s.run(ctx, c)
	switch {
	case ctx.Err() != nil:
		return ctx.Err() // what was cut short says nothing
	case err != nil:
		return fmt.Errorf("%s: %w", c, err)
	}
	return l.add(r)
}

// tally counts the runs that fail.
type tally struct {
	mu         sync.Mutex
	all, inRow int
	first      error
}

// count takes what came of a run, and returns the error that ends the study.
func (t *tally) count(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err == nil {
		t.inRow = 0
		return nil
	}
	t.all++
	t.inRow++
	t.first = cmp.Or(t.first, err)
	if t.inRow == patience {
		return t.first
	}
	return nil
}

// failed is the error of a study that was made as far as it could be.
func (t *tally) failed() error {
	if t.all == 0 {
		return nil
	}
	return fmt.Errorf("not all runs could be made (%d failed); the first: %w", t.all, t.first)
}

// mark is the header in which a service may name its fault.
const mark = "X-Fault"

func (s Study) run(ctx context.Context, c Cell) (Result, error) {
	of := s.service(c.Service)
	plan, end, err := of.Copy(ctx)
	if err != nil {
		return Result{}, err
	}
	defer end()
	plan.Limits, plan.Seed, plan.Tuning.Smart = model.Limits{Calls: c.Budget}, c.Seed, c.Smart
	plan.Minimise = 0 // else a share of the budget would not be searched
	if plan.Probes != nil {
		probes := *plan.Probes
		probes.Blind, plan.Probes = !c.White, &probes
	}
	run, err := search.New(ctx, plan)
	if err != nil {
		return Result{}, err
	}
	marks := map[string]bool{}
	run.Start(ctx, search.Sink{ObserveReply: func(r model.Reply) error {
		for _, m := range r.Header[mark] {
			marks[m] = true
		}
		return nil
	}})
	last := run.Wait()
	r := newResult(c, last, marks)
	if last.Err != nil || of.Count == nil {
		return r, last.Err
	}
	part, err := of.Count(ctx, plan, last.Tests)
	r.Statements = &part
	return r, err
}
