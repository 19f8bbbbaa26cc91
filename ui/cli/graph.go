package cli

import (
	"fmt"
	"io"
	"strings"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/ui/pane"

	"github.com/spf13/cobra"
)

func newGraph(s streams) *cobra.Command {
	var f sourceFlags
	format := "text"
	c := &cobra.Command{
		Use:   "graph SPEC",
		Short: "Show which operation feeds which, and with what",
		Args:  exactly("SPEC"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "dot" {
				return fmt.Errorf("--format %q is not known: say text or dot", format)
			}
			spec, err := f.load(c.Context(), s, args[0])
			if err != nil {
				return err
			}
			table, err := f.table(c, spec)
			if err != nil {
				return err
			}
			g := depend.Dependencies(table)
			switch {
			case f.json:
				return printJSON(s.out, newGraphReport(g))
			case format == "dot":
				return depend.DOT(s.out, g)
			}
			return printGraph(s.out, g)
		},
	}
	c.Flags().StringVar(&format, "format", format, "text or dot (for graphviz)")
	f.addCase(c)
	return c
}

// graphReport is the JSON of graph.
type graphReport struct {
	Operations []model.OpID   `json:"operations"`
	Edges      []edgeReport   `json:"edges"`
	Cycles     [][]model.OpID `json:"cycles"`
}

type edgeReport struct {
	From   model.OpID `json:"from"`
	To     model.OpID `json:"to"`
	Values []string   `json:"values"`
}

func newGraphReport(g *depend.Graph) graphReport {
	r := graphReport{Operations: append([]model.OpID{}, g.Operations...), Edges: []edgeReport{}, Cycles: append([][]model.OpID{}, cycles(g)...)}
	for e := range g.Edges() {
		r.Edges = append(r.Edges, edgeReport(e))
	}
	return r
}

// cycles returns the components whose operations feed each other.
func cycles(g *depend.Graph) [][]model.OpID {
	var out [][]model.OpID
	for _, c := range g.Components() {
		if len(c) > 1 {
			out = append(out, c)
		}
	}
	return out
}

func printGraph(w io.Writer, g *depend.Graph) error {
	for _, op := range g.Operations {
		if _, err := fmt.Fprintln(w, pane.Clean(string(op))); err != nil {
			return err
		}
		t := newTable(w)
		for _, e := range g.Feeds(op) {
			t.row("  → "+string(e.To), strings.Join(e.Values, ", "))
		}
		t.flush()
	}
	for _, c := range cycles(g) {
		fmt.Fprintf(w, "cycle: %s\n", chainText(c))
	}
	return nil
}
