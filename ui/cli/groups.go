package cli

import (
	"fmt"
	"io"

	"sonde/analysis/share"
	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

func newGroups(s streams) *cobra.Command {
	var f sourceFlags
	c := &cobra.Command{
		Use:   "groups SPEC",
		Short: "List the value-sharing groups: which operations pass values to each other",
		Args:  exactly("SPEC"),
		RunE: func(c *cobra.Command, args []string) error {
			spec, err := f.load(c.Context(), s, args[0])
			if err != nil {
				return err
			}
			table, err := f.table(c, spec)
			if err != nil {
				return err
			}
			groups := share.Groups(table)
			if f.json {
				return printJSON(s.out, groupReports(groups))
			}
			return printGroups(s.out, groups)
		},
	}
	f.addCase(c)
	return c
}

// groupReport is the JSON of a group.
type groupReport struct {
	Operations []model.OpID `json:"operations"`
	Values     []string     `json:"values"`
}

func groupReports(groups []model.Group) []groupReport {
	out := []groupReport{}
	for _, g := range groups {
		out = append(out, groupReport{g.Operations, append([]string{}, g.Values...)})
	}
	return out
}

func printGroups(w io.Writer, groups []model.Group) error {
	for i, g := range groups {
		if _, err := fmt.Fprintf(w, "group %d: %s, %s\n", i+1, words.Plural(len(g.Operations), "operation"), words.Plural(len(g.Values), "value")); err != nil {
			return err
		}
		for _, op := range g.Operations {
			fmt.Fprintf(w, "  %s\n", pane.Clean(string(op)))
		}
		for _, v := range g.Values {
			fmt.Fprintf(w, "    %s\n", pane.Clean(v))
		}
	}
	return nil
}
