package cli

import (
	"sonde/ui/console"
	"sonde/ui/results"

	"github.com/spf13/cobra"
)

func newGroups(s console.Streams) *cobra.Command {
	var f sourceFlags
	why := false
	c := &cobra.Command{
		Use:   "groups [SPEC]",
		Short: "List the value-sharing groups: which operations pass values to each other",
		Args:  atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			args, err := withSpec(c, s, args, "SPEC")
			if err != nil {
				return err
			}
			a, err := f.loadAnalysis(c, s, args[0])
			if err != nil {
				return err
			}
			groups := results.GroupReports(a)
			switch {
			case f.json:
				return console.WriteJSON(s.Out, groups)
			case why:
				return results.PrintEvidence(s.Out, groups)
			}
			return results.PrintGroups(s.Out, groups)
		},
	}
	c.Flags().BoolVar(&why, "why", false, "list only exchanged values, each with its locations and the evidence that they are the same")
	f.addCase(c)
	return c
}
