package search

import (
	"fmt"
	"strings"

	"sonde/ui/gauge"
	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
)

// View draws the settings, or the run.
func (m Model) View(width, height int) string {
	m.width, m.height = width, height
	m.fit()
	picture := ""
	if m.setup {
		picture = m.viewSetup()
	} else {
		picture = m.viewRun()
	}
	if m.box != nil {
		picture = m.box.Over(picture, width, height)
	}
	return picture
}

func (m Model) viewRun() string {
	l := m.layout()
	var drawn [parts]string
	for p, r := range l.part {
		if !r.Empty() {
			drawn[p] = m.viewPart(part(p), r)
		}
	}
	rows := []string{m.viewHead(l)}
	switch {
	case !l.framed:
		rows = append(rows, m.viewTabs(l))
		for _, p := range []part{partChart, partSteer, partAnswers, partFaults} { // from top to bottom
			if drawn[p] != "" {
				rows = append(rows, drawn[p])
			}
		}
	case l.large:
		right := pane.Above(drawn[partChart], pane.Beside(drawn[partSteer], drawn[partFaults]))
		rows = append(rows, pane.Beside(drawn[partAnswers], right))
	default:
		rows = append(rows,
			pane.Beside(drawn[partChart], drawn[partSteer]), pane.Beside(drawn[partAnswers], drawn[partFaults]))
	}
	return pane.Above(rows...)
}

// viewPart draws one pane in its frame.
func (m Model) viewPart(p part, r pane.Rect) string {
	f := pane.Frame{Width: r.W, Height: r.H, Focused: p == m.focus}
	w, h := f.Inner()
	var body string
	switch p {
	case partSteer:
		f.Title, f.Note, body = m.viewSteer(w, h)
	case partChart:
		f.Title, body = "Covered over calls", m.viewChart(w, h)
	case partAnswers:
		f.Title, f.Note, body = "Answers", m.note(p), m.viewAnswers(w)
	case partFaults:
		f.Title, f.Note, body = "Faults "+words.Count(len(m.watch.snap.Faults)), m.note(p), m.viewFaults(w, h)
	}
	return f.Render(body)
}

// note tells where in a list the cursor is, if not all of it is in sight.
func (m Model) note(p part) string {
	l := m.lists[p]
	if l.Rows <= l.Height {
		return ""
	}
	return fmt.Sprintf("%d of %d", l.At+1, l.Rows)
}

func (m Model) viewHead(l layout) string {
	if !l.framed {
		return pane.Fit(m.viewBudget(l.head.W)+"\n"+m.viewTotals(l.head.W).Render(l.head.W, false), l.head.W, l.head.H)
	}
	f := pane.Frame{Title: m.title(), Note: m.watch.word(), Width: l.head.W, Height: l.head.H}
	w, _ := f.Inner()
	return f.Render(m.viewBudget(w) + "\n" + m.viewTotals(w).Render(w, false))
}

func (m Model) title() string {
	parts := []string{"Search"}
	if m.watch.gen > 0 {
		parts = append(parts, fmt.Sprintf("seed %d", m.watch.settings.Seed))
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
	if width >= 60 {
		line = append(line, pane.Span{Text: "operations ", Style: theme.Dim})
	}
	line = append(line, tally(200, s.With2xx), tally(400, m.watch.facts.refused), tally(500, s.With5xx),
		pane.Span{Text: strings.TrimPrefix(of, " ") + words.Count(s.Operations)})
	if width >= 76 {
		line = append(line, pane.Span{Text: gap + "tests ", Style: theme.Dim}, pane.Span{Text: words.Count(s.Tests)})
	}
	return line
}

// tally is a status class's glyph with a number of operations.
func tally(status, n int) pane.Span {
	glyph, style := theme.Class(status)
	return pane.Span{Text: glyph + " " + words.Count(n) + "  ", Style: style}
}

// The panes' names where only one is shown at a time.
func (m Model) tabName(p part) string {
	switch p {
	case partChart:
		return "Chart"
	case partAnswers:
		return "Answers"
	case partFaults:
		return "Faults"
	}
	if m.watch.ended() {
		return "Result"
	}
	return "Knobs"
}

func (m Model) viewTabs(l layout) string {
	var line pane.Line
	for _, p := range l.visible {
		span := pane.Span{Text: "  " + m.tabName(p), Style: theme.Dim}
		if p == m.focus {
			span = pane.Span{Text: " " + theme.Cursor + m.tabName(p), Style: theme.Active}
		}
		line = append(line, span)
	}
	return line.Render(l.tabs.W, false)
}

// tabAt returns the pane whose name was clicked.
func (m Model) tabAt(l layout, msg tea.MouseMsg) (part, bool) {
	if !pane.Clicked(msg) || !l.tabs.Has(msg.X, msg.Y) {
		return 0, false
	}
	x := 0
	for _, p := range l.visible {
		if x += len("  ") + len(m.tabName(p)); msg.X < x {
			return p, true
		}
	}
	return 0, false
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
	return "running"
}

func (w watch) style() lipgloss.Style {
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
