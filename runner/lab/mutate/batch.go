package mutate

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// batch tries mutants. It is safe for concurrent use.
type batch struct {
	*Analysis

	mu          sync.Mutex
	firstByHash map[string]string // ID of the first mutant with a binary, by the binary's hash; "" for the unchanged service
}

func newBatch(a *Analysis) *batch {
	b := &batch{Analysis: a, firstByHash: map[string]string{a.unchangedHash: ""}}
	for _, u := range a.units {
		b.firstByHash[u.unchanged] = ""
	}
	return b
}

// try builds a mutant and runs the tests.
func (b *batch) try(ctx context.Context, m Mutant) (Result, error) {
	began := time.Now()
	r := Result{Mutant: m}
	dir, err := os.MkdirTemp(b.Dir, "mutant-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "service")
	err = b.build(ctx, m, binary)
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case err != nil:
		r.Status, r.Why = Uncompiled, strings.ReplaceAll(err.Error(), b.builder.Module+string(filepath.Separator), "")
	default:
		r, err = b.classify(ctx, r, binary)
		if err != nil {
			return r, err
		}
	}
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}

// build builds the binary of a mutant.
func (b *batch) build(ctx context.Context, m Mutant, binary string) error {
	src, err := os.ReadFile(m.source)
	if err != nil {
		return err
	}
	changed := map[string][]byte{m.source: apply(src, m.edits)}
	if u := b.units[filepath.Dir(m.source)]; u != nil {
		return b.builder.BuildTests(ctx, u.path, binary, changed)
	}
	return b.builder.Build(ctx, binary, changed)
}

// classify runs the tests on a mutant, unless another mutant or the unchanged service has the same binary.
func (b *batch) classify(ctx context.Context, r Result, binary string) (Result, error) {
	var err error
	r.Binary, err = hashOf(binary)
	if err != nil {
		return r, err
	}
	b.mu.Lock()
	first, known := b.firstByHash[r.Binary]
	if !known {
		b.firstByHash[r.Binary] = r.ID
	}
	b.mu.Unlock()
	switch {
	case known && first == "":
		r.Status = Equal
		return r, nil
	case known:
		r.becomeDuplicate(first)
		return r, nil
	}
	var o outcome
	if u := b.units[filepath.Dir(r.source)]; u != nil {
		o, err = b.runUnits(ctx, u, binary, u.tests)
	} else {
		o, err = b.runTests(ctx, binary)
	}
	r.setOutcome(o)
	return r, err
}

// maxConfirmed is the maximum number of failed tests that are run again.
const maxConfirmed = 3

// runTests runs the tests until each oracle has noticed the mutant. If the tests were stopped by failures, but none
// of these tests fails again, runTests runs all tests once more.
func (b *batch) runTests(ctx context.Context, binary string) (outcome, error) {
	t := trial{suite: b.Suite, binary: binary, timeout: b.timeout, stopEarly: true, isolated: b.Alone}
	o, err := b.confirmed(ctx, t)
	if err != nil || len(o.failed) > 0 || !o.stopped {
		return o, err
	}
	t.stopEarly = false
	return b.confirmed(ctx, t)
}

// confirmed runs tests. If at most maxConfirmed tests fail, and the run does not time out, it runs these tests again,
// and counts only those that fail again. If the second run times out, or starts no test, all count.
func (b *batch) confirmed(ctx context.Context, t trial) (outcome, error) {
	o, err := t.run(ctx)
	if err != nil || len(o.failed) == 0 || len(o.failed) > maxConfirmed || o.timedOut {
		return o, err
	}
	t.only, t.stopEarly = o.failed, false
	again, err := t.run(ctx)
	if again.timedOut || !again.started {
		return o, err
	}
	o.failed = slices.DeleteFunc(o.failed, func(test string) bool { return !slices.Contains(again.failed, test) })
	return o, err
}

// becomeDuplicate makes a mutant a duplicate of another one, which is given by its ID.
func (r *Result) becomeDuplicate(of string) {
	r.Status, r.By, r.Tests, r.Why = Duplicate, nil, nil, "as "+of
}

// address matches an address in a stack trace. Addresses differ from run to run.
var address = regexp.MustCompile(`0x[0-9a-f]+`)

// setOutcome sets the status of a mutant by the outcome of its trial, and records the oracles that noticed
// the mutant and the first tests that failed.
func (r *Result) setOutcome(o outcome) {
	r.By, r.Tests = o.oracles(), o.failed[:min(maxConfirmed, len(o.failed))]
	switch {
	case o.timedOut:
		r.Status = Timeout
	case !o.started:
		r.Status, r.Why = Crash, address.ReplaceAllString(firstLine(o.output), "0x…")
	case len(o.failed) > 0:
		r.Status = Killed
	default:
		r.Status = Survived
	}
}
