// Package search is the app's fifth screen: it starts a search, shows what
// it finds while it goes on, and lets a person steer it.
package search

import (
	"fmt"
	"sonde/model"
	"time"

	"sonde/ui/ask"
	"sonde/ui/chain"
	"sonde/ui/pane"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/search/events"
	"sonde/ui/tui/search/past"
	"sonde/ui/tui/search/source"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// tickEvery is how often a run is looked at.
const tickEvery = 100 * time.Millisecond

// Model is the screen. Its methods leave it as it is and return the next.
type Model struct {
	engine screen.Engine
	host   screen.Host
	study  *screen.Study // nil before a spec was opened
	names  chain.Names

	width, height int
	setup         bool // the settings are on show, not the run
	form          form
	watch         watch
	focus         part
	lower         lower
	lists         [parts]pane.List
	chosen        scope        // which operations the person wants to stress together
	question      ask.Question // whether to call a remote host
	allowed       bool         // it was answered with yes
	stubs         []model.Stub // that a person put at hosts before
	code          source.Model
	inCode        bool // what was reached of the source is on show, not the run
	fromCode      bool // the test on show was asked for there
	events        events.Model
	inEvents      bool // what happened is on show, not the run
	past          past.Model
	inPast        bool // the searches on disk are on show
	page          faultPage
	inFault       bool // a fault is on show, not the run

	every time.Duration
}

// New returns the screen for searches on host, none before a person starts one.
func New(engine screen.Engine, host screen.Host) screen.Screen {
	return Model{engine: engine, host: host, setup: true, form: newForm(host), lower: lowerFirst, events: events.New(), every: tickEvery, question: ask.Question{Pause: ask.Pause}}
}

// Name is the tab's word.
func (m Model) Name() string { return "Search" }

// Live is the state of the run: a glyph with the used share of the budget,
// after it the number of targets covered.
func (m Model) Live() string {
	switch {
	case m.watch.starting:
		return "…"
	case !m.watch.seen:
		return ""
	case m.watch.ended() && m.watch.failure() != nil:
		return m.watch.glyph()
	case m.watch.ended():
		return m.watch.glyph() + " " + words.Count(m.watch.snap.Summary.Covered)
	}
	return fmt.Sprintf("%s %.0f%%", m.watch.glyph(), 100*m.watch.share())
}

// Typing tells that a text field or a question has the focus.
func (m Model) Typing() bool {
	return m.form.typing() || m.question.Open() || m.onEvents() && m.events.Typing() || m.inPast && m.past.Typing()
}

// Starting tells that a run was asked for and does not show yet.
func (m Model) Starting() bool { return m.watch.active() && !m.watch.seen }

// Update takes a message.
func (m Model) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	var cmd tea.Cmd
	if m.question.Open() {
		cmd = m.answer(msg)
	} else if msg, ok := msg.(tea.KeyMsg); ok {
		cmd = m.press(msg)
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.MouseMsg:
		m.mouse(msg)
	case screen.Opened:
		m.study, m.names = msg.Study, msg.Study.Names
		m.events.Look(msg.Study.Index)
		cmd = m.first()
	case screen.LoginsChanged:
		m.watch.users = true
	case screen.Around:
		m.stubs = msg.Stubs
	case screen.Progress:
		cmd = m.progress(msg)
	case screen.Point:
		m.point(msg)
	case screen.Goto:
		m.goTo(msg)
	case screen.Try:
		cmd = m.try(msg)
	case screen.Wish:
		cmd = m.wished(msg)
	case connected:
		cmd = m.connected(msg)
	case ask.Allowed:
		m.allowed = m.allowed || msg.URL == m.host.URL
	case started:
		cmd = m.started(msg)
	case listed:
		m.listed(msg)
	case reopened:
		cmd = m.reopened(msg)
	case tick:
		cmd = m.watch.tick(msg, m.every)
	default:
		m.code.Update(msg)
	}
	m.fit()
	m.fitEvents()
	m.past.Fit(m.width, m.height)
	return m, tea.Batch(cmd, m.fitCode())
}

// start begins a run, or asks first where that calls a remote host.
func (m *Model) start() tea.Cmd {
	if m.host.Remote && !m.allowed {
		text := fmt.Sprintf("Sonde will send up to %s to %s: it reads, creates, changes and deletes.",
			words.Plural(m.form.settings.Limits.Calls, "request"), pane.Clean(m.host.URL))
		return m.question.Ask(ask.Remote, text, keySend, keyDont, nil)
	}
	m.turn()
	settings := m.form.settings
	m.form.settings.Onward = ""
	settings.Stubs = nil
	if settings.Net && settings.Onward == "" {
		settings.Stubs = m.stubs
	}
	cmd := m.watch.begin(m.engine, settings, m.form.settings.White || m.form.settings.Net || m.host.Sight == screen.Sees)
	m.code.Take(nil, nil, m.unseen())
	return cmd
}

// turn shows another run, from its first line on.
func (m *Model) turn() {
	m.setup, m.form.err, m.inCode, m.inEvents, m.inPast, m.inFault, m.fromCode = false, nil, false, false, false, false, false
	m.events.Clear()
	m.focus, m.lower, m.lists = partSteer, lowerFirst, [parts]pane.List{}
}

// answer takes a message while the question is open.
func (m *Model) answer(msg tea.Msg) tea.Cmd {
	switch answer, _ := m.question.Update(msg); answer {
	case ask.Yes:
		m.allowed = true
		return tea.Batch(m.start(), m.engine.Post.Send(ask.Allowed{URL: m.host.URL}))
	case ask.No:
		m.form.settings.Onward = ""
	}
	return nil
}

// started takes the run, or goes back to the settings with what went wrong.
func (m *Model) started(msg started) tea.Cmd {
	if msg.err != nil {
		stopped := m.watch.stopping
		m.watch.giveUp()
		m.setup = true
		if stopped {
			return tea.Batch(notStarting, screen.Tell("Stopped before anything was sent"))
		}
		m.form.err = msg.err
		return notStarting
	}
	return m.watch.adopt(msg.run, m.every)
}

func notStarting() tea.Msg { return screen.Starting(false) }

// progress shows a newer state of the run. The fault, test or target under a cursor that
// was moved stays there, whatever comes in above it.
func (m *Model) progress(msg screen.Progress) tea.Cmd {
	before, test, target := len(m.watch.snap.Faults), m.test(), m.target()
	if !m.watch.seen && !m.watch.active() { // opened, not started here
		m.setup = false
	}
	ended, starting, waiting := m.watch.ended(), m.Starting(), len(m.watch.waiting())
	cmd := m.watch.take(msg, m.study, m.names)
	m.code.Take(m.watch.snap.Source, m.watch.reads(), m.unseen())
	if starting && !m.Starting() {
		cmd = tea.Batch(cmd, notStarting)
	}
	if n := len(m.watch.waiting()); n != waiting {
		cmd = tea.Batch(cmd, m.tellWaiting())
	}
	if m.watch.ended() && !ended {
		m.lists[partSteer] = pane.List{} // the result begins at its first line
	}
	m.stay(test)
	m.stayOn(target)
	if l := &m.lists[partFaults]; l.At > 0 || l.Top > 0 {
		more := max(0, len(m.watch.snap.Faults)-before)
		l.At, l.Top = l.At+more, l.Top+more
	}
	m.refreshFault()
	return cmd
}

// again prepares a run with the next seed.
func (m *Model) again() {
	if m.watch.run != nil {
		m.form.settings = m.possible(m.watch.settings)
		m.form.settings.Seed++
		m.form.settings.Onward = ""
	}
	m.setup = true
}
