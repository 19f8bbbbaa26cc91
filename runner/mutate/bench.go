package mutate

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// bench tries mutants. It may be used by several goroutines.
type bench struct {
	*Analysis
	log *Log

	mu    sync.Mutex
	first map[string]string // the mutant with a binary, "" for the service itself
}

// try builds a mutant, runs the tests and notes the result.
func (b *bench) try(ctx context.Context, m Mutant) error {
	began := time.Now()
	dir, err := os.MkdirTemp(b.Dir, "mutant-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r := Result{Mutant: m}
	binary := filepath.Join(dir, "service")
	if err := b.build(ctx, m, binary); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.Status, r.Why = Uncompiled, err.Error()
	} else if r, err = b.judge(ctx, r, binary); err != nil {
		return err
	}
	r.Seconds = time.Since(began).Seconds()
	return b.log.add(r)
}

func (b *bench) build(ctx context.Context, m Mutant, binary string) error {
	src, err := os.ReadFile(m.source)
	if err != nil {
		return err
	}
	return b.bare.Build(ctx, binary, map[string][]byte{m.source: apply(src, m.edits)})
}

// judge runs the tests with a mutant, unless its binary is known.
func (b *bench) judge(ctx context.Context, r Result, binary string) (Result, error) {
	var err error
	r.Binary, err = hashOf(binary)
	if err != nil {
		return r, err
	}
	b.mu.Lock()
	first, known := b.first[r.Binary]
	if !known {
		b.first[r.Binary] = r.ID
	}
	b.mu.Unlock()
	switch {
	case known && first == "":
		r.Status = Equal
		return r, nil
	case known:
		r.Status, r.Why = Duplicate, "as "+first
		return r, nil
	}
	o, err := b.trial(ctx, binary)
	r.take(o)
	return r, err
}

// few is how many tests may fail for their failing to be looked at again.
const few = 3

// trial runs the tests; where few of them fail, these must fail again.
func (b *bench) trial(ctx context.Context, binary string) (outcome, error) {
	t := trial{suite: b.Suite, binary: binary, limit: b.limit, enough: true, alone: b.Alone}
	o, err := t.run(ctx)
	if err != nil || len(o.failed) == 0 || len(o.failed) > few || o.timedOut {
		return o, err
	}
	t.only, t.enough = o.failed, false
	again, err := t.run(ctx)
	if again.timedOut || !again.started {
		return o, err
	}
	o.failed = slices.DeleteFunc(o.failed, func(test string) bool { return !slices.Contains(again.failed, test) })
	return o, err
}

// take takes in what came of a trial.
func (r *Result) take(o outcome) {
	r.By, r.Tests = o.oracles(), o.failed[:min(few, len(o.failed))]
	switch {
	case o.timedOut:
		r.Status = Timeout
	case !o.started:
		r.Status, r.Why = Crash, firstLine(o.said)
	case len(o.failed) > 0:
		r.Status = Killed
	default:
		r.Status = Survived
	}
}
