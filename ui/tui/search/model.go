// Package search is the Search screen of the app: it starts a search, shows its progress and lets the user
// steer it.
//
// Model owns the run that is shown, and the pages: the settings, the run, the source, the events, a fault
// and the searches on disk. Each page owns its state. Model has the table of the keys of all pages, and
// passes mouse events to the visible page.
package search

import (
	"time"

	"sonde/model"

	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/search/events"
	"sonde/ui/tui/search/past"
	"sonde/ui/tui/search/source"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// pollInterval is the time between two snapshots of a run.
const pollInterval = 100 * time.Millisecond

// page is a page of the screen.
type page int

// The pages. The list of searches on disk is shown over any of them.
const (
	pageForm page = iota
	pageRun
	pageSource
	pageEvents
	pageFault
)

// Model is the screen. Update returns the changed Model and leaves its receiver unchanged.
type Model struct {
	engine   screen.Engine
	host     screen.Service
	runHost  screen.Service       // the service of the run that was started last
	analyzed *screen.AnalyzedSpec // nil before a spec was opened
	names    draw.SeqNames

	width, height int
	page          page
	inPast        bool // the list of searches on disk is shown
	form          form
	run           trackedRun
	panes         runPage
	source        source.Model
	events        events.Model
	fault         faultPage
	past          past.Model

	question widget.Question // asks whether to call a remote host
	allowed  bool            // the user answered yes, on this or another screen
	stubs    []model.Stub    // the stubs that the user set for hosts before the run
	interval time.Duration
}

// New returns the screen for searches on host, without a run.
func New(engine screen.Engine, host screen.Service) screen.Screen {
	return Model{
		engine:   engine,
		host:     host,
		form:     newForm(host),
		panes:    newRunPage(),
		events:   events.New(),
		interval: pollInterval,
		question: widget.Question{Pause: widget.ConfirmPause},
	}
}

// Name returns the name of the tab.
func (m Model) Name() string { return "Search" }

// TabBadge returns the state of the run. See trackedRun.live.
func (m Model) TabBadge() string { return m.run.live() }

// Typing reports whether a text field or a question has the focus.
func (m Model) Typing() bool {
	return m.form.typing() || typingKnob(&m) || m.question.Open() ||
		m.page == pageEvents && m.events.Typing() || m.inPast && m.past.Typing()
}

// RunStarting reports whether a run was started and no snapshot of it has arrived.
func (m Model) RunStarting() bool { return m.run.active() && !m.run.hasSnapshot }

// runView returns the data that the panes of the run draw.
func (m *Model) runView() runView {
	host := m.host
	if m.run.past == nil && m.runHost.URL != "" {
		host = m.runHost
	}
	return runView{run: &m.run, host: host, analyzed: m.analyzed, names: m.names}
}

// Update handles a message.
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
		cmd = m.mouse(msg)
	case screen.SpecOpened:
		cmd = m.opened(msg)
	case screen.UsersChanged:
		m.run.usersChanged = true
	case screen.SurroundingsChanged:
		m.stubs = msg.Stubs
	case screen.PointAt:
		pointAt(&m, msg)
	case screen.ShowScreen:
		m.goTo(msg)
	case widget.HostAllowed:
		m.allowed = m.allowed || msg.URL == m.host.URL
	case screen.ServiceChanged:
		m.host, m.allowed = msg.Service, false
		m.question.Close()
		m.form.setService(msg.Service)
	case screen.SetSplits:
		m.panes.splits = msg.Splits
	case screen.RestoreSetting:
		restoreSetting(&m, msg.Setting)
	case screen.TrySeqs, screen.SteerSearch, connected:
		cmd = m.handleRunRequest(msg)
	case screen.RunProgress, started, tick:
		cmd = followed(&m, msg)
	case listed:
		m.past.Take(rowsOf(msg.all), msg.err)
	case reopened:
		cmd = m.reopened(msg)
	default:
		m.source.Update(msg)
	}
	return m, tea.Batch(cmd, m.fit())
}

// opened stores a spec that was opened. The first time, it opens the search that the app was started with,
// if any.
func (m *Model) opened(msg screen.SpecOpened) tea.Cmd {
	m.analyzed, m.names = msg.Spec, msg.Spec.Names
	m.form.spec = msg.Spec.Spec
	m.events.SetIndex(msg.Spec.Index)
	return reopenFirst(m)
}

// fit sets the sizes of the pages. Its Cmd reads or highlights the visible source.
func (m *Model) fit() tea.Cmd {
	m.form.fit(m.width, m.height)
	m.panes.fit(m.runView(), m.width, m.height)
	m.past.Fit(m.width, m.height)
	if m.page == pageEvents {
		m.fitEvents()
	}
	if m.page == pageSource {
		return m.source.Fit(m.width, m.height)
	}
	return nil
}

// fitEvents shows the newest events.
func (m *Model) fitEvents() {
	if s := m.run.snap; len(s.Log)+s.Unlogged != m.events.Total() {
		m.events.Take(m.runView().logged(), s.Unlogged)
	}
	m.events.Fit(m.width, m.height)
}

// View draws the page that is shown.
func (m Model) View(width, height int) string {
	m.width, m.height = width, height
	m.fit()
	var picture string
	switch {
	case m.inPast:
		picture = m.past.View()
	case m.page == pageForm:
		picture = m.form.view()
	case m.page == pageSource:
		picture = m.source.View(width, height)
	case m.page == pageEvents:
		picture = m.events.View()
	case m.page == pageFault:
		m.fault.fit(width, height)
		picture = m.fault.view()
	default:
		picture = m.panes.view(m.runView())
	}
	return m.question.Over(picture, width, height)
}

// start begins a run. If the host is remote and not allowed yet, or in production, it first asks the user, unless agreed
// is set: then the user has agreed to this run.
func (m *Model) start(agreed bool) tea.Cmd {
	planned := screen.PlannedCalls{
		What:   "send up to " + words.Plural(m.form.settings.Limits.Calls, "request") + " to",
		Effect: ": it reads, creates, changes and deletes",
	}
	if m.analyzed != nil {
		planned.Ops = m.analyzed.Operations()
	}
	if title, text, ask := m.host.ConsentTo(planned, m.allowed); ask && !agreed {
		return m.question.Ask(title, text, keySend, keyDont, nil)
	}
	m.showAnother()
	m.runHost = m.host
	settings := m.form.settings
	m.form.settings.ResumeFolder = ""
	settings.Stubs = nil
	if settings.Net && settings.ResumeFolder == "" {
		settings.Stubs = m.stubs
	}
	cmd := m.run.begin(m.engine, settings, settings.WhiteBox || settings.Net || m.host.Probes == usecase.ProbesAlways)
	m.source.Take(nil, nil, m.runView().noSource())
	return cmd
}

// showAnother shows the page of a run, with all panes in their initial state.
func (m *Model) showAnother() {
	m.page, m.inPast, m.form.err = pageRun, false, nil
	m.events.Clear()
	m.panes.reset()
}

// again shows the form with the settings of the shown run and the next seed. If another program started the run, the
// form keeps its settings.
func (m *Model) again() {
	if m.run.handle != nil {
		m.form.settings = supported(m.run.settings, m.host)
		m.form.settings.Seed++
		m.form.settings.ResumeFolder = ""
	}
	m.page, m.form.list.At = pageForm, 0
}

// resume resumes the shown search, which was stopped or killed.
func (m *Model) resume() tea.Cmd {
	m.form.settings = m.run.settings
	m.form.settings.ResumeFolder = m.run.folder
	return m.start(false)
}

// answer handles a message while the question is open.
func (m *Model) answer(msg tea.Msg) tea.Cmd {
	switch answer, _ := m.question.Update(msg); answer {
	case widget.Yes:
		m.allowed = true
		return tea.Batch(m.start(true), m.engine.Queue.Send(widget.HostAllowed{URL: m.host.URL}))
	case widget.No:
		m.form.settings.ResumeFolder = ""
	}
	return nil
}
