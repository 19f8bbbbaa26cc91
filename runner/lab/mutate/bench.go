package mutate

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// bench tries mutants. It is safe for concurrent use.
type bench struct {
	*Analysis
	log *Log

	mu    sync.Mutex
	first map[string]string // the mutant by the hash of its binary, "" for the service itself
}

// try builds a mutant, runs the tests and logs the result.
func (b *bench) try(ctx context.Context, m Mutant) error {
	began := time.Now()
	dir, err := os.MkdirTemp(b.Dir, "mutant-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r := Result{Mutant: m}
	binary := filepath.Join(dir, "service")
	err = b.build(ctx, m, binary)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		r.Status, r.Why = Uncompiled, err.Error()
	default:
		r, err = b.judge(ctx, r, binary)
		if err != nil {
			return err
		}
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

// judge runs the tests with a mutant, unless another one has the same binary.
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

// maxConfirmed is the number of failed tests up to which they must fail again.
const maxConfirmed = 3

// trial runs the tests. If only few fail, they must fail again.
func (b *bench) trial(ctx context.Context, binary string) (outcome, error) {
	t := trial{suite: b.Suite, binary: binary, limit: b.limit, enough: true, alone: b.Alone}
	o, err := t.run(ctx)
	if err != nil || len(o.failed) == 0 || len(o.failed) > maxConfirmed || o.timedOut {
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

// take sets the result of a trial.
func (r *Result) take(o outcome) {
	r.By, r.Tests = o.oracles(), o.failed[:min(maxConfirmed, len(o.failed))]
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
