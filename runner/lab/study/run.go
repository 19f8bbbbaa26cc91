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

// patience is how many runs in a row may fail before the study ends early.
const patience = 3

// RunAll makes the runs that are not in the log, up to jobs at a time. A failed run does not stop
// the others, unless patience runs in a row fail. The error is that of the first failure.
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

func (s Study) do(ctx context.Context, c RunKey, l *Log) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r, err := s.run(ctx, c)
	switch {
	case ctx.Err() != nil:
		return ctx.Err() // an interrupted run has no result
	case err != nil:
		return fmt.Errorf("%s: %w", c, err)
	}
	return l.add(r)
}

// tally counts failed runs.
type tally struct {
	mu         sync.Mutex
	all, inRow int
	first      error
}

// count records the error of a run, nil for success, and returns the error that ends the study.
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

// failed returns the error of a study of which some runs failed, nil if none did.
func (t *tally) failed() error {
	if t.all == 0 {
		return nil
	}
	return fmt.Errorf("not all runs could be made (%d failed); the first: %w", t.all, t.first)
}

// mark is the header in which a service may report its faults.
const mark = "X-Fault"

func (s Study) run(ctx context.Context, c RunKey) (Result, error) {
	of := s.service(c.Service)
	plan, end, err := of.Copy(ctx)
	if err != nil {
		return Result{}, err
	}
	defer end()
	plan.Limits, plan.Seed, plan.Tuning.Smart = model.Limits{Calls: c.Budget}, c.Seed, c.Smart
	plan.Minimise = 0 // otherwise part of the budget would not be used for the search
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
