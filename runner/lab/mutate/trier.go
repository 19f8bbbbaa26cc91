package mutate

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"
)

// Basis identifies what an analysis is based on. Processes with the same basis get the same results.
type Basis struct {
	Go        string `json:"go"`        // the Go installation that builds the service
	Source    string `json:"source"`    // digest of the service's source
	Tests     string `json:"tests"`     // digest of the test files
	Mutants   string `json:"mutants"`   // digest of the IDs of all mutants
	Unchanged string `json:"unchanged"` // hash of the binary of the unchanged service
}

// Basis returns what the analysis is based on.
func (a *Analysis) Basis() Basis {
	h := sha256.New()
	for _, m := range a.all {
		fmt.Fprintln(h, m.ID)
	}
	return Basis{
		Go: a.builder.Go(), Source: a.Head.Source, Tests: a.Head.Tests, Mutants: fmt.Sprintf("%x", h.Sum(nil)[:8]),
		Unchanged: a.unchangedHash,
	}
}

// Module returns the folder of the service's module, "" if it has none.
func (a *Analysis) Module() string { return a.builder.Module }

// Outside returns the path of a file that has mutants and is not in the service's module, "" if there is none.
func (a *Analysis) Outside() string {
	for _, m := range a.all {
		if filepath.IsAbs(filepath.FromSlash(m.File)) {
			return m.File
		}
	}
	return ""
}

// IDs returns the IDs of all mutants of the service, whether they are chosen or not. The order is random, and depends
// only on Seed.
func (a *Analysis) IDs() []string {
	all := make([]string, len(a.all))
	for i, at := range rand.New(rand.NewPCG(a.Seed, 1)).Perm(len(a.all)) {
		all[i] = a.all[at].ID
	}
	return all
}

// Add logs a result of a Trier. If the mutant is judged, and the log has a judged mutant with the same binary that is
// also chosen, the logged mutant becomes a duplicate of that mutant.
func (a *Analysis) Add(log *Log, r Result) error {
	at := slices.IndexFunc(a.all, func(m Mutant) bool { return m.ID == r.ID })
	if at < 0 {
		return fmt.Errorf("there is no mutant %q", r.ID)
	}
	r.Mutant = a.all[at]
	if r.Status.IsJudged() {
		for _, m := range a.Mutants {
			if other, ok := log.Result(m.ID); ok && m.ID != r.ID && other.Binary == r.Binary && other.Status.IsJudged() {
				r.becomeDuplicate(m.ID)
				break
			}
		}
	}
	return log.add(r)
}

// Trier tries single mutants of an analysis that another process has prepared. It is safe for concurrent use.
type Trier struct {
	analysis *Analysis
	byID     map[string]Mutant
}

// NewTrier makes the mutants of a plan and runs the tests on the unchanged service. broken are the tests that the
// analysis leaves out. NewTrier returns an error if the results would differ from those of the analysis, because the
// service has another basis here or because other tests fail.
func NewTrier(ctx context.Context, p Plan, want Basis, broken []string) (*Trier, error) {
	a, err := newAnalysis(ctx, p)
	if err != nil {
		return nil, err
	}
	if got := a.builder.Go(); got != want.Go {
		return nil, fmt.Errorf("it builds with %s, and the coordinator with %s", got, want.Go)
	}
	binary, err := a.buildUnchanged(ctx)
	if err != nil {
		return nil, err
	}
	if a.Basis() != want {
		return nil, errors.New("it builds another service from the same files: compare go env of both machines")
	}
	a.Broken = broken
	a.Suite.skip = broken
	if err := a.checkTests(ctx, binary); err != nil {
		return nil, err
	}
	t := &Trier{analysis: a, byID: map[string]Mutant{}}
	for _, m := range a.all {
		t.byID[m.ID] = m
	}
	return t, nil
}

// checkTests returns an error if tests fail on the unchanged service, also when they are run again. It also measures
// how long the tests take.
func (a *Analysis) checkTests(ctx context.Context, binary string) error {
	a.timeout = time.Hour
	o, err := newBatch(a).runTests(ctx, binary)
	switch {
	case err != nil:
		return err
	case !o.started:
		return fmt.Errorf("the tests do not start the unchanged service: %s", firstLine(o.output))
	case len(o.failed) > 0:
		return fmt.Errorf("%s fails on the unchanged service", o.failed[0])
	}
	a.limitTime(o)
	return nil
}

// Try builds the mutant with an ID and runs the tests. The result is never a duplicate.
func (t *Trier) Try(ctx context.Context, id string) (Result, error) {
	m, ok := t.byID[id]
	if !ok {
		return Result{}, fmt.Errorf("there is no mutant %q", id)
	}
	return newBatch(t.analysis).try(ctx, m)
}
