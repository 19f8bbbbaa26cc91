package report

import (
	"fmt"

	"sonde/runner/lab/study"
	"sonde/ui/words"
)

// listTitles describe the measures by which lists of seqs are compared.
var listTitles = map[study.ListMeasure]string{
	study.ListStatements:  "statements, %",
	study.ListBlocks:      "blocks, %",
	study.ListOperations:  "operations",
	study.ListFaults:      "faults",
	study.ListListed:      "seqs listed",
	study.ListPractical:   "seqs practical",
	study.ListFailed:      "seqs failed",
	study.ListBarred:      "seqs barred",
	study.ListOpen:        "seqs open",
	study.ListCalls:       "calls",
	study.ListSeconds:     "seconds",
	study.ListTestCalls:   "calls as tests",
	study.ListTestSeconds: "seconds as tests",
}

// listSheets returns the tables of a study that compares lists of seqs: one for each list after the first.
func listSheets(t study.Tables) []sheet {
	all := []sheet{artifacts(t)}
	for i := 1; i < len(t.Lists[0].Lists); i++ {
		all = append(all, listSheet(t, i))
	}
	if len(t.Kinds) > 0 {
		all = append(all, faultKinds(t))
	}
	return all
}

// listSheet returns the table that compares a list with the first list. The parameter at is the index of the list.
func listSheet(t study.Tables, at int) sheet {
	first, other := t.Lists[0].Lists[0].Name, t.Lists[0].Lists[at].Name
	s := sheet{
		Title:   fmt.Sprintf("List %q compared with %q", other, first),
		Headers: []string{"measure", first, other, "Â12", "p-value"},
		Note: "Means of the runs. Statements and blocks, which are pieces of code without a branch inside: what the practical seqs reach " +
			"when they are played again. Operations: those in practical seqs. Calls and seconds: of listing and calling, with logins, " +
			"resets and tries. As tests: the practical seqs played once, or those of all rounds of a list that is called again. " +
			"Â12: how probably a run of the second list comes to more " +
			"than one of the first. p: of the two-sided Mann-Whitney U test. Barred: not called, because they begin with a seq that did " +
			"not succeed. Open: not called, because the budget was used up. A list that is called again counts its seqs once.",
	}
	for _, c := range t.Lists {
		heading := joined(c.Service, thousands(c.Budget)+" calls", words.Plural(c.Runs, "run"))
		s.Rows = append(s.Rows, sheetRow{Cells: texts(heading, "", "", "", ""), Heading: true})
		for i, m := range study.ListMeasures {
			x, y := c.Lists[0].Figures[i], c.Lists[at].Figures[i]
			cells := texts(listTitles[m], meanOf(m, x), meanOf(m, y), words.Share(y.A12), chanceOf(y.P))
			s.Rows = append(s.Rows, sheetRow{Cells: cells})
		}
	}
	return s
}

// meanOf writes a mean with one digit after the point, or two for seconds, because some services need less than a tenth.
func meanOf(m study.ListMeasure, f study.ListFigure) string {
	if m == study.ListSeconds || m == study.ListTestSeconds {
		return fmt.Sprintf("%.2f", f.Mean)
	}
	return tenth(f.Mean)
}
