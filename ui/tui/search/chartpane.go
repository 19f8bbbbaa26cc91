package search

import (
	"fmt"

	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// chartPane has the point of the chart that the user looks at: a call of the run.
type chartPane struct {
	call  int
	moved bool        // the user has chosen call; otherwise the point is the latest call
	none  widget.List // a list without rows: the chart has none
}

// at returns the call of the point.
func (p *chartPane) at(v runView) int {
	if now := v.run.snap.Summary.Calls; !p.moved || p.call > now {
		return now
	}
	return p.call
}

// goTo moves the point to a call.
func (p *chartPane) goTo(call int) { p.call, p.moved = call, true }

// move moves the point by columns of the chart, to its beginning, or to the latest call.
func (p *chartPane) move(v runView, k tea.KeyMsg, step int) {
	call := p.at(v)
	switch {
	case key.Matches(k, widget.ScrollLeft, widget.Up):
		call -= step
	case key.Matches(k, widget.ScrollRight, widget.Down):
		call += step
	case key.Matches(k, widget.PageUp):
		call -= 10 * step
	case key.Matches(k, widget.PageDown):
		call += 10 * step
	case key.Matches(k, widget.Home):
		call = 0
	case key.Matches(k, widget.End):
		call = v.run.snap.Summary.Calls
	}
	p.goTo(max(0, call))
	p.moved = p.call < v.run.snap.Summary.Calls
}

// note describes the point, and how much the run before had covered there.
func (p *chartPane) note(v runView) string {
	call := p.at(v)
	text := fmt.Sprintf("←→ call %s: %s covered", words.Count(call), words.Count(draw.CoveredAt(v.run.snap.Curve, call)))
	if before := v.run.previous; before != nil && call <= before.calls {
		text += fmt.Sprintf(", before %s", words.Count(draw.CoveredAt(before.curve, call)))
	}
	return text
}

// moveInChart moves the point of the chart.
func moveInChart(m *Model, k tea.KeyMsg) tea.Cmd {
	v := m.runView()
	m.panes.chart.move(v, k, v.chart(m.panes.layout(v).part[partChart]).Step())
	return nil
}

// showCovered shows the events of the run, with the cursor on what was covered last at the point of the chart.
func showCovered(m *Model) tea.Cmd {
	call := m.panes.chart.at(m.runView())
	m.page = pageEvents
	m.fitEvents()
	if m.events.Total() == 0 {
		m.page = pageRun
		return screen.ShowStatus("Nothing was covered yet")
	}
	m.events.GoToCall(call)
	return nil
}
