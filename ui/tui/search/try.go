package search

import (
	"fmt"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// connected are seqs with their links, to be tried by a run.
type connected struct {
	gen       int
	templates []model.Template
}

// try gives seqs to the run that is going on, or says what to do first.
func (m Model) try(msg screen.Try) tea.Cmd {
	switch {
	case m.watch.starting:
		return screen.Tell("The search is starting: try again in a moment")
	case m.study == nil, !m.watch.steerable():
		return screen.Tell("No search is going on that could try " + words.Plural(len(msg.Seqs), "seq") + ": 5 starts one")
	}
	gen, spec := m.watch.gen, m.study.Spec
	return func() tea.Msg {
		c := connected{gen: gen}
		connect := depend.Connector(spec)
		for _, seq := range msg.Seqs {
			c.templates = append(c.templates, connect(seq))
		}
		return c
	}
}

// connected asks the run to try seqs, unless it has ended since.
func (m *Model) connected(msg connected) tea.Cmd {
	if msg.gen != m.watch.gen || !m.watch.steerable() {
		return nil
	}
	for i := range msg.templates {
		m.watch.steer(model.Steer{Try: &msg.templates[i]})
	}
	return screen.Tell(fmt.Sprintf("The search tries %s next; 5 shows what comes of it", words.Plural(len(msg.templates), "seq")))
}

// wished asks the run for what another screen wishes, or says what to do first.
func (m *Model) wished(msg screen.Wish) tea.Cmd {
	switch {
	case m.watch.starting:
		return screen.Tell("The search is starting: try again in a moment")
	case !m.watch.steerable():
		return screen.Tell("No search is going on that could do that: 5 starts one")
	}
	for _, s := range msg.Steers {
		m.watch.steer(s)
	}
	return m.tellWaiting()
}

// tellWaiting tells the other screens what is not in force yet.
func (m *Model) tellWaiting() tea.Cmd {
	return m.engine.Post.Send(screen.Waiting{Steers: m.watch.waiting()})
}
