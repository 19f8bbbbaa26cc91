package search

import (
	"slices"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// fitCode lets the page of the source ask for what is in sight, while it is on
// show.
func (m *Model) fitCode() tea.Cmd {
	if !m.inCode || m.setup {
		return nil
	}
	return m.code.Fit(m.width, m.height)
}

// pressCode takes a key while the source is on show. The run can be held and
// stopped from there, too.
func (m *Model) pressCode(msg tea.KeyMsg) tea.Cmd {
	done, cmd := m.code.Key(msg)
	switch {
	case done.Close:
		m.inCode = false
	case done.Test != "":
		return m.showTest(done.Test)
	case done.Mine || !m.watch.active():
	case key.Matches(msg, keyPause):
		m.watch.pause()
	case key.Matches(msg, keyStop):
		return m.watch.stop()
	}
	return cmd
}

// codeKeys are those of the source, and of the run as far as they work there.
func (m Model) codeKeys() []key.Binding {
	keys := m.code.Keys()
	return slices.Insert(keys, min(3, len(keys)), m.holdKeys()...)
}

// showTest shows why there is a test that covers something of the source.
func (m *Model) showTest(id string) tea.Cmd {
	at := slices.IndexFunc(m.watch.snap.Tests, func(t model.Test) bool { return t.ID == id })
	if at < 0 {
		return screen.Tell("Test " + pane.Clean(id) + " is not kept any more: a smaller one is")
	}
	m.lists[partWhy] = pane.List{}
	m.show(partTests)
	m.fit()
	m.lists[partTests].Go(justJudged + 1 + at)
	m.show(partWhy)
	m.inCode, m.fromCode = false, true
	return nil
}

// unseen says what to do where a run sees nothing of the service's source.
func (m Model) unseen() string {
	for _, w := range m.watch.snap.Summary.Warnings {
		if w.Kind == model.WarnProbes {
			return w.Text
		}
	}
	switch {
	case m.watch.past != nil && m.watch.settings.White:
		return "The source is on show while a search goes on. What this one reached of it is kept: go tool cover -html=" + pane.Clean(m.watch.folder) + "/cover.out"
	case m.watch.starting && m.watch.builds:
		return "The service is being built with probes. What the search reaches of its source stands here then."
	case m.host.Sight == screen.NoSight:
		return "Nothing is seen of the service's source: the search looks at its answers only.\n" +
			"Let Sonde build a Go service with probes: say sut: {build: ./cmd/server} in sonde.yaml. Then its source stands here, with what is covered."
	}
	return "Nothing is seen of the service's source: the search looks at its answers only.\n" +
		"Start one with white-box on: its source stands here then, with what is covered."
}
