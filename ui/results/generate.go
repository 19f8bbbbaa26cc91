package results

import (
	"fmt"
	"io"

	"sonde/model"
	"sonde/runner/replay/generate"
	"sonde/ui/app/generation"
	"sonde/ui/console"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// MaxNotes is the maximum number of warnings of a recording, and of exchanges without a test, that are
// shown.
const MaxNotes = 5

// GenerateReport is the JSON of sonde generate.
type GenerateReport struct {
	Files     []string                  `json:"files"`
	Run       string                    `json:"run"`
	Exchanges int                       `json:"exchanges"`
	Runs      int                       `json:"runs"`
	Untried   string                    `json:"untried,omitempty"`
	Causes    map[model.Attribution]int `json:"causes"` // number of outward calls by attribution
	// Background are the outward calls that no request caused, and Strays those of which this is not known.
	Background int `json:"background"`
	Strays     int `json:"strays"`
	// Calling are the tests whose call under test makes outward calls, Others all others.
	Calling generate.MimicShare        `json:"calling"`
	Others  generate.MimicShare        `json:"others"`
	Rows    []generate.TableRow        `json:"operations"`
	Total   generate.TableRow          `json:"total"`
	Tests   []mimicTest                `json:"tests"`
	Skipped []generate.SkippedExchange `json:"skipped"`
}

// mimicTest is a generated test. Its results are those of the Go test functions that were written for it.
type mimicTest struct {
	ID        string            `json:"id"`
	Exchange  string            `json:"exchange"`
	About     string            `json:"about"`
	Apart     bool              `json:"apart,omitempty"`
	Uncertain bool              `json:"uncertain,omitempty"`
	Results   []generate.Result `json:"results"`
}

// NewGenerateReport returns the JSON of tests and their results.
func NewGenerateReport(g *generation.Generation) GenerateReport {
	r := GenerateReport{
		Files:      console.NonNilSlice(g.Files),
		Run:        g.Dir + "/" + generation.RunFolder,
		Exchanges:  len(g.Recording.Served),
		Untried:    g.NotRunReason,
		Causes:     g.Generated.Causes,
		Background: g.Generated.BackgroundCalls,
		Strays:     g.Generated.Strays,
		Skipped:    console.NonNilSlice(g.Generated.Skipped),
		Tests:      mimicTests(g),
	}
	if r.Causes == nil {
		r.Causes = map[model.Attribution]int{}
	}
	r.Calling, r.Others = generate.MimicShares(g.Generated, g.Results)
	rows, total := g.OperationRows()
	r.Rows, r.Total = console.NonNilSlice(rows), total
	if g.NotRunReason == "" {
		r.Runs = g.Options.Runs
	}
	return r
}

// mimicTests returns the generated tests of g, each with its results.
func mimicTests(g *generation.Generation) []mimicTest {
	_, apart := g.SplitTests()
	all := []mimicTest{}
	for _, t := range g.Generated.Tests {
		m := mimicTest{
			ID:        t.ID,
			Exchange:  t.Mock.Exchange,
			About:     t.Mock.About,
			Uncertain: t.Mock.Uncertain,
			Results:   []generate.Result{},
		}
		for _, x := range g.Results {
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

// PrintGenerate writes the report as text.
func PrintGenerate(w io.Writer, r GenerateReport) {
	printMimicTable(w, r)
	printMimicNotes(w, r)
}

// printMimicTable writes a table with the columns of Tables 3 to 5 of the RICK paper.
func printMimicTable(w io.Writer, r GenerateReport) {
	t := console.NewTable(w)
	t.Row(
		"operation", "exchanges", "shapes", "bytes", "mocks", "stubs", "OO", "PO", "CO", "tests", "mimic",
		"incomplete", "unhandled", "flaky",
	)
	for _, row := range append(r.Rows, r.Total) {
		if row.Tests == 0 {
			continue
		}
		outcome := []any{row.Mimics, row.Incomplete, row.Unhandled, row.Flaky}
		if r.Untried != "" {
			outcome = []any{"-", "-", "-", "-"}
		}
		t.Row(append([]any{
			string(row.Operation), row.Seen, row.Shapes, row.Bytes, row.Hosts, row.Stubs, row.OO, row.PO, row.CO,
			row.Tests,
		}, outcome...)...)
	}
	t.Flush()
}

// printMimicNotes writes the tests that do not mimic, and the notes after the table.
func printMimicNotes(w io.Writer, r GenerateReport) {
	fmt.Fprintln(w)
	for _, test := range r.Tests {
		for _, x := range test.Results {
			if x.Outcome != generate.OutcomeMimics {
				first := ""
				if len(x.Differences) > 0 {
					first = x.Differences[0] + "; "
				}
				fmt.Fprintf(w, "%s %s %s: %sfailed in %d of %d runs\n", theme.Failed, x.Outcome, x.Function, first, x.Failed, x.Runs)
			}
		}
		if test.Uncertain {
			fmt.Fprintf(
				w,
				"%s uncertain %s: it is not certain what the service sent for it, so it has no call oracle\n",
				theme.Failed, test.ID,
			)
		}
	}
	for _, x := range r.Skipped[:min(len(r.Skipped), MaxNotes)] {
		fmt.Fprintf(w, "  left out %s: %s\n", x.Request, x.Why)
	}
	if more := len(r.Skipped) - MaxNotes; more > 0 {
		fmt.Fprintf(w, "  left out %d more: --json names them\n", more)
	}
	printMimicCauses(w, r)
	if r.Untried != "" {
		fmt.Fprintf(w, "The tests were not run: %s.\n", r.Untried)
	} else {
		fmt.Fprintf(
			w, "%d of %s mimic successfully in all of %s.\n", r.Total.Mimics,
			words.Plural(r.Total.Tests, "test"), words.Plural(r.Runs, "run"),
		)
		if r.Calling.Tests > 0 && r.Others.Tests > 0 {
			fmt.Fprintf(
				w, "Of the tests with outward calls, %d of %d mimic; of those without, %d of %d.\n",
				r.Calling.Mimics, r.Calling.Tests, r.Others.Mimics, r.Others.Tests,
			)
		}
	}
	for _, file := range r.Files {
		fmt.Fprintln(w, file)
	}
}

// printMimicCauses writes the numbers of outward calls by their attribution.
func printMimicCauses(w io.Writer, r GenerateReport) {
	if len(r.Causes) > 0 {
		fmt.Fprintf(w, "The causes of outward calls are known by %s.\n", AttributionText(r.Causes))
	}
	if r.Background > 0 {
		fmt.Fprintf(
			w, "No request caused %s: all tests have their stubs, and do not compare them.\n", words.Plural(r.Background, "outward call"),
		)
	}
	if r.Strays > 0 {
		fmt.Fprintf(w, "The cause of %s is unknown: no test has a stub for them.\n", words.Plural(r.Strays, "outward call"))
	}
}
