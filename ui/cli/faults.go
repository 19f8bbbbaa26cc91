package cli

import (
	"fmt"
	"slices"

	"sonde/export"
	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/suite"
	"sonde/ui/console"
	"sonde/ui/results"

	"github.com/spf13/cobra"
)

// faultFormats are the output formats of sonde faults.
var faultFormats = []string{"text", "curl", "json"}

func newFaults(s console.Streams) *cobra.Command {
	var f faultsFlags
	c := &cobra.Command{
		Use:   "faults RUN [ID]",
		Short: "Print the faults of a run, with their requests, answers and curl commands",
		Long: `Print the faults of a run, or the one with the ID: f1, f2 and so on, as the run,
the app and the reports list them.

text  the expected and the actual answer, whether the request was valid, each call
      with its request and answer, and the curl commands that repeat them
curl  only the curl commands: one line if one call shows the fault, else a shell
      script, which reads values from answers with jq
json  what the run's faults.json has, and the curl commands

Credentials are environment variables, which the commands name. SONDE_BASE_URL
overrides the service's base URL.`,
		Example: "  sonde faults run\n  sonde faults run f3\n  sonde faults run f3 --format curl | sh   # the service must run",
		Args: cobra.MatchAll(
			atMost(2),
			func(c *cobra.Command, args []string) error { return exactly("RUN")(c, args[:min(1, len(args))]) },
		),
		RunE: func(_ *cobra.Command, args []string) error { return f.run(s, args) },
	}
	c.Flags().StringVar(&f.format, "format", faultFormats[0], console.JoinWithOr(faultFormats))
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(faultFormats, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// faultsFlags are the flags of sonde faults.
type faultsFlags struct{ format string }

// faultReport is a fault as JSON.
type faultReport struct {
	model.Fault
	Curl string `json:"curl,omitempty"`
}

func (f *faultsFlags) run(s console.Streams, args []string) error {
	if !slices.Contains(faultFormats, f.format) {
		return fmt.Errorf("--format %q is not known: use %s", f.format, console.JoinWithOr(faultFormats))
	}
	run, err := codec.OpenRun(args[0])
	if err != nil {
		return err
	}
	faults := run.Faults
	if len(args) > 1 {
		faults, err = faultNamed(run.Faults, args[0], args[1])
		if err != nil {
			return err
		}
	}
	report := export.Report{BaseURL: run.BaseURL, Reproduce: suite.Reproducer(run.RunHeader)}
	switch f.format {
	case "json":
		all := []faultReport{}
		for _, f := range faults {
			all = append(all, faultReport{Fault: f, Curl: report.Reproduce(f)})
		}
		return console.WriteJSON(s.Out, all)
	case "curl":
		return results.PrintCurl(s, run.RunHeader, faults)
	}
	return results.PrintFaults(s, report, faults)
}

// faultNamed returns a list with the fault that has the ID. It returns an error if the run has no such fault.
func faultNamed(all []model.Fault, run, id string) ([]model.Fault, error) {
	at := slices.IndexFunc(all, func(f model.Fault) bool { return f.ID == id })
	if at >= 0 {
		return all[at : at+1], nil
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("run %q has no fault %q: it found none", run, id)
	}
	return nil, fmt.Errorf("run %q has no fault %q: it has %s to %s", run, id, all[0].ID, all[len(all)-1].ID)
}
