package search

import (
	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/search/past"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// press gives a key to the page on show, and does what the page asks for.
func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	var asked request
	var cmd tea.Cmd
	switch {
	case m.inPast && !m.form.typing():
		return m.pressPast(msg)
	case m.page == pageForm || m.form.typing():
		asked = m.form.key(msg)
	case m.page == pageSource:
		return m.pressSource(msg)
	case m.page == pageEvents:
		return m.pressEvents(msg)
	case m.page == pageFault:
		asked, cmd = m.fault.key(msg)
	default:
		asked, cmd = m.panes.key(m.runView(), msg)
	}
	return tea.Batch(cmd, m.do(asked))
}

// do does what a page asks for.
func (m *Model) do(asked request) tea.Cmd {
	switch asked {
	case showRun:
		m.page = pageRun
	case showSource:
		m.page = pageSource
	case showEvents:
		m.page = pageEvents
	case showFault:
		if m.engine.DescribeFault != nil && m.fault.open(m.engine.DescribeFault, m.run.snap.Faults, m.panes.faults.list.At, m.run.ended()) {
			m.page = pageFault
		}
	case showPast:
		return m.look()
	case startRun:
		return m.start()
	case resumeRun:
		return m.resume()
	case newRun:
		m.again()
	}
	return nil
}

// pressSource takes a key while the source is on show. The run can be paused and stopped there, too.
func (m *Model) pressSource(msg tea.KeyMsg) tea.Cmd {
	done, cmd := m.source.Key(msg)
	switch {
	case done.Close:
		m.page = pageRun
	case done.Test != "":
		return m.showTest(done.Test)
	case !done.Used:
		return m.run.hold(msg)
	}
	return cmd
}

// pressEvents takes a key while the events are on show. The run can be paused and stopped there, too.
func (m *Model) pressEvents(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.events.Typing():
		return m.events.Typed(msg)
	case m.events.Key(msg):
	case key.Matches(msg, finder.KeyFilter):
		return m.events.Focus()
	case key.Matches(msg, keyToRun):
		m.page = pageRun
	case key.Matches(msg, keyGo) && m.events.Operation() != "":
		return m.engine.Queue.ShowScreen(screen.TabExplore, m.events.Operation())
	default:
		return m.run.hold(msg)
	}
	return nil
}

// pressPast takes a key while the searches on disk are on show.
func (m *Model) pressPast(msg tea.KeyMsg) tea.Cmd {
	folder, mine := m.past.Key(msg)
	switch {
	case folder != "":
		return m.reopen(folder)
	case !mine && key.Matches(msg, past.Leave):
		m.inPast = false
	}
	return nil
}

// mouse gives a click or a turn of the wheel to the page on show.
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

// Targets are the rows in sight: of the settings, of all lists of the run, of the source's files, or
// of the events.
func (m Model) Targets() []screen.PointAt {
	switch {
	case m.question.Open() || m.form.typing():
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
