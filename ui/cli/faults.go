package cli

import (
	"fmt"
	"slices"
	"strings"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/pane"
	"sonde/ui/tui/screen"

	"github.com/spf13/cobra"
)

// faultFormats are the formats of faults.
var faultFormats = []string{"text", "curl", "json"}

func newFaults(s streams) *cobra.Command {
	var f faultsFlags
	c := &cobra.Command{
		Use:   "faults RUN [ID]",
		Short: "Print the faults of a run, with their requests, answers and curl commands",
		Long: `Print the faults of a run, or the one with the ID: f1, f2 and so on, as the run,
the app and the reports list them.

text  what was expected and what came, each call with its request and answer, and
      the curl commands that repeat them
curl  the curl commands alone: one line where one call shows the fault, else a
      shell script, which takes values from answers by jq
json  what the run's faults.json has, and the curl commands

Credentials are variables of the environment: the commands name those to set.
SONDE_BASE_URL says where the service is, where the run's is gone.`,
		Example: "  sonde faults run\n  sonde faults run f3\n  sonde faults run f3 --format curl | sh",
		Args:    cobra.MatchAll(atMost(2), func(c *cobra.Command, args []string) error { return exactly("RUN")(c, args[:min(1, len(args))]) }),
		RunE:    func(_ *cobra.Command, args []string) error { return f.run(s, args) },
	}
	c.Flags().StringVar(&f.format, "format", faultFormats[0], either(faultFormats))
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(faultFormats, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// faultsFlags are the flags of faults.
type faultsFlags struct{ format string }

// faultReport is a fault as JSON.
type faultReport struct {
	model.Fault
	Curl string `json:"curl,omitempty"`
}

func (f *faultsFlags) run(s streams, args []string) error {
	if !slices.Contains(faultFormats, f.format) {
		return fmt.Errorf("--format %q is not known: use %s", f.format, either(faultFormats))
	}
	run, err := codec.Open(args[0])
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
	report := export.Report{BaseURL: run.BaseURL, Reproduce: reproducer(run.Header)}
	switch f.format {
	case "json":
		all := []faultReport{}
		for _, f := range faults {
			all = append(all, faultReport{Fault: f, Curl: report.Reproduce(f)})
		}
		return printJSON(s.out, all)
	case "curl":
		return printCurl(s, run.Header, faults)
	}
	return printFaults(s, report, faults)
}

// faultNamed is the fault with an ID.
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

func printFaults(s streams, r export.Report, faults []model.Fault) error {
	if len(faults) == 0 {
		tell(s.err, "the run found no fault")
	}
	for i, f := range faults {
		between := ""
		if i > 0 {
			between = "\n"
		}
		text := between + string(f.Op) + "\n" + export.FaultText(f, r)
		if _, err := fmt.Fprint(s.out, pane.CleanLines(text)); err != nil {
			return err
		}
	}
	return nil
}

// printCurl prints the commands that repeat faults. Of several, one that can't be
// repeated is named on standard error.
func printCurl(s streams, h codec.Header, faults []model.Fault) error {
	for _, f := range faults {
		curl, err := format.Reproduction(suiteOf(h, nil, ""), f)
		switch {
		case err != nil && len(faults) == 1:
			return err
		case err != nil:
			tell(s.err, "%s", oneLine(err))
			continue
		}
		if len(faults) > 1 {
			curl = fmt.Sprintf("# %s: %s\n%s\n", f.ID, model.Printable(faultLine(f), 200), curl)
		}
		if isTerminal(s.out) {
			curl = pane.CleanLines(curl)
		}
		if _, err := fmt.Fprintln(s.out, curl); err != nil {
			return err
		}
	}
	return nil
}

// reproducer returns the curl commands of faults of a run, "" where there are none.
func reproducer(h codec.Header) func(model.Fault) string {
	suite := suiteOf(h, nil, "")
	return func(f model.Fault) string {
		curl, err := format.Reproduction(suite, f)
		if err != nil {
			return ""
		}
		return curl
	}
}

// faultTable is a table of the faults of a run.
type faultTable struct {
	table
	run       string // its folder
	base      string // where the service was, "" where it was started for the run
	reproduce func(model.Fault) string
}

// newFaultTable adds faults to a table. Of a run that can't be read only that is left
// out which only its folder knows.
func newFaultTable(t table, folder string) faultTable {
	all := faultTable{table: t, run: folder}
	if run, err := codec.Open(folder); err == nil {
		all.reproduce = reproducer(run.Header)
		if !strings.Contains(run.BaseURL, model.PortHere) {
			all.base = strings.TrimRight(run.BaseURL, "/")
		}
	}
	return all
}

// fault is all that the app says of a fault.
func (w *wiring) fault(f model.Fault) screen.FaultTold {
	suite := w.suite(usualFormat, nil)
	curl, err := format.Reproduction(suite, f)
	if err != nil {
		curl = "" // the text says which calls there are
	}
	r := export.Report{BaseURL: suite.BaseURL, Reproduce: func(model.Fault) string { return curl }}
	return screen.FaultTold{Text: export.FaultText(f, r), Curl: curl}
}
