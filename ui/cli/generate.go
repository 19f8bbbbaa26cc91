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
	"sonde/runner/mimic"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

// The folders beside the tests: for those that do not mimic, and for a run that other
// commands read.
const (
	apartFolder = "apart"
	suiteFolder = "run"
)

// mimicRuns is how often tests are run to see how well they mimic, unless somebody says
// otherwise.
const mimicRuns = 10

func newGenerate(s streams) *cobra.Command {
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
	credentials
	spec        string
	oracles     []string
	together    bool
	dir, format string
	around      string
	choice      mimic.Options
	runs        int
	noRun       bool
	state       string
	force       bool
	yes         bool
}

func (f *generateFlags) add(c *cobra.Command) {
	f.sourceFlags.add(c)
	addConfig(c)
	f.credentials.add(c)
	fl := c.Flags()
	fl.StringVar(&f.spec, "spec", "", "the service's spec (default: the recording's)")
	fl.StringSliceVar(&f.oracles, "oracle", nil, "oracles of the tests: oo, po, co (default: all)")
	fl.BoolVar(&f.together, "together", false, "all oracles of a test in one function")
	fl.StringVarP(&f.dir, "output", "o", testFolder, "folder to write into")
	fl.StringVar(&f.format, "format", "go", "format of the files: go")
	fl.StringVar(&f.around, "hosts", "", "how tests play the hosts around the service: "+hostsVirtual+" or "+hostsLocal+", as in sonde export (default: as it was recorded)")
	fl.StringArrayVar(&f.choice.Only, "only", nil, `only of these operations: "POST /orders", a part of a path as /orders, a method, or tag:NAME; as often as needed`)
	fl.StringArrayVar(&f.choice.Except, "except", nil, "not of these")
	fl.StringSliceVar(&f.choice.Exchanges, "exchange", nil, "of the exchanges with these IDs, and of no others")
	fl.IntVar(&f.choice.Most, "most", 0, "make tests of at most this many exchanges, up to one for each oracle; 0 is all")
	fl.IntVar(&f.runs, "runs", mimicRuns, "how often each test is run to see how well it mimics")
	fl.StringVar(&f.state, "state", "", "a command for the shell that puts a snapshot of the service's state in place: it is run before each test, in the place of the calls that made what it needs; {port} in it is the service's")
	fl.BoolVar(&f.noRun, "no-run", false, "do not run the tests")
	fl.BoolVar(&f.force, "force", false, "overwrite the files that are there")
	fl.BoolVar(&f.yes, "yes", false, "try the tests also if the recording, which says what to start, was made outside this folder")
}

// check returns the oracles that are asked for.
func (f *generateFlags) check() ([]model.Oracle, error) {
	var all []model.Oracle
	for _, o := range model.MockOracles {
		if len(f.oracles) == 0 || slices.Contains(f.oracles, string(o)) {
			all = append(all, o)
		}
	}
	for _, name := range f.oracles {
		if !slices.Contains(model.MockOracles, model.Oracle(name)) {
			return nil, fmt.Errorf("--oracle %q is none: say oo, po or co", name)
		}
	}
	switch {
	case f.format != "go":
		return nil, fmt.Errorf("--format %q is not known: say go", f.format)
	case f.around != "" && checkHosts(f.around) != nil:
		return nil, checkHosts(f.around)
	case f.runs < 1:
		return nil, fmt.Errorf("--runs is %d: give a number from 1 on, or --no-run", f.runs)
	case f.choice.Most < 0:
		return nil, fmt.Errorf("--most is %d: give a number from 0 on", f.choice.Most)
	}
	return all, nil
}

func (f *generateFlags) run(c *cobra.Command, s streams, dir string) error {
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
	if rec.Service == recorded && !f.noRun {
		commands = recordedCommands(dir, rec, whole("."))
	}
	f.snapshot(&rec)
	warnOf(s, rec.Warnings)
	g := generation{generateFlags: f, streams: s, rec: rec, source: dir, oracles: oracles, made: mimic.Tests(rec, spec, f.choice)}
	if len(g.made.Tests) == 0 {
		return g.nothing()
	}
	if len(commands) > 0 {
		if err := confirm(s, commands, f.yes); err != nil {
			return err
		}
	}
	return g.generate(c.Context(), spec)
}

// document reads the spec by which the recording's operations were told apart.
func (f *generateFlags) document(ctx context.Context, s streams, rec model.Recording) (*model.Spec, error) {
	source := cmp.Or(f.spec, rec.Spec)
	switch {
	case source == "":
		return nil, errors.New("the recording does not say of which spec it is: name it with --spec")
	case source == demoSource:
		return loadDemo(ctx)
	}
	spec, err := f.load(ctx, s, source)
	if err == nil && rec.SpecHash != "" && spec.Hash != rec.SpecHash {
		tell(s.err, "%q is another one than when it was recorded: what has changed may be left out, or fail", source)
	}
	return spec, err
}

// service takes how the service is started from the configuration, where the recording
// does not know, or somebody names one.
func (f *generateFlags) service(c *cobra.Command, s streams, rec *model.Recording) error {
	if rec.Service == nil || c.Flags().Changed("config") {
		config, err := readConfig(c, s.err, nil)
		if err != nil {
			return err
		}
		if config.path != "" {
			config.lend(rec)
		}
	}
	return f.callAs(c, s, rec)
}

// callAs makes the flags' user the first of the recording's, in the place of the
// one of the flags with which it was made.
func (f *generateFlags) callAs(c *cobra.Command, s streams, rec *model.Recording) error {
	var own config.Config
	if err := f.credentials.join(c.Context(), s, &own); err != nil {
		return err
	}
	rec.Users = joined(own.Users, rec.Users)
	return nil
}

// lend says of a recording how the service is started, and who its users are.
func (c configured) lend(rec *model.Recording) {
	if c.Service != nil {
		rec.Service = c.Service
		rec.BaseURL = cmp.Or(c.URL, rec.BaseURL)
	}
	if rec.Reset == nil {
		rec.Reset = c.Reset
	}
	rec.Users = joined(rec.Users, c.Users)
}

// snapshot has the state put in place by a command, if there is one.
func (f *generateFlags) snapshot(rec *model.Recording) {
	f.choice.Snapshot = f.state != ""
	if f.choice.Snapshot {
		rec.Reset = &model.Reset{Command: shell(f.state)}
	}
}

// shell is a command that a shell reads.
func shell(text string) []string {
	if runtime.GOOS == "windows" {
		return []string{"cmd", "/C", text}
	}
	return []string{"sh", "-c", text}
}

// joined are users with those of others whose names they do not have.
func joined(users, others []model.User) []model.User {
	all := slices.Clone(users)
	for _, u := range others {
		if !slices.ContainsFunc(all, func(o model.User) bool { return o.Name == u.Name }) {
			all = append(all, u)
		}
	}
	return all
}

// mostLines is how many of a recording's are shown.
const mostLines = 5

func warnOf(s streams, warnings []string) {
	for _, w := range warnings[:min(len(warnings), mostLines)] {
		tell(s.err, "%s", w)
	}
	if more := len(warnings) - mostLines; more > 0 {
		tell(s.err, "and %s more of the recording", words.Plural(more, "warning"))
	}
}
