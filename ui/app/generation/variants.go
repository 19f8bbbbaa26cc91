package generation

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sonde/export/format"
	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/replay/generate"
)

// OpenTests returns a generation with the tests that Write has written to a folder. Its tests have only the oracle o.
// To write tests of this generation, use WriteTests.
func OpenTests(dir string, o model.MockOracle, runs int) (*Generation, error) {
	run, err := codec.OpenRun(filepath.Join(dir, RunFolder))
	if err != nil {
		return nil, err
	}
	g := &Generation{
		Options: &Options{Dir: dir, Runs: runs},
		Oracles: []model.MockOracle{o},
		Recording: model.Recording{
			Title: run.Title, BaseURL: run.BaseURL, Service: run.Service, Reset: run.Reset,
		},
		Generated: generate.Suite{Tests: run.Tests, Users: run.Users},
	}
	if run.Net != nil {
		g.Generated.Background = run.Net.Stubs
	}
	return g, nil
}

// OpenSource reads the recording of the tests in a folder that Write has written, and its spec.
func OpenSource(dir string, load func(source string) (*model.Spec, error)) (rec model.Recording, spec *model.Spec, err error) {
	report, err := OpenReport(dir)
	if err != nil {
		return rec, nil, err
	}
	if report.Recording == "" {
		return rec, nil, fmt.Errorf("%q does not say of which recording the tests are: write them again with sonde generate", dir)
	}
	rec, err = codec.OpenRecording(report.Recording)
	if err != nil {
		return rec, nil, err
	}
	spec, err = load(rec.Spec)
	return rec, spec, err
}

// ObserveAnswers plays the tests once, and changes them so that they expect the answers that the service gave. It
// removes tests that got no answer, and returns an error if no test is left.
func (g *Generation) ObserveAnswers(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "sonde-generate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tests := g.Generated.Tests
	g.Generated.Tests = generate.WithoutAnswers(tests)
	runs, err := (&trials{Generation: g, dir: dir}).runs(ctx, 1)
	if err != nil {
		return err
	}
	g.Generated.Tests = generate.ExpectAnswers(tests, runs[0])
	if len(g.Generated.Tests) == 0 {
		return errors.New("none of the tests got an answer from the service")
	}
	return nil
}

// CheckFolder returns an error if a folder has test files, which WriteTests must not replace.
func CheckFolder(dir string) error {
	of, err := format.Named("go")
	if err != nil {
		return err
	}
	return checkAbsent(dir, of.TestsFile, of.HelpersFile)
}

// WriteTests writes some of the tests to a folder, and returns the paths of the files. command is the command that writes them.
func (g *Generation) WriteTests(dir string, tests []model.Test, command string, force bool) ([]string, error) {
	s := g.Suite(tests)
	s.Command = command
	of, err := g.format()
	if err != nil {
		return nil, err
	}
	files, _, err := writeAnew(of, dir, s, force)
	return files, err
}
