package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"sonde/model"
	"sonde/runner"
	"sonde/runner/client"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

func newSearch(s streams) *cobra.Command {
	f := searchFlags{settings: settings{tuning: model.DefaultTuning()}}
	c := &cobra.Command{
		Use:   "search [SPEC] --url URL",
		Short: "Call a service, looking for tests that cover it and for faults",
		Long: `Call a service, looking for tests that cover it and for faults.

SPEC may be left out where the service gives its own at /openapi.json.
The budget is --calls, --time or both; without either it is 20,000 calls. With
--smart above 0 the search begins with each template once for each user.

Exit code: 0 no faults, 1 faults found, 2 usage, 3 the service cannot be
reached or never answered 2xx.`,
		Example: "  sonde search --demo --calls 5000 --seed 1 -o run\n  sonde search petstore.yaml --url http://127.0.0.1:8080 --time 1m",
		Args:    atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			for _, budget := range []string{"calls", "time"} {
				if c.Flags().Changed(budget) && f.limits == (model.Limits{}) {
					return fmt.Errorf("--%s is %s: a budget of nothing sends nothing", budget, c.Flag(budget).Value)
				}
			}
			return f.run(c.Context(), s, args)
		},
	}
	f.add(c)
	return c
}

// searchFlags are the flags of search.
type searchFlags struct {
	sourceFlags
	settings
	url  string
	demo bool
}

func (f *searchFlags) add(c *cobra.Command) {
	f.sourceFlags.add(c)
	fl := c.Flags()
	fl.StringVar(&f.url, "url", "", "where the service is; where the URL has no path, the spec's is put behind it, unless the URL ends in /")
	fl.BoolVar(&f.demo, "demo", false, "search the built-in demo")
	fl.IntVar(&f.limits.Calls, "calls", 0, "send at most so many requests, resets included")
	fl.DurationVar(&f.limits.Time, "time", 0, "stop after so long, such as 30s or 5m")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of chance: the same seed repeats the run")
	fl.Float64Var(&f.tuning.Smart, "smart", f.tuning.Smart, "probability P that a new test follows a template")
	fl.Float64Var(&f.tuning.Random, "random", f.tuning.Random, "probability P_r of a new test instead of a mutated one, at the start")
	fl.Float64Var(&f.tuning.Focus, "focus", f.tuning.Focus, "share F of the budget at which the search narrows down")
	fl.StringSliceVar(&f.hosts, "allow-host", nil, "a host besides this machine that may be called")
	fl.StringVarP(&f.folder, "output", "o", "", "folder to keep the run in (default: a new one in the user's cache)")
	fl.BoolVar(&f.force, "force", false, "replace the run that is in the folder")
}

func (f *searchFlags) run(ctx context.Context, s streams, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	spec, err := f.open(ctx, s, args)
	if err != nil {
		return err
	}
	run, err := f.begin(ctx, spec)
	if err != nil {
		return err
	}
	last := follow(run, s)
	if err := f.report(s.out, run, last); err != nil {
		return err
	}
	if last.Err != nil {
		return last.Err
	}
	return f.outcome(last.Summary, s.err)
}

func (f *searchFlags) check(args []string) error {
	switch {
	case f.demo && (f.url != "" || len(args) > 0):
		return errors.New("--demo has its own spec and service: leave out SPEC and --url")
	case !f.demo && f.url == "":
		return errors.New("no service to call: say --url URL, or --demo for the built-in one")
	case f.limits.Calls < 0 || f.limits.Time < 0:
		return errors.New("--calls and --time cannot be negative")
	}
	if err := checkShares(f.tuning); err != nil {
		return err
	}
	if f.limits == (model.Limits{}) {
		f.limits.Calls = 20_000
	}
	return nil
}

func checkShares(t model.Tuning) error {
	for _, share := range []struct {
		flag  string
		value float64
	}{{"--smart", t.Smart}, {"--random", t.Random}, {"--focus", t.Focus}} {
		if !(share.value >= 0 && share.value <= 1) {
			return fmt.Errorf("%s is %v: it is a probability or share from 0 to 1", share.flag, share.value)
		}
	}
	return nil
}

// open starts the demo or finds the service, and reads the spec.
func (f *searchFlags) open(ctx context.Context, s streams, args []string) (*model.Spec, error) {
	if f.demo {
		var err error
		f.source = demoSource
		if f.service, err = startDemo(ctx); err != nil {
			return nil, err
		}
		return loadDemo(ctx)
	}
	if err := reach(ctx, f.url, f.hosts); err != nil {
		return nil, err
	}
	f.source, f.base, f.refs = specSource(args, f.url), f.url, f.remoteRefs
	spec, err := f.load(ctx, s, f.source)
	if err == nil {
		f.service = serviceAt(f.url, spec)
	}
	return spec, err
}

// reach says whether the service may be called and is there, before anything is
// read from it.
func reach(ctx context.Context, url string, hosts []string) error {
	c, err := client.New(url, client.Options{AllowHosts: hosts})
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Reachable(ctx); err != nil {
		return runner.NewUnreachable(err)
	}
	return nil
}

// specSource is the spec that was named, or where services tend to give it.
func specSource(args []string, url string) string {
	if len(args) > 0 {
		return args[0]
	}
	return strings.TrimSuffix(url, "/") + "/openapi.json"
}

// follow tells how the run goes on, until it is over: on a terminal in one line
// that changes, elsewhere with a line every few seconds.
func follow(run *session, s streams) model.Snapshot {
	every, end := 5*time.Second, "\n"
	if isTerminal(s.err) {
		every, end = 100*time.Millisecond, "\x1b[K\r"
	}
	done := make(chan model.Snapshot, 1)
	go func() { done <- run.Wait() }()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case last := <-done:
			if isTerminal(s.err) {
				fmt.Fprint(s.err, "\x1b[K")
			}
			return last
		case <-tick.C:
			fmt.Fprint(s.err, progress(run.Snapshot()), end)
		}
	}
}

func progress(now model.Snapshot) string {
	s := now.Summary
	return fmt.Sprintf("%3.0f%%  %s, %s/s  %d of %d targets  %s", 100*now.Used, words.Plural(s.Calls, "call"), words.Count(int(s.Rate)),
		s.Covered, s.Targets, words.Plural(s.Faults, "fault"))
}

// searchReport is the JSON of search.
type searchReport struct {
	Summary model.Summary `json:"summary"`
	Faults  []model.Fault `json:"faults"`
	Run     string        `json:"run"`
	Command string        `json:"command"`
}

func (f *searchFlags) report(w io.Writer, run *session, last model.Snapshot) error {
	if f.json {
		return printJSON(w, searchReport{last.Summary, append([]model.Fault{}, last.Faults...), run.Folder(), run.Command()})
	}
	s := last.Summary
	t := newTable(w)
	t.row("service", f.service.url)
	t.row("calls", fmt.Sprintf("%s (%s to set up), %s a second", words.Count(s.Calls), words.Count(s.SetUp), words.Count(int(s.Rate))))
	t.row("targets", fmt.Sprintf("%d of %d covered", s.Covered, s.Targets))
	t.row("operations", fmt.Sprintf("%d, %d with a 2xx, %d with a 5xx", s.Operations, s.With2xx, s.With5xx))
	t.row("tests", fmt.Sprintf("%d kept", s.Tests))
	if s.Unanswered > 0 {
		t.row("no answer", fmt.Sprintf("%s, the first to %s", words.Plural(s.Unanswered, "call"), s.NoAnswer))
	}
	for _, fault := range last.Faults {
		t.row("fault", fmt.Sprintf("%s %d after %s: %s", fault.Op, fault.Status, words.Plural(fault.Calls, "call"), fault.Text))
	}
	if s.Cancelled {
		t.row("stopped", "before its budget was used up")
	}
	t.row("run", run.Folder())
	t.row("repeat", run.Command())
	return t.flush()
}

// outcome is the exit code of a run that went to its end.
func (f *searchFlags) outcome(s model.Summary, errs io.Writer) error {
	switch {
	case s.Cancelled && s.Faults == 0:
	case s.Calls == s.SetUp:
		tell(errs, "the budget left no room for a call: raise --calls or --time")
		return verdict(exitUnreachable)
	case s.Unanswered > 0 && s.With2xx == 0 && !s.Cancelled:
		tell(errs, "not one call of %d was answered 2xx, and %d not at all, the first to %s", s.Calls, s.Unanswered, s.NoAnswer)
		return verdict(exitUnreachable)
	case s.With2xx == 0 && !s.Cancelled:
		tell(errs, "not one call of %d was answered 2xx: is the URL right, is a log-in missing?%s", s.Calls, f.pathHint())
		return verdict(exitUnreachable)
	case s.Faults > 0:
		return verdict(exitFaults)
	}
	return nil
}

// pathHint tells of a base path that the person did not write.
func (f *searchFlags) pathHint() string {
	if f.service.path == "" {
		return ""
	}
	return fmt.Sprintf(" The spec's %s was put behind the URL: end --url in / to leave it out.", f.service.path)
}
