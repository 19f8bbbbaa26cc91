package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"sonde/model"
	"sonde/runner"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

func newSearch(s streams) *cobra.Command {
	f := newSearchFlags()
	c := &cobra.Command{
		Use:   "search [SPEC] [--url URL]",
		Short: "Call a service, looking for tests that cover it and for faults",
		Long: `Call a service, looking for tests that cover it and for faults.

Where the service is, who calls it and how it is reset stands in sonde.yaml,
which sonde init writes; flags win over it. --header and --user are one more user,
the first of all: docs/credentials.md.
SPEC may be left out where the service gives its own at /openapi.json.
The budget is --calls, --time or both; without either it is 20,000 calls. With
--smart above 0 the search begins with each template once for each user.

A Go service that sonde.yaml has built, as in sut: {build: ./cmd/server}, is given
probes: the search sees which of its statements and branches a test reaches and
how near it came to the others, and tries the values that the source compares
with. cover.out in the run's folder is for go tool cover. For a service in another
language sonde.yaml may name a driver, as in sut: {driver: URL}.

Near its end each fault is repeated three times, and what was found is looked at
closer; that takes a tenth of the budget at most. A fault that does not come
again is flaky. Then the kept tests are played again, so that what they assert
holds, and made smaller: fewer calls, plainer values. That takes --minimise of
the budget at most.

Where at least 90% of the first 50 calls (or of 20% of the budget, if that is less)
are answered 401 or 403, the search ends. Anonymous calls beside configured users do
not count.

Exit code: 0 no faults, 1 faults of severity error or warning that are not flaky,
2 usage, 3 the service cannot be reached, refused nearly all of the first calls, or
never answered 2xx.`,
		Example: "  sonde search --demo --calls 5000 --seed 1 -o run\n  sonde search --demo --white\n  sonde search petstore.yaml --url http://127.0.0.1:8080 --time 1m",
		Args:    atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			if f.list {
				return f.listOracles(s, args)
			}
			here := whole(".")
			args, err := f.recall(c, args)
			if err != nil {
				return err
			}
			if err := f.configure(c, s, args); err != nil {
				return err
			}
			if err := f.consent(s, here); err != nil {
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

// searchFlags are the flags of search.
type searchFlags struct {
	callFlags
	again
	list  bool // the oracles
	plain bool
	// keepGoing searches on where the first calls are refused.
	keepGoing bool
}

func newSearchFlags() *searchFlags {
	return &searchFlags{callFlags: callFlags{settings: settings{tuning: model.DefaultTuning(), sampling: model.DefaultSampling(), minimise: model.DefaultMinimise}}}
}

func (f *searchFlags) add(c *cobra.Command) {
	f.sourceFlags.add(c)
	f.callFlags.add(c)
	f.addOracles(c)
	f.addWishes(c)
	f.addAgain(c)
	f.addProbes(c)
	f.net.add(c)
	fl := c.Flags()
	fl.Float64Var(&f.tuning.Smart, "smart", f.tuning.Smart, "probability P that a new test follows a template")
	fl.Float64Var(&f.tuning.Random, "random", f.tuning.Random, "probability P_r of a new test instead of a mutated one, at the start")
	fl.Float64Var(&f.tuning.Focus, "focus", f.tuning.Focus, "share F of the budget at which the search narrows down")
	addSampling(fl, &f.sampling)
	fl.IntVar(&f.tuning.Population, "population", f.tuning.Population, "the most tests n that a target keeps, at the start")
	fl.IntVar(&f.tuning.Mutations, "mutations", f.tuning.Mutations, "how often in a row a test is mutated, at the start")
	fl.IntVar(&f.workers, "workers", 1, "play so many tests at once, each on a copy of the service that Sonde starts")
	fl.Float64Var(&f.minimise, "minimise", f.minimise, "share of the budget to play the kept tests again and to make them smaller, 0 for not at all")
	fl.BoolVar(&f.keepGoing, "keep-going", false, "search on even if nearly all of the first calls are answered 401 or 403")
	fl.StringVarP(&f.folder, "output", "o", "", "folder to keep the run in (default: a new one in the user's cache)")
	fl.BoolVar(&f.force, "force", false, "replace the run that is in the folder")
	addPlain(fl, &f.plain, "on a terminal, too, say how it goes on in lines, for a screen reader")
}

func (f *searchFlags) run(ctx context.Context, s streams, args []string) error {
	if f.plain {
		s = s.lines()
	}
	spec, err := f.open(ctx, s, args)
	if err != nil {
		return err
	}
	if err := f.same(spec); err != nil {
		return err
	}
	if f.keepGoing {
		f.onDenied = model.AllowDenied
	}
	if f.earlier() == "" {
		f.steers, err = f.wishes.steers(spec, s.in)
		if err != nil {
			return err
		}
	}
	if err := f.seed(s, spec); err != nil {
		return err
	}
	if b := f.service.build; b != nil {
		tell(s.err, "building %s with probes", b.name())
	}
	if !f.service.resets() {
		tell(s.err, "%s", noReset)
	}
	run, err := f.begin(ctx, spec)
	if err != nil {
		return err
	}
	rememberSearch(f.folder, spec.Title)
	tellLeft(s, run.left)
	tellGround(s, run.net)
	last := follow(s, run.Wait, func() string { return progress(run.Snapshot()) })
	if err := f.report(s.out, run, last); err != nil {
		return err
	}
	if last.Err != nil {
		return last.Err
	}
	if err := f.compare(s.err, last.Tests); err != nil {
		return err
	}
	return f.outcome(last.Summary, s.err)
}

func (f *searchFlags) check(c *cobra.Command, args []string) error {
	if err := checkShares(f.shares()); err != nil {
		return err
	}
	if err := f.checkProbes(); err != nil {
		return err
	}
	if err := f.net.check(f.config.Net, f.demo || f.config.starts()); err != nil {
		return err
	}
	if err := checkCounts(f.tuning, f.workers); err != nil {
		return err
	}
	if !(f.minimise >= 0 && f.minimise <= mostMinimise) {
		return fmt.Errorf("--minimise is %v: it is a share of the budget from 0 to %v; 0 leaves the tests as they were found", f.minimise, mostMinimise)
	}
	if err := f.checkOracles(); err != nil {
		return err
	}
	if f.workers > 1 && !f.demo && !f.config.Starts() {
		return runner.ErrWorkers
	}
	return f.callFlags.check(c, args)
}

func checkCounts(t model.Tuning, workers int) error {
	for _, count := range []struct {
		flag  string
		value int
	}{{"--population", t.Population}, {"--mutations", t.Mutations}, {"--workers", workers}} {
		if count.value < 1 || count.value > model.MaxCount {
			return fmt.Errorf("%s is %d: say a number from 1 to %d", count.flag, count.value, model.MaxCount)
		}
	}
	return nil
}

// mostMinimise leaves something to search with.
const mostMinimise = 0.5

// odds is a flag whose value is a probability or share.
type odds struct {
	flag  string
	value float64
}

func (f *searchFlags) shares() []odds {
	all := []odds{{"smart", f.tuning.Smart}, {"random", f.tuning.Random}, {"focus", f.tuning.Focus}}
	for _, s := range samplings {
		all = append(all, odds{s.flag, *s.of(&f.sampling)})
	}
	return all
}

func checkShares(all []odds) error {
	for _, s := range all {
		if !(s.value >= 0 && s.value <= 1) {
			return fmt.Errorf("--%s is %v: it is a probability or share from 0 to 1", s.flag, s.value)
		}
	}
	return nil
}

func progress(now model.Snapshot) string {
	s := now.Summary
	line := fmt.Sprintf("%3.0f%%  %s, %s/s  %d of %d targets  %s", 100*now.Used, words.Plural(s.Calls, "call"), words.Count(int(s.Rate)),
		s.Covered, s.Targets, words.Plural(s.Faults, "fault"))
	return strings.TrimRight(line+"  "+words.Left(now.Left()), " ")
}

// searchReport is the JSON of search.
type searchReport struct {
	Summary model.Summary `json:"summary"`
	Faults  []model.Fault `json:"faults"`
	// Hosts are those to which the service turned, where it has a virtual network.
	Hosts   []hostReport `json:"hosts,omitempty"`
	Run     string       `json:"run"`
	Command string       `json:"command"`
}

func (f *searchFlags) report(w io.Writer, run *session, last model.Snapshot) error {
	if f.json {
		return printJSON(w, searchReport{Summary: last.Summary, Faults: append([]model.Fault{}, last.Faults...), Hosts: hostReports(last.Hosts), Run: run.Folder(), Command: run.Command()})
	}
	s := last.Summary
	t := newTable(w)
	t.row("service", f.service.where())
	t.row("calls", fmt.Sprintf("%s (%s to set up), %s a second", words.Count(s.Calls), words.Count(s.SetUp), words.Count(int(s.Rate))))
	if s.Checking > 0 {
		t.row("checking", words.Plural(s.Checking, "call")+" of them, to look closer at what was found")
	}
	if s.Minimising > 0 {
		t.row("minimising", words.Plural(s.Minimising, "call")+" of them, to play kept tests again and to make them smaller")
	}
	t.row("targets", fmt.Sprintf("%d of %d covered", s.Covered, s.Targets))
	coverage(t, s.Code)
	for _, line := range hosts(last.Hosts) {
		t.row("outside", line)
	}
	t.row("operations", answeredOperations(s))
	t.row("tests", tests(s))
	if s.NoReset {
		t.row("reset", "none is configured: tests ran on what earlier ones left")
	}
	if s.Unanswered > 0 {
		t.row("no answer", fmt.Sprintf("%s, the first to %s", words.Plural(s.Unanswered, "call"), s.NoAnswer))
	}
	newFaultTable(t, run.Folder()).faults(last.Faults)
	for _, text := range warnings(s.Warnings) {
		t.row("warning", text)
	}
	if s.Cancelled {
		t.row("stopped", "before its budget was used up")
	}
	t.row("run", run.Folder())
	t.row("repeat", run.Command())
	return t.flush()
}

// answeredOperations counts the operations by what they answered, each once.
func answeredOperations(s model.Summary) string {
	var parts []string
	for class, n := range s.Classes() {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, classNames[class]))
		}
	}
	text := fmt.Sprintf("%d: %s", s.Operations, strings.Join(parts, ", "))
	if s.With5xx > 0 {
		text += fmt.Sprintf("; %d with a 5xx", s.With5xx)
	}
	if s.Declared5xx > 0 {
		text += fmt.Sprintf(" (%d as declared)", s.Declared5xx)
	}
	return text
}

// classNames are what the classes of operations are called.
var classNames = [model.OpClasses]string{
	model.Good: "with a 2xx", model.Broken: "with a 5xx and no 2xx", model.Refused: "only refused (4xx)",
	model.Unanswered: "without an answer", model.Uncalled: "not called",
}

// tests says what is kept, and what came of playing it again.
func tests(s model.Summary) string {
	line := fmt.Sprintf("%d kept", s.Tests)
	if s.Replayed > 0 {
		line += fmt.Sprintf(", %d of them played again", s.Replayed)
	}
	if s.FlakyTests > 0 {
		line += fmt.Sprintf(", %d flaky", s.FlakyTests)
	}
	if s.EarlierState > 0 {
		line += fmt.Sprintf(", %d depend on earlier state and are not exported", s.EarlierState)
	}
	if s.Spared > 0 {
		line += ", " + words.Plural(s.Spared, "call") + " spared"
	}
	if s.Dropped > 0 {
		line += ", " + words.Plural(s.Dropped, "assertion") + " dropped that did not hold again"
	}
	return line
}
