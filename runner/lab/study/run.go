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

// maxFailuresInRow is the number of consecutive runs that must fail to end a study.
const maxFailuresInRow = 3

// RunAll makes the runs that are not in the log, at most jobs at a time. A run that fails does not stop the
// study, unless maxFailuresInRow runs fail in a row. The error is the context's error, or contains the first
// failure.
func (s Study) RunAll(ctx context.Context, l *Log, jobs int) error {
	todo, working := errgroup.WithContext(ctx)
	todo.SetLimit(jobs)
	var t failures
	for _, key := range s.RunKeys() {
		if working.Err() == nil && !l.Has(key) {
			todo.Go(func() error { return t.count(s.runOnce(working, key, l)) })
		}
	}
	return cmp.Or(todo.Wait(), ctx.Err(), t.err())
}

// runOnce makes a run and logs its result.
func (s Study) runOnce(ctx context.Context, key RunKey, l *Log) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r, err := s.Run(ctx, key)
	switch {
	case ctx.Err() != nil:
		return ctx.Err() // an interrupted run has no result
	case err != nil:
		return fmt.Errorf("%s: %w", key, err)
	}
	return l.Add(r)
}

// failures counts the runs that failed.
type failures struct {
	mu         sync.Mutex
	all, inRow int
	first      error
}

// count counts a run by its error, nil for success. It returns an error if the study must end.
func (t *failures) count(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err == nil {
		t.inRow = 0
		return nil
	}
	t.all++
	t.inRow++
	t.first = cmp.Or(t.first, err)
	if t.inRow == maxFailuresInRow {
		return t.first
	}
	return nil
}

// err returns the error of a study of which some runs failed, nil if none did.
func (t *failures) err() error {
	if t.all == 0 {
		return nil
	}
	return fmt.Errorf("not all runs could be made (%d failed); the first: %w", t.all, t.first)
}

// Run makes one run, and returns its result.
func (s Study) Run(ctx context.Context, key RunKey) (Result, error) {
	service := s.service(key.Service)
	plan, end, err := service.Copy(ctx, key.Way)
	if err != nil {
		return Result{}, err
	}
	defer end()
	if service.List != nil {
		return runList(ctx, service, plan, key)
	}
	plan.Limits, plan.Seed, plan.Tuning.Smart = model.Limits{Calls: key.Budget}, key.Seed, key.Smart
	plan.Minimise = 0 // otherwise the search could not use the whole budget
	if plan.Probes != nil {
		probes := *plan.Probes
		probes.Blind, plan.Probes = !key.White, &probes
	}
	run, err := search.New(ctx, plan)
	if err != nil {
		return Result{}, err
	}
	o := &observer{marks: map[string]bool{}, curve: []CurvePoint{}}
	run.Start(ctx, o.sink())
	last := run.Wait()
	r := newResult(key, last, o)
	if last.Err != nil {
		return r, last.Err
	}
	if service.Count != nil && s.Statements {
		reached, err := service.Count(ctx, plan, last.Tests)
		if err != nil {
			return r, err
		}
		r.Statements = &reached.Statements
	}
	if service.Judge != nil {
		score, err := service.Judge(ctx, plan, last.Tests, last.Faults)
		if err != nil {
			return r, err
		}
		r.Mutants = &score
	}
	return r, nil
}
