package mutate

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sonde/runner/instrument/probe"

	"golang.org/x/sync/errgroup"
)

// Plan selects the service, its tests, and the mutants to try.
type Plan struct {
	Service   probe.Options
	Suite     *Suite
	Operators []Operator
	// Outward limits the mutants to changes of calls by which the service calls other
	// hosts.
	Outward bool
	// Sample is the number of mutants to try, chosen by Seed; 0 for all.
	Sample int
	Seed   uint64
	Jobs   int
	// Equivalent are the reasons why mutants are equivalent to the service, by ID.
	Equivalent map[string]string
	// Alone runs the service and its tests in a network namespace, where they reach only
	// each other. The program must handle netns.KeeperCommand.
	Alone bool
	// Dir is a folder for binaries.
	Dir string
}

// Analysis is a plan whose service and tests were read.
type Analysis struct {
	Plan
	// Made is the number of mutants; Idle of those in code that runs only when the service
	// starts or ends, and Unreached of those in code that does not run.
	Made, Idle, Unreached int
	// Mutants are those to try, in the order of the source.
	Mutants []Mutant
	// Unknown are the IDs in Equivalent of no mutant.
	Unknown []string
	// Broken are the tests that fail on the unchanged service. They are left out.
	Broken []string
	// LogHead is the head of the file of results.
	Head LogHead

	bare  *probe.VariantBuilder
	hash  string // of the binary of the unchanged service
	limit time.Duration
}

// minLimit is the least duration after which the tests are stopped.
const minLimit = 20 * time.Second

// Prepare makes the mutants, runs the tests with the unchanged service, and leaves out the
// mutants that they do not reach.
func Prepare(ctx context.Context, p Plan) (*Analysis, error) {
	p.Service.Net = p.Service.Net || p.Suite.Network
	bare, err := probe.NewVariantBuilder(ctx, p.Service)
	if err != nil {
		return nil, err
	}
	a := &Analysis{Plan: p, bare: bare, Head: LogHead{Version: logVersion, Package: p.Service.Package, Tests: p.Suite.Digest}}
	all, err := FindMutants(bare, p.Operators)
	if err != nil {
		return nil, err
	}
	a.Head.Source, err = sourceOf(bare)
	if err != nil {
		return nil, err
	}
	reached, err := a.rehearse(ctx)
	if err != nil {
		return nil, err
	}
	a.choose(all, reached)
	if len(a.Mutants) == 0 {
		return nil, fmt.Errorf(
			"none of %d mutants is in code that the tests' calls run through: cover other packages, or name other operators",
			a.Made,
		)
	}
	return a, nil
}

// sourceOf returns a digest of the source.
func sourceOf(b *probe.VariantBuilder) (string, error) {
	h := sha256.New()
	for _, s := range b.Sources {
		for _, f := range s.Files {
			src, err := os.ReadFile(b.Fset.PositionFor(f.Package, false).Filename)
			if err != nil {
				return "", err
			}
			h.Write(src)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}

// choose selects the mutants to try.
func (a *Analysis) choose(all []Mutant, reached reach) {
	a.Made = len(all)
	for id := range a.Equivalent {
		if !slices.ContainsFunc(all, func(m Mutant) bool { return m.ID == id }) {
			a.Unknown = append(a.Unknown, id)
		}
	}
	slices.Sort(a.Unknown)
	for _, m := range all {
		switch reached.touches(m) {
		case byCalls:
			if m.Outward || !a.Outward {
				a.Mutants = append(a.Mutants, m)
			}
		case whenStarted:
			a.Idle++
		case never:
			a.Unreached++
		}
	}
	if a.Sample == 0 || a.Sample >= len(a.Mutants) {
		return
	}
	chance := rand.New(rand.NewPCG(a.Seed, 0))
	var some []Mutant
	for _, i := range slices.Sorted(slices.Values(chance.Perm(len(a.Mutants))[:a.Sample])) {
		some = append(some, a.Mutants[i])
	}
	a.Mutants = some
}

// rehearse runs the tests with the unchanged service: none, then all while coverage is
// counted, then all without. Tests that fail are left out from then on.
func (a *Analysis) rehearse(ctx context.Context) (reach, error) {
	counting, plain := filepath.Join(a.Dir, "counting"), filepath.Join(a.Dir, "plain")
	if err := a.bare.BuildWithCounts(ctx, counting); err != nil {
		return nil, err
	}
	if err := a.bare.Build(ctx, plain, nil); err != nil {
		return nil, err
	}
	var err error
	a.hash, err = hashOf(plain)
	if err != nil {
		return nil, err
	}
	idle, err := a.count(ctx, counting, []string{"none"})
	if err != nil {
		return nil, err
	}
	called, err := a.count(ctx, counting, nil)
	if err != nil {
		return nil, err
	}
	o, err := trial{suite: a.Suite, binary: plain, limit: time.Hour, alone: a.Alone}.run(ctx)
	if err != nil {
		return nil, err
	}
	a.leaveOut(o)
	if len(a.Broken) >= len(a.Suite.Tests) || !o.started {
		return nil, fmt.Errorf("all tests fail on the unchanged service: run them with SONDE_BINARY=%s: %s", plain, firstLine(o.said))
	}
	a.limit = max(minLimit, 5*o.took)
	return newReach(idle, called)
}

// count runs tests with a service that counts its coverage.
func (a *Analysis) count(ctx context.Context, binary string, only []string) (c counts, err error) {
	dir, err := os.MkdirTemp(a.Dir, "counts-")
	if err != nil {
		return c, err
	}
	o, err := trial{
		suite:  a.Suite,
		binary: binary,
		env:    []string{probe.CoverDirVariable + "=" + dir},
		limit:  time.Hour,
		only:   only,
		alone:  a.Alone,
	}.run(ctx)
	if err != nil {
		return c, err
	}
	c.processes = processesIn(dir)
	switch {
	case c.processes == 0 && only != nil:
		return c, nil // the service starts when it is called
	case c.processes == 0:
		return c, fmt.Errorf(
			"the service left no coverage: the tests must start SONDE_BINARY, and it must end on SIGTERM by itself: %s",
			firstLine(o.said),
		)
	}
	a.leaveOut(o)
	c.blocks, err = probe.ReadCover(ctx, dir)
	return c, err
}

// leaveOut leaves out the tests that failed.
func (a *Analysis) leaveOut(o outcome) {
	for _, t := range o.failed {
		if !slices.Contains(a.Broken, t) && slices.Contains(a.Suite.Tests, t) {
			a.Broken = append(a.Broken, t)
		}
	}
	a.Suite.skip = a.Broken
}

func hashOf(file string) (string, error) {
	data, err := os.ReadFile(file)
	return fmt.Sprintf("%x", sha256.Sum256(data)), err
}

// Run tries the mutants that are not in the log, Jobs at once, and logs the results.
func (a *Analysis) Run(ctx context.Context, log *Log) error {
	b := bench{Analysis: a, log: log, first: map[string]string{a.hash: ""}}
	for _, m := range a.Mutants {
		if r, ok := log.Result(m.ID); ok && r.Binary != "" && r.Status != Duplicate {
			b.first[r.Binary] = m.ID
		}
	}
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(max(1, a.Jobs))
	for _, i := range rand.New(rand.NewPCG(a.Seed, 1)).Perm(len(a.Mutants)) { // the results of a run that is stopped are a sample
		m := a.Mutants[i]
		if _, ok := log.Result(m.ID); ok || a.Equivalent[m.ID] != "" {
			continue
		}
		if inner.Err() != nil {
			break
		}
		g.Go(func() error { return b.try(inner, m) })
	}
	return errors.Join(g.Wait(), ctx.Err())
}

// Results returns the known results of the mutants to try, in the order of the source.
func (a *Analysis) Results(log *Log) []Result {
	var all []Result
	for _, m := range a.Mutants {
		if why := a.Equivalent[m.ID]; why != "" {
			all = append(all, Result{Mutant: m, Status: Equivalent, Why: why})
		} else if r, ok := log.Result(m.ID); ok {
			r.Mutant = m // its line may have changed
			all = append(all, r)
		}
	}
	return all
}
