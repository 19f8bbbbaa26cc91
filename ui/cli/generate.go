package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sonde/export"
	"sonde/model"
	"sonde/model/codec"
	"sonde/model/config"
	"sonde/runner/replay/unittests"
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
		Long: `Write tests that repeat recorded exchanges, with stubs in place of the hosts that the
service called, and three oracles, each in a function of its own:

  oo  the answer is the recorded one
  po  each outward call has the recorded parameters
  co  the outward calls have the recorded order and number, and there are no others

If Sonde built the recorded service, the exchanges that run code which no other chosen
exchange runs become tests, those with most of it first. Then, for each operation and
status, the first exchange of each shape becomes a test, and the first with each trait,
unless one was chosen already. A shape is the members of both bodies and the outward
calls. A trait is an error message, a value of an enum, a value at a limit of the spec, or
an empty list. There are at most 50 shapes and 50 traits. A test begins with the calls
that created what it needs, or --state restores a snapshot. The tests are run with the
service to learn which values vary, and then ten times to see whether they mimic. Tests
that mimic are in the output folder, the others in its folder apart. Its folder run is for
sonde adequacy and sonde export.

With --format pytest, node or junit5, the tests are in that language, and play hosts that
speak HTTP by small servers of its library. The report and the files name each test that is
left out, and why. How well they mimic is measured with Go tests of the same exchanges.

With --units, unit tests of the functions that the service ran are written into its packages.
Their mocks answer as the injected objects did, and the same three oracles check the results
and what the function changed, the arguments of the calls, and their order and number. Only
tests that mimic are written.

Exit code: 0 all tests mimic, 1 some do not, 2 usage.`,
		Example: `  sonde generate rec -o tests
  sonde generate --units rec
  sonde generate rec --oracle oo,co --only 'POST /orders' --no-run
  sonde generate rec --format pytest -o tests`,
		Args: exactly("REC"),
		RunE: func(c *cobra.Command, args []string) error {
			if f.units {
				return f.runUnits(c, s, args[0])
			}
			if c.Flags().Changed("dir") {
				return errors.New("--dir is for unit tests: give --units, too")
			}
			if c.Flags().Changed("mocks") {
				return errors.New("--mocks is for unit tests: give --units, too")
			}
			return f.run(c, s, args[0])
		},
	}
	f.add(c)
	return c
}

// generateFlags are the flags of sonde generate.
type generateFlags struct {
	sourceFlags
	generation.Options
	faults   string // export.PinFaults or export.SkipFaults
	yes      bool
	units    bool   // unit tests of invocations instead of tests of exchanges
	unitsDir string // a folder of the service's module
	mocks    string // a unittests.MockStyle
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
	fl.StringVar(&f.Format, "format", suite.DefaultFormat, "format of the files: "+strings.Join(suite.PlayingFormats(), ", "))
	fl.StringVar(
		&f.Hosts, "hosts", "",
		"how tests play the hosts around the service: "+suite.VirtualHosts+" or "+suite.LocalHosts+
			", as in sonde export (default: as it was recorded)",
	)
	fl.StringArrayVar(
		&f.Choice.Only, "only", nil,
		`make tests of these operations only: "POST /orders", a part of a path such as /orders, a method, or tag:NAME (repeat for several)`,
	)
	fl.StringArrayVar(&f.Choice.Except, "except", nil, "make no tests of these operations, written as in --only")
	fl.StringSliceVar(&f.Choice.Exchanges, "exchange", nil, "make tests of the exchanges with these IDs only")
	fl.IntVar(&f.Choice.MaxTests, "most", 0, "make tests of at most this many exchanges, each up to one for each oracle; 0 means all")
	fl.IntVar(&f.Runs, "runs", generation.DefaultRuns, "how often each test is run to see how well it mimics")
	fl.StringVar(
		&f.State, "state", "",
		"a shell command that restores a snapshot of the service's state before each test, instead of the calls "+
			"that create what it needs; {snapshot} in it is the folder of the recorded snapshot nearest before the "+
			"exchange, {port} the service's port",
	)
	fl.BoolVar(
		&f.Restore, "restore-files", false,
		"let each test replace the files of sonde record --snapshot-file by their copies in the nearest snapshot; what is in "+
			"these files now is lost",
	)
	fl.StringVar(
		&f.faults, "faults", string(export.PinFaults),
		"exchanges whose answer is a server error, unless that is right because a host failed: pin writes tests that pass as "+
			"long as the service has the fault, skip leaves them out",
	)
	fl.BoolVar(
		&f.units, "units", false,
		"write unit tests of recorded invocations (sonde record --units) into the packages of the service instead: mocks answer "+
			"in place of the objects that a function calls; "+unittests.TestsFile+" keeps declarations that you change",
	)
	fl.StringVar(&f.unitsDir, "dir", "", "with --units, a folder of the service's module (default: the current folder)")
	fl.StringVar(
		&f.mocks, "mocks", "",
		"with --units, use the project's own mocks where it has one that its tests can import: gomock, testify or moq (default: "+
			"mocks that the tests declare)",
	)
	fl.BoolVar(&f.NoRun, "no-run", false, "do not run the tests")
	fl.BoolVar(&f.Force, "force", false, "overwrite existing files")
	fl.BoolVar(&f.yes, "yes", false, "run the tests even if the recording, which says what to start, was made outside this folder")
}

// check returns the oracles of --oracle, or all oracles without this flag. It returns an error if a flag is
// invalid.
func (f *generateFlags) check() ([]model.MockOracle, error) {
	var all []model.MockOracle
	for _, o := range model.MockOracles {
		if len(f.Oracles) == 0 || slices.Contains(f.Oracles, string(o)) {
			all = append(all, o)
		}
	}
	for _, name := range f.Oracles {
		if !slices.Contains(model.MockOracles, model.MockOracle(name)) {
			return nil, fmt.Errorf("--oracle %q is not known: use oo, po or co", name)
		}
	}
	switch {
	case !slices.Contains(suite.PlayingFormats(), f.Format):
		return nil, fmt.Errorf("--format %q is not known: use %s", f.Format, strings.Join(suite.PlayingFormats(), ", "))
	case f.faults != string(export.PinFaults) && f.faults != string(export.SkipFaults):
		return nil, fmt.Errorf("--faults %q is not known: use %s or %s", f.faults, export.PinFaults, export.SkipFaults)
	case f.Hosts != "" && suite.CheckHosts(f.Hosts) != nil:
		return nil, suite.CheckHosts(f.Hosts)
	case f.Hosts == suite.VirtualHosts && f.Format != suite.DefaultFormat:
		return nil, fmt.Errorf("--hosts %s needs --format %s: only Go tests have a virtual network", f.Hosts, suite.DefaultFormat)
	case f.Runs < 1:
		return nil, fmt.Errorf("--runs is %d: give a number from 1 on, or --no-run", f.Runs)
	case f.Choice.MaxTests < 0:
		return nil, fmt.Errorf("--most is %d: give a number from 0 on", f.Choice.MaxTests)
	}
	return all, nil
}

func (f *generateFlags) run(c *cobra.Command, s console.Streams, dir string) error {
	oracles, err := f.check()
	if err != nil {
		return err
	}
	f.Choice.SkipFaults = f.faults == string(export.SkipFaults)
	rec, err := codec.OpenRecording(dir)
	if err != nil {
		return err
	}
	spec, err := f.document(c.Context(), s, rec)
	if err != nil {
		return err
	}
	recorded := rec.Service // the commands in it may come from another user
	if err := f.service(c, s, &rec); err != nil {
		return err
	}
	var commands []string
	if rec.Service == recorded && !f.NoRun {
		commands = service.RecordedCommands(dir, rec, paths.Absolute("."))
	}
	note, err := f.ChooseSnapshots(&rec)
	if err != nil {
		return err
	}
	if note != "" {
		console.PrintNote(s.Err, "%s", note)
	}
	commands = append(commands, f.ReplacedFiles(rec, paths.Absolute("."))...)
	warnOf(s, rec.Warnings)
	g := generation.Generation{
		Options:   &f.Options,
		Recording: rec,
		Source:    dir,
		Oracles:   oracles,
		Generated: generation.Tests(rec, dir, spec, f.Choice),
	}
	if len(g.Generated.Tests) == 0 {
		return g.NoTestsError()
	}
	if len(commands) > 0 {
		if err := console.Confirm(s, commands, f.yes); err != nil {
			return err
		}
	}
	return f.generate(c.Context(), s, &g, spec)
}

// generate runs the tests, writes them and prints the report.
func (f *generateFlags) generate(ctx context.Context, s console.Streams, g *generation.Generation, spec *model.Spec) error {
	if err := g.Check(); err != nil {
		return err
	}
	if err := g.CheckFiles(); err != nil { // checked here, because playing the tests takes minutes
		return err
	}
	if err := g.RunTests(ctx); err != nil {
		return err
	}
	if err := g.Write(spec); err != nil {
		return err
	}
	r := g.Report(spec)
	if f.json {
		if err := console.WriteJSON(s.Out, r); err != nil {
			return err
		}
	} else {
		results.PrintGenerate(s.Out, r)
	}
	if len(g.Files) == 0 {
		return fmt.Errorf("no test is written: %s", g.Omitted[0].Why)
	}
	if r.Total.Incomplete+r.Total.Unhandled+r.Total.Flaky > 0 {
		return verdict(exitFaults)
	}
	return nil
}

// document reads the spec that --spec names or, without this flag, the spec that the recording names. It prints a
// note if the spec has changed since the recording.
func (f *generateFlags) document(ctx context.Context, s console.Streams, rec model.Recording) (*model.Spec, error) {
	source := cmp.Or(f.Spec, rec.Spec)
	switch source {
	case "":
		return nil, errors.New("the recording names no spec: name it with --spec")
	case service.DemoSource:
		return service.LoadDemo(ctx)
	}
	spec, err := f.Load(ctx, s, source)
	if err == nil && rec.SpecHash != "" && spec.Hash != rec.SpecHash {
		console.PrintNote(s.Err, "%q has changed since the recording: tests of changed operations may be left out, or fail", source)
	}
	return spec, err
}

// service sets the start of the service from the configuration, if the recording does not have it or
// --config is set. It also adds the user of the flags.
func (f *generateFlags) service(c *cobra.Command, s console.Streams, rec *model.Recording) error {
	if rec.Service == nil || c.Flags().Changed("config") {
		config, err := readConfig(c, s.Err, nil)
		if err != nil {
			return err
		}
		if config.Path != "" {
			config.CompleteRecording(rec)
		}
	}
	return f.callAs(c, s, rec)
}

// callAs adds the user of the flags before the users of the recording. If the recording has a user of the same name,
// for example because sonde record had the same flags, this user is replaced.
func (f *generateFlags) callAs(c *cobra.Command, s console.Streams, rec *model.Recording) error {
	var own config.Config
	if err := joinCredentials(c.Context(), s, &f.Credentials, &own); err != nil {
		return err
	}
	rec.Users = service.MergeUsers(own.Users, rec.Users)
	return nil
}

func warnOf(s console.Streams, warnings []string) {
	for _, w := range warnings[:min(len(warnings), results.MaxNotes)] {
		console.PrintNote(s.Err, "%s", w)
	}
	if more := len(warnings) - results.MaxNotes; more > 0 {
		console.PrintNote(s.Err, "and %s more from the recording", words.Plural(more, "warning"))
	}
}
