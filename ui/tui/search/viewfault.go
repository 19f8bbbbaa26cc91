package search

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// detailLines is the room for the whole text of the fault under the cursor.
func detailLines(height int) int {
	switch {
	case height < 5:
		return 0
	case height < 9:
		return 1
	case height < 12:
		return 2
	case height < 16:
		return 3
	}
	return 5
}

func (m Model) viewFaults(width, height int) string {
	faults := m.watch.snap.Faults
	if len(faults) == 0 && m.watch.ended() {
		return theme.Dim.Render(" none")
	}
	if len(faults) == 0 {
		return theme.Dim.Render(" none so far")
	}
	list := m.lists[partFaults]
	var rows []string
	from, to := list.Visible()
	for i := from; i < to; i++ {
		rows = append(rows, m.viewFault(newest(faults, i), i, width).Render(width, m.marked(partFaults, i)))
	}
	for len(rows) < list.Height {
		rows = append(rows, "")
	}
	n := detailLines(height + 2)
	if n > 1 {
		rows = append(rows, theme.Dim.Render(strings.Repeat("┄", width)))
	}
	rows = append(rows, detail(newest(faults, list.At), m.watch.ended(), width, max(1, n-1))...)
	return strings.Join(rows, "\n")
}

func (m Model) viewFault(f model.Fault, i, width int) pane.Line {
	glyph, style := graded(f)
	label := f.Label() + " "
	end, rest := "", 0 // rest is for operation and text
	for _, end = range ends(f) {
		rest = width - 5 - len(label) - len(end) - 2
		if rest >= leastOperation {
			break
		}
	}
	room := min(44, max(leastOperation, width*2/5))
	text := rest - room
	if text < 12 {
		room, text = max(0, rest), 0
	}
	line := pane.Line{m.cursor(partFaults, i), {Text: glyph + " ", Style: style}}
	line = append(line, operation(f.Op, room)...).
		At(room+5, pane.Span{Text: label, Style: style})
	if text > 0 {
		line = append(line, pane.Text(ansi.Truncate(pane.Clean(f.Text), text, "…"), theme.Plain)...)
	}
	return line.At(width-len(end)-1, pane.Span{Text: end, Style: theme.Dim})
}

// leastOperation is the room that the operation of a fault needs.
const leastOperation = 14

// ends are what a fault's row may end with, the longest first. The line below has it all.
func ends(f model.Fault) []string {
	calls := words.Plural(f.Calls, "call")
	switch f.Verdict {
	case model.Flaky:
		return []string{"flaky  " + calls, "flaky"}
	case model.EarlierState:
		return []string{"earlier state  " + calls, "earlier state", "earlier"}
	}
	return []string{calls, ""}
}

// graded is the glyph and style of a fault: what is flaky or only a note stands
// back.
func graded(f model.Fault) (string, theme.Style) {
	switch {
	case f.Severity == model.SeverityNote:
		return theme.Untried, theme.Dim
	case f.Verdict == model.Flaky:
		return theme.Failed, theme.Dim
	case f.Severity == model.SeverityWarning:
		return theme.Refused, theme.Warn
	}
	return theme.Failed, theme.Bad
}

// detail says all of a fault, in no more lines than there is room for: a line
// each where that will do, else one after the other.
func detail(f model.Fault, ended bool, width, room int) []string {
	rows := facets(f, ended)
	if len(rows) > room {
		rows = words.Wrap(strings.Join(rows, "; "), width-2)
	}
	if len(rows) > room {
		rows = append(rows[:room-1], strings.Join(rows[room-1:], " "))
	}
	for i := range rows {
		rows[i] = " " + ansi.Truncate(rows[i], max(0, width-2), "…")
	}
	return rows
}

// facets are what there is to say of a fault, the most important first.
func facets(f model.Fault, ended bool) []string {
	came := pane.Clean(f.Text)
	if f.Status > 0 {
		came = fmt.Sprintf("%d %s", f.Status, came)
	}
	rows := []string{"came " + came}
	if f.Expected != "" {
		rows = append(rows, "expected "+pane.Clean(f.Expected))
	}
	if f.Oracle != "" {
		rows = append(rows, fmt.Sprintf("%s %s, %s, seen %s×", f.Severity, pane.Clean(f.Oracle), repeated(f, ended), words.Count(f.Count)))
	}
	if f.Merged > 0 {
		rows = append(rows, words.Count(f.Merged)+"× with further messages, which are not told apart")
	}
	return append(rows, shownBy(f))
}

// repeated says what came of repeating a fault, if the run did so yet.
func repeated(f model.Fault, ended bool) string {
	if f.Verdict == "" && !ended {
		return "not repeated yet"
	}
	return pane.Clean(f.Repeated())
}

// shownBy names the calls that show a fault.
func shownBy(f model.Fault) string {
	at := ", at call " + words.Count(f.At)
	if f.Test == nil {
		return "by a test of " + words.Plural(f.Calls, "call") + at
	}
	var ops []string
	for _, c := range f.Test.Calls {
		ops = append(ops, pane.Clean(string(c.Op)))
	}
	return "by " + strings.Join(ops, ", ") + at
}
