package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"sonde/model"
	"sonde/model/config"
	"sonde/runner/search"
	"sonde/runner/target/client"
	"sonde/runner/target/sut"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/service"
	"sonde/ui/app/specfile"
	"sonde/ui/console"

	"github.com/spf13/cobra"
)

// callFlags are the common flags of commands that call a service.
type callFlags struct {
	sourceFlags
	searchrun.Settings
	url  string
	demo bool
	// allowProduction lets calls write to a service in production.
	allowProduction bool
	white           bool // build the demo with probes
}

// add adds the flags that control calls.
func (f *callFlags) add(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(
		&f.url, "url", "",
		"base URL of the service; if it has no path, the spec's base path is appended, unless the URL ends in /",
	)
	fl.BoolVar(&f.demo, "demo", false, "call the built-in demo")
	fl.IntVar(&f.Limits.Calls, "calls", 0, "send at most this many requests, resets included")
	fl.DurationVar(&f.Limits.Time, "time", 0, "stop after this duration (30s, 5m)")
	fl.Uint64Var(&f.Seed, "seed", 1, "seed of the random numbers: the same seed repeats the run")
	addConfig(c)
	addSending(c, &f.RequestOptions)
	fl.StringSliceVar(&f.AllowHosts, "allow-host", nil, "a host besides this machine that may be called")
	fl.BoolVar(&f.allowProduction, "allow-production", false, "let calls write although --env names an environment with production: true")
}

// checkProduction returns an error if operations of a service in production would write, and this is not allowed.
func (f *callFlags) checkProduction(ops []model.OpID) error {
	if f.allowProduction {
		return nil
	}
	return f.Config.CheckProduction(f.Service, ops)
}

// defaultCalls is the budget without --calls and --time.
const defaultCalls = 20_000

// check returns an error for invalid flags, and sets the default budget.
func (f *callFlags) check(c *cobra.Command, args []string) error {
	for _, budget := range []string{"calls", "time"} {
		if c.Flags().Changed(budget) && f.Limits == (model.Limits{}) {
			return fmt.Errorf("--%s is %s: a budget of 0 sends nothing; leave it out for the default", budget, c.Flag(budget).Value)
		}
	}
	switch {
	case f.demo && (f.url != "" || len(args) > 0):
		return errors.New("--demo has its own spec and service: leave out SPEC and --url")
	case !f.demo && f.url == "" && !f.Config.StartsService() && len(f.Config.Environments) > 0:
		return fmt.Errorf(
			"no service to call: choose an environment of %s with --env (%s), or give --url URL", f.Config.Path,
			strings.Join(service.EnvironmentNames(f.Config.Environments[1:]), ", "),
		)
	case !f.demo && f.url == "" && !f.Config.StartsService():
		return errors.New("no service to call: give --url URL, or --demo for the built-in one; sonde init writes a " +
			"configuration with a url")
	case f.Limits.Calls < 0 || f.Limits.Time < 0:
		return errors.New("--calls and --time cannot be negative")
	}
	if err := f.RequestOptions.Check(); err != nil {
		return err
	}
	if f.Limits == (model.Limits{}) {
		f.Limits.Calls = defaultCalls
	}
	return nil
}

// open starts the demo or finds the service. It returns the spec.
func (f *callFlags) open(ctx context.Context, s console.Streams, args []string) (*model.Spec, error) {
	if f.demo {
		var err error
		f.Source = service.DemoSource
		if f.white || f.Network.On {
			f.Service = service.Service{Name: service.DemoSource}.Instrumented(true, f.Network.On)
			return service.LoadDemo(ctx)
		}
		f.Service, err = service.StartDemo(ctx, f.CopyCount())
		if err != nil {
			return nil, err
		}
		return service.LoadDemo(ctx)
	}
	f.RemoteRefs, f.MaxBytes = f.FollowRemoteRefs, f.Loader.MaxBytes
	var err error
	f.FetchTLS, err = f.TLSOptions.TLSConfig()
	if err != nil {
		return nil, err
	}
	if err := f.reach(ctx); err != nil {
		return nil, err
	}
	if _, err := askDriver(ctx, &f.Config, &f.Loader, args, f.TLSOptions, f.AllowHosts); err != nil {
		return nil, err
	}
	f.Source, err = f.Config.SpecSource(args, f.url)
	if err != nil {
		return nil, err
	}
	spec, err := f.Load(ctx, s, f.Source)
	if err != nil {
		return nil, err
	}
	f.Service = f.Config.ServiceAt(f.url, spec)
	return f.Config.FilterOperations(spec)
}

// driverGift is the information from a driver that askDriver added to a configuration.
type driverGift struct {
	specURL string   // URL from which the driver's specification was read, "" if there is none
	users   []string // the names of users
}

// askDriver asks the driver of a configuration, if it has one, for users and for the specification. It adds the users
// after those of the configuration. It uses the specification only if neither args nor the configuration names one; l
// then loads the specification for the source "-". hosts are the hosts that may be called.
func askDriver(
	ctx context.Context, c *service.Configuration, l *specfile.Loader, args []string, o service.TLSOptions, hosts []string,
) (gift driverGift, err error) {
	if c.Driver == "" {
		return gift, nil
	}
	plan := model.Plan{Driver: &model.Driver{URL: c.Driver, Run: c.Service}}
	withSpec := len(args) == 0 && c.Spec == ""
	answer, err := sut.AskDriver(ctx, plan, sut.Options{Client: o.ClientOptions(hosts)}, withSpec)
	if err != nil {
		return gift, search.NewUnreachableError(err)
	}
	users, err := config.ParseDriverUsers(answer.Auth, answer.AuthTemplate, c.Users)
	if err != nil {
		return gift, fmt.Errorf("driver %q, asked GET /controller: %w", c.Driver, err)
	}
	for _, u := range users {
		gift.users = append(gift.users, u.Name)
	}
	c.Users = service.MergeUsers(c.Users, users)
	if answer.SpecURL != "" {
		l.SetInput(answer.SpecURL, answer.Spec)
		c.SpecFromDriver, gift.specURL = true, answer.SpecURL
	}
	return gift, nil
}

// reach returns an error if Sonde may not call the service, or if the service does not answer. If the configuration
// has a driver, reach checks the driver instead. A service that Sonde starts is not running yet, so reach returns nil
// for it.
func (f *callFlags) reach(ctx context.Context) error {
	if f.Config.Service != nil {
		return nil
	}
	c, err := client.New(cmp.Or(f.Config.Driver, f.url), f.TLSOptions.ClientOptions(f.AllowHosts))
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.CheckReachable(ctx); err != nil {
		if f.Config.Driver != "" {
			err = fmt.Errorf("no driver answers at %q: start it, or add run beside driver in %s", f.Config.Driver, f.Config.Path)
		}
		return search.NewUnreachableError(err)
	}
	return nil
}

// outcome prints warnings about a finished run and returns its verdict as an error. It returns nil for exit
// code 0.
func (f *callFlags) outcome(s model.Summary, errs io.Writer) error {
	switch {
	case s.Cancelled && s.Faults == 0:
	case s.Calls == s.SetUp:
		console.PrintNote(errs, "the budget left no room for a call: raise --calls or --time")
		return verdict(exitUnreachable)
	case s.Unanswered > 0 && s.With2xx == 0 && !s.Cancelled:
		console.PrintNote(
			errs, "none of %d calls was answered 2xx, and %d got no answer, the first to %s",
			s.Calls, s.Unanswered, s.NoAnswer,
		)
		return verdict(exitUnreachable)
	case s.With2xx == 0 && !s.Cancelled:
		console.PrintNote(errs, "none of %d calls was answered 2xx: is the URL right, is a log-in missing?%s", s.Calls, f.pathHint())
		return verdict(exitUnreachable)
	case s.Faults > 0:
		return verdict(exitFaults)
	}
	return nil
}

// pathHint returns a hint about the base path if the path was appended from the spec, and "" otherwise.
func (f *callFlags) pathHint() string {
	if f.Service.Path == "" {
		return ""
	}
	return fmt.Sprintf(" The spec's %s was appended to the URL: end --url in / to leave it out.", f.Service.Path)
}
