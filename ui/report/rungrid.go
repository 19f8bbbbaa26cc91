package report

import (
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
)

// answerGrid is a table of operations and statuses.
type answerGrid struct {
	section
	Statuses []shownStatus
	// Declared reports whether the spec could be read, so that statuses which were not reached are known.
	Declared bool
	Missing  []missingPart // what was not reached
	// MoreMissing is the number of further operations of which something was not reached.
	MoreMissing int
	Legend      []shownStatus
}

// missingPart says what was not reached of an operation.
type missingPart struct {
	Op   shownOp
	Text string
}

// gridRow has the answers of an operation.
type gridRow struct {
	Op    shownOp
	State shownStatus // of the operation as a whole
	Cells []gridCell
	Total int
}

// gridCell has the number of answers with a status. Open reports whether the status is declared but was not reached.
type gridCell struct {
	Status shownStatus
	Count  int
	Open   bool
}

// maxMissing is the maximum number of operations for which a page says what was not reached.
const maxMissing = 200

// newAnswerGrid returns the table of a run. It has no rows if the answers are not known.
func newAnswerGrid(r Run) (answerGrid, error) {
	g := answerGrid{Declared: r.Declared != nil}
	if r.Answers == nil {
		return g, nil
	}
	for _, status := range []int{200, 400, 500, 300} {
		g.Legend = append(g.Legend, newShownStatus(status))
	}
	statuses := statusesOf(r)
	for _, status := range statuses {
		g.Statuses = append(g.Statuses, newShownStatus(status))
	}
	g.Missing = missing(r)
	if more := len(g.Missing) - maxMissing; more > 0 {
		g.Missing, g.MoreMissing = g.Missing[:maxMissing], more
	}
	var err error
	g.section, err = newSection(rowElement, maxGrid, len(r.Operations), func(i int, _ bool) any {
		op := r.Operations[i]
		return newGridRow(op, statuses, r.Answers[op], r.Declared[op])
	})
	return g, err
}

// statusesOf returns the statuses that were seen or declared.
func statusesOf(r Run) (all []int) {
	for _, op := range r.Operations {
		for status, n := range r.Answers[op] {
			if n > 0 {
				all = append(all, status)
			}
		}
		all = append(all, r.Declared[op]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func newGridRow(op model.OpID, statuses []int, counts map[int]int, declared []int) gridRow {
	row := gridRow{Op: newShownOp(op), State: stateOf(counts)}
	for _, status := range statuses {
		n := counts[status]
		row.Total += n
		row.Cells = append(row.Cells, gridCell{Status: newShownStatus(status), Count: n, Open: n == 0 && slices.Contains(declared, status)})
	}
	return row
}

// stateOf returns what was reached of an operation, in the words and with the glyphs of the app.
func stateOf(counts map[int]int) shownStatus {
	class := model.ClassOf(counts)
	s := shownStatus{Text: class.String(), Class: stateClasses[class]}
	s.Mark, _ = draw.AnswersGlyph(counts)
	if class == model.ClassUncalled {
		s.Text, s.Mark = "no answer", theme.Untried
	}
	return s
}

// stateClasses are the CSS classes of operations, the same as those of the graph.
var stateClasses = [model.NumOpClasses]string{
	model.ClassSucceeded: "succeeded", model.ClassBroken: "failed", model.ClassRefused: "refused",
	model.ClassUnanswered: "untried", model.ClassUncalled: "untried",
}

// missing returns what was not reached, for each operation of which something was not.
func missing(r Run) (all []missingPart) {
	for _, op := range r.Operations {
		if text := missingOf(r.Answers[op], r.Declared[op]); text != "" {
			all = append(all, missingPart{Op: newShownOp(op), Text: text})
		}
	}
	return all
}

func missingOf(counts map[int]int, declared []int) string {
	class := model.ClassOf(counts)
	if class == model.ClassUncalled {
		return "never answered"
	}
	var open []string
	for _, status := range declared {
		if counts[status] == 0 {
			open = append(open, strconv.Itoa(status))
		}
	}
	var parts []string
	if !has2xx(counts) {
		parts = append(parts, "no 2xx")
	}
	if open != nil {
		parts = append(parts, "declared, but not reached: "+strings.Join(open, ", "))
	}
	return strings.Join(parts, "; ")
}

func has2xx(counts map[int]int) bool {
	for status, n := range counts {
		if n > 0 && status/100 == 2 {
			return true
		}
	}
	return false
}
