package cli

import (
	"cmp"
	"fmt"
	"io"

	"sonde/analysis/share"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/pane"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

func newGroups(s streams) *cobra.Command {
	var f sourceFlags
	why := false
	c := &cobra.Command{
		Use:   "groups SPEC",
		Short: "List the value-sharing groups: which operations pass values to each other",
		Args:  exactly("SPEC"),
		RunE: func(c *cobra.Command, args []string) error {
			spec, err := f.load(c.Context(), s, args[0])
			if err != nil {
				return err
			}
			matcher, table, err := f.matched(c, spec)
			if err != nil {
				return err
			}
			groups := groupReports(matcher, table)
			switch {
			case f.json:
				return printJSON(s.out, groups)
			case why:
				return printEvidence(s.out, groups)
			}
			return printGroups(s.out, groups)
		},
	}
	c.Flags().BoolVar(&why, "why", false, "only the values that are exchanged, each with its places and why they are the same")
	f.addCase(c)
	return c
}

// groupReport is the JSON of a group.
type groupReport struct {
	Operations []model.OpID     `json:"operations"`
	Values     []string         `json:"values"`
	Exchanged  []evidenceReport `json:"exchanged"`
}

// evidenceReport is a value that operations exchange, and where.
type evidenceReport struct {
	Value  string        `json:"value"`
	Places []placeReport `json:"places"`
}

type placeReport struct {
	Op    model.OpID  `json:"operation"`
	Emits bool        `json:"emits"`
	In    model.Place `json:"in"`
	At    string      `json:"at"` // a parameter's name, or a JSON pointer
	Why   string      `json:"why,omitempty"`
}

func groupReports(m *match.Matcher, t *match.Table) []groupReport {
	places := placesOf(m, t)
	exchanged := map[string]bool{}
	for v, between := range t.Between() {
		exchanged[t.Names[v]] = between
	}
	out := []groupReport{}
	for _, g := range share.Groups(t) {
		r := groupReport{Operations: g.Operations, Values: append([]string{}, g.Values...), Exchanged: []evidenceReport{}}
		for _, v := range g.Values {
			if exchanged[v] {
				r.Exchanged = append(r.Exchanged, evidenceReport{v, places[v]})
			}
		}
		out = append(out, r)
	}
	return out
}

// placesOf returns where each value is, each place once, in however many answers
// it is.
func placesOf(m *match.Matcher, t *match.Table) map[string][]placeReport {
	type found struct {
		value string
		at    placeReport
	}
	seen := map[found]bool{}
	places := map[string][]placeReport{}
	for _, op := range t.Ops {
		for _, u := range m.Uses(op) {
			f := found{u.ID, placeReport{Op: op.ID, Emits: u.Out, In: u.In, At: cmp.Or(u.Pointer, u.Name), Why: u.Why}}
			if !seen[f] {
				seen[f] = true
				places[u.ID] = append(places[u.ID], f.at)
			}
		}
	}
	return places
}

func printGroups(w io.Writer, groups []groupReport) error {
	for i, g := range groups {
		if err := printMembers(w, i, g, words.Plural(len(g.Values), "value")); err != nil {
			return err
		}
		for _, v := range g.Values {
			fmt.Fprintf(w, "    %s\n", pane.Clean(v))
		}
	}
	return nil
}

func printMembers(w io.Writer, i int, g groupReport, values string) error {
	_, err := fmt.Fprintf(w, "group %d: %s, %s\n", i+1, words.Plural(len(g.Operations), "operation"), values)
	for _, op := range g.Operations {
		fmt.Fprintf(w, "  %s\n", pane.Clean(string(op)))
	}
	return err
}

// printEvidence says where the values are that a group exchanges.
func printEvidence(w io.Writer, groups []groupReport) error {
	for i, g := range groups {
		values := "nothing exchanged"
		if n := len(g.Exchanged); n > 0 {
			values = words.Plural(n, "value") + " exchanged"
		}
		if err := printMembers(w, i, g, values); err != nil {
			return err
		}
		for _, e := range g.Exchanged {
			fmt.Fprintf(w, "    %s\n", pane.Clean(e.Value))
			t := newTable(w)
			for _, p := range e.Places {
				t.row("      "+string(p.Op), p.verb(), p.place(), p.Why)
			}
			t.flush()
		}
	}
	return nil
}

func (p placeReport) verb() string {
	if p.Emits {
		return "emits"
	}
	return "takes"
}

// place is where in the message the value is; an answer's body is called body.
func (p placeReport) place() string {
	if p.In == model.InResponse {
		return "body " + p.At
	}
	return string(p.In) + " " + p.At
}
