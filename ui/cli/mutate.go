package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sonde/runner/instrument/probe"
	"sonde/runner/lab/mutate"
	"sonde/runner/network/netns"
	"sonde/ui/app/distributed"
	"sonde/ui/app/generation"
	"sonde/ui/app/mutation"
	"sonde/ui/app/service"
	"sonde/ui/app/survivors"
	"sonde/ui/console"
	"sonde/ui/results"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

func newMutate(s console.Streams) *cobra.Command {
	f := mutateFlags{jobs: 2}
	c := &cobra.Command{
		Use:   "mutate --tests DIR",
		Short: "Change a Go service in small ways, and report which oracles of its tests notice",
		Long: `Change a Go service in small ways, one at a time, and see which oracles of its
tests notice: those of the output, the parameters and the calls, as sonde generate
writes them. No file of the service changes.

Only code that the tests' calls execute is changed, not code that runs only when the
service starts or ends. Changes that give the same binary as the unchanged service, or
as another change, are left out. So are tests that fail on the unchanged service.

An oracle notices a change if a test fails by it; "before" means that the test failed
while it was set up. A change is also noticed if the tests exceed their time or the
service does not start. Tests of a search, which sonde export --faults pin writes, have
none of these oracles: the column "no oracle" counts what they notice.

If the kernel allows network namespaces, the changed service and its tests reach
only each other.

With -o each result is appended to a file as soon as it is known, and the same
command resumes what was interrupted.

With --nats, each change is tried by one of the sonde workers that have --allow-build.
They get the service's module and the tests, and need the same version of Go. The
results are the same, except for the times of the changes.

With --kill, other tests are tried after that: those of recorded exchanges without a
test, and tests in which a host answers or the service is sent another number or text,
such as a constant near a change that survived. The unchanged service says what the right
answer is then. Tests that notice a survivor are written to the folder.

With --refactor, the changes keep the behaviour: two calls of hosts change places, a read
is repeated, the path of a host is renamed, a value is computed by a function of its own,
branches change places. Each change that a test notices is a false alarm.

With --units, functions are changed for which sonde generate --units has written tests
from a recording, and the unit tests of their packages are compiled and run for each
change. --compare names the results of other tests of the same code, such as those that
start the service, and reports which changes only one of the two notices.

Exit code: 0 all tried changes are noticed, 1 some survived, 2 usage. With --refactor:
0 none is noticed, 1 some are.`,
		Example: `  sonde mutate --tests mimics --build ./cmd/server
  sonde mutate --tests mimics --demo --sample 100 --seed 1 -o mutants.ndjson
  sonde mutate --tests mimics --build ./cmd/server --nats nats://host:4222 -o mutants.ndjson
  sonde mutate --tests mimics --build ./cmd/server -o mutants.ndjson --kill more-mimics
  sonde mutate --tests mimics --build ./cmd/server --refactor
  sonde mutate --units rec -o units.ndjson --compare mutants.ndjson
  sonde mutate --tests mimics --operator removed,doubled,swapped --equivalent equivalent.txt`,
		Args: exactly(),
		RunE: func(c *cobra.Command, _ []string) error {
			if f.isOn() && !c.Flags().Changed("jobs") {
				f.jobs = 0 // this process only coordinates
			}
			return f.run(c, s)
		},
	}
	f.add(c)
	return c
}

// mutateFlags are the flags of sonde mutate.
type mutateFlags struct {
	campaignFlags
	tests, output, equivalent string
	service                   probe.Options
	demo, json, outward       bool
	refactor                  bool // refactorings instead of mutants
	operators                 []string
	sample, jobs              int
	kill                      killFlags
	units                     unitMutants
	seed                      uint64
}

func (f *mutateFlags) add(c *cobra.Command) {
	f.campaignFlags.add(c)
	fl := c.Flags()
	fl.StringVar(&f.tests, "tests", "", "folder with the tests, which start the service's binary")
	fl.StringVar(&f.service.Package, "build", "", "the service's main package (default: what sonde.yaml builds)")
	fl.BoolVar(&f.demo, "demo", false, "change the built-in demo")
	fl.StringArrayVar(&f.service.Cover, "package", nil, "packages to change, such as ./internal/... (default: the main module's)")
	fl.StringVar(&f.service.Tags, "tags", "", "build tags, separated by commas")
	fl.BoolVar(&f.service.Vendor, "vendor", false, "take dependencies from the vendor folder")
	fl.BoolVar(
		&f.refactor, "refactor", false,
		"make changes that keep the behaviour instead, to see which oracles raise false alarms: "+namesOf(mutate.Refactorings),
	)
	fl.StringSliceVar(&f.operators, "operator", nil, "kinds of changes: "+namesOf(mutate.Operators)+" (default: all)")
	fl.BoolVar(&f.outward, "outward", false, "only remove, duplicate and swap outward calls of the service")
	fl.IntVar(&f.sample, "sample", 0, "number of changes to try, chosen at random (default: all)")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of the sample")
	fl.IntVar(&f.jobs, "jobs", f.jobs, "number of changes to try in parallel")
	fl.StringVarP(&f.output, "output", "o", "", "file for the results, one a line; the same command resumes it")
	fl.StringVar(&f.equivalent, "equivalent", "", "file of changes that were judged equivalent by hand: ID REASON on a line")
	f.kill.add(fl)
	f.units.add(fl)
	fl.BoolVar(&f.json, "json", false, "print JSON for programs")
	addConfig(c)
}

// namesOf lists the names of operators.
func namesOf(operators []mutate.Operator) string {
	var all []string
	for _, o := range operators {
		all = append(all, string(o))
	}
	return strings.Join(all, ", ")
}

func (f *mutateFlags) run(c *cobra.Command, s console.Streams) error {
	if err := f.check(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "sonde-mutate-")
	if err != nil {
		return fmt.Errorf("cannot create a folder to build the service: %w", err)
	}
	defer os.RemoveAll(dir)
	if f.units.isOn() {
		return f.runUnits(c, s, dir)
	}
	p, err := f.plan(c, s, dir)
	if err != nil {
		return err
	}
	if f.isOn() {
		return f.distribute(c.Context(), s, p)
	}
	a, log, err := f.prepare(c.Context(), s, p)
	if err != nil {
		return err
	}
	stopped := f.try(c.Context(), s, a, log)
	var found *survivors.Result
	if stopped == nil && f.kill.isOn() {
		found, err = f.kill.search(c, s, f.tests, a, log)
	}
	if err := errors.Join(f.report(s, a, log, found), log.Close(), err); err != nil {
		return err
	}
	if stopped != nil {
		return f.stopped(stopped, a, log)
	}
	return f.outcomeCode(a, log)
}

// prepare makes the mutants, runs the tests on the unchanged service, and opens the file of results.
func (f *mutateFlags) prepare(ctx context.Context, s console.Streams, p mutate.Plan) (*mutate.Analysis, *mutate.Log, error) {
	console.PrintNote(s.Err, "running the tests on the unchanged service")
	a, err := mutate.Prepare(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	log, err := mutate.OpenLog(f.output, a.Head)
	if err == nil {
		f.begin(s, a, log)
	}
	return a, log, err
}

// outcomeCode returns the exit code of a finished analysis as an error. It is exitFaults if a mutant survived or,
// with --refactor, if a test noticed a refactoring.
func (f *mutateFlags) outcomeCode(a *mutate.Analysis, log *mutate.Log) error {
	tally := mutate.NewTally(a.Results(log))
	if !f.refactor && tally.Status[mutate.Survived] > 0 || f.refactor && tally.Dead > 0 {
		return verdict(exitFaults)
	}
	return nil
}

// distribute lets workers try the mutants that have no result yet, and reports the results. If some mutants could not
// be tried, it reports the results of the others.
func (f *mutateFlags) distribute(ctx context.Context, s console.Streams, p mutate.Plan) (err error) {
	var (
		a        *mutate.Analysis
		log      *mutate.Log
		reported bool
	)
	err = f.coordinate(ctx, s, mutation.CampaignKind, func(session *distributed.Session) (plan campaignPlan, err error) {
		if a, log, err = f.prepare(ctx, s, p); err != nil {
			return plan, err
		}
		d, err := mutation.Distribute(ctx, session.Store, a, log, mutation.Source{Demo: f.demo, Results: f.output})
		if err != nil {
			return plan, err
		}
		about, err := d.Describe()
		return campaignPlan{
			description: about, work: d.Work(), things: "mutant", of: len(a.Mutants), perUnit: 1, skipped: d.Skipped(), jobs: f.jobs,
			failure: d.Err, write: func() error {
				reported = true
				return cmp.Or(f.report(s, a, log, nil), f.outcomeCode(a, log))
			},
		}, err
	})
	if log == nil {
		return err
	}
	if !reported && len(a.Results(log)) > 0 {
		err = errors.Join(f.report(s, a, log, nil), err)
	}
	return errors.Join(err, log.Close())
}

// plan returns the plan that the flags describe.
func (f *mutateFlags) plan(c *cobra.Command, s console.Streams, dir string) (p mutate.Plan, err error) {
	if err := f.units.check(); err != nil {
		return p, err
	}
	switch {
	case f.tests == "":
		return p, errors.New("--tests is missing: name the folder that sonde generate wrote")
	case f.kill.isOn() && f.refactor:
		return p, errors.New("--kill is for changes of the behaviour: leave out --refactor")
	case f.kill.isOn() && f.isOn():
		return p, errors.New("--kill plays its tests in this process: leave out --nats")
	case (f.isOn() || f.jobs > 1) && generation.RestoresSnapshots(f.tests):
		return p, fmt.Errorf(
			"the tests in %q restore snapshots of the service's state, which one service has at a time: leave out --nats and --jobs",
			f.tests,
		)
	}
	p, err = f.common(s, dir)
	if err != nil {
		return p, err
	}
	p.Service, err = f.built(c, s, dir)
	if err != nil {
		return p, err
	}
	if err := f.kill.check(); err != nil { // checked here, because trying the mutants takes minutes
		return p, err
	}
	if p.Suite, err = mutate.OpenSuite(c.Context(), f.tests, dir); err != nil {
		return p, err
	}
	if of, err := generation.FunctionsByOperation(f.tests); err == nil { // an error means that sonde generate did not write the tests
		p.Operations = of
	}
	return p, nil
}

// common returns the part of the plan that does not depend on the kind of the tests.
func (f *mutateFlags) common(s console.Streams, dir string) (p mutate.Plan, err error) {
	switch {
	case f.jobs < 1 && !f.isOn():
		return p, fmt.Errorf("--jobs is %d: it is at least 1", f.jobs)
	case f.sample < 0:
		return p, fmt.Errorf("--sample is %d: it is at least 1, or 0 for all", f.sample)
	}
	p = mutate.Plan{Outward: f.outward, Sample: f.sample, Seed: f.seed, Jobs: f.jobs, Alone: confined(s), Dir: dir}
	if p.Operators, err = f.kinds(); err != nil {
		return p, err
	}
	p.Equivalent, err = f.judged()
	return p, err
}

// confined reports whether mutants of the service can be isolated in a network namespace. It prints a note
// if they cannot.
func confined(s console.Streams) bool {
	err := netns.CheckSupport()
	if err != nil {
		console.PrintNote(s.Err, "the changed service runs on the real network: %v", err)
	}
	return err == nil
}

func (f *mutateFlags) kinds() ([]mutate.Operator, error) {
	known := mutate.Operators
	if f.refactor {
		known = mutate.Refactorings
	}
	if len(f.operators) == 0 {
		return known, nil
	}
	var all []mutate.Operator
	for _, name := range f.operators {
		if !slices.Contains(known, mutate.Operator(name)) {
			return nil, fmt.Errorf("--operator %q is not known: use some of %s", name, namesOf(known))
		}
		all = append(all, mutate.Operator(name))
	}
	return all, nil
}

// built returns how to build the service: the demo, the package of --build, or otherwise the package in the
// configuration.
func (f *mutateFlags) built(c *cobra.Command, s console.Streams, dir string) (probe.Options, error) {
	o := f.service
	switch {
	case f.demo && o.Package != "":
		return o, errors.New("--demo is a service already: leave out --build")
	case f.demo:
		demo, err := service.DemoBuilder().Options(dir)
		o.Dir, o.Package = demo.Dir, demo.Package
		return o, err
	case o.Package != "":
		return o, nil
	}
	read, err := readConfig(c, s.Err, nil)
	if err != nil {
		return o, err
	}
	if !read.BuildsService() {
		return o, errors.New("--build is missing: name the service's main package, such as ./cmd/server, or add sut: " +
			"{build: ./cmd/server} to sonde.yaml")
	}
	given, err := service.BuilderOf(read.Service, "").Options(dir)
	if len(o.Cover) > 0 {
		given.Cover = o.Cover
	}
	return given, err
}

// judged reads the file of --equivalent: mutants that a person has judged equivalent to the original, with the
// reasons. It returns nil without this flag.
func (f *mutateFlags) judged() (map[string]string, error) {
	if f.equivalent == "" {
		return nil, nil
	}
	file, err := os.Open(f.equivalent)
	if err != nil {
		return nil, fmt.Errorf("--equivalent: %w", err)
	}
	defer file.Close()
	all, err := mutate.ReadEquivalent(file)
	if err != nil {
		return nil, fmt.Errorf("--equivalent %q: %w", f.equivalent, err)
	}
	return all, nil
}

// try runs the tests on each mutant without a result, and prints the progress.
func (f *mutateFlags) try(ctx context.Context, s console.Streams, a *mutate.Analysis, log *mutate.Log) error {
	before, total := len(a.Results(log)), len(a.Mutants)
	start := time.Now()
	return console.ShowProgress(s, func() error { return a.Run(ctx, log) }, func() string {
		return paceOf("mutant", before, len(a.Results(log)), total, time.Since(start))
	})
}

// begin prints how many mutants there are, how many of them are in code that calls execute, and which tests are left
// out. If an analysis is resumed, it also prints how many mutants have a result already.
func (f *mutateFlags) begin(s console.Streams, a *mutate.Analysis, log *mutate.Log) {
	console.PrintNote(s.Err, "%s of %s in code that calls execute; %s only when the service starts or ends, %s never",
		words.Count(a.Made-a.Idle-a.Unreached), words.Plural(a.Made, "mutant"), words.Count(a.Idle), words.Count(a.Unreached))
	if n := len(a.Broken); n > 0 {
		console.PrintNote(
			s.Err, "left out, because they fail on the unchanged service: %s, such as %s",
			words.Plural(n, "test"), a.Broken[0],
		)
	}
	for _, id := range a.Unknown {
		console.PrintNote(s.Err, "--equivalent %s: there is no mutant %q", f.equivalent, id)
	}
	before, total := len(a.Results(log)), len(a.Mutants)
	if before > 0 && before < total && f.output != "" {
		console.PrintNote(s.Err, "resuming %s: %s of %s are done", f.output, words.Count(before), words.Plural(total, "mutant"))
	}
}

// stopped adds the progress to the error of an interrupted campaign. It returns any other error unchanged.
func (f *mutateFlags) stopped(err error, a *mutate.Analysis, log *mutate.Log) error {
	if !errors.Is(err, context.Canceled) {
		return err
	}
	done, total := len(a.Results(log)), words.Plural(len(a.Mutants), "mutant")
	if f.output == "" {
		return fmt.Errorf("interrupted: %s of %s were tried; -o FILE would have kept them", words.Count(done), total)
	}
	return fmt.Errorf("interrupted: %s of %s are in %s; the same command resumes", words.Count(done), total, filepath.ToSlash(f.output))
}

// report prints the results of the mutants that were tried, and the tests that notice survivors. found is nil if such
// tests were not searched for.
func (f *mutateFlags) report(s console.Streams, a *mutate.Analysis, log *mutate.Log, found *survivors.Result) error {
	r := results.NewMutateReport(a, log)
	r.Kill, r.Refactored = found, f.refactor
	return f.print(s, r)
}

// print prints a report.
func (f *mutateFlags) print(s console.Streams, r results.MutateReport) error {
	if f.json {
		return console.WriteJSON(s.Out, r)
	}
	return results.PrintMutants(s.Out, r)
}
