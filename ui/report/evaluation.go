package report

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"sonde/assets/templates"
	"sonde/runner/lab/mutate"
	"sonde/runner/replay/generate"
	"sonde/ui/app/generation"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// CaseStudy is a service whose recording was made into tests, as in section 4 of the RICK paper.
type CaseStudy struct {
	Name    string            `json:"name"`
	Mimics  generation.Report `json:"mimics"`
	Mutants *MutantResults    `json:"mutants,omitempty"` // nil if no mutants were tried
}

// MutantResults are the results of sonde mutate for one service: the size of its code, how many mutants the tests
// notice, and which oracles notice them.
type MutantResults struct {
	Code  mutate.CodeSize     `json:"code"`
	Tally mutate.Tally        `json:"tally"`
	Venn  []mutate.VennRegion `json:"venn"`
}

// NewMutantResults counts the results in a file of mutants.
func NewMutantResults(h mutate.LogHead, all []mutate.Result) *MutantResults {
	return &MutantResults{Code: h.Code, Tally: mutate.NewTally(all), Venn: mutate.NewVenn(all)}
}

// WriteEvaluation writes the tables of the RICK paper for some services. width is the width of lines in the text
// format; other formats ignore it.
func WriteEvaluation(w io.Writer, f Format, all []CaseStudy, width int) error {
	switch f {
	case CSVFormat:
		return writeEvaluationCSV(w, all)
	case JSONFormat:
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		return out.Encode(all)
	case HTMLFormat:
		return writeEvaluationHTML(w, all)
	default:
		return writeEvaluationText(w, all, width)
	}
}

func writeEvaluationText(w io.Writer, all []CaseStudy, width int) error {
	width = max(narrowest, width)
	wrapped := func(text string) string { return strings.Join(words.Wrap(text, min(width, readable)), "\n") }
	parts := []string{theme.Strong.Render(evaluated(all))}
	for _, s := range evaluationSheets(all) {
		parts = append(parts, s.grid().renderFolded(width)+"\n"+trimmed(theme.Dim.Render(wrapped(s.Note))))
	}
	_, err := io.WriteString(w, strings.Join(parts, "\n\n")+"\n")
	return err
}

func evaluated(all []CaseStudy) string {
	return "Tests of recordings: " + words.Plural(len(all), "service")
}

var evaluationPage = newPage(templates.EvaluationPage)

func writeEvaluationHTML(w io.Writer, all []CaseStudy) error {
	var plots []vennPlot
	for _, c := range all {
		if c.Mutants != nil {
			plots = append(plots, newVennPlot(c))
		}
	}
	return evaluationPage.ExecuteTemplate(w, "page", struct {
		Title  string
		Sheets []sheet
		Plots  []vennPlot
	}{Title: evaluated(all), Sheets: evaluationSheets(all), Plots: plots})
}

// evaluationColumn is a column of Tables 3 to 5 of the RICK paper.
type evaluationColumn struct {
	name, column string // the names of the column in tables and in CSV
	of           func(generate.TableRow) int
	optional     bool // if the column has only zeros, tables leave it out
}

// evaluationColumns are the columns after the operation. The paper does not have the last two, flaky and untried.
var evaluationColumns = []evaluationColumn{
	{name: "exch.", column: "exchanges", of: func(r generate.TableRow) int { return r.Seen }},
	{name: "lines", column: "lines", of: func(r generate.TableRow) int { return r.Lines }, optional: true},
	{name: "params", column: "parameters", of: func(r generate.TableRow) int { return r.Parameters }},
	{name: "tests", column: "tests", of: func(r generate.TableRow) int { return r.Tests }},
	{name: "bytes", column: "captured_bytes", of: func(r generate.TableRow) int { return r.Bytes }},
	{name: "mocks", column: "mocks", of: func(r generate.TableRow) int { return r.Hosts }},
	{name: "calls", column: "mock_operations", of: func(r generate.TableRow) int { return r.Calls }},
	{name: "stubs", column: "stubs", of: func(r generate.TableRow) int { return r.Stubs }},
	{name: "OO", column: "oo_statements", of: func(r generate.TableRow) int { return r.OO }},
	{name: "PO", column: "po_statements", of: func(r generate.TableRow) int { return r.PO }},
	{name: "CO", column: "co_statements", of: func(r generate.TableRow) int { return r.CO }},
	{name: "mimic", column: "successfully_mimic", of: func(r generate.TableRow) int { return r.Mimics }},
	{name: "incompl.", column: "incompletely_mimic", of: func(r generate.TableRow) int { return r.Incomplete }, optional: true},
	{name: "unhandl.", column: "unhandled", of: func(r generate.TableRow) int { return r.Unhandled }, optional: true},
	{name: "flaky", column: "flaky", of: func(r generate.TableRow) int { return r.Flaky }, optional: true},
	{name: "untried", column: "untried", of: func(r generate.TableRow) int { return r.Untried }, optional: true},
}

// writeEvaluationCSV writes a row for each operation of each service.
func writeEvaluationCSV(w io.Writer, all []CaseStudy) error {
	table := csv.NewWriter(w)
	header := []string{"service", "operation"}
	for _, c := range evaluationColumns {
		header = append(header, c.column)
	}
	table.Write(header)
	for _, s := range all {
		for _, r := range s.Mimics.Rows {
			row := []string{s.Name, string(r.Operation)}
			for _, c := range evaluationColumns {
				row = append(row, fmt.Sprint(c.of(r)))
			}
			table.Write(row)
		}
	}
	table.Flush()
	return table.Error()
}
