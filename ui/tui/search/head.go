package search

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

func (v runView) viewHead(l layout) string {
	if !l.framed {
		return draw.FitLines(v.viewBudget(l.head.W)+"\n"+v.viewTotals(l.head.W).Render(l.head.W, false), l.head.W, l.head.H)
	}
	f := draw.Frame{Title: v.title(), Note: v.headNote(), Width: l.head.W, Height: l.head.H}
	w, _ := f.Inner()
	return f.Render(v.viewBudget(w) + "\n" + v.viewTotals(w).Render(w, false))
}

// headNote returns the number of problems to fix, the number of restarts, and the current activity of the
// run.
func (v runView) headNote() string {
	var parts []string
	if n := len(v.run.problems()); n > 0 {
		parts = append(parts, theme.Warn.Render(theme.Refused)+" "+words.Count(n)+" to fix")
	}
	if n := v.run.snap.Summary.Restarts; n > 0 {
		parts = append(parts, words.Plural(n, "restart"))
	}
	return strings.Join(append(parts, v.run.word()), theme.Dim.Render(" · "))
}

func (v runView) title() string {
	parts := []string{"Search"}
	if v.run.generation > 0 {
		parts = append(parts, fmt.Sprintf("seed %d", v.run.settings.Seed))
	}
	if v.run.settings.WhiteBox {
		parts = append(parts, "white-box")
	}
	if v.run.settings.Net {
		parts = append(parts, "virtual network")
	}
	if v.run.settings.Security {
		parts = append(parts, "security tests")
	}
	if v.host.URL != "" {
		parts = append(parts, strings.TrimSpace(draw.Clean(v.host.Name+" "+v.host.Address())))
	}
	return strings.Join(parts, theme.Dim.Render(" · "))
}

// viewBudget draws the bar of the budget, the number of calls and their rate.
func (v runView) viewBudget(width int) string {
	s := v.run.snap.Summary
	calls := words.Count(s.Calls)
	if s.Budget > 0 {
		calls = fmt.Sprintf("%*s / %s", len(words.Count(s.Budget)), calls, words.Count(s.Budget))
	}
	speed := words.Count(int(s.Rate)) + " calls/s"
	if width < 60 {
		speed = words.Count(int(s.Rate)) + "/s"
	}
	right := fmt.Sprintf("%s  %*s", calls, len("99,999")+len(speed)-len(words.Count(int(s.Rate))), speed)
	state := v.run.style().Render(v.run.glyph()) + " "
	bar := draw.Bar(v.run.share(), max(4, width-len(right)-6))
	return draw.FitLine(" "+state+bar+"  "+right+" ", width)
}

// viewTotals draws the totals of the run so far.
func (v runView) viewTotals(width int) draw.Line {
	s := v.run.snap.Summary
	of, gap, targets := " of ", "   ", "targets "
	if width < 60 {
		of, gap, targets = "/", "  ", "covered "
	}
	line := draw.TextLine(" "+targets, theme.Dim)
	line = append(line, draw.Span{Text: words.Count(s.Covered), Style: theme.Strong}, draw.Span{Text: of + words.Count(s.Targets) + gap})
	if width >= 100 {
		line = append(line, inCode(s.Code)...)
	}
	if width >= 76 {
		line = append(line, draw.Span{Text: "operations ", Style: theme.Dim})
	}
	classes := v.run.facts.classes
	line = append(
		line,
		tally(200, classes[model.ClassSucceeded], width),
		tally(400, classes[model.ClassRefused], width),
		tally(500, classes[model.ClassBroken], width),
	)
	if none := classes[model.ClassUnanswered] + classes[model.ClassUncalled]; none > 0 {
		line = append(line, draw.Span{Text: theme.Untried + " " + words.Count(none) + "  ", Style: theme.Dim})
	}
	line = append(line, draw.Span{Text: strings.TrimPrefix(of, " ") + words.Count(total(classes))})
	if width >= 76 {
		line = append(line, draw.Span{Text: gap + "tests ", Style: theme.Dim}, draw.Span{Text: words.Count(s.Tests)})
	}
	return line
}

// inCode draws the coverage of the service's source. If c is nil, the coverage is unknown, and inCode draws nothing.
func inCode(c *model.Coverage) (line draw.Line) {
	if c == nil {
		return nil
	}
	statements, branches := c.Totals()
	for _, part := range []struct {
		name  string
		share float64
	}{{"statements", statements.Fraction()}, {"branches", branches.Fraction()}} {
		line = append(line, draw.Span{Text: part.name + " ", Style: theme.Dim}, draw.Span{Text: fmt.Sprintf("%.1f%%   ", 100*part.share)})
	}
	return line
}

// tally draws a status class with a number of operations, such as "4xx 12". On a wide page the glyph of the class is
// before it.
func tally(status, n, width int) draw.Span {
	glyph, style := theme.Class(status)
	text := fmt.Sprintf("%dxx %s  ", status/100, words.Count(n))
	if width >= 100 {
		text = glyph + " " + text
	}
	return draw.Span{Text: text, Style: style}
}
