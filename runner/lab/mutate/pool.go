package mutate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
)

// Pool is a random sample of the mutants of a service, which are built. It judges several suites by the same mutants, so
// that their scores can be compared. It is safe for concurrent use.
type Pool struct {
	analysis        *Analysis // without a suite
	counting, plain string    // binaries of the unchanged service, with coverage counters and without
	mutants         []builtMutant
}

// builtMutant is a mutant with the path of its binary.
type builtMutant struct {
	Mutant
	binary string
}

// Score is the number of mutants of a pool, and how many of them a suite notices.
type Score struct {
	Killed, Mutants int
}

// NewPool makes the mutants of a plan without a suite, and builds p.Sample of them in p.Dir, chosen at random by p.Seed. It
// leaves out mutants that do not compile, and those whose binary is that of the unchanged service or of another mutant. If
// too few are left, the pool is smaller. It is an error if it is empty.
func NewPool(ctx context.Context, p Plan) (*Pool, error) {
	p.Suite = &Suite{}
	a, err := newAnalysis(ctx, p)
	if err != nil {
		return nil, err
	}
	pool := &Pool{analysis: a}
	pool.counting, pool.plain, err = a.buildBoth(ctx)
	if err != nil {
		return nil, err
	}
	b, seen := newBatch(a), map[string]bool{a.unchangedHash: true}
	for _, i := range rand.New(rand.NewPCG(a.Seed, 1)).Perm(len(a.all)) {
		if p.Sample > 0 && len(pool.mutants) == p.Sample {
			break
		}
		m := builtMutant{Mutant: a.all[i], binary: filepath.Join(a.Dir, fmt.Sprint("mutant-", i))}
		if err := b.build(ctx, m.Mutant, m.binary); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			continue // it does not compile
		}
		hash, err := hashOf(m.binary)
		if err != nil {
			return nil, err
		}
		if !seen[hash] {
			seen[hash] = true
			pool.mutants = append(pool.mutants, m)
		}
	}
	if len(pool.mutants) == 0 {
		return nil, fmt.Errorf("none of %d mutants can be built", len(a.all))
	}
	return pool, nil
}

// Size returns the number of mutants.
func (p *Pool) Size() int { return len(p.mutants) }

// Judge runs the tests of a suite on each mutant of the pool in code that the tests' calls reach. The other mutants survive,
// also those in code that runs only when the service starts. Tests that fail on the unchanged service are left out. If all
// fail, all mutants survive.
func (p *Pool) Judge(ctx context.Context, s *Suite) (Score, error) {
	score := Score{Mutants: p.Size()}
	a := *p.analysis
	a.Suite = s
	reached, _, err := a.measure(ctx, p.counting, p.plain)
	switch {
	case ctx.Err() != nil:
		return score, ctx.Err()
	case err != nil && len(a.Broken) >= len(s.Tests):
		return score, nil
	case err != nil:
		return score, err
	}
	b := newBatch(&a)
	for _, m := range p.mutants {
		if reached.howReached(m.Mutant) != byCalls {
			continue
		}
		o, err := b.runTests(ctx, m.binary)
		if err != nil {
			return score, err
		}
		var r Result
		r.setOutcome(o)
		if r.Status.IsNoticed() {
			score.Killed++
		}
	}
	return score, nil
}
