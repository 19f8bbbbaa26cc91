package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"sonde/model"
	"sonde/model/codec"
	"sonde/model/config"
	"sonde/ui/app/generation"
	"sonde/ui/app/paths"
	"sonde/ui/app/service"
	"sonde/ui/app/suite"
	"sonde/ui/console"
	"sonde/ui/results"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

func newGenerate(s console.Streams) *cobra.Command {
	var f generateFlags
	c := &cobra.Command{
		Use:   "generate REC",
		Short: "Write tests of a recording, with stubs and three oracles",
		Long: `Write tests that repeat what sonde record saw, with stubs in the place of the hosts
around the service, and three oracles, each in a function of its own:

  oo  the answer is the recorded one
  po  each outward call has the recorded parameters
  co  the outward calls come in the recorded order and number, and none besides

Of each operation and status the first exchange of each shape becomes a test, which is
the members of both bodies and the outward calls, and the first of each trait: what a
refusal says, one of the values of an enum, a value at the edge of what the spec allows,
an empty list. Of either there are 50 at most. The calls that made what a test needs come
before it, or --state puts a snapshot in place. The tests are run with the service to
learn what changes by itself, and then ten times to see how well they mimic. Those that
do are in the file in the folder, others in the folder apart inside of it. Its folder
run is for sonde adequacy and sonde export.

Exit code: 0 all tests mimic, 1 some do not, 2 usage.`,
		Example: "  sonde generate rec -o tests\n  sonde generate rec --oracle oo,co --only 'POST /orders' --no-run",
		Args:    exactly("REC"),
		RunE:    func(c *cobra.Command, args []string) error { return f.run(c, s, args[0]) },
	}
	f.add(c)
	return c
}

// generateFlags are the flags of generate.
type generateFlags struct {
	sourceFlags
	generation.Options
	format string
	yes    bool
}

func (f *generateFlags) add(c *cobra.Command) {
	f.sourceFlags.add(c)
	addConfig(c)
	addCredentials(c, &f.Credentials)
	fl := c.Flags()
	fl.StringVar(&f.Spec, "spec", "", "the service's spec (default: the recording's)")
	fl.StringSliceVar(&f.Oracles, "oracle", nil, "oracles of the tests: oo, po, co (default: all)")
	fl.BoolVar(&f.Together, "together", false, "all oracles of a test in one function")
	fl.StringVarP(&f.Dir, "output", "o", suite.DefaultFolder, "folder to write into")
	fl.StringVar(&f.format, "format", "go", "format of the files: go")
	fl.StringVar(
		&f.Hosts, "hosts", "",
		"how tests play the hosts around the service: "+suite.VirtualHosts+" or "+suite.LocalHosts+", as in sonde export (default: as it was recorded)",
	)
	fl.StringArrayVar(
		&f.Choice.Only, "only", nil,
		`only of these operations: "POST /orders", a part of a path as /orders, a method, or tag:NAME; as often as needed`,
	)
	fl.StringArrayVar(&f.Choice.Except, "except", nil, "not of these")
	fl.StringSliceVar(&f.Choice.Exchanges, "exchange", nil, "of the exchanges with these IDs, and of no others")
	fl.IntVar(&f.Choice.Most, "most", 0, "make tests of at most this many exchanges, up to one for each oracle; 0 is all")
	fl.IntVar(&f.Runs, "runs", generation.DefaultRuns, "how often each test is run to see how well it mimics")
	fl.StringVar(
		&f.State, "state", "",
		"a command for the shell that puts a snapshot of the service's state in place: it is run before each test, in the place of the calls that made what it needs; {port} in it is the service's",
	)
	fl.BoolVar(&f.NoRun, "no-run", false, "do not run the tests")
	fl.BoolVar(&f.Force, "force", false, "overwrite the files that are there")
	fl.BoolVar(&f.yes, "yes", false, "try the tests also if the recording, which says what to start, was made outside this folder")
}

// check returns the oracles that are asked for.
func (f *generateFlags) check() ([]model.Oracle, error) {
	var all []model.Oracle
	for _, o := range model.MockOracles {
		if len(f.Oracles) == 0 || slices.Contains(f.Oracles, string(o)) {
			all = append(all, o)
		}
	}
	for _, name := range f.Oracles {
		if !slices.Contains(model.MockOracles, model.Oracle(name)) {
			return nil, fmt.Errorf("--oracle %q is none: say oo, po or co", name)
		}
	}
	switch {
	case f.format != "go":
		return nil, fmt.Errorf("--format %q is not known: say go", f.format)
	case f.Hosts != "" && suite.CheckHosts(f.Hosts) != nil:
		return nil, suite.CheckHosts(f.Hosts)
	case f.Runs < 1:
		return nil, fmt.Errorf("--runs is %d: give a number from 1 on, or --no-run", f.Runs)
	case f.Choice.Most < 0:
		return nil, fmt.Errorf("--most is %d: give a number from 0 on", f.Choice.Most)
	}
	return all, nil
}

func (f *generateFlags) run(c *cobra.Command, s console.Streams, dir string) error {
	oracles, err := f.check()
	if err != nil {
		return err
	}
	rec, err := codec.OpenRecording(dir)
	if err != nil {
		return err
	}
	spec, err := f.document(c.Context(), s, rec)
	if err != nil {
		return err
	}
	recorded := rec.Service // it may be somebody else's
	if err := f.service(c, s, &rec); err != nil {
		return err
	}
	var commands []string
	if rec.Service == recorded && !f.NoRun {
		commands = service.RecordedCommands(dir, rec, paths.Abs("."))
	}
	f.snapshot(&rec)
	warnOf(s, rec.Warnings)
	g := generation.Generation{
		Options: &f.Options,
		Rec:     rec,
		Source:  dir,
		Oracles: oracles,
		Made:    generation.Tests(rec, dir, spec, f.Choice),
	}
	if len(g.Made.Tests) == 0 {
		return g.WhyNone()
	}
	if len(commands) > 0 {
		if err := console.Confirm(s, commands, f.yes); err != nil {
			return err
		}
	}
	return f.generate(c.Context(), s, &g, spec)
}

// generate tries the tests, writes them and reports.
func (f *generateFlags) generate(ctx context.Context, s console.Streams, g *generation.Generation, spec *model.Spec) error {
	if err := g.Check(); err != nil {
		return err
	}
	if err := g.Try(ctx); err != nil {
		return err
	}
	if err := g.Write(spec); err != nil {
		return err
	}
	r := results.NewGenerateReport(g)
	if f.json {
		if err := console.WriteJSON(s.Out, r); err != nil {
			return err
		}
	} else {
		results.PrintGenerate(s.Out, r)
	}
	if r.Total.Incomplete+r.Total.Unhandled+r.Total.Flaky > 0 {
		return verdict(exitFaults)
	}
	return nil
}

// document reads the spec by which the recording's operations were told apart.
func (f *generateFlags) document(ctx context.Context, s console.Streams, rec model.Recording) (*model.Spec, error) {
	source := cmp.Or(f.Spec, rec.Spec)
	switch {
	case source == "":
		return nil, errors.New("the recording does not say of which spec it is: name it with --spec")
	case source == service.DemoSource:
		return service.LoadDemo(ctx)
	}
	spec, err := f.Load(ctx, s, source)
	if err == nil && rec.SpecHash != "" && spec.Hash != rec.SpecHash {
		console.Note(s.Err, "%q is another one than when it was recorded: what has changed may be left out, or fail", source)
	}
	return spec, err
}

// service takes how the service is started from the configuration, where the recording
// does not know, or somebody names one.
func (f *generateFlags) service(c *cobra.Command, s console.Streams, rec *model.Recording) error {
	if rec.Service == nil || c.Flags().Changed("config") {
		config, err := readConfig(c, s.Err, nil)
		if err != nil {
			return err
		}
		if config.Path != "" {
			config.Complete(rec)
		}
	}
	return f.callAs(c, s, rec)
}

// callAs makes the flags' user the first of the recording's, in the place of the
// one of the flags with which it was made.
func (f *generateFlags) callAs(c *cobra.Command, s console.Streams, rec *model.Recording) error {
	var own config.Config
	if err := joinCredentials(c.Context(), s, &f.Credentials, &own); err != nil {
		return err
	}
	rec.Users = service.JoinUsers(own.Users, rec.Users)
	return nil
}

// snapshot has the state put in place by a command, if there is one.
func (f *generateFlags) snapshot(rec *model.Recording) {
	f.Choice.Snapshot = f.State != ""
	if f.Choice.Snapshot {
		rec.Reset = &model.Reset{Command: shell(f.State)}
	}
}

// shell is a command that a shell reads.
func shell(text string) []string {
	if runtime.GOOS == "windows" {
		return []string{"cmd", "/C", text}
	}
	return []string{"sh", "-c", text}
}

func warnOf(s console.Streams, warnings []string) {
	for _, w := range warnings[:min(len(warnings), results.MaxNotes)] {
		console.Note(s.Err, "%s", w)
	}
	if more := len(warnings) - results.MaxNotes; more > 0 {
		console.Note(s.Err, "and %s more of the recording", words.Plural(more, "warning"))
	}
}
