package seqs

import (
	"fmt"
	"strconv"
	"strings"

	"sonde/analysis/distil"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// View draws the list and the details, or one of them where room is short.
func (s *Screen) View(width, height int) string {
	v := *s
	v.width, v.height = width, height
	v.fit()
	return v.question.Over(v.viewPanes(), width, height)
}

func (s *Screen) viewPanes() string {
	list, page := s.divide()
	switch {
	case list.Empty():
		return s.viewPage(page)
	case page.Empty():
		return s.viewList(list)
	}
	return draw.JoinColumns(s.viewList(list), s.viewPage(page))
}

func (s *Screen) viewList(r draw.Rect) string {
	f := draw.Frame{Title: s.title(), Width: r.W, Height: r.H, Focused: !s.reading}
	w, h := f.Inner()
	if s.rows.len() == 0 {
		return f.Render(empty(s.host.URL != "", w))
	}
	f.Note = s.tally.line(&s.rest, r.W-6).String()
	rows := append([]string{s.viewFilter(w)}, s.find.Complaint(w)...)
	rows = append(rows, columnsOf(w, s.order).head().String())
	from, to := s.list.Visible()
	for i := from; i < to; i++ {
		if s.shown[i].isHeading() {
			rows = append(rows, viewHeading(s.shown[i], w).Render(w, false))
			continue
		}
		at := i == s.list.At
		rows = append(rows, s.find.Mark(s.viewRow(s.shown[i], at, w)).Render(w, at && !s.reading))
	}
	if len(s.shown) == 0 {
		rows = append(rows, theme.Dim.Render("    nothing fits"))
	}
	return f.Render(strings.Join(rows[:min(len(rows), h)], "\n"))
}

// title says how many rows there are, and how many distilled seqs by which
// rule.
func (s *Screen) title() string {
	n, more := s.rows.len(), s.rows.study != nil && s.rows.study.GaveUp
	title := "Seqs " + number(n, more)
	if shown := len(s.shown) - s.headings; shown != n {
		title = fmt.Sprintf("Seqs %s of %s", words.Count(shown), number(n, more))
	}
	return title + theme.Dim.Render(s.rules())
}

// rules are the numbers of seqs by each rule; a mark is before the one that is
// shown.
func (s *Screen) rules() string {
	l := &s.rows.distilled
	if len(l.rows) == 0 {
		return ""
	}
	text := " · DC " + number(len(l.dc.Seqs), l.dc.GaveUp)
	if n := len(l.longer); n > 0 {
		text += fmt.Sprintf(" +%s longer", words.Count(n))
	}
	if l.sc != nil {
		text += "  SC " + number(len(l.sc.Seqs), l.sc.GaveUp)
	}
	shown := "DC "
	if l.rule == distil.SC {
		shown = "SC "
	}
	return strings.Replace(text, shown, theme.Cursor+shown, 1)
}

// viewFilter draws the filter, and at the right how the list is grouped and sorted and which
// origin is shown.
func (s *Screen) viewFilter(width int) string {
	const least = 12 // for the filter
	style := theme.Dim
	if s.only != onlyAll || s.order != asListed || s.grouping != underNone {
		style = theme.Accent
	}
	right := ansi.Truncate(s.listed(width/2), max(0, width-least), "…")
	return s.find.View(width-ansi.StringWidth(right)-1) + style.Render(right) + " "
}

// listed says how the list is grouped and sorted and which origin is shown: where that takes
// more than width cells, not that all are.
func (s *Screen) listed(width int) string {
	var parts []string
	if s.grouping != underNone {
		parts = append(parts, widget.KeyName(keyGroup)+" by "+s.grouping.String())
	}
	if s.order != asListed {
		parts = append(parts, widget.KeyName(keyOrder)+" "+s.order.String())
	}
	text := strings.Join(append(parts, widget.KeyName(keyOnly)+" origin: "+s.only.String()), "  ")
	if len(parts) > 0 && s.only == onlyAll && ansi.StringWidth(text) > width {
		return strings.Join(parts, "  ")
	}
	return text
}

func (c columns) head() draw.Line {
	var line draw.Line
	for _, h := range []struct {
		at   int
		text string
	}{{c.origin, "origin"}, {c.chain, "calls"}, {c.status, "status"}} {
		if h.at > 0 && (c.origin > 0 || h.at == c.chain) {
			line = line.At(h.at, draw.Span{Text: h.text, Style: theme.Dim})
		}
	}
	for i, f := range c.figures {
		line = c.right(line, i, draw.Span{Text: c.name(f), Style: theme.Dim})
	}
	return line
}

func (s *Screen) viewRow(r *row, at bool, width int) draw.Line {
	c := columnsOf(width, s.order)
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
	line = line.At(c.chain, s.rows.names.Spans(r.Seq, c.status-c.chain-1)...)
	line = line.At(c.status, s.statuses(r, c, width)...)
	for i, f := range c.figures {
		if n, known := f.of(r); known {
			line = c.right(line, i, f.span(n))
		}
	}
	return line
}

// right adds a span that ends where a column of numbers does.
func (c columns) right(line draw.Line, i int, s draw.Span) draw.Line {
	size := c.size(c.figures[i])
	s.Text = fmt.Sprintf("%*s", size, s.Text)
	return line.At(c.ends[i]-size, s)
}

// statuses are what each call was answered, the last ones where not all fit.
func (s *Screen) statuses(r *row, c columns, width int) []draw.Span {
	if r.Test == nil {
		return []draw.Span{{Text: "—", Style: theme.Dim}}
	}
	end := width
	if len(c.ends) > 0 {
		end = c.ends[0] - c.size(c.figures[0]) - 1
	}
	size := len("200 ")
	if c.glyphs {
		size = 1
	}
	calls := r.Test.Calls
	calls = calls[max(0, len(calls)-(end-c.status)/size):]
	spans := make([]draw.Span, len(calls))
	for i, call := range calls {
		glyph, style := theme.Class(call.Status)
		text := strconv.Itoa(call.Status) + " "
		if c.glyphs {
			text = glyph
		} else if call.Status == 0 {
			text = "—   "
		}
		spans[i] = draw.Span{Text: text, Style: style}
	}
	return spans
}

// empty says what to do while there is nothing to list.
func empty(host bool, width int) string {
	text := "No seqs here: the spec has no operations that share values, and no search has kept a test yet."
	if host {
		text += " 5 starts a search."
	}
	return "\n " + strings.Join(words.Wrap(text, min(width-2, 76)), "\n ")
}
