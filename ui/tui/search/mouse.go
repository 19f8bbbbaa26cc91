package search

import (
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// mouse passes a mouse event to the page that is shown.
func (m *Model) mouse(msg tea.MouseMsg) {
	switch {
	case m.question.Open() || m.form.typing():
	case m.inPast:
		m.past.Mouse(msg)
	case m.page == pageForm:
		m.form.mouse(msg)
	case m.page == pageSource:
		m.source.Mouse(msg)
	case m.page == pageEvents:
		m.events.Mouse(msg)
	case m.page == pageFault:
		m.fault.mouse(msg)
	default:
		m.panes.mouse(m.runView(), msg)
	}
}

// Targets returns the cells of the visible rows of the page that is shown. The page of a fault has no
// rows.
func (m Model) Targets() []screen.PointAt {
	switch {
	case m.question.Open() || m.form.typing() || !m.inPast && m.page == pageFault:
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
