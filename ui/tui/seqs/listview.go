package seqs

import (
	"fmt"
	"strconv"
	"strings"

	"sonde/analysis/distil"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/practice"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// headLines returns the number of lines above the rows of a list at r: the filter, its problems, and the
// heads of the columns.
func (l *rowList) headLines(r draw.Rect) int { return 2 + len(l.find.ProblemLines(r.W-2)) }

// view draws the list at r, with a note in the bottom line of its frame.
func (l *rowList) view(r draw.Rect, focused bool, note string) string {
	f := draw.Frame{Title: l.title(r.W - 6), Note: note, Width: r.W, Height: r.H, Focused: focused}
	w, h := f.Inner()
	rows := append([]string{l.filterLine(w)}, l.find.ProblemLines(w)...)
	c := columnsOf(w, l.order, l.shared)
	rows = append(rows, c.head(l.shared).Render(w, false))
	from, to := l.cursor.Visible()
	calls := l.catalog.names.Rows(seqsOf(l.rows[from:to]), c.chainEnd-c.chain)
	for i := from; i < to; i++ {
		at := i == l.cursor.At
		switch {
		case l.rows[i] == l.byValue.head:
			rows = append(rows, l.byValue.line(at).Render(w, at && focused))
			continue
		case l.rows[i].isHeading():
			rows = append(rows, headingLine(l.rows[i], w).Render(w, false))
			continue
		}
		rows = append(rows, l.find.Highlight(l.rowLine(l.rows[i], calls[i-from], c, at, w)).Render(w, at && focused))
	}
	if len(l.rows) == 0 {
		for _, line := range words.Wrap(l.whyEmpty(), max(1, w-5)) {
			rows = append(rows, theme.Dim.Render("    "+line))
		}
	}
	return f.Render(strings.Join(rows[:min(len(rows), h)], "\n"))
}

// whyEmpty returns the reason why no row is listed.
func (l *rowList) whyEmpty() string {
	switch {
	case l.catalog.listing():
		return "listing the seqs …"
	case !l.catalog.scope.whole() && l.catalog.len() == 0:
		return "none can be called first: each needs what another operation gives"
	}
	return "nothing fits"
}

// viewEmpty draws the list of a catalog without rows. It explains how the user can get rows.
func (l *rowList) viewEmpty(r draw.Rect, focused, hasService bool) string {
	f := draw.Frame{Title: l.title(r.W - 6), Width: r.W, Height: r.H, Focused: focused}
	w, _ := f.Inner()
	text := "No seqs here: the spec has no operations that share values, and no search has kept a test yet."
	if hasService {
		text += " 5 starts a search."
	}
	return f.Render("\n " + strings.Join(words.Wrap(text, min(w-2, 76)), "\n "))
}

// leastScope is the minimum number of cells for the name of the scope in the title.
const leastScope = 16

// title returns the list's title: the number of rows, the scope, and the number of distilled seqs by each
// rule. The name of the scope is cut to the width that is left.
func (l *rowList) title(width int) string {
	n, more := l.catalog.len(), l.catalog.more()
	title := "Seqs " + words.Limited(words.Count(n), more)
	if l.count() != n {
		title = fmt.Sprintf("Seqs %s of %s", words.Count(l.count()), words.Limited(words.Count(n), more))
	}
	counts := l.catalog.distilled.title()
	if scope := l.catalog.scope; !scope.whole() {
		title += " in "
		title += scope.title(max(leastScope, width-ansi.StringWidth(title+counts)))
	}
	return title + theme.Dim.Render(counts)
}

// title returns the number of seqs by each rule. The cursor's sign marks the current rule.
func (d *distilledSeqs) title() string {
	if len(d.rows) == 0 {
		return ""
	}
	text := " · DC " + words.LimitedCell(len(d.dc.Seqs), d.dc.GaveUp)
	if n := len(d.longer); n > 0 {
		text += fmt.Sprintf(" +%s longer", words.Count(n))
	}
	if d.sc != nil {
		text += "  SC " + words.LimitedCell(len(d.sc.Seqs), d.sc.GaveUp)
	}
	shown := "DC "
	if d.rule == distil.RuleSC {
		shown = "SC "
	}
	return strings.Replace(text, shown, theme.Cursor+shown, 1)
}

// filterLine draws the filter and, at the right edge, the settings.
func (l *rowList) filterLine(width int) string {
	const minFilter = 12 // cells
	style := theme.Dim
	if l.origin != allOrigins || l.order != asListed || l.groups.by != ungrouped || !l.catalog.scope.whole() {
		style = theme.Accent
	}
	right := ansi.Truncate(l.settings(width/2), max(0, width-minFilter), "…")
	return l.find.View(width-ansi.StringWidth(right)-1) + style.Render(right) + " "
}

// settings returns the settings of the list: the key that leaves the scope, the grouping, the order and the origin
// filter. If the settings need more than width cells and the origin filter is "all", settings leaves the origin
// filter out.
func (l *rowList) settings(width int) string {
	var parts []string
	if !l.catalog.scope.whole() {
		parts = append(parts, widget.KeyName(keyUnscope)+" whole API")
	}
	if l.groups.by != ungrouped {
		parts = append(parts, widget.KeyName(keyGroup)+" by "+l.groups.by.String())
	}
	if l.order != asListed {
		parts = append(parts, widget.KeyName(keyOrder)+" "+l.order.String())
	}
	text := strings.Join(append(parts, widget.KeyName(keyOrigin)+" origin: "+l.origin.String()), "  ")
	if len(parts) > 0 && l.origin == allOrigins && ansi.StringWidth(text) > width {
		return strings.Join(parts, "  ")
	}
	return text
}

// rowLine draws a row with its calls.
func (l *rowList) rowLine(r *row, calls draw.Line, c columns, at bool, width int) draw.Line {
	line := draw.Line{{Text: " ", Style: theme.Plain}}
	if at {
		line = draw.TextLine(theme.Cursor, theme.Active)
	}
	left, picked := draw.Span{Text: " ", Style: theme.Plain}, draw.Span{Text: " ", Style: theme.Plain}
	if r.leftOut() != "" {
		left = draw.Span{Text: leftOutSign, Style: theme.Warn}
	}
	if r.picked {
		picked = draw.Span{Text: theme.Picked, Style: theme.Good}
	}
	line = append(line, left, picked)
	if c.origin > 0 {
		line = line.At(c.origin, draw.Span{Text: r.origin(), Style: theme.Dim})
	}
	if r.file != nil {
		calls = fileLine(r, l.catalog.names, c.chainEnd-c.chain)
	}
	line = line.At(c.chain, calls...)
	if c.status > 0 {
		line = line.At(c.status, statusSpans(r, l.catalog.resultOf(r), c.statusRoom(width))...)
	}
	for i, f := range c.figures {
		if n, known := f.of(r); known {
			line = c.alignRight(line, i, f.span(n))
		}
	}
	return line
}

// statusSpans draws the statuses of the last calls, at most limit of them, after an ellipsis if there are more. For a row
// that failed or is barred, it draws the sign of this result, and the status that is the reason for it.
func statusSpans(r *row, result practice.Result, limit int) []draw.Span {
	switch {
	case result.Kind == practice.Failed, result.Kind == practice.Barred:
		sign := result.Kind.Sign()
		sign.Text += " —"
		if status := result.Called.Obstacle.Status; status != 0 {
			sign.Text = result.Kind.Sign().Text + " " + strconv.Itoa(status)
		}
		return []draw.Span{sign}
	case r.Test == nil:
		return []draw.Span{{Text: "—", Style: theme.Dim}}
	}
	calls := r.Test.Calls
	calls = calls[max(0, len(calls)-limit):]
	spans := make([]draw.Span, len(calls))
	for i, call := range calls {
		_, style := theme.Class(call.Status)
		text := strconv.Itoa(call.Status) + " "
		if call.Status == 0 {
			text = "—   "
		}
		spans[i] = draw.Span{Text: text, Style: style}
	}
	if len(r.Test.Calls) > limit {
		last := &spans[len(spans)-1]
		last.Text = strings.TrimRight(last.Text, " ") // makes room
		spans = append([]draw.Span{{Text: "…", Style: theme.Dim}}, spans...)
	}
	return spans
}
