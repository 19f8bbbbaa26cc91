package cli

import (
	"sonde/runner/instrument/units"
	"sonde/ui/console"
	"sonde/ui/results"

	"github.com/spf13/cobra"
)

// newUnits returns the command that lists the functions under test of Go packages.
func newUnits(s console.Streams) *cobra.Command {
	var o units.Options
	asJSON := false
	c := &cobra.Command{
		Use:   "units [PKG...]",
		Short: "List the functions of a Go service that can be tested with mocks",
		Long: `List the functions and methods of Go packages that call methods of interfaces, or function
values, which come from a parameter, from a field of the receiver or from a field of a
parameter. A unit test can put mocks there. Each line has the function and what a test mocks;
or, with △, which input prevents a test: a test can write it neither as a Go value nor as a mock.

PKG is a package as the go command names it, such as ./internal/... (default: ./..., all
packages of the module). The source is only read. Tests and generated files are left out.`,
		Example: `  sonde units
  sonde units ./internal/...
  sonde units --json ./... | jq '.packages[].targets[].name'`,
		RunE: func(c *cobra.Command, args []string) error {
			o.Patterns = args
			plan, err := units.Find(c.Context(), o)
			if err != nil {
				return err
			}
			if asJSON {
				return console.WriteJSON(s.Out, results.NewUnitsReport(plan))
			}
			return results.PrintUnits(s.Out, plan)
		},
	}
	f := c.Flags()
	f.StringVar(&o.Dir, "dir", "", "the folder of the service's source (default: the current folder)")
	f.StringVar(&o.Tags, "tags", "", "build tags, separated by commas")
	f.BoolVar(&o.Vendor, "vendor", false, "take dependencies from the vendor folder")
	f.BoolVar(&asJSON, "json", false, "print JSON for programs")
	return c
}
