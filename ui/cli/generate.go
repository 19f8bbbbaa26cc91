package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"sonde/export"
	"sonde/model"
	"sonde/model/codec"
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
}

func (f *generateFlags) add(c *cobra.Command) {
	f.sourceFlags.add(c)
	addConfig(c)
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
	fl.IntVar(&f.choice.Most, "most", 0, "at most so many tests; 0 is all")
	fl.IntVar(&f.runs, "runs", mimicRuns, "how often each test is run to see how well it mimics")
	fl.StringVar(&f.state, "state", "", "a command for the shell that puts a snapshot of the service's state in place: it is run before each test, in the place of the calls that made what it needs; {port} in it is the service's")
	fl.BoolVar(&f.noRun, "no-run", false, "do not run the tests")
	fl.BoolVar(&f.force, "force", false, "overwrite the files that are there")
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
	if err := f.service(c, s, &rec); err != nil {
		return err
	}
	f.snapshot(&rec)
	warnOf(s, rec.Warnings)
	g := generation{generateFlags: f, streams: s, rec: rec, source: dir, oracles: oracles, made: mimic.Tests(rec, spec, f.choice)}
	if len(g.made.Tests) == 0 {
		return g.nothing()
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
	if rec.Service != nil && !c.Flags().Changed("config") {
		return nil
	}
	config, err := readConfig(c, s.err, nil)
	if err == nil && config.path != "" {
		config.lend(rec)
	}
	return err
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
	if f.choice.Snapshot = f.state != ""; f.choice.Snapshot {
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

// generation is one run of the command.
type generation struct {
	*generateFlags
	streams
	rec     model.Recording
	source  string // the recording's folder
	oracles []model.Oracle
	made    mimic.Suite
	results []mimic.Result // nil where the tests were not tried
	untried string         // why they were not
	files   []string
}

// nothing says why there is no test.
func (g *generation) nothing() error {
	if len(g.rec.Served) == 0 {
		return fmt.Errorf("recording %q holds no request: send some to the address of --in while it goes on", g.source)
	}
	why := "no exchange is one that was asked for"
	if len(g.made.Skipped) > 0 {
		x := g.made.Skipped[0]
		why = x.Request + ": " + x.Why
	}
	return fmt.Errorf("no test can be made of the %s in %q: %s", words.Plural(len(g.rec.Served), "request"), g.source, why)
}

// generate tries the tests, writes them and reports.
func (g *generation) generate(ctx context.Context, spec *model.Spec) error {
	if _, err := export.Go(placed(g.suite(g.made.Tests), g.dir)); err != nil {
		return g.recordAgain(err)
	}
	if err := g.try(ctx); err != nil {
		return err
	}
	if err := g.write(spec); err != nil {
		return err
	}
	if err := g.report(); err != nil {
		return err
	}
	if _, total := g.rows(); total.Incomplete+total.Unhandled+total.Flaky > 0 {
		return verdict(exitFaults)
	}
	return nil
}

// recordAgain says how to come by what tests with stubs need.
func (g *generation) recordAgain(err error) error {
	if g.rec.Service == nil && !errors.Is(err, export.ErrEmpty) {
		return errors.New("the service turned to hosts, for which the tests have to start it, and the recording does not say how: record it again with -- COMMAND, or say sut in sonde.yaml")
	}
	return err
}

// suite is what is exported of some tests.
func (g *generation) suite(tests []model.Test) export.Suite {
	rec := g.rec
	reset := rec.Reset
	if reset == nil && rec.Service != nil {
		reset = &model.Reset{Restart: true}
	}
	s := export.Suite{
		Title: rec.Title, BaseURL: rec.BaseURL + g.made.Base, Service: rec.Service, Dir: startDir(rec.Service, reset), Reset: reset,
		Users: g.made.Users, Tests: tests, Oracles: g.oracles, Together: g.together, Command: g.command(),
	}
	built := rec.Service != nil && rec.Service.Build != nil
	local := cmp.Or(g.around, map[bool]string{true: hostsVirtual, false: hostsLocal}[built]) == hostsLocal
	if built {
		return surrounded(s, &model.Net{}, local)
	}
	s.Local = local
	return s
}

// command makes the same files again.
func (g *generation) command() string {
	line := []string{"sonde", "generate", quote(g.source)}
	add := func(on bool, flag string, values ...string) {
		for _, v := range values {
			if on {
				line = append(line, flag, quote(v))
			}
		}
	}
	add(g.spec != "", "--spec", g.spec)
	add(len(g.generateFlags.oracles) > 0, "--oracle", strings.Join(g.generateFlags.oracles, ","))
	if g.together {
		line = append(line, "--together")
	}
	add(true, "--only", g.choice.Only...)
	add(true, "--except", g.choice.Except...)
	add(true, "--exchange", g.choice.Exchanges...)
	add(g.choice.Most > 0, "--most", fmt.Sprint(g.choice.Most))
	add(g.state != "", "--state", g.state)
	add(g.around != "", "--hosts", g.around)
	add(g.dir != testFolder, "-o", g.dir)
	return strings.Join(append(line, "--force"), " ")
}

// write writes the tests that mimic, the others apart, and a run with all of them.
func (g *generation) write(spec *model.Spec) error {
	good, apart := g.apart()
	for _, part := range []struct {
		dir   string
		tests []model.Test
	}{{g.dir, good}, {filepath.Join(g.dir, apartFolder), apart}} {
		if len(part.tests) == 0 {
			continue
		}
		path, err := writeAnew(part.dir, g.suite(part.tests), g.force)
		switch {
		case errors.Is(err, export.ErrEmpty):
			continue
		case err != nil:
			return err
		}
		g.files = append(g.files, path)
	}
	return g.writeRun(spec, slices.Concat(good, apart))
}

// writeAnew writes a file of its own: a run goes with it, which is not put into another.
func writeAnew(dir string, s export.Suite, force bool) (string, error) {
	path, err := export.Write(dir, placed(s, dir), force)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("a file %q is there already: overwrite it with --force, or name another folder with -o", filepath.Join(dir, export.FileName))
	}
	return path, err
}

// apart are the tests that mimic, and the others: those that failed at times or always,
// and those of which it is not certain what the service sent for them.
func (g *generation) apart() (good, apart []model.Test) {
	for _, t := range g.made.Tests {
		bad := t.Mimic.Uncertain
		for _, x := range g.results {
			if x.Test != t.ID {
				continue
			}
			if bad = bad || x.Outcome != mimic.Mimics; x.Outcome == mimic.Flaky {
				t.Flaky = fmt.Sprintf("%s failed in %d of %d runs", x.Function, x.Failed, x.Runs)
			}
		}
		if bad {
			apart = append(apart, t)
		} else {
			good = append(good, t)
		}
	}
	return good, apart
}

// writeRun writes the tests as those of a run.
func (g *generation) writeRun(spec *model.Spec, tests []model.Test) error {
	s := g.suite(tests)
	h := codec.Header{
		Title: spec.Title, Spec: spec.Source, SpecHash: spec.Hash, BaseURL: s.BaseURL, Users: s.Users, Reset: s.Reset,
		Service: g.rec.Service, Dir: s.Dir, Net: s.Net, Command: s.Command,
	}
	for _, op := range spec.Operations {
		h.Operations = append(h.Operations, op.ID)
	}
	w, err := codec.Create(filepath.Join(g.dir, suiteFolder), h, g.force)
	if err != nil {
		return err
	}
	return errors.Join(w.Suite(tests), w.Close())
}
