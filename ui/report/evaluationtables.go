package report

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/lab/mutate"
	"sonde/runner/replay/generate"
	"sonde/ui/words"
)

// evaluationSheets returns the tables in the order of the RICK paper.
func evaluationSheets(all []CaseStudy) []sheet {
	sheets := []sheet{sourceSheet(all), workloadSheet(all)}
	for i, c := range all {
		sheets = append(sheets, mimicSheet(3+i, c))
	}
	sheets = append(sheets, outcomeSheet(all))
	if slices.ContainsFunc(all, func(c CaseStudy) bool { return c.Mutants != nil }) {
		sheets = append(sheets, vennSheet(all))
	}
	return sheets
}

// sheetOf returns a sheet with a row for each service. The function numbers returns the numbers of a row, one for each
// of the headers.
func sheetOf(title, note string, headers []string, all []CaseStudy, numbers func(CaseStudy) []int) sheet {
	s := sheet{Title: title, Note: note, Headers: append([]string{"service"}, headers...)}
	for _, c := range all {
		row := []entry{{Text: c.Name}}
		for _, n := range numbers(c) {
			row = append(row, entry{Text: numberOrDash(n)})
		}
		s.Rows = append(s.Rows, sheetRow{Cells: row})
	}
	return s
}

// unknown is a number that was not measured.
const unknown = -1

func numberOrDash(n int) string {
	if n == unknown {
		return "–"
	}
	return words.Count(n)
}

// sourceSheet returns Table 1 of the RICK paper.
func sourceSheet(all []CaseStudy) sheet {
	return sheetOf(
		"Table 1. Services",
		"Lines of Go and functions of the packages that sonde mutate changes; candidates are the functions that themselves call "+
			"other hosts. –: sonde mutate was not run, or its results are not in the folder. Operations of the spec.",
		[]string{"operations", "lines", "functions", "candidates"}, all, func(c CaseStudy) []int {
			if c.Mutants == nil {
				return []int{c.Mimics.Declared, unknown, unknown, unknown}
			}
			return []int{c.Mimics.Declared, c.Mutants.Code.Lines, c.Mutants.Code.Functions, c.Mutants.Code.Candidates}
		},
	)
}

// workloadSheet returns Table 2 of the RICK paper.
func workloadSheet(all []CaseStudy) sheet {
	return sheetOf(
		"Table 2. Recorded traffic",
		"Operations that were called, and of these the ones that called other hosts; candidates that the tests run; requests; "+
			"outward calls with a known request, and those that no request caused.",
		[]string{"operations", "calling", "candidates", "requests", "outward", "background"}, all, func(c CaseStudy) []int {
			calling, outward, run := 0, 0, unknown
			for _, r := range c.Mimics.Rows {
				if r.Hosts > 0 {
					calling++
				}
			}
			for _, n := range c.Mimics.Causes {
				outward += n
			}
			if c.Mutants != nil {
				run = c.Mutants.Code.Invoked
			}
			return []int{len(c.Mimics.Rows), calling, run, c.Mimics.Exchanges, outward, c.Mimics.Background}
		},
	)
}

// mimicSheet returns the table of one service, like Tables 3 to 5 of the RICK paper. number is the number of the
// table.
func mimicSheet(number int, c CaseStudy) sheet {
	s := sheet{
		Title: fmt.Sprintf("Table %d. Tests of %s", number, c.Name), Headers: []string{"operation"},
		Note: "exch.: recorded exchanges. lines: of the functions that the tests of the operation run, if sonde mutate has " +
			"measured them. bytes: size of the recorded exchanges. mocks: hosts of outward calls, calls: their kinds. " +
			"OO, PO, CO: assertions of the oracles. mimic, and incompl., unhandl., flaky and untried if there are any: tests by outcome.",
	}
	var tested []generate.TableRow
	for _, r := range c.Mimics.Rows {
		if r.Tests > 0 {
			tested = append(tested, r)
		}
	}
	var columns []evaluationColumn
	for _, column := range evaluationColumns {
		if !column.optional || slices.ContainsFunc(tested, func(r generate.TableRow) bool { return column.of(r) > 0 }) {
			columns = append(columns, column)
			s.Headers = append(s.Headers, column.name)
		}
	}
	row := func(name string, number func(of func(generate.TableRow) int) string, mean bool) {
		cells := []entry{{Text: name}}
		for _, column := range columns {
			cells = append(cells, entry{Text: number(column.of)})
		}
		s.Rows = append(s.Rows, sheetRow{Cells: cells, Mean: mean})
	}
	for _, r := range tested {
		row(string(r.Operation), func(of func(generate.TableRow) int) string { return words.Count(of(r)) }, false)
	}
	row("total", func(of func(generate.TableRow) int) string {
		total := 0
		for _, r := range tested {
			total += of(r)
		}
		return words.Count(total)
	}, true)
	row("median", func(of func(generate.TableRow) int) string { return medianText(tested, of) }, false)
	return s
}

// medianText returns the median of a column, "" without rows.
func medianText(rows []generate.TableRow, of func(generate.TableRow) int) string {
	var all []int
	for _, r := range rows {
		all = append(all, of(r))
	}
	slices.Sort(all)
	switch n := len(all); {
	case n == 0:
		return ""
	case n%2 == 0 && (all[n/2-1]+all[n/2])%2 != 0:
		return words.Count((all[n/2-1]+all[n/2])/2) + ".5"
	default:
		return words.Count((all[(n-1)/2] + all[n/2]) / 2)
	}
}

// outcomeSheet returns the figures of RICK's third research question, for tests with and without outward calls.
func outcomeSheet(all []CaseStudy) sheet {
	s := sheet{
		Title: "How many tests mimic", Headers: []string{"service", "runs", "with outward calls", "without"},
		Note: "Tests that pass in all runs, of those whose call makes outward calls, and of the others.",
	}
	var calling, others generate.MimicShare
	add := func(name, runs string, calling, others generate.MimicShare, mean bool) {
		cells := []entry{{Text: name}, {Text: runs}}
		for _, share := range []generate.MimicShare{calling, others} {
			text := "–"
			if share.Tests > 0 {
				text = fmt.Sprintf("%d of %d, %s", share.Mimics, share.Tests, percent(share.Mimics, share.Tests))
			}
			cells = append(cells, entry{Text: text})
		}
		s.Rows = append(s.Rows, sheetRow{Cells: cells, Mean: mean})
	}
	for _, c := range all {
		add(c.Name, words.Count(c.Mimics.Runs), c.Mimics.Calling, c.Mimics.Others, false)
		calling.Add(c.Mimics.Calling)
		others.Add(c.Mimics.Others)
	}
	if len(all) > 1 {
		add("total", "", calling, others, true)
	}
	return s
}

// vennSheet returns Figure 5 of the RICK paper as a table.
func vennSheet(all []CaseStudy) sheet {
	headers := []string{"judged", "killed"}
	for _, v := range mutate.NewVenn(nil) {
		headers = append(headers, oracleNames(v.Oracles))
	}
	return sheetOf(
		"Figure 5. Mutants by the oracles that notice them",
		"Mutants that the tests can notice; killed ones; those that exactly these oracles notice; others: noticed before an oracle, "+
			"by a time-out, or because the service does not start; survived.",
		append(headers, "others", "survived"), all, func(c CaseStudy) []int {
			if c.Mutants == nil {
				return slices.Repeat([]int{unknown}, len(headers)+2)
			}
			t := c.Mutants.Tally
			row := []int{t.Judged, t.Dead}
			for _, v := range c.Mutants.Venn {
				row = append(row, v.Mutants)
			}
			return append(row, t.Dead-t.Together, t.Status[mutate.Survived])
		},
	)
}

// oracleNames returns the names of oracles in capital letters, with a plus sign between them.
func oracleNames(all []model.MockOracle) string {
	var names []string
	for _, o := range all {
		names = append(names, strings.ToUpper(string(o)))
	}
	return strings.Join(names, "+")
}
