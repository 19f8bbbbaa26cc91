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
		Title:   "Table 1. Information about the services",
		Headers: []string{"service", "files", "LOCs", "endpoints"},
		Note: "Files and lines of Go of the packages to which white-box searches give probes, without tests, with comments and blank lines. " +
			"–: not known, because Sonde does not build the service or cannot read its source.",
	}
	total := study.Artifact{Name: "total"}
	for _, a := range t.Services {
		s.Rows = append(s.Rows, sheetRow{Cells: artifactCells(a)})
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
		s.Rows = append(s.Rows, sheetRow{Cells: artifactCells(total), Mean: true})
	}
	return s
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
	s := sheet{
		Title:   fmt.Sprintf("Table 2. Suites and statuses with P = %v", t.Smart[t.Chosen]),
		Headers: []string{"service", "calls", "runs", "tests", "codes", "2xx", "4xx", "5xx", "5xx max", "operations"},
		Note: "Means of the runs. Tests: kept in the suite. Codes: different statuses of an operation. " +
			"2xx, 4xx, 5xx: operations that answered so; 5xx max: in any run.",
	}
	for i, r := range t.Rows {
		row := begin(t.Rows, i)
		at := r.Settings[t.Chosen]
		for _, text := range []string{
			words.Count(at.Runs), tenth(at.Tests), tenth(at.Codes), tenth(at.With2xx), tenth(at.With4xx), tenth(at.With5xx),
			words.Count(at.Most5xx), words.Count(at.Operations),
		} {
			row = append(row, entry{Text: text})
		}
		s.Rows = append(s.Rows, sheetRow{Cells: row})
	}
	return s
}

// measure is a table of one measure with a column for each P, such as Tables 4 and 7 of the EvoMaster paper.
type measure struct {
	title, note string
	of          func(study.Setting) float64
}

var (
	covered = measure{
		title: "Table 4. Covered targets",
		note:  "Means of the runs.",
		of:    func(s study.Setting) float64 { return s.Covered },
	}
	failing = measure{
		title: "Table 7. Faults by 5xx",
		note:  "Means of the runs: operations that answered 5xx.",
		of:    func(s study.Setting) float64 { return s.With5xx },
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

func (m measure) sheet(t study.Tables) sheet {
	s := sheet{Title: m.title, Headers: []string{"service", "calls"}, Note: m.note}
	for i, p := range t.Smart {
		s.Headers = append(s.Headers, heading(i, p))
	}
	for i, r := range t.Rows {
		numbers := make([]float64, len(r.Settings))
		for j, set := range r.Settings {
			numbers[j] = m.of(set)
		}
		s.Rows = append(s.Rows, sheetRow{Cells: append(begin(t.Rows, i), ranked(numbers, tenth)...)})
	}
	return s
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
		Title: "Table 5. Relative improvement of covered targets", Headers: []string{"service", "calls"},
		Note: fmt.Sprintf("(X - Y) / Y, where X is the number of Table 4 and Y that of the base, P = %v.", t.Smart[0]),
	}
	for i, p := range t.Smart[1:] {
		s.Headers = append(s.Headers, heading(i+1, p))
	}
	for i, r := range t.Rows {
		var numbers []float64
		for _, set := range r.Settings[1:] {
			numbers = append(numbers, set.Gain)
		}
		s.Rows = append(s.Rows, sheetRow{Cells: append(begin(t.Rows, i), ranked(numbers, signed)...)})
	}
	mean := append([]entry{{Text: "average"}, {}}, ranked(t.Gains[1:], signed)...)
	s.Rows = append(s.Rows, sheetRow{mean, true})
	return s
}

// comparison returns Table 6 of the EvoMaster paper.
func comparison(t study.Tables) sheet {
	p := t.Smart[t.Chosen]
	s := sheet{
		Title:   fmt.Sprintf("Table 6. P = %v compared with the base", p),
		Headers: []string{"service", "calls", "runs", fmt.Sprintf("base %v", t.Smart[0]), fmt.Sprintf("P = %v", p), "Â12", "p-value"},
		Note:    "Covered targets. Â12: how probably a run covers more than one of the base. p: of the two-sided Mann-Whitney U test.",
	}
	for i, r := range t.Rows {
		base, at := r.Settings[0], r.Settings[t.Chosen]
		numbers := ranked([]float64{base.Covered, at.Covered}, tenth)
		row := append(
			begin(t.Rows, i), entry{Text: words.Count(at.Runs)}, numbers[0], numbers[1],
			entry{Text: words.Share(at.A12)}, entry{Text: chanceOf(at.P)},
		)
		s.Rows = append(s.Rows, sheetRow{Cells: row})
	}
	return s
}

// whiteBoxTitles are the titles of the measures that compare black-box and white-box searches.
var whiteBoxTitles = map[study.Measure]string{
	study.MeasureStatements: "statements that the suite reaches, %",
	study.MeasurePairs:      "operations with a status",
	study.MeasureWith2xx:    "operations that answered 2xx",
	study.MeasureFaults:     "faults",
	study.MeasureMarks:      "faults that the service names itself",
}

// whiteBoxSheet returns the table that compares black-box and white-box searches by one measure.
func whiteBoxSheet(t study.Tables, measure int) sheet {
	s := sheet{
		Title:   "Black-box and white-box: " + whiteBoxTitles[study.Measures[measure]],
		Headers: []string{"service", "calls", "P", "runs", "black", "white", "Â12", "p-value"},
		Note: "Means of the runs. Â12: how probably a white-box run comes to more than a black-box one. " +
			"p: of the two-sided Mann-Whitney U test.",
	}
	last := ""
	for _, of := range t.Comparisons {
		name := of.Service
		if name == last {
			name = ""
		}
		last = of.Service
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

func chanceOf(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("%.3f", p)
}
