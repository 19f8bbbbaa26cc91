package report_test

import (
	"bytes"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/lab/mutate"
	"sonde/runner/replay/generate"
	"sonde/ui/app/generation"
	"sonde/ui/report"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/net/html"
)

// caseStudies returns two services: one with mutants, and one with a hostile name, without mutants and runs.
func caseStudies() []report.CaseStudy {
	rows := []generate.TableRow{
		{
			Operation: "POST /orders", Parameters: 1, Seen: 120, Shapes: 4, Tests: 11, Bytes: 48_000, Hosts: 7, Calls: 9, Stubs: 9,
			OO: 12, PO: 9, CO: 9, Mimics: 9, Incomplete: 1, Flaky: 1,
		},
		{
			Operation: "GET /orders/{id}", Parameters: 2, Lines: 61, Seen: 40,
			Shapes: 2, Tests: 4, Bytes: 9_001, OO: 4, Mimics: 3, Unhandled: 1,
		},
		{Operation: "DELETE /orders/{id}", Parameters: 1, Seen: 3, Shapes: 1, Bytes: 99}, // without a test
	}
	result := func(status mutate.Status, by ...model.MockOracle) mutate.Result {
		return mutate.Result{Status: status, By: by}
	}
	const oo, po, co = model.OutputOracle, model.ParameterOracle, model.CallOracle
	mutants := report.NewMutantResults(
		mutate.LogHead{Code: mutate.CodeSize{Lines: 2345, Functions: 120, Candidates: 6, Invoked: 4}},
		[]mutate.Result{
			result(mutate.Killed, oo), result(mutate.Killed, oo), result(mutate.Killed, oo, po), result(mutate.Killed, oo, po, co),
			result(mutate.Killed, co), result(mutate.Timeout), result(mutate.Survived), result(mutate.Equal),
		},
	)
	return []report.CaseStudy{
		{
			Name: "shop",
			Mimics: generation.Report{
				Title: "Shop", Declared: 5, Exchanges: 163, Runs: 10, Background: 2, Rows: rows,
				Causes:  map[model.Attribution]int{model.AttributedByTrace: 130, model.AttributedByTime: 1},
				Calling: generate.MimicShare{Tests: 11, Mimics: 9}, Others: generate.MimicShare{Tests: 4, Mimics: 3},
			},
			Mutants: mutants,
		},
		{
			Name: hostile,
			Mimics: generation.Report{
				Declared: 1, Exchanges: 7, Rows: []generate.TableRow{{Operation: hostile, Seen: 7, Tests: 2, Untried: 2}},
			},
		},
	}
}

func evaluation(t *testing.T, f report.Format, all []report.CaseStudy, width int) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.WriteEvaluation(&b, f, all, width); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEvaluationGolden(t *testing.T) {
	golden(t, "evaluation.140.txt", evaluation(t, report.TextFormat, caseStudies()[:1], 140))
	golden(t, "evaluation.80.txt", evaluation(t, report.TextFormat, caseStudies(), 80))
	golden(t, "evaluation.csv", evaluation(t, report.CSVFormat, caseStudies(), 100))
	golden(t, "evaluation.html", evaluation(t, report.HTMLFormat, caseStudies(), 100))
	golden(t, "evaluation.json", evaluation(t, report.JSONFormat, caseStudies()[:1], 100))
}

// Without mutants, there is no Figure 5.
func TestEvaluationWithoutMutants(t *testing.T) {
	for _, f := range []report.Format{report.TextFormat, report.HTMLFormat} {
		if got := evaluation(t, f, caseStudies()[1:], 100); strings.Contains(got, "Figure 5. ") || !strings.Contains(got, "Table 3") {
			t.Errorf("%s: there is a Figure 5, or no Table 3:\n%s", f, got)
		}
	}
}

// A hostile name is shown as text: it adds no elements to the HTML page, and no escape sequences to the terminal.
func TestEvaluationIsSafe(t *testing.T) {
	if got := evaluation(t, report.TextFormat, caseStudies(), 100); ansi.Strip(got) != got || strings.ContainsAny(got, "\x1b\u202e\r\t") {
		t.Errorf("control characters in %q", got)
	}
	root, err := html.Parse(strings.NewReader(evaluation(t, report.HTMLFormat, caseStudies(), 100)))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "script" {
			t.Error("a name became an element of the page")
		}
	}
}
