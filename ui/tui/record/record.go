// Package record is the Record screen: the recorded traffic of a service by operation, an exchange with the
// service's outward calls as a sequence diagram, and tests that are generated from the recording.
package record

import (
	"time"

	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the Record screen. It connects its parts: the form for the next recording, the current
// recording, the list of its exchanges, the exchange under the cursor, and the generated tests.
type Screen struct {
	post          *screen.MessageQueue
	host          screen.Service
	analyzed      *screen.AnalyzedSpec
	width, height int

	form      form
	setup     bool // show the form even if there is a recording
	watch     watch
	exchanges exchangeList
	exchange  exchangeView
	tests     tests
	functions functions

	focus  part
	side   side
	splits screen.Splits
	text   widget.List // lines of the warnings or the report; its cursor is the first visible line

	question widget.Question
}

// part is the pane with the focus.
type part int

const (
	onList part = iota
	onSide
)

// side is the content of the pane next to the list.
type side int

const (
	sideExchange side = iota
	sidePreview
	sideReport
	sideWarnings
	sideFunctions
)

// New returns the screen. It shows the form until there is a recording.
func New(e screen.Engine, host screen.Service) *Screen {
	return &Screen{
		post:      e.Queue,
		host:      host,
		form:      newForm(host),
		watch:     watch{api: e.Recordings, interval: 200 * time.Millisecond},
		exchanges: newExchangeList(),
		exchange:  exchangeView{service: host.Name},
		tests:     newTests(e.Recordings),
		functions: functions{api: e.Recordings},
		question:  widget.Question{Pause: widget.ConfirmPause},
	}
}

// Name returns the name of the tab.
func (s *Screen) Name() string { return "Record" }

// TabBadge returns the number of exchanges, with a mark while a recording is in progress. It returns "" if no
// recording is in progress and there are no exchanges.
func (s *Screen) TabBadge() string {
	switch n := len(s.watch.traffic.Served); {
	case s.watch.live():
		return "● " + words.Count(n)
	case n > 0:
		return words.Count(n)
	}
	return ""
}

// UnfinishedWork describes a recording in progress, "" if there is none.
func (s *Screen) UnfinishedWork() string {
	if !s.watch.live() {
		return ""
	}
	return "A recording is running: its clients lose the service then. What was recorded so far is kept."
}

// Typing reports whether a text field or a question has the focus.
func (s *Screen) Typing() bool {
	return s.question.Open() || s.tests.folder != nil || s.exchanges.find.Typing() || s.form.typing()
}

// Update handles a message.
func (s *Screen) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	var cmd tea.Cmd
	if s.question.Open() {
		_, cmd = s.question.Update(msg)
	} else if k, ok := msg.(tea.KeyMsg); ok {
		cmd = s.press(k)
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case tea.MouseMsg:
		cmd = s.mouse(msg)
	case screen.SetSplits:
		s.splits = msg.Splits
	case screen.RestoreSetting:
		restoreSetting(s, msg.Setting)
	case screen.SpecOpened:
		cmd = s.opened(msg.Spec)
	case screen.ServiceChanged:
		s.setService(msg.Service)
	case started, tick, trafficRead, stopped, read:
		cmd = s.watched(msg)
		if s.side == sideFunctions && s.watch.live() {
			cmd = tea.Batch(cmd, s.functions.follow(s.watch.folder, s.watch.traffic.Invocations))
		}
	case functionsRead:
		s.functions.update(msg)
	case made:
		cmd = s.made(msg)
	case written:
		cmd = s.written(msg)
	case played:
		s.tests.played(msg)
	case widget.Highlighted:
		s.tests.view.Light(msg)
	}
	s.fit()
	return s, tea.Batch(cmd, s.refresh())
}

// opened sorts operations in the order of the spec. The first time, it opens the recording that the command
// line names, if any.
func (s *Screen) opened(analyzed *screen.AnalyzedSpec) tea.Cmd {
	first := s.analyzed == nil
	s.analyzed = analyzed
	s.form.source = analyzed.Spec.Source
	s.exchanges.store.order(analyzed)
	s.exchanges.names = analyzed.Names
	s.exchanges.find.SetIndex(analyzed.Index)
	s.exchanges.narrow()
	if dir := s.host.Recording; first && dir != "" {
		return tea.Batch(s.watch.open(dir), s.post.ShowScreen(screen.TabRecord, ""))
	}
	return nil
}

// setService makes another service the one that the next recording is of.
func (s *Screen) setService(service screen.Service) {
	source, folder := s.form.source, s.form.watch.Folder
	s.host, s.form = service, newForm(service)
	s.form.source, s.form.watch.Folder = source, folder
	s.exchange.service = service.Name
}

// watched handles a message about the recording.
func (s *Screen) watched(msg tea.Msg) tea.Cmd {
	event := s.watch.update(msg)
	if event.begun {
		s.reset()
	}
	if event.traffic != nil {
		s.take(*event.traffic)
	}
	if settings := event.conflict; settings != nil {
		text := "There is a recording in " + draw.Clean(settings.Folder) + " already."
		start := func() tea.Cmd { return s.watch.start(*settings) }
		return s.question.Ask("Replace the recording?", text, keyReplace, keyKeep, start)
	}
	s.setup = s.setup || event.failed
	return event.cmd
}

// reset prepares the screen for another recording.
func (s *Screen) reset() {
	s.exchanges.reset()
	s.tests.forget()
	s.functions.forget()
	s.setup, s.focus, s.side = false, onList, sideExchange
}

// take shows a newer state of the recording. The cursor stays on its line.
func (s *Screen) take(t usecase.RecordedTraffic) {
	s.watch.traffic, s.watch.readable = t, true
	if s.exchanges.store.take(t.Recording) {
		s.exchanges.narrow()
	}
}
