package report

import (
	"fmt"
	"slices"

	"sonde/model"
	"sonde/runner/lab/study"
	"sonde/ui/words"
)

// faultKinds returns the table that counts faults by the kind of the request that showed them, such as valid, unknown
// resource or invalid.
func faultKinds(t study.Tables) sheet {
	s := sheet{
		Title:   "Kinds of faults by what was sent",
		Headers: []string{"service", "calls", "input", "faults", "share"},
		Note: "Faults of all runs together. Valid: the request keeps the specification. Unknown resource: its path names a resource " +
			"that does not exist. Invalid: it violates the constraint.",
	}
	last := ""
	for _, r := range t.Kinds {
		name := labelled(study.TableRow{Service: r.Service, Way: r.Way, Mode: r.Mode})
		begin := []entry{{}, {Text: thousands(r.Budget)}}
		if name != last {
			begin[0].Text = name
		}
		last = name
		for _, k := range r.Kinds {
			input := model.Input{Class: k.Class, Constraint: k.Constraint}.String()
			if input == "" {
				input = "not known"
			}
			share := fmt.Sprintf("%.1f%%", 100*float64(k.Faults)/float64(r.Faults))
			row := slices.Concat(begin, []entry{{Text: input}, {Text: words.Count(k.Faults)}, {Text: share}})
			s.Rows = append(s.Rows, sheetRow{Cells: row})
			begin = []entry{{}, {}}
		}
	}
	return s
}
