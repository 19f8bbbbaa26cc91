package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/mimic"
	"sonde/ui/words"
)

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
	for _, word := range g.credentials.flags() {
		line = append(line, quote(word))
	}
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
		paths, err := writeAnew(part.dir, g.suite(part.tests), g.force)
		switch {
		case errors.Is(err, export.ErrEmpty):
			continue
		case err != nil:
			return err
		}
		g.files = append(g.files, paths...)
	}
	return g.writeRun(spec, slices.Concat(good, apart))
}

// writeAnew writes files of their own, the one with the tests first: a run goes with them, which is
// not put into another.
func writeAnew(dir string, s export.Suite, force bool) ([]string, error) {
	of, err := format.Named("go")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{of.File, of.Helpers} {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err == nil && !force {
			return nil, fmt.Errorf("a file %q is there already: overwrite it with --force, or name another folder with -o", path)
		}
	}
	_, made, err := of.Write(dir, placed(s, dir), force)
	return filesIn(dir, made), err
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
			bad = bad || x.Outcome != mimic.Mimics
			if x.Outcome == mimic.Flaky {
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
