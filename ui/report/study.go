package report

import (
	"fmt"
	"strings"

	"sonde/runner/lab/study"
	"sonde/ui/words"
)

// sheet is a table of a study, with its cells as text.
type sheet struct {
	Title, Note string
	Headers     []string // the first is the service
	Rows        []sheetRow
}

type sheetRow struct {
	Cells []entry
	Mean  bool // the row has the means of the rows above, or their sums
}

type entry struct {
	Text string
	Best bool // the highest number of its row, unless all numbers are equal
}

// sheets returns the tables of a study in the order of the EvoMaster paper.
func sheets(t study.Tables) []sheet {
	all := []sheet{artifacts(t), suites(t), coveredTargets(t)}
	if len(t.Smart) > 1 {
		all = append(all, improvements(t), comparison(t))
	}
	all = append(all, failing.sheet(t), faults.sheet(t))
	if marked(t) {
		all = append(all, marks.sheet(t))
	}
	for i, m := range study.Measures {
		if len(t.Comparisons) > 0 && (m != study.MeasureMarks || marked(t)) {
			all = append(all, whiteBoxSheet(t, i))
		}
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

// labelled returns the service of a row, with black-box or white-box if there are both.
func labelled(r study.TableRow) string {
	if r.Mode == "" {
		return r.Service
	}
	return r.Service + ", " + r.Mode
}

func tenth(f float64) string { return fmt.Sprintf("%.1f", f) }

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
	return words.Plural(len(services), "service") + ", " + words.Plural(t.Runs, "run"),
		fmt.Sprintf("Tables as in the EvoMaster paper, 6.3; P of smart sampling %s.", strings.Join(all, ", "))
}
