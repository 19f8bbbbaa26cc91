package report

import (
	"fmt"
	"math"
	"slices"

	"sonde/model"
	"sonde/runner/lab/study"
	"sonde/ui/words"
)

// artifacts returns Table 1 of the EvoMaster paper.
func artifacts(t study.Tables) sheet {
	s := sheet{
		Title:   "Table 1. Information about the services used in the study",
		Headers: []string{"SUT", "files", "LOCs", "endpoints"},
		Note: "Files and lines of Go of the packages to which white-box searches give probes, without tests, with comments and " +
			"blank lines. –: not known, because Sonde does not build the service or cannot read its source.",
	}
	if t.Paper {
		s.Note += " Files in the paper are classes."
	}
	s.Rows = artifactRows(t)
	s.addPaper(t, artifactRows)
	return s
}

func artifactRows(t study.Tables) (rows []sheetRow) {
	total := study.Artifact{Name: "total"}
	for _, a := range t.Services {
		rows = append(rows, sheetRow{Cells: artifactCells(a)})
		total.Endpoints += a.Endpoints
		if a.Size == nil {
			continue
		}
		if total.Size == nil {
			total.Size = new(model.SourceSize)
		}
		total.Size.Files += a.Size.Files
		total.Size.Lines += a.Size.Lines
	}
	if len(t.Services) > 1 {
		rows = append(rows, sheetRow{Cells: artifactCells(total), Mean: true})
	}
	return rows
}

func artifactCells(a study.Artifact) []entry {
	files, lines := unknown, unknown
	if a.Size != nil {
		files, lines = a.Size.Files, a.Size.Lines
	}
	return []entry{{Text: a.Name}, {Text: numberOrDash(files)}, {Text: numberOrDash(lines)}, {Text: words.Count(a.Endpoints)}}
}

// suites returns Table 2 of the EvoMaster paper.
func suites(t study.Tables) sheet {
	p := t.Smart[t.Chosen]
	s := sheet{
		Title:   fmt.Sprintf("Table 2. Results of the experiments with P = %v", p),
		Headers: []string{"SUT", "budget", "runs", "#tests", "#codes", "#5xx avg.", "#5xx max"},
		Note: "Budget: calls. #Tests: tests in a suite, #codes: different statuses of an endpoint, means of the runs. " +
			"#5xx: endpoints that answered 5xx, mean and maximum of the runs.",
	}
	s.Rows = suiteRows(t)
	s.addPaper(t, func(paper study.Tables) []sheetRow {
		paper.Rows = slices.DeleteFunc(paper.Rows, func(r study.TableRow) bool { return math.IsNaN(r.Settings[paper.Chosen].Tests) })
		if paper.Smart[paper.Chosen] != p {
			return nil
		}
		return suiteRows(paper)
	})
	return s
}

func suiteRows(t study.Tables) []sheetRow {
	return rowsOf(t, func(r study.TableRow) []entry {
		at := r.Settings[t.Chosen]
		return texts(words.Count(at.Runs), tenth(at.Tests), tenth(at.Codes), tenth(at.With5xx), words.Count(at.Most5xx))
	})
}

// manualSheet returns Table 3 of the EvoMaster paper.
func manualSheet(t study.Tables) sheet {
	s := sheet{
		Title:   "Table 3. Statement coverage of generated and of existing tests",
		Headers: []string{"SUT", "best", "mean", "manual total", "unit/int.", "HTTP API"},
		Note: fmt.Sprintf("Best and mean: of the suites of the runs with the highest budget and P = %v. Manual: tests of the service "+
			"itself. Shares of the statements that go build -cover counts. –: not known.", t.Smart[t.Chosen]),
	}
	var failures []string
	for _, m := range t.Manual {
		if m.Failure != "" && !slices.Contains(failures, m.Failure) {
			failures = append(failures, m.Failure)
		}
	}
	for _, f := range failures {
		s.Note += " Not measured: " + f + "."
	}
	s.Rows = manualRows(t)
	s.addPaper(t, manualRows)
	return s
}

func manualRows(t study.Tables) (rows []sheetRow) {
	for _, m := range t.Manual {
		cells := texts(joined(m.Service, m.Way, m.Mode))
		for _, share := range []float64{m.Best, m.Mean, m.Total, m.Unit, m.HTTP} {
			text := "–"
			if !math.IsNaN(share) {
				text = fmt.Sprintf("%.0f%%", 100*share)
			}
			cells = append(cells, entry{Text: text})
		}
		rows = append(rows, sheetRow{Cells: cells})
	}
	return rows
}

// classes returns the table of the numbers of operations that answered 2xx, 4xx and 5xx.
func classes(t study.Tables) sheet {
	p := t.Smart[t.Chosen]
	return sheet{
		Title:   fmt.Sprintf("Endpoints by class of status with P = %v", p),
		Headers: []string{"SUT", "budget", "2xx", "4xx", "5xx", "endpoints"},
		Note:    "Means of the runs: endpoints that answered so.",
		Rows: rowsOf(t, func(r study.TableRow) []entry {
			at := r.Settings[t.Chosen]
			return texts(tenth(at.With2xx), tenth(at.With4xx), tenth(at.With5xx), words.Count(at.Operations))
		}),
	}
}

// rowsOf returns a row for each row of a study. cells returns the cells after the service and the budget.
func rowsOf(t study.Tables, cells func(study.TableRow) []entry) (rows []sheetRow) {
	for i, r := range t.Rows {
		rows = append(rows, sheetRow{Cells: append(begin(t.Rows, i), cells(r)...)})
	}
	return rows
}

// texts returns cells with texts.
func texts(all ...string) (cells []entry) {
	for _, text := range all {
		cells = append(cells, entry{Text: text})
	}
	return cells
}

// measure is a table of one measure with a column for each P, such as Tables 4 and 7 of the EvoMaster paper.
type measure struct {
	title, note string
	of          func(study.Setting) float64
	printed     bool // the paper has this table
}

var (
	covered = measure{
		title:   "Table 4. Average numbers of covered test targets",
		note:    "Means of the runs.",
		of:      func(s study.Setting) float64 { return s.Covered },
		printed: true,
	}
	failing = measure{
		title:   "Table 7. Average numbers of faults, based on 5xx statuses",
		note:    "Means of the runs: endpoints that answered 5xx.",
		of:      func(s study.Setting) float64 { return s.With5xx },
		printed: true,
	}
	faults = measure{
		title: "Faults by operation, oracle and signature", note: "Means of the runs: errors and warnings that are not flaky.",
		of: func(s study.Setting) float64 { return s.Faults },
	}
	marks = measure{
		title: "Faults that the service names itself",
		note:  "Means of the runs: different values of X-Fault.",
		of:    func(s study.Setting) float64 { return s.Marks },
	}
)

// mutants is the table of mutation scores: the shares of the mutants that the suites notice.
var mutants = measure{
	title: "Mutation score of the suites, %",
	note: "Means of the runs: mutants that the suite notices. All runs on a service have the same mutants; those in code that no " +
		"call of the suite reaches count as not noticed.",
	of: func(s study.Setting) float64 { return s.MutationScore },
}

func (m measure) sheet(t study.Tables) sheet {
	s := sheet{Title: m.title, Headers: []string{"SUT", "budget"}, Note: m.note}
	for i, p := range t.Smart {
		s.Headers = append(s.Headers, heading(i, p))
	}
	s.Rows = m.rows(t, t.Smart)
	if m.printed {
		s.addPaper(t, func(paper study.Tables) []sheetRow { return m.rows(paper, t.Smart) })
	}
	return s
}

// rows returns the rows of the table. smart has the values of P that have a column. If t has none of these values,
// there are no rows.
func (m measure) rows(t study.Tables, smart []float64) []sheetRow {
	return columnsOf(t, smart, tenth, m.of)
}

// columnsOf returns rows with a column for each value of P in smart. The function number returns the number of a
// cell, and write formats it. If t has none of the values in smart, there are no rows.
func columnsOf(t study.Tables, smart []float64, write func(float64) string, number func(study.Setting) float64) []sheetRow {
	if !slices.ContainsFunc(smart, func(p float64) bool { return slices.Contains(t.Smart, p) }) {
		return nil
	}
	return rowsOf(t, func(r study.TableRow) []entry {
		return ranked(valuesAt(t, smart, func(i int) float64 { return number(r.Settings[i]) }), write)
	})
}

// valuesAt returns a number for each value of P in smart. If t has this P, at index i, the number is value(i).
// Otherwise it is NaN.
func valuesAt(t study.Tables, smart []float64, value func(i int) float64) []float64 {
	all := make([]float64, len(smart))
	for j, p := range smart {
		all[j] = math.NaN()
		if i := slices.Index(t.Smart, p); i >= 0 {
			all[j] = value(i)
		}
	}
	return all
}

// coveredTargets returns Table 4 of the EvoMaster paper.
func coveredTargets(t study.Tables) sheet {
	s := covered.sheet(t)
	s.Note += " Targets are the statuses of operations that the suite covers"
	if slices.ContainsFunc(t.Rows, func(r study.TableRow) bool { return r.White }) {
		s.Note += " and, white-box, the statements, calls, branches and conditions of the source, apart from those that starting " +
			"or resetting the service covers"
	}
	s.Note += "."
	return s
}

func heading(i int, p float64) string {
	if i == 0 {
		return fmt.Sprintf("base %v", p)
	}
	return fmt.Sprint(p)
}

// ranked returns numbers as cells, and marks the highest ones unless all numbers are equal. It compares the
// numbers before rounding.
func ranked(numbers []float64, write func(float64) string) []entry {
	low, high := math.Inf(1), math.Inf(-1)
	for _, n := range numbers {
		if !math.IsNaN(n) {
			low, high = min(low, n), max(high, n)
		}
	}
	var out []entry
	for _, n := range numbers {
		out = append(out, entry{write(n), n == high && low < high})
	}
	return out
}

// signed returns a relative improvement in percent with its sign, or "–" if it is not defined.
func signed(f float64) string {
	if math.IsNaN(f) {
		return "–"
	}
	return fmt.Sprintf("%+.1f%%", 100*f)
}

// improvements returns Table 5 of the EvoMaster paper.
func improvements(t study.Tables) sheet {
	s := sheet{
		Title:   "Table 5. Relative improvements of smart sampling",
		Headers: []string{"SUT", "budget"},
		Note:    fmt.Sprintf("(X - Y) / Y, where X is the number of Table 4 and Y that of the base, P = %v.", t.Smart[0]),
	}
	for i, p := range t.Smart[1:] {
		s.Headers = append(s.Headers, heading(i+1, p))
	}
	s.Rows = improvementRows(t, t.Smart[1:])
	s.addPaper(t, func(paper study.Tables) []sheetRow {
		if paper.Smart[0] != t.Smart[0] {
			return nil // the paper's figures have another base
		}
		return improvementRows(paper, t.Smart[1:])
	})
	return s
}

// improvementRows returns the rows of Table 5. smart has the values of P that have a column. There is a row with
// averages only if all runs sample in the same way.
func improvementRows(t study.Tables, smart []float64) []sheetRow {
	rows := columnsOf(t, smart, signed, func(s study.Setting) float64 { return s.Gain })
	if len(rows) == 0 {
		return nil
	}
	if len(t.Ways) > 0 {
		return rows
	}
	means := ranked(valuesAt(t, smart, func(i int) float64 { return t.Gains[i] }), signed)
	return append(rows, sheetRow{Cells: append(texts("average", ""), means...), Mean: true})
}

// comparison returns Table 6 of the EvoMaster paper.
func comparison(t study.Tables) sheet {
	p := t.Smart[t.Chosen]
	s := sheet{
		Title:   fmt.Sprintf("Table 6. Smart sampling with P = %v compared with the base", p),
		Headers: []string{"SUT", "budget", fmt.Sprintf("base %v", t.Smart[0]), fmt.Sprintf("P = %v", p), "Â12", "p-value"},
		Note:    "Covered targets. Â12: how probably a run covers more than one of the base. p: of the two-sided Mann-Whitney U test.",
	}
	s.Rows = comparisonRows(t)
	s.addPaper(t, func(paper study.Tables) []sheetRow {
		if paper.Smart[0] != t.Smart[0] || paper.Smart[paper.Chosen] != p {
			return nil
		}
		return comparisonRows(paper)
	})
	return s
}

func comparisonRows(t study.Tables) []sheetRow {
	return rowsOf(t, func(r study.TableRow) []entry {
		base, at := r.Settings[0], r.Settings[t.Chosen]
		numbers := ranked([]float64{base.Covered, at.Covered}, tenth)
		return append(numbers, texts(words.Share(at.A12), chanceOf(at.P))...)
	})
}

// whiteBoxTitles are the titles of the measures that compare black-box and white-box searches.
var whiteBoxTitles = map[study.Measure]string{
	study.MeasureStatements: "statements that the suite reaches, %",
	study.MeasurePairs:      "operations with a status",
	study.MeasureWith2xx:    "operations that answered 2xx",
	study.MeasureFaults:     "faults",
	study.MeasureMarks:      "faults that the service names itself",
	study.MeasureMutants:    "mutation score, %",
}

// whiteBoxSheet returns the table that compares black-box and white-box searches by one measure.
func whiteBoxSheet(t study.Tables, measure int) sheet {
	s := sheet{
		Title:   "Black-box and white-box: " + whiteBoxTitles[study.Measures[measure]],
		Headers: []string{"SUT", "budget", "P", "runs", "black", "white", "Â12", "p-value"},
		Note: "Means of the runs. Â12: how probably a white-box run comes to more than a black-box one. " +
			"p: of the two-sided Mann-Whitney U test.",
	}
	last := ""
	for _, of := range t.Comparisons {
		name := joined(of.Service, of.Way)
		if name == last {
			name = ""
		}
		last = joined(of.Service, of.Way)
		f := of.Figures[measure]
		numbers := ranked([]float64{f.Black, f.White}, tenth)
		s.Rows = append(s.Rows, sheetRow{Cells: []entry{
			{Text: name},
			{Text: thousands(of.Budget)},
			{Text: fmt.Sprint(of.Smart)},
			{Text: words.Count(of.Runs)},
			numbers[0], numbers[1],
			{Text: words.Share(f.A12)},
			{Text: chanceOf(f.P)},
		}})
	}
	return s
}

// waysSheet returns the table that compares ways of sampling.
func waysSheet(t study.Tables) sheet {
	s := sheet{
		Title:   "Covered targets by way of sampling",
		Headers: []string{"way", "covered", "improvement", "Â12", "p-value"},
		Note: "Means of the runs. Each way is compared with the first one of its service. Improvement: as in Table 5. Â12: how " +
			"probably a run covers more than one of the first way. p: of the two-sided Mann-Whitney U test.",
	}
	for _, c := range t.Ways {
		title := joined(
			c.Service, c.Mode, thousands(c.Budget)+" calls", fmt.Sprintf("P = %v", c.Smart), words.Plural(c.Runs, "run"),
		)
		s.Rows = append(s.Rows, sheetRow{Cells: texts(title, "", "", "", ""), Heading: true})
		var covered []float64
		for _, way := range c.Ways {
			covered = append(covered, way.Covered)
		}
		for i, number := range ranked(covered, tenth) {
			way := c.Ways[i]
			compared := texts("", "", "") // the first way
			if i > 0 {
				compared = texts(signed(way.Gain), words.Share(way.A12), chanceOf(way.P))
			}
			s.Rows = append(s.Rows, sheetRow{Cells: append([]entry{{Text: way.Name}, number}, compared...)})
		}
	}
	return s
}

func chanceOf(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("%.3f", p)
}
