package search

import (
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// mouse passes a mouse event to the page that is shown.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	switch {
	case m.question.Open() || m.form.typing() || typingKnob(m):
	case m.inPast:
		m.past.Mouse(msg)
	case m.page == pageForm:
		if m.form.mouse(msg) && m.host.URL != "" {
			return m.start(false)
		}
	case m.page == pageSource:
		m.source.Mouse(msg)
	case m.page == pageEvents:
		m.events.Mouse(msg)
	case m.page == pageFault:
		m.fault.mouse(msg)
	case slide(m, msg):
	default:
		m.panes.mouse(m.runView(), msg)
	}
	return nil
}

// pointAt moves the cursor to a row of the page that is shown. Unlike a click, it changes nothing else.
func pointAt(m *Model, at screen.PointAt) {
	click := tea.MouseMsg{X: at.X, Y: at.Y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
	switch {
	case m.question.Open() || m.form.typing() || typingKnob(m):
	case m.inPast, m.page == pageSource, m.page == pageEvents, m.page == pageFault:
		m.mouse(click)
	case m.page == pageForm:
		m.form.point(at.Y)
	default:
		m.panes.mouse(m.runView(), click)
	}
}

// slide passes a mouse event to the sliders of a run that can be steered. It reports whether a slider has handled it.
func slide(m *Model, msg tea.MouseMsg) bool {
	if !m.run.steerable() {
		return false
	}
	change, done := m.panes.knobs.mouse(m.panes.layout(m.runView()).part[partKnobs], msg)
	if change != nil {
		change(&m.run)
	}
	if done && widget.LeftClick(msg) {
		m.panes.show(partKnobs)
	}
	return done
}

// Targets returns the cells of the visible rows of the page that is shown. The page of a fault has no
// rows.
func (m Model) Targets() []screen.PointAt {
	switch {
	case m.question.Open() || m.form.typing() || typingKnob(&m) || !m.inPast && m.page == pageFault:
		return nil
	case m.inPast:
		return m.past.Targets()
	case m.page == pageForm:
		return m.form.targets()
	case m.page == pageSource:
		return m.source.Targets()
	case m.page == pageEvents:
		return m.events.Targets()
	}
	return m.panes.targets(m.runView())
}
