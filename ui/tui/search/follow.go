package search

import (
	"fmt"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// connected is sent when connectSeqs has found the links of seqs that the run should try.
type connected struct {
	generation int
	templates  []model.Template
}

// followed handles a message about the run.
func followed(m *Model, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.RunProgress:
		return m.progress(msg)
	case started:
		return m.started(msg)
	case tick:
		return m.run.tick(msg, m.interval)
	}
	return nil
}

// started stores the run. If the start failed, started shows the settings again, with the error. If the user stopped
// the start, it shows no error.
func (m *Model) started(msg started) tea.Cmd {
	if msg.err == nil {
		return m.run.adopt(msg.run, m.interval)
	}
	stopped := m.run.stopping
	m.run.giveUp()
	m.page = pageForm
	if stopped {
		return tea.Batch(notStarting, screen.ShowStatus("Stopped before anything was sent"))
	}
	m.form.err = msg.err
	return notStarting
}

func notStarting() tea.Msg { return screen.RunStarting(false) }

// progress shows a newer snapshot of the run.
func (m *Model) progress(msg screen.RunProgress) tea.Cmd {
	if m.page == pageForm && !m.run.hasSnapshot && !m.run.active() { // another program started the run
		m.page = pageRun
	}
	at := m.panes.cursors(m.runView())
	starting, waiting := m.RunStarting(), len(m.run.waiting())
	cmd := m.run.take(msg, m.analyzed, m.names)
	v := m.runView()
	m.source.Take(m.run.snap.Source, m.run.reads(), v.noSource())
	if starting && !m.RunStarting() {
		cmd = tea.Batch(cmd, notStarting)
	}
	if n := len(m.run.waiting()); n != waiting {
		cmd = tea.Batch(cmd, m.sendPending())
	}
	m.panes.restore(v, at)
	if m.page == pageFault {
		m.fault.refresh(m.run.snap.Faults, m.run.ended())
	}
	return cmd
}

// handleRunRequest sends the commands that another screen requested to the run. If no run takes commands, it
// tells the user what to do first.
func (m *Model) handleRunRequest(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.TrySeqs:
		if m.analyzed == nil || !m.run.steerable() {
			return m.run.unsteerable("try " + words.Plural(len(msg.Seqs), "seq"))
		}
		return connectSeqs(msg.Seqs, m.analyzed, m.run.generation)
	case connected:
		return m.connected(msg)
	case screen.SteerSearch:
		if !m.run.steerable() {
			return m.run.unsteerable("do that")
		}
		for _, s := range msg.Commands {
			m.run.apply(s)
		}
		return m.sendPending()
	}
	return nil
}

// connectSeqs finds the links of seqs in the background, before a run tries the seqs. generation is the number of the
// run.
func connectSeqs(seqs []model.Seq, analyzed *screen.AnalyzedSpec, generation int) tea.Cmd {
	return func() tea.Msg {
		c := connected{generation: generation}
		connect := analyzed.Analysis.SeqConnector()
		for _, seq := range seqs {
			c.templates = append(c.templates, connect(seq))
		}
		return c
	}
}

// connected tells the run to try seqs, unless the run has ended in the meantime.
func (m *Model) connected(msg connected) tea.Cmd {
	if msg.generation != m.run.generation || !m.run.steerable() {
		return nil
	}
	for i := range msg.templates {
		m.run.apply(model.Command{Try: &msg.templates[i]})
	}
	return screen.ShowStatus(fmt.Sprintf("The search tries %s next; 5 shows the result", words.Plural(len(msg.templates), "seq")))
}

// sendPending informs the other screens about the commands that have not taken effect yet.
func (m *Model) sendPending() tea.Cmd {
	return m.engine.Queue.Send(screen.CommandsPending{Commands: m.run.waiting()})
}

// goTo moves the cursor to the answers of an operation.
func (m *Model) goTo(msg screen.ShowScreen) {
	v := m.runView()
	if msg.Tab == screen.TabSearch && m.panes.goTo(v, msg.Op) {
		m.page, m.inPast = pageRun, false
	}
}

// showTest shows why a test is kept, or that it is no longer kept. id is the ID of the test, which the user
// chose on the page of the source.
func (m *Model) showTest(id string) tea.Cmd {
	if !m.panes.showTest(m.runView(), id) {
		return screen.ShowStatus("Test " + draw.Clean(id) + " is not kept any more: a smaller one is")
	}
	m.page = pageRun
	return nil
}
