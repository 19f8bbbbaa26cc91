package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"sonde/export"
	"sonde/model"
	"sonde/runner/search"
	"sonde/ui/app/paths"
	"sonde/ui/app/recent"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/service"
	"sonde/ui/console"
	"sonde/ui/results"
	"sonde/ui/words"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newSearch(s console.Streams) *cobra.Command {
	f := newSearchFlags()
	c := &cobra.Command{
		Use:   "search [SPEC] [--url URL]",
		Short: "Call a service, looking for tests that cover it and for faults",
		Long: `Call a service, looking for tests that cover it and for faults.

The service's address, its users and its reset are in sonde.yaml, which sonde init
writes; flags override it. --header and --user add a user before all others: see
docs/credentials.md.
SPEC may be left out if the service serves its own at /openapi.json.
The budget is --calls, --time or both; without either it is 20,000 calls. With
--smart above 0 and the default strategy, the search begins with each template once
for each user.

If sonde.yaml builds the service, as in sut: {build: ./cmd/server}, it gets probes:
the search sees which statements and branches a test reaches and how near it came to
the others, and tries the values that the source compares with. cover.out in the run's
folder is for go tool cover. For a service in another language, sonde.yaml may name a
driver, as in sut: {driver: URL}.

Near the end, each fault is repeated three times and examined with further calls, which
takes at most a tenth of the budget. A fault that cannot be repeated is flaky. Then the
kept tests are replayed, so that their assertions hold, and made smaller: fewer calls,
simpler values. That takes at most --minimise of the budget. --strategy paper does none
of this unless a flag turns it on, as --skip-checks 0 does.

--islands divides the search over several copies of the service, in this process or,
with --nats, by sonde worker on others: see docs/distributed.md.

If at least 90% of the first 50 calls (or of 20% of the budget, if that is less)
are answered 401 or 403, the search ends. Anonymous calls beside configured users do
not count.

Exit code: 0 no faults, 1 faults of severity error or warning that are not flaky,
2 usage, 3 the service cannot be reached, refused nearly all of the first calls, or
never answered 2xx.`,
		Example: "  sonde search --demo --calls 5000 --seed 1 -o run\n  sonde search --demo --white\n" +
			"  sonde search petstore.yaml --url http://127.0.0.1:8080 --time 1m",
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			if f.list {
				return f.listOracles(s, args)
			}
			here := paths.Absolute(".")
			args, err := f.loadEarlierRun(c, args)
			if err != nil {
				return err
			}
			if err := f.applyStrategy(c.Flags()); err != nil {
				return err
			}
			if err := f.configure(c, s, args); err != nil {
				return err
			}
			if err := f.confirmConfig(s, here); err != nil {
				return err
			}
			if err := f.check(c, args); err != nil {
				return err
			}
			return f.run(c.Context(), s, args)
		},
	}
	f.add(c)
	return c
}

// searchFlags are the flags of sonde search.
type searchFlags struct {
	callFlags
	searchrun.EarlierRun
	islands islandFlags
	serve   serveFlags
	list    bool // only list the oracles
	// strategy is the name of a strategy. It determines the settings of sampling that no other flag sets.
	strategy string
	plain    bool
	// keepGoing lets the search continue if nearly all of the first calls are refused.
	keepGoing bool
}

func newSearchFlags() *searchFlags {
	return &searchFlags{
		callFlags: callFlags{
			Settings: searchrun.Settings{
				Tuning: model.DefaultTuning(), Sampling: model.DefaultSampling(), Sizes: model.DefaultSizes(),
				Minimise: model.DefaultMinimise, Workers: 1,
			},
		},
		strategy: string(model.StrategyDefault),
	}
}

func (f *searchFlags) add(c *cobra.Command) {
	f.sourceFlags.add(c)
	f.callFlags.add(c)
	f.addOracles(c)
	f.addDirectives(c)
	f.addSince(c)
	c.MarkFlagsMutuallyExclusive("since", "only")
	f.addEarlierRun(c)
	f.addProbes(c)
	addNetwork(c, &f.Network)
	f.addIslands(c)
	fl := c.Flags()
	f.serve.add(c)
	fl.Float64Var(&f.Tuning.Smart, "smart", f.Tuning.Smart, "probability P that a new test follows a template")
	fl.Float64Var(&f.Tuning.Random, "random", f.Tuning.Random, "probability P_r of a new test instead of a mutated one, at the start")
	fl.Float64Var(&f.Tuning.Focus, "focus", f.Tuning.Focus, "share F of the budget after which the search is focused")
	fl.StringVar(
		&f.strategy, "strategy", string(model.StrategyDefault),
		"how tests are sampled: default, or paper, the EvoMaster paper without what Sonde adds; other flags change single settings",
	)
	addSampling(fl, &f.Sampling)
	addSizes(fl, &f.Sizes)
	fl.IntVar(&f.Tuning.Population, "population", f.Tuning.Population, "maximum number n of tests in a target's population, at the start")
	fl.IntVar(&f.Tuning.Mutations, "mutations", f.Tuning.Mutations, "number m of mutations of a test in a row, at the start")
	fl.IntVar(&f.Workers, "workers", 1, "play this many tests in parallel, each on a copy of the service that Sonde starts")
	fl.Float64Var(
		&f.Minimise, "minimise", f.Minimise,
		"share of the budget to replay the kept tests and make them smaller; 0 leaves them as found",
	)
	fl.BoolVar(&f.keepGoing, "keep-going", false, "continue even if nearly all of the first calls are answered 401 or 403")
	fl.StringVarP(&f.Folder, "output", "o", "", "folder for the run (default: a new one in the user's cache)")
	fl.BoolVar(&f.Force, "force", false, "replace an existing run in the folder")
	addPlain(fl, &f.plain, "print progress as lines even on a terminal, for a screen reader")
}

func (f *searchFlags) run(ctx context.Context, s console.Streams, args []string) error {
	if f.plain {
		s = s.WithoutTerminals()
	}
	spec, err := f.prepare(ctx, s, args)
	if err != nil {
		return err
	}
	if f.Islands.Number > 0 {
		if err := f.exploreIslands(ctx, s, spec); err != nil {
			return err
		}
	}
	run, err := f.start(ctx, s, spec)
	if err != nil {
		return err
	}
	unserve, err := f.serve.start(s, run, spec, export.Report{
		Title: spec.Title, BaseURL: f.Service.URL, Spec: spec.Source, Seed: f.Seed, Started: time.Now(),
	})
	if err != nil {
		run.Stop()
		run.Wait()
		return err
	}
	last := console.ShowProgress(s, run.Wait, func() string { return results.SearchProgress(run.Snapshot()) })
	unserve()
	if err := f.report(s.Out, run, last); err != nil {
		return err
	}
	if last.Err != nil {
		return last.Err
	}
	if err := compareTests(f.EarlierRun, s.Err, last.Tests); err != nil {
		return err
	}
	return f.outcome(last.Summary, s.Err)
}

// prepare reads the spec, and sets what the search begins with.
func (f *searchFlags) prepare(ctx context.Context, s console.Streams, args []string) (*model.Spec, error) {
	spec, err := f.open(ctx, s, args)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(f.CheckSpec(spec), f.checkProduction(service.OperationIDs(spec))); err != nil {
		return nil, err
	}
	if f.keepGoing {
		f.OnDenied = model.ContinueWhenDenied
	}
	if f.EarlierFolder() == "" {
		since, err := f.changedSince(ctx, s, spec)
		if err != nil {
			return nil, err
		}
		given, err := f.Directives.InitialCommands(spec, s.In)
		if err != nil {
			return nil, err
		}
		f.Commands = slices.Concat(since, given)
	}
	left, err := f.Settings.AddRecordedTests(spec)
	if left > 0 {
		console.PrintNote(
			s.Err, "%s of %q left out: the search lacks some of their users or operations", words.Plural(left, "test"),
			f.Directives.Recording,
		)
	}
	return spec, err
}

// start starts the run, and prints notes about it.
func (f *searchFlags) start(ctx context.Context, s console.Streams, spec *model.Spec) (*searchrun.Run, error) {
	if b := f.Service.Builder; b != nil {
		console.PrintNote(s.Err, "building %s with probes", b.DisplayName())
	}
	if !f.Service.CanReset() {
		console.PrintNote(s.Err, "%s", service.NoResetWarning)
	}
	run, err := f.StartRun(ctx, spec)
	if err != nil {
		return nil, err
	}
	recent.AddSearch(f.Folder, spec.Title)
	tellLeft(s, run.SkippedFiles)
	tellGround(s, run.VirtualNetwork())
	return run, nil
}

func (f *searchFlags) check(c *cobra.Command, args []string) error {
	if err := checkShares(f.shares()); err != nil {
		return err
	}
	if err := f.checkProbes(); err != nil {
		return err
	}
	if err := f.Network.Check(f.Config.Net, f.demo || f.Config.StartsWithoutDriver()); err != nil {
		return err
	}
	if err := checkCounts(f.Tuning, f.Workers); err != nil {
		return err
	}
	if err := f.Sizes.Check(); err != nil {
		return fmt.Errorf("--%w", err)
	}
	if err := f.serve.check(); err != nil {
		return err
	}
	if !(f.Minimise >= 0 && f.Minimise <= maxMinimise) {
		return fmt.Errorf(
			"--minimise is %v: it is a share of the budget from 0 to %v; 0 leaves the tests as they were found",
			f.Minimise, maxMinimise,
		)
	}
	if err := f.checkOracles(); err != nil {
		return err
	}
	if err := f.checkIslands(c); err != nil {
		return err
	}
	if f.Workers > 1 && !f.demo && !f.Config.StartsService() {
		return search.ErrTooManyWorkers
	}
	return f.callFlags.check(c, args)
}

func checkCounts(t model.Tuning, workers int) error {
	for _, count := range []struct {
		flag  string
		value int
	}{{"--population", t.Population}, {"--mutations", t.Mutations}, {"--workers", workers}} {
		if count.value < 1 || count.value > model.MaxCount {
			return fmt.Errorf("%s is %d: give a number from 1 to %d", count.flag, count.value, model.MaxCount)
		}
	}
	return nil
}

// maxMinimise is the maximum value of --minimise. It leaves a part of the budget for the search itself.
const maxMinimise = 0.5

// shareFlag is a flag whose value is a probability or share.
type shareFlag struct {
	flag  string
	value float64
}

func (f *searchFlags) shares() []shareFlag {
	all := []shareFlag{{"smart", f.Tuning.Smart}, {"random", f.Tuning.Random}, {"focus", f.Tuning.Focus}}
	for _, field := range model.SamplingFields {
		all = append(all, shareFlag{field.Name, *field.Value(&f.Sampling)})
	}
	return all
}

func checkShares(all []shareFlag) error {
	for _, s := range all {
		if !(s.value >= 0 && s.value <= 1) {
			return fmt.Errorf("--%s is %v: it is a probability or share from 0 to 1", s.flag, s.value)
		}
	}
	return nil
}

// searchReport is the JSON of sonde search.
type searchReport struct {
	Summary model.Summary `json:"summary"`
	Faults  []model.Fault `json:"faults"`
	// Hosts are the hosts that the service called in its virtual network, if it has one.
	Hosts   []results.HostReport `json:"hosts,omitempty"`
	Run     string               `json:"run"`
	Command string               `json:"command"`
}

func (f *searchFlags) report(w io.Writer, run *searchrun.Run, last model.Snapshot) error {
	if f.json {
		return console.WriteJSON(
			w,
			searchReport{
				Summary: last.Summary,
				Faults:  append([]model.Fault{}, last.Faults...),
				Hosts:   results.HostReports(last.Hosts),
				Run:     run.Folder(),
				Command: run.Command(),
			},
		)
	}
	s := last.Summary
	t := console.NewTable(w)
	t.Row("service", f.Service.AddressText())
	if f.Config.Environment != "" {
		t.Row("environment", f.Config.Environment)
	}
	t.Row("calls", fmt.Sprintf("%s (%s to set up), %s a second", words.Count(s.Calls), words.Count(s.SetUp), words.Count(int(s.Rate))))
	if s.Checking > 0 {
		t.Row("checking", words.Plural(s.Checking, "call")+" of them, to examine what was found")
	}
	if s.Minimising > 0 {
		t.Row("minimising", words.Plural(s.Minimising, "call")+" of them, to replay kept tests and make them smaller")
	}
	t.Row("targets", fmt.Sprintf("%d of %d covered", s.Covered, s.Targets))
	results.AddCoverage(t, s.Code)
	if s.Forecast != nil {
		t.Row("forecast", results.ForecastText(*s.Forecast, s.Code != nil))
	}
	for _, line := range results.HostLines(last.Hosts) {
		t.Row("outside", line)
	}
	t.Row("operations", results.AnsweredOperationsText(s))
	t.Row("tests", results.KeptTestsText(s))
	if s.NoReset {
		t.Row("reset", "none is configured: tests ran on the state that earlier tests left")
	}
	if s.Unanswered > 0 {
		t.Row("no answer", fmt.Sprintf("%s, the first to %s", words.Plural(s.Unanswered, "call"), s.NoAnswer))
	}
	results.NewFaultTable(t, run.Folder()).AddFaults(last.Faults)
	for _, text := range results.WarningLines(s.Warnings) {
		t.Row("warning", text)
	}
	if s.Cancelled {
		t.Row("stopped", "before its budget was used up")
	}
	t.Row("run", run.Folder())
	if f.Resumed == "" { // the seed and the commands of a resumed run are not enough to repeat it
		t.Row("repeat", run.Command())
	}
	return t.Flush()
}

// applyStrategy sets the settings of sampling to those of the strategy, except for settings that a flag on the
// command line sets. With the strategy paper, tests are not minimised, as in the EvoMaster paper.
func (f *searchFlags) applyStrategy(fl *pflag.FlagSet) error {
	sampling, ok := model.Strategy(f.strategy).Sampling()
	if !ok {
		return fmt.Errorf("--strategy is %q: it is %s or %s", f.strategy, model.StrategyDefault, model.StrategyPaper)
	}
	for _, field := range model.SamplingFields {
		if fl.Changed(field.Name) {
			*field.Value(&sampling) = *field.Value(&f.Sampling)
		}
	}
	f.Sampling = sampling
	if f.strategy == string(model.StrategyPaper) && !fl.Changed("minimise") {
		f.Minimise = 0
	}
	return nil
}

func addSampling(fl *pflag.FlagSet, s *model.Sampling) {
	for _, f := range model.SamplingFields {
		value := f.Value(s)
		fl.Float64Var(value, f.Name, *value, f.Use)
	}
}

func addSizes(fl *pflag.FlagSet, s *model.Sizes) {
	for _, f := range model.SizeFields {
		n := f.Value(s)
		fl.IntVar(n, f.Name, *n, f.Use)
	}
}
