package cli

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/runner/mimic"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// mimicReport is the JSON of generate.
type mimicReport struct {
	Files     []string            `json:"files"`
	Run       string              `json:"run"`
	Exchanges int                 `json:"exchanges"`
	Runs      int                 `json:"runs"`
	Untried   string              `json:"untried,omitempty"`
	Causes    map[model.Cause]int `json:"causes"` // of outward calls, by how they are known
	Strays    int                 `json:"strays"` // outward calls without a known cause
	Rows      []mimic.Row         `json:"operations"`
	Total     mimic.Row           `json:"total"`
	Tests     []mimicTest         `json:"tests"`
	Skipped   []mimic.Skipped     `json:"skipped"`
}

// mimicTest is a test with what came of its functions.
type mimicTest struct {
	ID        string         `json:"id"`
	Exchange  string         `json:"exchange"`
	About     string         `json:"about"`
	Apart     bool           `json:"apart,omitempty"`
	Uncertain bool           `json:"uncertain,omitempty"`
	Results   []mimic.Result `json:"results"`
}

func (g *generation) rows() ([]mimic.Row, mimic.Row) {
	return mimic.Rows(g.made, g.results, g.oracles, g.together)
}

// report prints how well the tests mimic.
func (g *generation) report() error {
	r := mimicReport{Files: g.files, Run: g.dir + "/" + suiteFolder, Exchanges: len(g.rec.Served), Untried: g.untried, Causes: linkCount(g.rec), Strays: len(g.rec.Strays), Skipped: g.made.Skipped, Tests: g.tests()}
	r.Rows, r.Total = g.rows()
	if g.untried == "" {
		r.Runs = g.generateFlags.runs
	}
	if g.json {
		return printJSON(g.out, r)
	}
	g.table(r)
	g.tell(r)
	return nil
}

// tests are the tests with what came of them.
func (g *generation) tests() []mimicTest {
	_, apart := g.apart()
	all := []mimicTest{}
	for _, t := range g.made.Tests {
		m := mimicTest{ID: t.ID, Exchange: t.Mimic.Exchange, About: t.Mimic.About, Uncertain: t.Mimic.Uncertain, Results: []mimic.Result{}}
		for _, x := range g.results {
			if x.Test == t.ID {
				m.Results = append(m.Results, x)
			}
		}
		for _, a := range apart {
			m.Apart = m.Apart || a.ID == t.ID
		}
		all = append(all, m)
	}
	return all
}

// linkCount counts the outward calls by how it is known for which request they were.
func linkCount(rec model.Recording) map[model.Cause]int {
	all := map[model.Cause]int{}
	for _, s := range rec.Served {
		for _, out := range s.Sent {
			all[out.How]++
		}
	}
	return all
}

// table has the columns of the paper's Tables 3 to 5.
func (g *generation) table(r mimicReport) {
	t := newTable(g.out)
	t.row("operation", "exchanges", "shapes", "bytes", "mocks", "stubs", "OO", "PO", "CO", "tests", "mimic", "incomplete", "unhandled", "flaky")
	for _, row := range append(r.Rows, r.Total) {
		if row.Tests == 0 {
			continue
		}
		outcome := []any{row.Mimics, row.Incomplete, row.Unhandled, row.Flaky}
		if g.untried != "" {
			outcome = []any{"-", "-", "-", "-"}
		}
		t.row(append([]any{string(row.Operation), row.Seen, row.Shapes, row.Bytes, row.Hosts, row.Stubs, row.OO, row.PO, row.CO, row.Tests}, outcome...)...)
	}
	t.flush()
}

// tell tells the rest of the report.
func (g *generation) tell(r mimicReport) {
	fmt.Fprintln(g.out)
	for _, test := range r.Tests {
		for _, x := range test.Results {
			if x.Outcome != mimic.Mimics {
				fmt.Fprintf(g.out, "%s %s %s: %s\n", theme.Failed, x.Outcome, x.Function, strings.Join(append(x.Differences[:min(len(x.Differences), 1)], fmt.Sprintf("failed in %d of %d runs", x.Failed, x.Runs)), "; "))
			}
		}
		if test.Uncertain {
			fmt.Fprintf(g.out, "%s uncertain %s: what the service sent for it is not known for certain, so that it has no call oracle\n", theme.Failed, test.ID)
		}
	}
	for _, x := range r.Skipped[:min(len(r.Skipped), mostLines)] {
		fmt.Fprintf(g.out, "  left out %s: %s\n", x.Request, x.Why)
	}
	if more := len(r.Skipped) - mostLines; more > 0 {
		fmt.Fprintf(g.out, "  left out %d more: --json names them\n", more)
	}
	g.tellCauses(r)
	if r.Untried != "" {
		fmt.Fprintf(g.out, "The tests were not tried: %s.\n", r.Untried)
	} else {
		fmt.Fprintf(g.out, "%d of %s mimic successfully in all of %s.\n", r.Total.Mimics, words.Plural(r.Total.Tests, "test"), words.Plural(r.Runs, "run"))
	}
	for _, file := range r.Files {
		fmt.Fprintln(g.out, file)
	}
}

// tellCauses says how it is known for which request the service sent something.
func (g *generation) tellCauses(r mimicReport) {
	if len(r.Causes) > 0 {
		fmt.Fprintf(g.out, "What the service sent for a request is known by %s.\n", causes(r.Causes))
	}
	if r.Strays > 0 {
		fmt.Fprintf(g.out, "For %s nobody is known to have asked: no test has a stub for them.\n", words.Plural(r.Strays, "outward call"))
	}
}
