package mutate

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Pool is a random sample of the mutants of a service, with a binary of each mutant. All suites that a Pool judges
// run on the same mutants, so that their scores can be compared. A Pool is safe for concurrent use.
type Pool struct {
	analysis        *Analysis // analysis of the plan without a suite
	digest          string
	counting, plain string // binaries of the unchanged service, with coverage counters and without
	mutants         []builtMutant
}

// builtMutant is a mutant with the path of its binary.
type builtMutant struct {
	Mutant
	binary string
}

// Score is the number of mutants of a pool that a suite notices (Killed), out of all (Mutants).
type Score struct {
	Killed, Mutants int
	LeftOut, Tests  int    // tests that fail on the unchanged service and are left out, and all tests
	Pool            string // Pool identifies the mutants of the pool
}

// NewPool makes the mutants of a plan without a suite. It builds p.Sample of them in p.Dir, chosen at random by p.Seed,
// or all if p.Sample is 0. It leaves out mutants that do not compile, and those whose binary equals that of the
// unchanged service or of another mutant. If too few mutants are left, the pool is smaller. If none is left, NewPool
// returns an error.
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
		if seen[hash] {
			os.Remove(m.binary) // the folder is temporary
			continue
		}
		seen[hash] = true
		pool.mutants = append(pool.mutants, m)
	}
	pool.digest = digestOf(a.Head.Source, pool.mutants)
	if len(pool.mutants) == 0 {
		return nil, fmt.Errorf("none of %d mutants can be built", len(a.all))
	}
	return pool, nil
}

// digestOf returns a digest of the source of a service and of mutants.
func digestOf(source string, mutants []builtMutant) string {
	h := sha256.New()
	fmt.Fprintln(h, source)
	for _, m := range mutants {
		fmt.Fprintln(h, m.ID)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// Judge runs the tests of a suite on those mutants of the pool whose code the tests' calls reach. The other mutants
// count as survivors, even if their code runs when the service starts. Tests that fail on the unchanged service are
// left out. If all tests fail there, Judge returns an error.
func (p *Pool) Judge(ctx context.Context, s *Suite) (Score, error) {
	a := *p.analysis
	a.Suite = s
	reached, _, err := a.measure(ctx, p.counting, p.plain)
	if err != nil {
		return Score{}, err
	}
	score := Score{Mutants: len(p.mutants), LeftOut: len(a.Broken), Tests: len(s.Tests), Pool: p.digest}
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
