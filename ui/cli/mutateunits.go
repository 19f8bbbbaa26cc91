package cli

import (
	"errors"
	"fmt"
	"slices"

	"sonde/runner/instrument/probe"
	"sonde/runner/instrument/unitdata"
	"sonde/runner/lab/mutate"
	"sonde/runner/replay/unittests"
	"sonde/ui/console"
	"sonde/ui/results"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// unitMutants are the flags of sonde mutate for unit tests.
type unitMutants struct {
	recording, dir, compare string
}

func (f *unitMutants) add(fl *pflag.FlagSet) {
	fl.StringVar(&f.recording, "units", "", "change functions with unit tests that were generated from this recording")
	fl.StringVar(&f.dir, "dir", "", "with --units, a folder of the service's module (default: the current folder)")
	fl.StringVar(&f.compare, "compare", "", "with --units, a file of results of other tests of the same code")
}

func (f *unitMutants) isOn() bool { return f.recording != "" }

// check returns an error if flags are set that apply only with --units.
func (f *unitMutants) check() error {
	switch {
	case f.isOn():
		return nil
	case f.dir != "":
		return errors.New("--dir is the module of unit tests: it needs --units; tests that start the service have --build")
	case f.compare != "":
		return errors.New("--compare compares unit tests with other tests: it needs --units")
	}
	return nil
}

// mutateUnitFlags are the flags of sonde mutate that apply with --units.
var mutateUnitFlags = []string{
	"units", "dir", "compare", "operator", "sample", "seed", "jobs", "output", "equivalent", "refactor", "json", "config",
}

// runUnits tries mutants of functions with generated unit tests.
func (f *mutateFlags) runUnits(c *cobra.Command, s console.Streams, dir string) error {
	var other string
	c.Flags().Visit(func(flag *pflag.Flag) {
		if !slices.Contains(mutateUnitFlags, flag.Name) {
			other = flag.Name
		}
	})
	if other != "" {
		return fmt.Errorf("--%s is for tests that start the service: leave it out with --units", other)
	}
	m, _, err := unitdata.Open(f.units.recording)
	if err != nil {
		return err
	}
	p, err := f.common(s, dir)
	if err != nil {
		return err
	}
	p.Service = probe.Options{Dir: f.units.dir, Package: m.Module, Tags: m.Tags, Vendor: m.Vendor}
	u := mutate.Units{File: unittests.TestsFile, Functions: map[string][]string{}}
	for _, function := range m.Functions {
		u.Functions[function.Package] = append(u.Functions[function.Package], function.Name)
	}
	var others []mutate.Result
	if f.units.compare != "" { // checked here, because trying the mutants takes minutes
		if _, others, err = mutate.ReadLog(f.units.compare); err != nil {
			return fmt.Errorf("--compare: %w", err)
		}
	}
	console.PrintNote(s.Err, "running the unit tests on the unchanged packages")
	a, err := mutate.PrepareUnits(c.Context(), p, u)
	if err != nil {
		return err
	}
	log, err := mutate.OpenLog(f.output, a.Head)
	if err != nil {
		return err
	}
	f.begin(s, a, log)
	stopped := f.try(c.Context(), s, a, log)
	r := results.NewMutateReport(a, log)
	r.Refactored = f.refactor
	if f.units.compare != "" {
		r.Levels = results.CompareLevels(r.Results, others)
	}
	if err := errors.Join(f.print(s, r), log.Close()); err != nil {
		return err
	}
	if stopped != nil {
		return f.stopped(stopped, a, log)
	}
	return f.outcomeCode(a, log)
}
