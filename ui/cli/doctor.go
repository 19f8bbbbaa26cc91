package cli

import (
	"sonde/ui/app/doctor"
	"sonde/ui/console"
	"sonde/ui/results"
	"sonde/ui/theme"
	"sonde/ui/tui"
	"sonde/ui/widget"

	"github.com/spf13/cobra"
)

// newDoctor returns the command that checks this machine.
func newDoctor(s console.Streams) *cobra.Command {
	ascii, asJSON := false, false
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check what this machine can do, and what sonde.yaml needs",
		Long: `Check what this machine can do for Sonde, and whether it has what the sonde.yaml of the
current folder needs. Each check has a sign, its name, what it is for, and what was found:

  ✓  it works
  △  it is missing, or works in part; the next line says what takes its place
  ✗  it does not work; the next line says what to do

No service and no URL is called, and nothing is started but programs that print their version
and, on Linux, Sonde itself in a network namespace. Of variables only the names are shown.

Exit code: 0; 1 if something fails that sonde.yaml needs.`,
		Example: `  sonde doctor
  sonde doctor --json | jq '.checks[] | select(.status != "ok")'`,
		Args: exactly(),
		RunE: func(c *cobra.Command, _ []string) error {
			e := doctor.NewEnvironment()
			e.Screen = doctor.NewScreen(s.Out)
			e.Screen.MinWidth, e.Screen.MinHeight = tui.MinWidth, tui.MinHeight
			e.Screen.HasClipboard = widget.UsesSystemClipboard()
			report := doctor.Run(c.Context(), e)
			if err := c.Context().Err(); err != nil {
				return err
			}
			if err := printDoctor(s, report, asJSON, ascii); err != nil {
				return err
			}
			if !report.Passed {
				return verdict(exitFaults)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&ascii, "ascii", false, "draw with ASCII characters only, as the preferences can also ask")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON for programs")
	return c
}

// printDoctor prints a report as JSON or as text.
func printDoctor(s console.Streams, r doctor.Report, asJSON, ascii bool) error {
	if asJSON {
		return console.WriteJSON(s.Out, r)
	}
	wanted, _ := preferences() // problems in the file are those of the app
	theme.UseASCII(ascii || wanted.ASCII)
	return results.PrintDoctor(s.Out, r)
}
