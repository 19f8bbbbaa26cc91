package search

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/gauge"
	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/words"
)

func (m Model) viewHead(l layout) string {
	if !l.framed {
		return pane.Fit(m.viewBudget(l.head.W)+"\n"+m.viewTotals(l.head.W).Render(l.head.W, false), l.head.W, l.head.H)
	}
	f := pane.Frame{Title: m.title(), Note: m.headNote(), Width: l.head.W, Height: l.head.H}
	w, _ := f.Inner()
	return f.Render(m.viewBudget(w) + "\n" + m.viewTotals(w).Render(w, false))
}

// headNote says what the run does, and whether there is something to mend.
func (m Model) headNote() string {
	var parts []string
	if n := len(m.toMend()); n > 0 {
		parts = append(parts, theme.Warn.Render(theme.Refused)+" "+words.Count(n)+" to mend")
	}
	if n := m.watch.snap.Summary.Restarts; n > 0 {
		parts = append(parts, words.Plural(n, "restart"))
	}
	return strings.Join(append(parts, m.watch.word()), theme.Dim.Render(" · "))
}

func (m Model) title() string {
	parts := []string{"Search"}
	if m.watch.gen > 0 {
		parts = append(parts, fmt.Sprintf("seed %d", m.watch.settings.Seed))
	}
	if m.watch.settings.White {
		parts = append(parts, "white-box")
	}
	if m.watch.settings.Net {
		parts = append(parts, "virtual network")
	}
	if m.host.URL != "" {
		parts = append(parts, strings.TrimSpace(pane.Clean(m.host.Name+" "+m.host.URL)))
	}
	return strings.Join(parts, theme.Dim.Render(" · "))
}

// viewBudget draws the bar, and at its right the calls and their speed.
func (m Model) viewBudget(width int) string {
	s := m.watch.snap.Summary
	calls := words.Count(s.Calls)
	if s.Budget > 0 {
		calls = fmt.Sprintf("%*s / %s", len(words.Count(s.Budget)), calls, words.Count(s.Budget))
	}
	speed := words.Count(int(s.Rate)) + " calls/s"
	if width < 60 {
		speed = words.Count(int(s.Rate)) + "/s"
	}
	right := fmt.Sprintf("%s  %*s", calls, len("99,999")+len(speed)-len(words.Count(int(s.Rate))), speed)
	state := m.watch.style().Render(m.watch.glyph()) + " "
	bar := gauge.Bar(m.watch.share(), max(4, width-len(right)-6))
	return pane.FitLine(" "+state+bar+"  "+right+" ", width)
}

// viewTotals draws what the run came to so far.
func (m Model) viewTotals(width int) pane.Line {
	s := m.watch.snap.Summary
	of, gap, targets := " of ", "   ", "targets "
	if width < 60 {
		of, gap, targets = "/", "  ", "covered "
	}
	line := pane.Text(" "+targets, theme.Dim)
	line = append(line, pane.Span{Text: words.Count(s.Covered), Style: theme.Strong}, pane.Span{Text: of + words.Count(s.Targets) + gap})
	if width >= 100 {
		line = append(line, inCode(s.Code)...)
	}
	if width >= 60 {
		line = append(line, pane.Span{Text: "operations ", Style: theme.Dim})
	}
	classes := m.watch.facts.classes
	line = append(line, tally(200, classes[model.Good]), tally(400, classes[model.Refused]), tally(500, classes[model.Broken]))
	if none := classes[model.Unanswered] + classes[model.Uncalled]; none > 0 {
		line = append(line, pane.Span{Text: theme.Untried + " " + words.Count(none) + "  ", Style: theme.Dim})
	}
	line = append(line, pane.Span{Text: strings.TrimPrefix(of, " ") + words.Count(total(classes))})
	if width >= 76 {
		line = append(line, pane.Span{Text: gap + "tests ", Style: theme.Dim}, pane.Span{Text: words.Count(s.Tests)})
	}
	return line
}

// inCode is how much of the service's source was reached, where somebody sees it.
func inCode(c *model.Coverage) (line pane.Line) {
	if c == nil {
		return nil
	}
	statements, branches := c.Whole()
	for _, part := range []struct {
		name  string
		share float64
	}{{"statements", statements.Share()}, {"branches", branches.Share()}} {
		line = append(line, pane.Span{Text: part.name + " ", Style: theme.Dim}, pane.Span{Text: fmt.Sprintf("%.1f%%   ", 100*part.share)})
	}
	return line
}

// tally is a status class's glyph with a number of operations.
func tally(status, n int) pane.Span {
	glyph, style := theme.Class(status)
	return pane.Span{Text: glyph + " " + words.Count(n) + "  ", Style: style}
}

// glyph and word say what the run does now.
func (w watch) glyph() string {
	switch {
	case w.starting:
		return "…"
	case w.ended() && w.failure() != nil:
		return theme.Failed
	case w.ended():
		return theme.Ok
	case w.halted():
		return theme.Paused
	}
	return theme.Running
}

func (w watch) word() string {
	switch {
	case w.starting && w.stopping:
		return "stopping …"
	case w.starting && w.builds:
		return "building the service with probes"
	case w.starting:
		return "starting"
	case w.ended() && w.failure() != nil:
		return "failed"
	case w.ended() && w.snap.Summary.Cancelled:
		return "stopped"
	case w.ended():
		return "done"
	case w.stopping:
		return "stopping …"
	case w.paused && !w.halted():
		return "pausing …"
	case w.halted():
		return "paused"
	}
	if left := words.Left(w.snap.Left()); left != "" {
		return "running, " + left
	}
	return "running"
}

func (w watch) style() theme.Style {
	switch {
	case w.ended() && w.failure() != nil:
		return theme.Bad
	case w.ended():
		return theme.Good
	case w.halted():
		return theme.Warn
	}
	return theme.Accent
}
