// Package record is the eighth screen: the traffic of a running service by operation, an exchange
// with the outward calls of the service as a figure, and tests that mimic what was recorded.
package record

import (
	"time"

	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the Record screen: a shell around the form of the next recording, the recording on show,
// the list of its exchanges, the exchange under the cursor, and the tests that are made.
type Screen struct {
	post          *screen.MessageQueue
	host          screen.Service
	study         *screen.AnalyzedSpec
	width, height int
	interval      time.Duration // between two looks at a recording

	form      form
	setup     bool // the form is on show, though there is a recording
	watch     watch
	exchanges exchangeList
	exchange  exchangeView
	tests     tests

	focus part
	side  side
	text  widget.List // its cursor is the first line in sight, of warnings and the report

	question widget.Question
}

// part is what has the focus.
type part int

const (
	onList part = iota
	onSide
)

// side is the pane beside the list.
type side int

const (
	sideExchange side = iota
	sidePreview
	sideReport
	sideWarnings
)

// New returns the screen. It shows nothing until something is recorded, or a recording
// is opened.
func New(e screen.Engine, host screen.Service) *Screen {
	return &Screen{
		post:      e.Queue,
		host:      host,
		interval:  200 * time.Millisecond,
		form:      newForm(host),
		watch:     watch{api: e.Recordings},
		exchanges: newExchangeList(),
		exchange:  exchangeView{service: host.Name},
		tests:     newTests(e.Recordings),
		question:  widget.Question{Pause: widget.ConfirmPause},
	}
}

// Name is the tab's word.
func (s *Screen) Name() string { return "Record" }

// TabBadge is the number of exchanges, with a mark while they become more.
func (s *Screen) TabBadge() string {
	switch n := len(s.watch.traffic.Served); {
	case s.watch.live():
		return "● " + words.Count(n)
	case n > 0:
		return words.Count(n)
	}
	return ""
}

// UnfinishedWork says that a recording would end with the app.
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

// empty reports whether there is no recording to show.
func (s *Screen) empty() bool { return !s.watch.seen }

// Update takes a message.
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
	case screen.SpecOpened:
		cmd = s.opened(msg.Spec)
	case started, tick, looked, stopped, read:
		cmd = s.watched(msg)
	case made, written, played:
		cmd = s.tested(msg)
	case widget.Highlighted:
		s.tests.view.Light(msg)
	}
	s.fit()
	return s, tea.Batch(cmd, s.refresh())
}

// opened takes a spec that was read. What was to be opened with the app is opened then.
func (s *Screen) opened(study *screen.AnalyzedSpec) tea.Cmd {
	first := s.study == nil
	s.study = study
	s.form.source = study.Spec.Source
	s.exchanges.store.order(study)
	s.exchanges.find.SetIndex(study.Index)
	s.exchanges.narrow()
	if dir := s.host.Recording; first && dir != "" {
		return tea.Batch(s.watch.open(dir), s.post.ShowScreen(screen.TabRecord, ""))
	}
	return nil
}

// take shows a newer state of what is recorded. The cursor stays on its line.
func (s *Screen) take(t screen.RecordedTraffic) {
	s.watch.traffic, s.watch.seen = t, true
	if s.exchanges.store.take(t.Recording) {
		s.exchanges.narrow()
	}
}
