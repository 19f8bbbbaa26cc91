package study

import (
	"cmp"
	"context"
	"fmt"

	"sonde/model"
	"sonde/runner"

	"golang.org/x/sync/errgroup"
)

// Do makes the runs that the log does not have yet, some at a time. A run that
// fails ends the study; what is in the log stays.
func (s Study) Do(ctx context.Context, l *Log, jobs int) error {
	todo, working := errgroup.WithContext(ctx)
	todo.SetLimit(jobs)
	for _, c := range s.cells() {
		if working.Err() == nil && !l.has(c) {
			todo.Go(func() error { return s.do(working, c, l) })
		}
	}
	return cmp.Or(todo.Wait(), ctx.Err())
}

func (s Study) do(ctx context.Context, c Cell, l *Log) error {
	r, err := s.run(ctx, c)
	if ctx.Err() != nil {
		return ctx.Err() // what was cut short says nothing
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c, err)
	}
	return l.add(r)
}

// mark is the header in which a service may name its fault.
const mark = "X-Fault"

func (s Study) run(ctx context.Context, c Cell) (Result, error) {
	plan, end, err := s.service(c.Service).Copy(ctx)
	if err != nil {
		return Result{}, err
	}
	defer end()
	plan.Limits, plan.Seed, plan.Tuning.Smart = model.Limits{Calls: c.Budget}, c.Seed, c.Smart
	run, err := runner.New(ctx, plan)
	if err != nil {
		return Result{}, err
	}
	marks := map[string]bool{}
	run.Go(ctx, runner.Sink{Answer: func(r model.Reply) error {
		for _, m := range r.Header[mark] {
			marks[m] = true
		}
		return nil
	}})
	last := run.Wait()
	return newResult(c, last, marks), last.Err
}
