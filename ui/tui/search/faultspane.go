package search

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// detailLines returns the number of lines for the details of the fault under the cursor.
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

// faultsPane lists the faults, the newest first, above the details of the fault under the cursor.
type faultsPane struct{ list widget.List }

// fit sets the number of rows, and the number of rows that fit into a pane of height lines.
func (p *faultsPane) fit(v runView, height int) {
	p.list.Fit(len(v.run.snap.Faults), max(1, height-2-detailLines(height)))
}

// chosen returns the fault under the cursor, nil if there is none.
func (p *faultsPane) chosen(v runView) *model.Fault {
	if faults := v.run.snap.Faults; p.list.At < len(faults) {
		return newest(faults, p.list.At)
	}
	return nil
}

// newest returns the i-th newest fault.
func newest(faults []model.Fault, i int) *model.Fault { return &faults[len(faults)-1-i] }

// restore keeps the cursor on its fault after more faults were found. A cursor in the first row stays
// there, on the newest fault.
func (p *faultsPane) restore(more int) {
	if l := &p.list; l.At > 0 || l.Top > 0 {
		l.At, l.Top = l.At+max(0, more), l.Top+max(0, more)
	}
}

func (p *faultsPane) view(v runView, width, height int, focused bool) string {
	faults := v.run.snap.Faults
	if len(faults) == 0 && v.run.ended() {
		return theme.Dim.Render(" none")
	}
	if len(faults) == 0 {
		return theme.Dim.Render(" none so far")
	}
	var rows []string
	from, to := p.list.Visible()
	for i := from; i < to; i++ {
		marked := focused && i == p.list.At
		line := append(draw.Line{rowCursor(marked)}, v.faultRow(newest(faults, i), width-2)...)
		rows = append(rows, line.Render(width, marked))
	}
	for len(rows) < p.list.Height {
		rows = append(rows, "")
	}
	room := detailLines(height + 2)
	if room > 1 {
		rows = append(rows, theme.Dim.Render(strings.Repeat("┄", width)))
		room--
	}
	rows = append(rows, detail(newest(faults, p.list.At), v.run.ended(), width, room)...)
	return strings.Join(rows, "\n")
}

// faultRow draws a fault: its operation, label and text, and the result of repeating it.
func (v runView) faultRow(f *model.Fault, width int) draw.Line {
	glyph, style := graded(f)
	label := f.Label() + " "
	end, rest := "", 0 // rest is the width of the operation and the text
	for _, end = range ends(f) {
		rest = width - 5 - len(label) - len(end)
		if rest >= minOperation {
			break
		}
	}
	room := min(44, max(minOperation, (width+2)*2/5))
	text := rest - room
	if text < 12 {
		room, text = max(0, rest), 0
	}
	line := draw.Line{{Text: glyph + " ", Style: style}}
	line = append(line, v.operation(f.Op, room)...).
		At(room+3, draw.Span{Text: label, Style: style})
	if text > 0 {
		line = append(line, draw.TextLine(ansi.Truncate(draw.Clean(f.Text), text, "…"), theme.Plain)...)
	}
	return line.At(width-len(end)-1, draw.Span{Text: end, Style: theme.Dim})
}

// minOperation is the minimum width of a fault's operation, in cells.
const minOperation = 14

// ends returns the possible texts for the end of a row, the longest first. The details have what a shorter text
// leaves out.
func ends(f *model.Fault) []string {
	calls := words.Plural(f.Calls, "call")
	switch f.Verdict {
	case model.VerdictFlaky:
		return []string{"flaky  " + calls, "flaky"}
	case model.VerdictEarlierState:
		return []string{"earlier state  " + calls, "earlier state", "earlier"}
	}
	return []string{calls, ""}
}

// graded returns the glyph and the style of a fault. Flaky faults and notes are less prominent.
func graded(f *model.Fault) (string, theme.Style) {
	switch {
	case f.Severity == model.SeverityNote:
		return theme.Untried, theme.Dim
	case f.Verdict == model.VerdictFlaky:
		return theme.Failed, theme.Dim
	case f.Severity == model.SeverityWarning:
		return theme.Refused, theme.Warn
	}
	return theme.Failed, theme.Bad
}

// detail draws the details of a fault in at most room lines. Each facet has its own line if there is room.
// Otherwise the facets follow one another as running text. If room is 0, it draws nothing.
func detail(f *model.Fault, ended bool, width, room int) []string {
	if room < 1 {
		return nil
	}
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

// facets returns the parts of the description of a fault, the most important first.
func facets(f *model.Fault, ended bool) []string {
	came := draw.Clean(f.Text)
	if f.Status > 0 {
		came = fmt.Sprintf("%d %s", f.Status, came)
	}
	rows := []string{"came " + came}
	if f.Expected != "" {
		rows = append(rows, "expected "+draw.Clean(f.Expected))
	}
	if f.Oracle != "" {
		rows = append(rows, fmt.Sprintf("%s %s, %s, seen %s×", f.Severity, draw.Clean(f.Oracle), repeated(f, ended), words.Count(f.Count)))
	}
	if f.Merged > 0 {
		rows = append(rows, words.Count(f.Merged)+"× with further messages, which are counted together")
	}
	return append(rows, shownBy(f))
}

// repeated returns the result of repeating a fault, or that the run has not repeated it yet.
func repeated(f *model.Fault, ended bool) string {
	if f.Verdict == "" && !ended {
		return "not repeated yet"
	}
	return draw.Clean(f.Repeated())
}

// shownBy returns the calls that show a fault.
func shownBy(f *model.Fault) string {
	at := ", at call " + words.Count(f.At)
	if f.Test == nil {
		return "by a test of " + words.Plural(f.Calls, "call") + at
	}
	var ops []string
	for _, c := range f.Test.Calls {
		ops = append(ops, draw.Clean(string(c.Op)))
	}
	return "by " + strings.Join(ops, ", ") + at
}
