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
	"strings"
	"time"

	"sonde/runner/instrument/probe"

	"golang.org/x/sync/errgroup"
)

// Plan selects the service, its tests and the mutants to try.
type Plan struct {
	Service   probe.Options
	Suite     *Suite
	Operators []Operator
	// Only are the IDs of the mutants to try, nil for all.
	Only []string
	// Outward limits the mutants to changes of calls by which the service calls other hosts.
	Outward bool
	// Sample is the number of mutants to try, chosen at random by Seed; 0 for all.
	Sample int
	Seed   uint64
	Jobs   int // the number of mutants that are tried at the same time
	// Operations has the names of the tests of each operation. The analysis measures the code that these tests run.
	// Nil means that no code is measured.
	Operations map[string][]string
	// Equivalent has the reasons why mutants are equivalent to the service, by ID. These mutants are not tried.
	Equivalent map[string]string
	// Alone runs the service and its tests in a network namespace, where they reach only each
	// other. The main function must handle netns.KeeperCommand.
	Alone bool
	// Dir is a folder for binaries.
	Dir string
}

// Analysis is a plan whose mutants are known.
type Analysis struct {
	Plan
	// Made is the number of all mutants. Idle is the number of mutants in code that runs only when the service starts
	// or ends. Unreached is the number of mutants in code that does not run.
	Made, Idle, Unreached int
	// Mutants are the chosen mutants, in the order of the source. Those in Equivalent are not tried.
	Mutants []Mutant
	// Unknown are IDs in Equivalent that no mutant has.
	Unknown []string
	// Broken are the tests that fail on the unchanged service. They are not run any more.
	Broken []string
	// Head is the first line of the file of results.
	Head LogHead

	all           []Mutant              // all mutants of the service, in the order of the source
	builder       *probe.VariantBuilder // builds the service and its mutants
	calls         *callGraph
	units         map[string]*unitPackage // packages with unit tests, by folder; nil if the tests call the service
	operations    map[string]reach        // how the tests of each operation reach the service's code
	unchangedHash string                  // hash of the binary of the unchanged service
	timeout       time.Duration           // time-out of the tests with one mutant
}

// minTimeout is the minimum of Analysis.timeout.
const minTimeout = 20 * time.Second

// Prepare makes the mutants, runs the tests on the unchanged service, and leaves out the mutants
// that the tests' calls do not reach. It returns an error if no mutant is left.
func Prepare(ctx context.Context, p Plan) (*Analysis, error) {
	a, err := newAnalysis(ctx, p)
	if err != nil {
		return nil, err
	}
	reached, operations, err := a.runUnchanged(ctx)
	if err != nil {
		return nil, withRemedy(err)
	}
	a.operations = operations
	a.Head.Code, err = newCodeSize(a.builder, a.calls, reached, operations)
	if err != nil {
		return nil, err
	}
	a.chooseMutants(reached)
	if len(a.Mutants) == 0 {
		return nil, fmt.Errorf(
			"none of %d mutants is in code that the tests' calls run through: cover other packages, or name other operators",
			a.Made,
		)
	}
	return a, nil
}

// newAnalysis makes the mutants of a plan.
func newAnalysis(ctx context.Context, p Plan) (*Analysis, error) {
	p.Service.Net, p.Service.Rows = p.Service.Net || p.Suite.Network, p.Suite.Rows
	bare, err := probe.NewVariantBuilder(ctx, p.Service)
	if err != nil {
		return nil, err
	}
	a := &Analysis{
		Plan: p, builder: bare, calls: newCallGraph(bare.Sources, bare.Fset),
		Head: LogHead{Version: logVersion, Package: p.Service.Package, Tests: p.Suite.Digest},
	}
	a.all, err = findMutants(bare, a.calls, p.Operators)
	if err != nil {
		return nil, err
	}
	a.Head.Source, err = sourceDigest(bare)
	return a, err
}

// sourceDigest returns a digest of the service's source.
func sourceDigest(b *probe.VariantBuilder) (string, error) {
	h := sha256.New()
	for _, s := range b.Sources {
		for _, file := range s.Files {
			src, err := os.ReadFile(b.Fset.PositionFor(file.Package, false).Filename)
			if err != nil {
				return "", err
			}
			h.Write(src)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}

// chooseMutants sets a.Mutants and a.Unknown, and counts the mutants that the tests' calls do not reach.
func (a *Analysis) chooseMutants(reached reach) {
	a.Made = len(a.all)
	for id := range a.Equivalent {
		if !slices.ContainsFunc(a.all, func(m Mutant) bool { return m.ID == id }) {
			a.Unknown = append(a.Unknown, id)
		}
	}
	slices.Sort(a.Unknown)
	for _, m := range a.all {
		switch reached.howReached(m) {
		case byCalls:
			if (m.Outward || !a.Outward) && (a.Only == nil || slices.Contains(a.Only, m.ID)) {
				a.Mutants = append(a.Mutants, m)
			}
		case whenStarted:
			a.Idle++
		case notReached:
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

// runUnchanged builds the unchanged service and measures the tests on it, as measure does.
func (a *Analysis) runUnchanged(ctx context.Context) (all reach, operations map[string]reach, err error) {
	counting, plain, err := a.buildBoth(ctx)
	if err != nil {
		return nil, nil, err
	}
	return a.measure(ctx, counting, plain)
}

// buildBoth builds the unchanged service with coverage counters, and without. It returns the paths of the binaries.
func (a *Analysis) buildBoth(ctx context.Context) (counting, plain string, err error) {
	counting = filepath.Join(a.Dir, "counting")
	if err := a.builder.BuildWithCounts(ctx, counting); err != nil {
		return "", "", err
	}
	plain, err = a.buildUnchanged(ctx)
	return counting, plain, err
}

// measure runs the unchanged service without tests, with all tests, and with the tests that passed. The first
// two of these runs count coverage. For each operation, a further run counts the coverage of its tests. Tests that
// fail are not run any more. counting and plain are the binaries with coverage counters and without.
//
// measure returns how all tests reach blocks, and how the tests of each operation reach blocks. It returns an
// error if all tests fail, or if no test starts in the third run.
func (a *Analysis) measure(ctx context.Context, counting, plain string) (all reach, operations map[string]reach, err error) {
	idle, err := a.runCounting(ctx, counting, []string{"none"})
	if err != nil {
		return nil, nil, err
	}
	called, err := a.runCounting(ctx, counting, nil)
	if err != nil {
		return nil, nil, err
	}
	o, err := trial{suite: a.Suite, binary: plain, timeout: time.Hour, isolated: a.Alone}.run(ctx)
	if err != nil {
		return nil, nil, err
	}
	a.skipFailed(o)
	if len(a.Broken) >= len(a.Suite.Tests) || !o.started {
		return nil, nil, fmt.Errorf(
			"all tests fail on the unchanged service: %s; to see why, build it and run the tests with its path in %s",
			firstLine(o.output), serviceName,
		)
	}
	a.limitTime(o)
	if all, err = newReach(idle, called); err != nil {
		return nil, nil, err
	}
	operations, err = a.reachOfOperations(ctx, counting, idle)
	return all, operations, err
}

// reachOfOperations returns how the tests of each operation reach blocks. It leaves out tests that fail.
func (a *Analysis) reachOfOperations(ctx context.Context, counting string, idle counts) (map[string]reach, error) {
	all := map[string]reach{}
	for name, tests := range a.Operations {
		tests = slices.DeleteFunc(slices.Clone(tests), func(test string) bool {
			return slices.Contains(a.Broken, test) || !slices.Contains(a.Suite.Tests, test)
		})
		if len(tests) == 0 {
			continue
		}
		called, err := a.runCounting(ctx, counting, tests)
		if err == nil {
			all[name], err = newReach(idle, called)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Reaches reports whether the tests of an operation reach a mutant by their calls. It returns true if the operation
// has no tests in Operations that pass, because it is then not known which code the operation runs.
func (a *Analysis) Reaches(operation string, m Mutant) bool {
	r, known := a.operations[operation]
	return !known || r.howReached(m) == byCalls
}

// buildUnchanged builds the unchanged service, and returns the path of the binary.
func (a *Analysis) buildUnchanged(ctx context.Context) (binary string, err error) {
	binary = filepath.Join(a.Dir, "plain")
	if err := a.builder.Build(ctx, binary, nil); err != nil {
		return "", err
	}
	a.unchangedHash, err = hashOf(binary)
	return binary, err
}

// limitTime sets the time-out of the tests from the time that they took on the unchanged service.
func (a *Analysis) limitTime(o outcome) { a.timeout = max(minTimeout, 5*o.duration) }

// runCounting runs tests on a service that counts its coverage, and returns the counts. only are the tests to
// run, nil for all.
func (a *Analysis) runCounting(ctx context.Context, binary string, only []string) (c counts, err error) {
	dir, err := os.MkdirTemp(a.Dir, "counts-")
	if err != nil {
		return c, err
	}
	defer os.RemoveAll(dir)
	o, err := trial{
		suite:    a.Suite,
		binary:   binary,
		env:      []string{probe.CoverDirVariable + "=" + dir},
		timeout:  time.Hour,
		only:     only,
		isolated: a.Alone,
	}.run(ctx)
	if err != nil {
		return c, err
	}
	c.processes = processesIn(dir)
	switch {
	case only != nil && !o.succeeded:
		return c, startError{firstLine(o.output)}
	case c.processes == 0 && only != nil:
		return c, nil // the tests start the service when they call it
	case c.processes == 0:
		return c, fmt.Errorf(
			"the service left no coverage: the tests must start SONDE_BINARY, and it must end on SIGTERM by itself: %s",
			firstLine(o.output),
		)
	}
	a.skipFailed(o)
	c.blocks, err = probe.ReadCover(ctx, dir)
	return c, err
}

// startError is the error of tests that do not start the service, with the reason that they print.
type startError struct{ why string }

func (e startError) Error() string {
	return fmt.Sprintf("the tests cannot start the service that was built as %s: %s", serviceName, e.why)
}

// withRemedy adds to a startError what the user of recorded tests can do. Other errors are returned unchanged.
func withRemedy(err error) error {
	var e startError
	switch {
	case !errors.As(err, &e):
		return err
	case strings.Contains(e.why, "there is no folder"): // as the tests say it
		return fmt.Errorf("%w; move the tests back to where they were written, or write them again where they are", err)
	}
	return fmt.Errorf("%w; record it again with that program, or with sonde record --net, which builds it", err)
}

// skipFailed adds the failed tests to a.Broken, so that they are not run any more.
func (a *Analysis) skipFailed(o outcome) {
	for _, t := range o.failed {
		if !slices.Contains(a.Broken, t) && slices.Contains(a.Suite.Tests, t) {
			a.Broken = append(a.Broken, t)
		}
	}
	a.Suite.skip = a.Broken
}

// hashOf returns the hash of a file.
func hashOf(file string) (string, error) {
	data, err := os.ReadFile(file)
	return fmt.Sprintf("%x", sha256.Sum256(data)), err
}

// Run tries the mutants that are not in Equivalent and have no result in the log, Jobs at a time, and logs
// their results.
func (a *Analysis) Run(ctx context.Context, log *Log) error {
	b := newBatch(a)
	for _, m := range a.Mutants {
		if r, ok := log.Result(m.ID); ok && r.Binary != "" && r.Status != Duplicate {
			b.firstByHash[r.Binary] = m.ID
		}
	}
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(max(1, a.Jobs))
	for _, i := range a.order() {
		m := a.Mutants[i]
		if _, ok := log.Result(m.ID); ok || a.Equivalent[m.ID] != "" {
			continue
		}
		if inner.Err() != nil {
			break
		}
		g.Go(func() error {
			r, err := b.try(inner, m)
			if err != nil {
				return err
			}
			return log.add(r)
		})
	}
	return errors.Join(g.Wait(), ctx.Err())
}

// order returns the indexes of a.Mutants in the order in which they are tried. The order is random, so that the
// results are a random sample if the run is stopped.
func (a *Analysis) order() []int { return rand.New(rand.NewPCG(a.Seed, 1)).Perm(len(a.Mutants)) }

// Results returns the known results of a.Mutants, in the order of the source. If several mutants have the same
// binary, the first of them in the order in which mutants are tried counts, and the others are duplicates of it.
// This does not depend on which of them had its result first.
func (a *Analysis) Results(log *Log) []Result {
	found := make([]*Result, len(a.Mutants))
	for i, m := range a.Mutants {
		if why := a.Equivalent[m.ID]; why != "" {
			found[i] = &Result{Mutant: m, Status: Equivalent, Why: why}
		} else if r, ok := log.Result(m.ID); ok {
			r.Mutant = m // the line may have changed since the result was logged
			found[i] = &r
		}
	}
	a.orderDuplicates(found)
	var all []Result
	for _, r := range found {
		if r != nil {
			all = append(all, *r)
		}
	}
	return all
}

// orderDuplicates decides which of several mutants with the same binary is judged: the one that comes first in the
// order in which mutants are tried. The results of the others become duplicates. found has the results of a.Mutants,
// nil for a mutant without a result.
func (a *Analysis) orderDuplicates(found []*Result) {
	same := map[string][]*Result{} // results by binary, in the order in which they are tried
	for _, i := range a.order() {
		if r := found[i]; r != nil && r.Binary != "" && (r.Status.IsJudged() || r.Status == Duplicate) {
			same[r.Binary] = append(same[r.Binary], r)
		}
	}
	for _, group := range same {
		judged := slices.IndexFunc(group, func(r *Result) bool { return r.Status.IsJudged() })
		if judged < 0 {
			continue // the log is of another sample: it has only duplicates with this binary
		}
		outcome := *group[judged]
		for i, r := range group {
			r.Status, r.By, r.Tests, r.Why = outcome.Status, outcome.By, outcome.Tests, outcome.Why
			if i > 0 {
				r.becomeDuplicate(group[0].ID)
			}
		}
	}
}
