package search

import (
	"slices"

	"sonde/ui/tui/finder"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// onEvents tells that the page of events is on show.
func (m Model) onEvents() bool { return m.inEvents && !m.setup }

// fitEvents lets the page of events have what is new, while it is on show.
func (m *Model) fitEvents() {
	if !m.onEvents() {
		return
	}
	if s := m.watch.snap; len(s.Log)+s.Unlogged != m.events.Total() {
		m.events.Take(m.logged(), s.Unlogged)
	}
	m.events.Fit(m.width, m.height)
}

// pressEvents takes a key while the events are on show. The run can be held and
// stopped from there, too.
func (m *Model) pressEvents(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.events.Typing():
		return m.events.Typed(msg)
	case m.events.Key(msg):
	case key.Matches(msg, finder.Open):
		return m.events.Focus()
	case key.Matches(msg, keyToRun):
		m.inEvents = false
	case key.Matches(msg, keyGo):
		return m.toOperation()
	case !m.watch.active():
	case key.Matches(msg, keyPause):
		m.watch.pause()
	case key.Matches(msg, keyStop):
		return m.watch.stop()
	}
	return nil
}

// eventKeys are those of the events, and of the run as far as they work there.
func (m Model) eventKeys() []key.Binding {
	keys := m.events.Keys()
	if m.events.Typing() {
		return keys
	}
	own := []key.Binding{keyToRun}
	if m.events.Operation() != "" {
		own = append(own, keyGo)
	}
	return slices.Concat(keys[:1], own, m.holdKeys(), keys[1:])
}

// holdKeys pause, resume and stop the run where another page than its own is on show.
func (m Model) holdKeys() []key.Binding {
	switch {
	case !m.watch.active():
		return nil
	case !m.watch.seen:
		return []key.Binding{keyStop}
	case m.watch.paused:
		return []key.Binding{keyResume, keyStop}
	}
	return []key.Binding{keyPause, keyStop}
}
