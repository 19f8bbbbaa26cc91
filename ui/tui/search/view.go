package search

import (
	"fmt"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// View draws the settings, or the run.
func (m Model) View(width, height int) string {
	m.width, m.height = width, height
	m.fit()
	picture := ""
	switch {
	case m.inPast:
		m.past.Fit(width, height)
		picture = m.past.View()
	case m.setup:
		picture = m.viewSetup()
	case m.inCode:
		picture = m.code.View(width, height)
	case m.inEvents:
		m.fitEvents()
		picture = m.events.View()
	case m.inFault:
		m.fitFault()
		picture = m.viewFaultPage()
	default:
		picture = m.viewRun()
	}
	return m.question.Over(picture, width, height)
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
		rows = append(rows, stacked(drawn)...)
	case l.large:
		right := pane.Above(drawn[partChart], pane.Beside(drawn[partSteer], drawn[m.lower.right]))
		rows = append(rows, pane.Beside(drawn[m.lower.left], right))
	default:
		rows = append(rows,
			pane.Beside(drawn[partChart], drawn[partSteer]), pane.Beside(drawn[m.lower.left], drawn[m.lower.right]))
	}
	return m.overDenied(pane.Above(rows...))
}

// stacked are the panes that are drawn, from top to bottom.
func stacked(drawn [parts]string) (rows []string) {
	for _, p := range []part{partChart, partSteer, partAnswers, partFaults, partNotes, partTests, partWhy, partOpen} {
		if drawn[p] != "" {
			rows = append(rows, drawn[p])
		}
	}
	return rows
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
		f.Title, f.Note, body = "Covered over calls", m.watch.rival.against(m.watch.snap.Summary.Calls), m.viewChart(w, h)
	case partAnswers:
		f.Note, body = position(m.lists[p]), m.viewAnswers(w)
	case partFaults:
		f.Note, body = position(m.lists[p]), m.viewFaults(w, h)
	case partTests:
		f.Note, body = position(m.lists[p]), m.viewTests(w)
	case partOpen:
		f.Note, body = position(m.lists[p]), m.viewOpen(w)
	case partWhy, partNotes:
		f.Note, body = m.viewText(p, w, h)
	}
	if f.Title == "" {
		f.Title = m.partTitle(p)
	}
	return f.Render(body)
}

// partTitle names a pane, and those that can be shown in its place.
func (m Model) partTitle(p part) string {
	tests, faults := "Tests "+words.Count(len(m.watch.snap.Tests)), m.faultsTitle()
	open := "Open " + words.Count(len(m.watch.snap.Open))
	switch p {
	case partAnswers:
		if s := m.scopeTitle(); s != "" {
			return "Answers" + theme.Accent.Render(" · for "+s)
		}
		return "Answers" + theme.Dim.Render(" · ") + tests + theme.Dim.Render(" · ") + open
	case partOpen:
		return open + theme.Dim.Render(" · Answers · ") + tests
	case partTests:
		return tests
	case partNotes:
		return m.notesTitle() + theme.Dim.Render(" · ") + faults
	case partWhy:
		if t := m.test(); t != nil {
			return "Why " + pane.Clean(t.ID) + "?"
		}
		return "Why?"
	}
	return faults + theme.Dim.Render(" · ") + m.notesTitle()
}

// faultsTitle is how many faults there are, and how many more are listed that do not
// count: notes, and flaky ones.
func (m Model) faultsTitle() string {
	t := model.TallyFaults(m.watch.snap.Faults)
	title := "Faults " + words.Count(t.Count())
	if t.Others() > 0 {
		title += theme.Dim.Render(" +" + words.Count(t.Others()))
	}
	return title
}

// position tells where in a list the cursor is, if not all of it is in sight.
func position(l pane.List) string {
	if l.Rows <= l.Height {
		return ""
	}
	return fmt.Sprintf("%d of %d", l.At+1, l.Rows)
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
	case partTests:
		return "Tests"
	case partOpen:
		return "Open"
	case partWhy:
		return "Why"
	case partNotes:
		if n := len(m.toMend()); n > 0 {
			return "Notes " + theme.Refused + words.Count(n)
		}
		return "Notes"
	}
	if m.watch.ended() {
		return "Result"
	}
	return "Knobs"
}

// tabSpans are the names of the panes, and how many cells of them are left out
// at the left to have that of the focus in sight.
func (m Model) tabSpans(l layout) (line pane.Line, off int) {
	for _, p := range l.visible {
		span := pane.Span{Text: "  " + m.tabName(p), Style: theme.Dim}
		if p == m.focus {
			span = pane.Span{Text: " " + theme.Cursor + m.tabName(p), Style: theme.Active}
		}
		line = append(line, span)
		if p == m.focus {
			off = max(0, line.Width()+len("  …")-l.tabs.W)
		}
	}
	return line, min(off, max(0, line.Width()-l.tabs.W))
}

func (m Model) viewTabs(l layout) string {
	line, off := m.tabSpans(l)
	return line.Drop(off).Render(l.tabs.W, false)
}

// tabAt returns the pane whose name was clicked.
func (m Model) tabAt(l layout, msg tea.MouseMsg) (part, bool) {
	if !pane.Clicked(msg) || !l.tabs.Has(msg.X, msg.Y) {
		return 0, false
	}
	line, off := m.tabSpans(l)
	for i, p := range l.visible {
		if msg.X+off < line[:i+1].Width() {
			return p, true
		}
	}
	return 0, false
}
