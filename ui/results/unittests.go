package results

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"sonde/runner/replay/unittests"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// UnitTestsReport is the JSON of sonde generate --units.
type UnitTestsReport struct {
	*unittests.Result
	Packages []UnitPackage `json:"packages"`
	Total    UnitPackage   `json:"total"`
}

// UnitPackage has the figures of the tests of a package: tables 3 to 5 of the RICK paper.
type UnitPackage struct {
	Package string `json:"package"`
	// Tested is the number of functions with a test that is written.
	Tested int `json:"tested"`
	Tests  int `json:"tests"`
	// Cases is the number of invocations that the tests have: more than Tests, because tests have tables.
	Cases int `json:"cases"`
	// Params, Mocks, Stubs and Lines are medians over the tests.
	Params int `json:"params"`
	Mocks  int `json:"mocks"`
	Stubs  int `json:"stubs"`
	Lines  int `json:"lines"`
	// Output, Parameters and Calls are the numbers of checks by oracle, and Loosened those that are left out.
	Output     int `json:"output"`
	Parameters int `json:"parameters"`
	Calls      int `json:"calls"`
	Loosened   int `json:"loosened"`
}

// NewUnitTestsReport returns generated tests with their figures.
func NewUnitTestsReport(r *unittests.Result) UnitTestsReport {
	byPackage := map[string][]unittests.GeneratedTest{}
	for _, t := range r.Tests {
		byPackage[t.Package] = append(byPackage[t.Package], t)
	}
	report := UnitTestsReport{Result: r, Packages: []UnitPackage{}, Total: unitPackage("total", r.Tests)}
	for _, name := range slices.Sorted(maps.Keys(byPackage)) {
		report.Packages = append(report.Packages, unitPackage(name, byPackage[name]))
	}
	return report
}

func unitPackage(name string, tests []unittests.GeneratedTest) UnitPackage {
	p := UnitPackage{Package: name, Tests: len(tests)}
	tested := map[string]bool{}
	var params, mocks, stubs, lines []int
	for _, t := range tests {
		tested[t.Package+" "+t.Function] = true
		params, mocks, stubs, lines = append(params, t.Params), append(mocks, t.Mocks), append(stubs, t.Stubs), append(lines, t.Lines)
		p.Output, p.Parameters, p.Calls = p.Output+t.Output, p.Parameters+t.Parameters, p.Calls+t.Calls
		p.Loosened += len(t.Loosened)
		p.Cases += max(1, t.Cases)
	}
	p.Tested = len(tested)
	p.Params, p.Mocks, p.Stubs, p.Lines = medianOf(params), medianOf(mocks), medianOf(stubs), medianOf(lines)
	return p
}

// medianOf returns the median of whole numbers, the lower one of two, and 0 if there are none.
func medianOf(all []int) int {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[(len(all)-1)/2]
}

// maxOmissions is the number of reasons that are printed.
const maxOmissions = 20

// PrintUnitTests writes the figures of generated tests, and why invocations have none.
func PrintUnitTests(w io.Writer, r *unittests.Result) error {
	report := NewUnitTestsReport(r)
	t := console.NewTable(w)
	t.Row("package", "functions", "tests", "cases", "parameters", "mocks", "stubs", "lines", "output", "parameter", "call", "loosened")
	for _, p := range append(report.Packages, report.Total) {
		t.Row(p.Package, p.Tested, p.Tests, p.Cases, p.Params, p.Mocks, p.Stubs, p.Lines, p.Output, p.Parameters, p.Calls, p.Loosened)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nparameters, mocks, stubs and lines are medians; output, parameter and call are checks by oracle")
	fmt.Fprintf(w, "%s under test: %d invoked, %d tested; of %s, %s tried and %s kept\n", words.Plural(r.Functions, "function"),
		r.Invoked, report.Total.Tested, words.Plural(r.Invocations, "invocation"), words.Plural(r.Written, "test"),
		words.Count(report.Total.Cases))
	for i, o := range r.Omitted {
		if i == maxOmissions {
			fmt.Fprintf(w, "%s and %s more; --json lists all\n", theme.Refused, words.Count(len(r.Omitted)-i))
			break
		}
		fmt.Fprintf(w, "%s %s, invocation %d: %s\n", theme.Refused, draw.Clean(o.Function), o.Invocation, draw.Clean(o.Why))
	}
	for _, o := range r.OwnMocks {
		fmt.Fprintf(w, "%s %s: its mock is one of the tests: %s\n", theme.Refused, draw.Clean(o.Interface), draw.Clean(o.Why))
	}
	for _, file := range r.Files {
		fmt.Fprintf(w, "%s %s\n", theme.Ok, draw.Clean(file))
	}
	return nil
}
