package cli

import (
	"fmt"
	"slices"

	"sonde/runner/instrument/unitdata"
	"sonde/runner/replay/unittests"
	"sonde/ui/console"
	"sonde/ui/results"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// unitFlags are the flags of sonde generate that apply with --units.
var unitFlags = []string{"units", "dir", "runs", "no-run", "mocks", "json"}

// runUnits writes unit tests of the recorded invocations into the packages of the service.
func (f *generateFlags) runUnits(c *cobra.Command, s console.Streams, folder string) error {
	var other string
	c.Flags().Visit(func(flag *pflag.Flag) {
		if !slices.Contains(unitFlags, flag.Name) {
			other = flag.Name
		}
	})
	switch {
	case other != "":
		return fmt.Errorf("--%s is for tests of exchanges: leave it out with --units", other)
	case f.Runs < 1:
		return fmt.Errorf("--runs is %d: give a number from 1 on, or --no-run", f.Runs)
	case c.Flags().Changed("mocks") && !slices.Contains(unittests.MockStyles, unittests.MockStyle(f.mocks)):
		return fmt.Errorf("--mocks %q is not known: use gomock, testify or moq, or leave it out", f.mocks)
	}
	m, recording, err := unitdata.Open(folder)
	if err != nil {
		return err
	}
	if recording.Broken > 0 {
		console.PrintNote(s.Err, "%d lines of the recording cannot be read", recording.Broken)
	}
	o := unittests.Options{Dir: f.unitsDir, Tags: m.Tags, Vendor: m.Vendor, Runs: f.Runs, Mocks: unittests.MockStyle(f.mocks)}
	if f.NoRun {
		o.Runs = 0
	}
	r, err := unittests.Generate(c.Context(), m, recording, o)
	if err != nil {
		return err
	}
	if f.json {
		if err := console.WriteJSON(s.Out, results.NewUnitTestsReport(r)); err != nil {
			return err
		}
	} else if err := results.PrintUnitTests(s.Out, r); err != nil {
		return err
	}
	if len(r.Tests) == 0 {
		return fmt.Errorf("no test is written of %d invocations", r.Invocations)
	}
	return nil
}
