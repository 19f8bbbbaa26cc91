package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sonde/runner/lab/study"
	"sonde/ui/words"
)

// sheet is a table of a study or an evaluation, with its cells as text.
type sheet struct {
	Title, Note string
	Headers     []string // the first is the service
	Rows        []sheetRow
}

type sheetRow struct {
	Cells   []entry
	Mean    bool // the row has the means of the rows above, or their sums
	Heading bool // the row is a heading of the rows below
	Theirs  bool // the row has figures from a paper
}

// addPaper adds rows with the paper's own figures, if the study samples as the paper does. The function rows returns
// the rows of this table. It returns none if the paper has no figures for the settings of the study.
func (s *sheet) addPaper(t study.Tables, rows func(paper study.Tables) []sheetRow) {
	if !t.Paper {
		return
	}
	theirs := rows(study.PaperTables())
	if len(theirs) == 0 {
		return
	}
	heading := make([]entry, len(s.Headers))
	heading[0].Text = "in the paper"
	s.Rows = append(s.Rows, sheetRow{Cells: heading, Heading: true})
	for _, row := range theirs {
		row.Theirs = true
		s.Rows = append(s.Rows, row)
	}
}

type entry struct {
	Text string
	Best bool // the highest number of its row, unless all numbers are equal
}

// sheets returns the tables of a study: those of the EvoMaster paper in its order, then the others.
func sheets(t study.Tables) []sheet {
	if len(t.Lists) > 0 {
		return listSheets(t)
	}
	all := []sheet{artifacts(t), suites(t)}
	if len(t.Manual) > 0 {
		all = append(all, manualSheet(t))
	}
	all = append(all, coveredTargets(t))
	if len(t.Smart) > 1 {
		all = append(all, improvements(t), comparison(t))
	}
	all = append(all, failing.sheet(t), classes(t), faults.sheet(t))
	if marked(t) {
		all = append(all, marks.sheet(t))
	}
	if t.Judged {
		all = append(all, mutants.sheet(t))
	}
	if len(t.Ways) > 0 {
		all = append(all, waysSheet(t))
	}
	for i, m := range study.Measures {
		if len(t.Comparisons) > 0 && (m != study.MeasureMarks || marked(t)) && (m != study.MeasureMutants || t.Judged) {
			all = append(all, whiteBoxSheet(t, i))
		}
	}
	if len(t.Kinds) > 0 {
		all = append(all, faultKinds(t))
	}
	if len(t.Calibrations) > 0 {
		all = append(all, forecasts(t))
	}
	return all
}

func marked(t study.Tables) bool {
	for _, r := range t.Rows {
		for _, s := range r.Settings {
			if s.AllMarks > 0 {
				return true
			}
		}
	}
	return false
}

// thousands writes a budget in the form of the EvoMaster paper, such as 10k. A number that is not divisible by 1000
// is written in full.
func thousands(calls int) string {
	if calls%1000 == 0 {
		return words.Count(calls/1000) + "k"
	}
	return words.Count(calls)
}

// begin returns the first cells of a row. The name of a service appears only in its first row.
func begin(rows []study.TableRow, i int) []entry {
	name := labelled(rows[i])
	if i > 0 && labelled(rows[i-1]) == name {
		name = ""
	}
	return []entry{{Text: name}, {Text: thousands(rows[i].Budget)}}
}

// labelled returns the name of a row: the service, the way of sampling if the study has several, and the mode (black
// or white) if it has both.
func labelled(r study.TableRow) string { return joined(r.Service, r.Way, r.Mode) }

// joined joins texts that are not empty.
func joined(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), ", ")
}

// tenth writes a number with one digit after the point, or "–" if it is not known.
func tenth(f float64) string {
	if math.IsNaN(f) {
		return "–"
	}
	return fmt.Sprintf("%.1f", f)
}

// studied describes what was studied, and what the tables show.
func studied(t study.Tables) (title, lead string) {
	services := map[string]bool{}
	for _, r := range t.Rows {
		services[r.Service] = true
	}
	var all []string
	for _, p := range t.Smart {
		all = append(all, fmt.Sprint(p))
	}
	title = words.Plural(len(services), "service") + ", " + words.Plural(t.Runs, "run")
	if len(t.Lists) > 0 {
		return title, "Lists of seqs by Algorithm 3 of the paper Call Sequence List Distiller. Each listed seq was called on the " +
			"service, and the practical ones were played again on the service as go build -cover builds it."
	}
	lead = fmt.Sprintf("Tables as in the EvoMaster paper, 6.3; P of smart sampling %s.", strings.Join(all, ", "))
	if t.Paper {
		lead += " Rows below \"in the paper\" have its figures, of other services, which are in Java and Kotlin and were searched " +
			"white-box."
	}
	return title, lead
}
