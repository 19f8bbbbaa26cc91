package cli

import (
	"fmt"

	"sonde/model/config"
	"sonde/ui/app/ci"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/results"

	"github.com/spf13/cobra"
)

func newBaseline(s console.Streams) *cobra.Command {
	var f baselineFlags
	c := &cobra.Command{
		Use:   "baseline RUN...",
		Short: "Write the faults of runs as known faults, which do not make sonde ci fail",
		Long: `Write the errors and warnings of runs as YAML: known faults, which do not make
sonde ci --baseline FILE fail. A fault of several runs is written once.

An entry has the operation, the oracle, the signature of the fault and the date of the
first run with it. The signature has only the words of the message that do not depend
on what was sent, so that it is the same in all runs. People may add:

  reason: TEXT   why the fault is accepted
  until: DATE    the last day on which the fault counts as known

--update FILE adds the faults that a file lacks, each at its place, and changes no
other line. With --prune it also removes the entries that none of the runs found. A
short search does not find every fault that still exists, so give --prune several runs.`,
		Example: "  sonde baseline run > known.yaml\n  sonde baseline --update known.yaml sonde-ci/run\n" +
			"  sonde baseline --update known.yaml --prune run1 run2 run3",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return f.run(s, args) },
	}
	c.Args = func(c *cobra.Command, args []string) error { return exactly("RUN")(c, args[:min(1, len(args))]) }
	c.Flags().StringVar(&f.update, "update", "", "the baseline to change in place")
	c.Flags().BoolVar(&f.prune, "prune", false, "with --update: remove the entries that none of the runs found")
	return c
}

// baselineFlags are the flags of sonde baseline.
type baselineFlags struct {
	update string
	prune  bool
}

func (f *baselineFlags) run(s console.Streams, dirs []string) error {
	if f.prune && f.update == "" {
		return fmt.Errorf("--prune removes entries of a file: name it with --update FILE")
	}
	runs, err := ci.OpenRuns(dirs)
	if err != nil {
		return err
	}
	if f.update != "" {
		change, err := ci.UpdateBaseline(f.update, runs, f.prune)
		if err != nil {
			return err
		}
		return results.PrintBaselineChange(s.Out, f.update, change)
	}
	out := string(config.NewBaseline(runs[0].Title, ci.KnownFaults(runs...)))
	if console.IsTerminal(s.Out) {
		out = draw.CleanLines(out)
	}
	_, err = fmt.Fprint(s.Out, out)
	return err
}
