// Package generation makes tests from a recording, runs them to check how well they reproduce it, and
// writes them. Package runner/replay/generate makes a single test.
package generation

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/replay/generate"
	"sonde/ui/app/command"
	"sonde/ui/app/paths"
	"sonde/ui/app/service"
	"sonde/ui/app/suite"
	"sonde/ui/words"
)

// Folders in the folder of the tests: for tests that do not reproduce the recording, and for a run that
// other commands can read.
const (
	apartFolder = "apart"
	RunFolder   = "run"
)

// DefaultRuns is the default number of runs to check how well tests reproduce the recording.
const DefaultRuns = 10

// Options selects the tests to make from a recording, and how to run them.
type Options struct {
	service.Credentials
	Spec     string
	Oracles  []string
	Together bool
	Dir      string
	Hosts    string // a value of --hosts, "" for the default of the service and the format
	Format   string // the name of the format of the files, "" for Go
	Choice   generate.Options
	Runs     int
	NoRun    bool
	State    string // the command that restores the service's state, "" for none
	Restore  bool   // whether each test replaces the files of the recording's snapshots by their copies
	Force    bool
}

// Generation has the tests of a recording from their creation to their files.
type Generation struct {
	*Options
	Recording    model.Recording
	Source       string // the recording's folder
	Oracles      []model.MockOracle
	Generated    generate.Suite
	Results      []generate.Result // nil if the tests were not run
	NotRunReason string            // why the tests were not run, "" if they were
	Files        []string
	// Names has the name of each test in the files, by the name of its Go function. Omitted has the tests that the
	// files leave out. Both are empty if the files are in Go.
	Names   map[string]string
	Omitted []format.OmittedTest
}

// Tests makes the tests of the recording in a folder with generate.Tests. The provenance of each test is
// the absolute path of the folder. Each test has the name that it has in all files and reports.
func Tests(rec model.Recording, folder string, spec *model.Spec, o generate.Options) generate.Suite {
	made := generate.Tests(rec, spec, o)
	for i := range made.Tests {
		made.Tests[i].Provenance = model.Provenance{Recording: paths.Absolute(folder)}
	}
	export.NameMocks(made.Tests)
	return made
}

// NoTestsError returns an error with the reason why there is no test.
func (g *Generation) NoTestsError() error {
	if len(g.Recording.Served) == 0 {
		return fmt.Errorf("recording %q has no request: send some to the address of --in during the recording", g.Source)
	}
	why := "no exchange matches the choice"
	if len(g.Generated.Skipped) > 0 {
		x := g.Generated.Skipped[0]
		why = x.Request + ": " + x.Why
	}
	return fmt.Errorf("no test can be made of the %s in %q: %s", words.Plural(len(g.Recording.Served), "request"), g.Source, why)
}

// Check returns an error if no test file can be made of the tests. It does not look at existing files.
func (g *Generation) Check() error {
	of, err := g.format()
	if err != nil {
		return err
	}
	if of.Name != suite.DefaultFormat {
		_, err := of.Generate(suite.RelocatePaths(g.Suite(g.Generated.Tests), g.Dir))
		if err == nil || errors.Is(err, export.ErrEmpty) { // the report says why the files have no test
			return nil
		}
		return g.ExplainError(err)
	}
	if _, err := export.GoFile(suite.RelocatePaths(g.Suite(g.Generated.Tests), g.Dir)); err != nil {
		return g.ExplainError(err)
	}
	return nil
}

// format returns the format of the files; the default is suite.DefaultFormat.
func (g *Generation) format() (format.Format, error) {
	return format.Named(cmp.Or(g.Format, suite.DefaultFormat))
}

// CheckFiles returns an error if Write would find files of tests, or a run, that it must not replace.
func (g *Generation) CheckFiles() error {
	of, err := g.format()
	if err != nil || g.Force {
		return err
	}
	return errors.Join(
		checkAbsent(g.Dir, of.TestsFile, of.HelpersFile, RunFolder),
		checkAbsent(filepath.Join(g.Dir, apartFolder), of.TestsFile, of.HelpersFile),
	)
}

// checkAbsent returns an error that names the first of some files in a folder that exists.
func checkAbsent(dir string, names ...string) error {
	for _, name := range names {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("the file %q exists: overwrite it with --force, or name another folder", path)
		}
	}
	return nil
}

// ExplainError replaces err if the recording does not say how to start the service: the returned error
// tells the user what to do. If the recording says how, or if err is export.ErrEmpty, it returns err.
func (g *Generation) ExplainError(err error) error {
	if g.Recording.Service == nil && !errors.Is(err, export.ErrEmpty) {
		return errors.New("the service called other hosts, so the tests have to start it, " +
			"and the recording does not say how: record it again with -- COMMAND, or set sut in sonde.yaml")
	}
	return err
}

// Suite returns the suite to export for some tests.
func (g *Generation) Suite(tests []model.Test) export.Suite {
	rec := g.Recording
	reset := rec.Reset
	if rec.Service != nil && (reset == nil || reset.Clean) { // the tests do not build a service that cleans its databases
		reset = &model.Reset{Restart: true}
	}
	s := export.Suite{
		Title:          rec.Title,
		BaseURL:        rec.BaseURL + g.Generated.Base,
		Service:        rec.Service,
		Dir:            service.StartDir(rec.Service, reset),
		Reset:          reset,
		Users:          g.Generated.Users,
		Tests:          tests,
		Oracles:        g.Oracles,
		CombineOracles: g.Together,
		Command:        g.Command(),
	}
	built := rec.Service != nil && rec.Service.Build != nil
	virtual := built && cmp.Or(g.Format, suite.DefaultFormat) == suite.DefaultFormat
	local := cmp.Or(g.Hosts, map[bool]string{true: suite.VirtualHosts, false: suite.LocalHosts}[virtual]) == suite.LocalHosts
	if built {
		return suite.WithHosts(s, &model.VirtualNetwork{Stubs: g.Generated.Background}, local)
	}
	s.Local = local
	if local && len(g.Generated.Background) > 0 {
		s.Net = &model.VirtualNetwork{Stubs: g.Generated.Background}
	}
	return s
}

// Command returns the command that writes the same files.
func (g *Generation) Command() string {
	line := []string{"sonde", "generate", command.Quote(g.Source)}
	add := func(on bool, flag string, values ...string) {
		for _, v := range values {
			if on {
				line = append(line, flag, command.Quote(v))
			}
		}
	}
	add(g.Spec != "", "--spec", g.Spec)
	for _, word := range g.Credentials.Flags() {
		line = append(line, command.Quote(word))
	}
	add(len(g.Options.Oracles) > 0, "--oracle", strings.Join(g.Options.Oracles, ","))
	if g.Together {
		line = append(line, "--together")
	}
	add(true, "--only", g.Choice.Only...)
	add(true, "--except", g.Choice.Except...)
	add(true, "--exchange", g.Choice.Exchanges...)
	add(g.Choice.MaxTests > 0, "--most", fmt.Sprint(g.Choice.MaxTests))
	add(g.Choice.SkipFaults, "--faults", string(export.SkipFaults))
	add(g.State != "", "--state", g.State)
	if g.Restore {
		line = append(line, "--restore-files")
	}
	add(g.Hosts != "", "--hosts", g.Hosts)
	add(g.Format != "" && g.Format != suite.DefaultFormat, "--format", g.Format)
	add(g.Dir != suite.DefaultFolder, "-o", g.Dir)
	return strings.Join(append(line, "--force"), " ")
}

// Write writes the tests that reproduce the recording, the other tests in a separate folder, a run with all
// tests, and the report.
func (g *Generation) Write(spec *model.Spec) error {
	good, apart := g.SplitTests()
	for _, part := range []struct {
		dir   string
		tests []model.Test
	}{{g.Dir, good}, {filepath.Join(g.Dir, apartFolder), apart}} {
		if len(part.tests) == 0 {
			continue
		}
		files, err := g.writePart(part.dir, part.tests)
		switch {
		case errors.Is(err, export.ErrEmpty):
			continue
		case err != nil:
			return err
		}
		g.Files = append(g.Files, files...)
	}
	return errors.Join(g.writeRun(spec, slices.Concat(good, apart)), g.writeReport(spec))
}

// writePart writes the files of some of the tests into a folder, and returns their paths.
func (g *Generation) writePart(dir string, tests []model.Test) ([]string, error) {
	of, err := g.format()
	if err != nil {
		return nil, err
	}
	files, made, err := writeAnew(of, dir, g.Suite(tests), g.Force)
	g.Omitted = append(g.Omitted, made.Omitted...)
	if g.Names == nil {
		g.Names = map[string]string{}
	}
	maps.Copy(g.Names, made.Names)
	return files, err
}

// writeAnew writes the test files and returns their paths. The path of the tests file comes first. It never updates
// existing files, because a run belongs to them. If there are any, it replaces them if force is set, and otherwise
// returns an error.
func writeAnew(of format.Format, dir string, s export.Suite, force bool) ([]string, format.Output, error) {
	if !force {
		if err := checkAbsent(dir, of.TestsFile, of.HelpersFile); err != nil {
			return nil, format.Output{}, err
		}
	}
	_, made, err := of.Write(dir, suite.RelocatePaths(s, dir), force)
	return suite.FilePaths(dir, made), made, err
}

// SplitTests returns the tests that reproduce the recording, and the others: those that failed in a run,
// and those with uncertain outward calls.
func (g *Generation) SplitTests() (good, apart []model.Test) {
	for _, t := range g.Generated.Tests {
		bad := t.Mock.Uncertain
		for _, x := range g.Results {
			if x.Test != t.ID {
				continue
			}
			bad = bad || x.Outcome != generate.OutcomeMimics
			if x.Outcome == generate.OutcomeFlaky {
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

// writeRun writes the tests as a run.
func (g *Generation) writeRun(spec *model.Spec, tests []model.Test) error {
	s := g.Suite(tests)
	h := codec.RunHeader{
		Title: spec.Title, Spec: spec.Source, SpecHash: spec.Hash, BaseURL: s.BaseURL, Users: s.Users, Reset: s.Reset,
		Service: g.Recording.Service, Dir: s.Dir, Net: s.Net, Command: s.Command,
	}
	for _, op := range spec.Operations {
		h.Operations = append(h.Operations, op.ID)
	}
	w, err := codec.CreateRun(filepath.Join(g.Dir, RunFolder), h, g.Force)
	if err != nil {
		return err
	}
	return errors.Join(w.WriteSuite(tests), w.Close())
}
