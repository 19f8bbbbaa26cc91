package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"sonde/model"
	"sonde/runner"
	"sonde/runner/client"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

// callFlags are the flags of every command that calls a service.
type callFlags struct {
	sourceFlags
	settings
	url   string
	demo  bool
	white bool // build the demo with probes
}

// add adds the flags that are about calling.
func (f *callFlags) add(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.url, "url", "", "where the service is; where the URL has no path, the spec's is put behind it, unless the URL ends in /")
	fl.BoolVar(&f.demo, "demo", false, "call the built-in demo")
	fl.IntVar(&f.limits.Calls, "calls", 0, "send at most so many requests, resets included")
	fl.DurationVar(&f.limits.Time, "time", 0, "stop after so long, such as 30s or 5m")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of chance: the same seed repeats the run")
	addConfig(c)
	f.sending.add(c)
	fl.StringSliceVar(&f.hosts, "allow-host", nil, "a host besides this machine that may be called")
}

// usualCalls is the budget where nobody says one.
const usualCalls = 20_000

// check says what is wrong with the flags, and fills in the usual budget.
func (f *callFlags) check(c *cobra.Command, args []string) error {
	for _, budget := range []string{"calls", "time"} {
		if c.Flags().Changed(budget) && f.limits == (model.Limits{}) {
			return fmt.Errorf("--%s is %s: a budget of nothing sends nothing", budget, c.Flag(budget).Value)
		}
	}
	switch {
	case f.demo && (f.url != "" || len(args) > 0):
		return errors.New("--demo has its own spec and service: leave out SPEC and --url")
	case !f.demo && f.url == "" && !f.config.Starts():
		return errors.New("no service to call: say --url URL, or --demo for the built-in one; sonde init writes a configuration with a url")
	case f.limits.Calls < 0 || f.limits.Time < 0:
		return errors.New("--calls and --time cannot be negative")
	}
	if err := f.sending.check(); err != nil {
		return err
	}
	if f.limits == (model.Limits{}) {
		f.limits.Calls = usualCalls
	}
	return nil
}

// open starts the demo or finds the service, and reads the spec.
func (f *callFlags) open(ctx context.Context, s streams, args []string) (*model.Spec, error) {
	if f.demo {
		var err error
		f.source = demoSource
		if f.white || f.net.on {
			f.service = service{name: demoSource}.looked(true, f.net.on)
			return loadDemo(ctx)
		}
		f.service, err = startDemo(ctx, f.workers)
		if err != nil {
			return nil, err
		}
		return loadDemo(ctx)
	}
	f.refs = f.remoteRefs
	var err error
	f.secure, err = f.trust.open()
	if err != nil {
		return nil, err
	}
	if err := f.reach(ctx); err != nil {
		return nil, err
	}
	f.source, err = f.config.source(args, f.url)
	if err != nil {
		return nil, err
	}
	spec, err := f.load(ctx, s, f.source)
	if err != nil {
		return nil, err
	}
	f.service = f.config.service(f.url, spec)
	return f.config.scoped(spec)
}

// reach says whether the service, or its driver, may be called and is there, before
// anything is read from it. What Sonde starts is not there yet.
func (f *callFlags) reach(ctx context.Context) error {
	if f.config.Service != nil {
		return nil
	}
	c, err := client.New(cmp.Or(f.config.Driver, f.url), f.trust.options(f.hosts))
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Reachable(ctx); err != nil {
		if f.config.Driver != "" {
			err = fmt.Errorf("no driver answers at %q: start it, or say run beside driver in %s", f.config.Driver, f.config.path)
		}
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

// mostWarnings is how many operations that never answered 2xx a person is told.
const mostWarnings = 5

// warnings are the lines that a person is told. That not one answer is 2xx is
// for outcome to say.
func warnings(all []model.Warning) []string {
	var lines []string
	never := 0
	for _, w := range all {
		if w.Kind == model.WarnNever {
			never++
		}
		if w.Kind != model.WarnNone && never <= mostWarnings {
			lines = append(lines, w.Text)
		}
	}
	if more := never - mostWarnings; more > 0 {
		lines = append(lines, words.Plural(more, "more operation")+" never answered 2xx: --json lists them")
	}
	return lines
}

// outcome is the exit code of a run that went to its end.
func (f *callFlags) outcome(s model.Summary, errs io.Writer) error {
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
func (f *callFlags) pathHint() string {
	if f.service.path == "" {
		return ""
	}
	return fmt.Sprintf(" The spec's %s was put behind the URL: end --url in / to leave it out.", f.service.path)
}
