package practice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sonde/analysis/distil"
	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"
)

const (
	minColumns  = 76 // the minimum width, in cells, at which the curves can be beside the figures
	minRows     = 30 // the minimum height, in lines, at which the curves have room below the figures
	figureWidth = 42 // the width of the figures
	minCurves   = 7  // the number of lines of the smallest chart
	maxCurves   = 14 // the number of lines of the largest chart
)

// Fit sets the scroll range of the page, which is drawn at r.
func (p *Page) Fit(r draw.Rect) {
	h := max(0, r.H-2)
	p.scroll.Fit(max(0, len(p.lines(r.W-2, h))-h)+1, 1)
}

// View draws the page at r.
func (p *Page) View(r draw.Rect) string {
	f := draw.Frame{Title: p.title(), Width: r.W, Height: r.H, Focused: true}
	w, h := f.Inner()
	lines := p.lines(w, h)
	from := min(p.scroll.At, max(0, len(lines)-h))
	to := min(from+h, len(lines))
	if len(lines) > h {
		f.Note = fmt.Sprintf("%d of %d lines", to, len(lines))
	}
	return f.Render(strings.Join(lines[from:to], "\n"))
}

// Over draws the question over a picture of width × height cells, if it is open.
func (p *Page) Over(picture string, width, height int) string {
	return p.question.Over(picture, width, height)
}

// shows reports whether the page shows the listing that was started last: while this listing is in progress and, if
// it has the page's scope, after it has ended. Otherwise the page describes the next listing.
func (p *Page) shows() bool {
	return !p.starting && p.listing.run != nil && (!p.listing.state.Done || p.listing.scope.same(p.scope))
}

func (p *Page) title() string {
	name := p.scope.Name
	if p.shows() {
		name = p.listing.scope.Name
	}
	if name == "" {
		name = "whole API"
	}
	return "Practical seqs" + theme.Dim.Render(" · "+draw.Clean(name))
}

// lines draws the page in lines of at most width cells. The height decides how large the chart is.
func (p *Page) lines(width, height int) []string {
	if width <= 0 {
		return nil
	}
	if !p.shows() {
		return p.introduction(width)
	}
	s := &p.listing.state
	lines := []string{p.progressLine(width), ""}
	figures := p.figures(min(width, figureWidth))
	chart := max(minCurves, min(height-len(lines)-len(figures)-2, maxCurves))
	if width >= minColumns && height < minRows {
		chart = len(figures) - 1
		right := width - figureWidth - 2
		lines = append(lines, strings.Split(draw.JoinColumns(
			draw.FitLines(strings.Join(figures, "\n"), figureWidth+2, len(figures)),
			draw.FitLines(strings.Join(p.curves(right, chart), "\n"), right, len(figures)),
		), "\n")...)
	} else {
		lines = append(append(append(lines, figures...), ""), p.curves(width, chart)...)
	}
	lines = append(lines, p.end(width)...)
	return append(lines, reasons(s.Rules, width)...)
}

// introduction describes what a listing does, and the settings of the next listing.
func (p *Page) introduction(width int) []string {
	lines := wrapped("Lists seqs by DC and by SC, and calls each on the service: one that does not run to its end is dropped, and only "+
		"those that succeed get longer. A seq that both list is called once, and counts for both.", width, theme.Plain)
	reset := "The service is reset before each seq."
	if p.host.NoReset {
		reset = "No reset is configured: seqs meet what earlier ones have left."
	}
	lines = append(append(append(lines, ""), wrapped(reset, width, theme.Dim)...), "")
	service := draw.Span{Text: strings.TrimSpace(draw.Clean(p.host.Name + " " + p.host.Address())), Style: theme.Plain}
	lines = append(lines, draw.TextLine(" service ", theme.Dim).At(10, service).Cut(width).String(), p.budgetLine(width), "")
	if p.starting {
		return append(lines, wrapped(theme.Running+" starting …", width, theme.Accent)...)
	}
	return append(lines, wrapped(widget.KeyName(keyStart)+" calls the seqs", width, theme.Plain)...)
}

// budgetLine draws the budget of the next listing.
func (p *Page) budgetLine(width int) string {
	return draw.TextLine(" budget ", theme.Dim).At(
		10, draw.Span{Text: "◂ ", Style: theme.Accent}, draw.Span{Text: words.Plural(budgets[p.budget], "request"), Style: theme.Strong},
		draw.Span{Text: " ▸", Style: theme.Accent},
	).Cut(width).String()
}

// progressLine draws the used share of the budget, the number of requests and their rate.
func (p *Page) progressLine(width int) string {
	s := p.listing.state
	sign, style := theme.Running, theme.Accent
	switch {
	case s.Done && s.Err == nil:
		sign, style = theme.Ok, theme.Good
	case s.Done:
		sign, style = theme.Paused, theme.Warn
	}
	calls := words.Count(s.Summary.Calls)
	if s.Summary.Budget > 0 {
		calls += " / " + words.Count(s.Summary.Budget)
	}
	right := fmt.Sprintf("%s  %s calls/s", calls, words.Count(int(s.Summary.Rate)))
	if width < 50 {
		right = calls
	}
	bar := draw.Bar(s.Used, max(4, width-len(right)-6))
	return draw.FitLine(" "+style.Render(sign)+" "+bar+"  "+right+" ", width)
}

// figures draws a column of numbers for each rule: the numbers of listed, practical, failed, barred and open seqs,
// and others.
func (p *Page) figures(width int) []string {
	rules := p.listing.state.Rules
	right := [2]int{width - 13, width - 1} // the cell after each column
	var lines []string
	row := func(sign draw.Span, name string, style theme.Style, of func(usecase.RuleListing) string) {
		line := draw.Line{{Text: " ", Style: theme.Plain}, sign, {Text: " " + name, Style: theme.Dim}}
		for i, l := range rules {
			text := of(l)
			line = line.At(max(0, right[i]-len([]rune(text))), draw.Span{Text: text, Style: style})
		}
		lines = append(lines, line.Cut(width).String())
	}
	count := func(k Kind, of func(usecase.RuleListing) int) {
		row(k.Sign(), k.String(), theme.Plain, func(l usecase.RuleListing) string { return words.Count(of(l)) })
	}
	none := draw.Span{Text: " ", Style: theme.Plain}
	row(none, "", theme.Strong, func(l usecase.RuleListing) string { return strings.ToUpper(string(l.Rule)) })
	row(none, "listed", theme.Plain, func(l usecase.RuleListing) string { return words.LimitedCell(l.Listed, l.More) })
	row(Practical.Sign(), Practical.String(), theme.Strong, func(l usecase.RuleListing) string {
		return fmt.Sprintf("%s %3.0f%%", words.Count(l.Practical), 100*l.Share())
	})
	row(none, "all 2xx", theme.Plain, func(l usecase.RuleListing) string { return words.Count(l.Successful) })
	count(Failed, func(l usecase.RuleListing) int { return l.Failed })
	count(Barred, func(l usecase.RuleListing) int { return l.Barred })
	count(Open, func(l usecase.RuleListing) int { return l.Open })
	row(none, "operations", theme.Plain, func(l usecase.RuleListing) string {
		return words.Count(l.Operations) + " of " + words.Count(l.Reachable)
	})
	row(none, "calls", theme.Plain, func(l usecase.RuleListing) string { return words.Count(l.Calls) })
	return lines
}

// curves draws a line about the curves, and the chart of height lines below it.
func (p *Page) curves(width, height int) []string {
	what := "practical seqs"
	if p.byOps {
		what = "operations in them"
	}
	head := draw.TextLine(" "+what+"  ", theme.Dim)
	head = append(head, draw.Span{Text: "━━ DC", Style: theme.Accent}, draw.Span{Text: "  ╌╌ SC", Style: theme.Dim})
	c := draw.Chart{Width: width - 1, Height: height, Dashed: true}
	for _, l := range p.listing.state.Rules {
		points := make([]model.CurvePoint, len(l.Curve))
		for i, at := range l.Curve {
			points[i] = model.CurvePoint{Calls: at.Calls, Covered: at.Practical}
			if p.byOps {
				points[i].Covered = at.Operations
			}
		}
		c.Span = max(c.Span, l.Calls)
		if l.Rule == distil.RuleDC {
			c.Curve, c.Now = points, l.Calls
		} else {
			c.Before, c.Until = points, l.Calls
		}
	}
	return append([]string{head.Cut(width).String()}, strings.Split(c.Render(), "\n")...)
}

// end describes how the listing ended. If the user has chosen another budget since, end adds the budget of the next
// listing.
func (p *Page) end(width int) []string {
	s := p.listing.state
	if !s.Done {
		return nil
	}
	open := 0
	for _, l := range s.Rules {
		open += l.Open
	}
	text, style := "Each listed seq was called, or is barred.", theme.Good
	switch {
	case s.UsedUp:
		text, style = fmt.Sprintf("The budget is used up, and %s not reached.", were(open)), theme.Warn
	case errors.Is(s.Err, context.Canceled):
		text, style = fmt.Sprintf("Stopped, and %s not reached.", were(open)), theme.Warn
	case s.Err != nil:
		text, style = theme.Failed+" "+draw.Clean(s.Err.Error()), theme.Bad
	case slices.ContainsFunc(s.Rules, func(l usecase.RuleListing) bool { return l.GaveUp }):
		text = "There are more seqs than a listing has, which were not called."
	}
	lines := append([]string{""}, wrapped(text, width, style)...)
	if n := s.Summary.Faults; n > 0 {
		lines = append(lines, wrapped(words.Plural(n, "fault")+" found; sonde seqs --rule both prints them.", width, theme.Plain)...)
	}
	if budgets[p.budget] != s.Summary.Budget {
		lines = append(lines, p.budgetLine(width))
	}
	return lines
}

// wrapped breaks a text into lines.
func wrapped(text string, width int, style theme.Style) (lines []string) {
	for _, l := range words.Wrap(text, max(1, width-2)) {
		lines = append(lines, " "+style.Render(l))
	}
	return lines
}

func were(n int) string {
	if n == 1 {
		return "1 seq was"
	}
	return words.Plural(n, "seq") + " were"
}

// reasons draws why seqs failed or are barred. Each reason has the number of its seqs by each rule. The most frequent
// reasons come first.
func reasons(rules []usecase.RuleListing, width int) []string {
	of := map[usecase.Obstacle][]int{}
	var all []usecase.Obstacle
	for i, l := range rules {
		for _, why := range l.Reasons {
			if of[why.Obstacle] == nil {
				of[why.Obstacle] = make([]int, len(rules))
				all = append(all, why.Obstacle)
			}
			of[why.Obstacle][i] = why.Seqs
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b usecase.Obstacle) int {
		return cmp.Or(sum(of[b])-sum(of[a]), cmp.Compare(a.Op, b.Op), a.Status-b.Status)
	})
	const column = 6
	head := draw.TextLine(fmt.Sprintf(" %*s%*s  failed or barred because", column-1, "DC", column, "SC"), theme.Dim)
	lines := []string{"", head.Cut(width).String()}
	for _, why := range all {
		line := draw.TextLine(" ", theme.Plain)
		for i, n := range of[why] {
			size := column
			if i == 0 {
				size--
			}
			line = append(line, draw.Span{Text: fmt.Sprintf("%*s", size, words.Count(n)), Style: theme.Plain})
		}
		answer := why.AnswerText()
		_, style := theme.Class(why.Status)
		line = append(line, draw.Span{Text: "  ", Style: theme.Plain})
		line = append(line, draw.OperationLine(string(why.Op), max(8, width-2*column-4-len(answer)))...)
		lines = append(lines, append(line, draw.Span{Text: " " + answer, Style: style}).Cut(width).String())
	}
	return lines
}

func sum(all []int) (n int) {
	for _, one := range all {
		n += one
	}
	return n
}
