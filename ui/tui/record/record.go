// Package record is the eighth screen: what goes in and out of a running service,
// grouped by operation, an exchange with what the service sent for it as a figure, and
// the tests that mimic what was recorded.
package record

import (
	"time"

	"sonde/model"
	"sonde/ui/ask"
	"sonde/ui/code"
	"sonde/ui/pane"
	"sonde/ui/tui/filter"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the Record screen.
type Screen struct {
	engine        screen.Recordings
	post          *screen.Post
	host          screen.Host
	study         *screen.Study
	width, height int
	every         time.Duration // between two looks at what goes on

	form  form
	setup bool // the form is on show, though there is a recording
	watch watch
	store store

	shown []line // that fit the filter
	list  pane.List
	find  finder.Finder
	best  filter.Rank // how well what is listed fits the filter
	all   bool        // every exchange is listed, not one of each shape

	focus   part
	side    side
	at      int       // the message of the exchange that is marked
	figure  pane.List // its cursor is the first line in sight
	message pane.List // the same
	text    pane.List // the same, of warnings and the report

	tests  tests
	folder *textinput.Model // while the folder of the tests is being typed

	question ask.Question
}

// part is what has the focus.
type part int

const (
	onList part = iota
	onSide
)

// side is what stands beside the list.
type side int

const (
	exchange side = iota
	preview
	report
	warnings
)

// New returns the screen. It shows nothing until something is recorded, or a recording
// is opened.
func New(e screen.Engine, host screen.Host) *Screen {
	return &Screen{
		engine: e.Recordings, post: e.Post, host: host, every: 200 * time.Millisecond, question: ask.Question{Pause: ask.Pause},
		form: newForm(host), find: finder.New("operation, status:5xx, !not", "host"), tests: newTests(), store: newStore(),
	}
}

// Name is the tab's word.
func (s *Screen) Name() string { return "Record" }

// Live is the number of exchanges, with a mark while they become more.
func (s *Screen) Live() string {
	switch n := len(s.watch.traffic.Served); {
	case s.watch.live():
		return "● " + words.Count(n)
	case n > 0:
		return words.Count(n)
	}
	return ""
}

// Holds says that a recording would end with the app.
func (s *Screen) Holds() string {
	if !s.watch.live() {
		return ""
	}
	return "A recording is going on: who talks to the service through it finds nobody there then. What was recorded so far is kept."
}

// Typing tells that a text field or a question has the focus.
func (s *Screen) Typing() bool {
	return s.question.Open() || s.folder != nil || s.find.Typing() || s.form.typing()
}

// empty tells that there is no recording to show.
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
	case screen.Opened:
		cmd = s.opened(msg.Study)
	case started, tick, looked, stopped, read:
		cmd = s.watched(msg)
	case made, written, played:
		cmd = s.tested(msg)
	case code.Lit:
		s.tests.view.Light(msg)
	}
	s.fit()
	return s, tea.Batch(cmd, s.refresh())
}

// opened takes a spec that was read. What was to be opened with the app is opened then.
func (s *Screen) opened(study *screen.Study) tea.Cmd {
	first := s.study == nil
	s.study = study
	s.store.order(study)
	s.find.Look(study.Index)
	s.narrow()
	if dir := s.host.Recording; first && dir != "" {
		return tea.Batch(s.open(dir), s.post.Show(screen.Record, ""))
	}
	return nil
}

// take shows a newer state of what is recorded. The cursor stays on its line.
func (s *Screen) take(t screen.Traffic) {
	s.watch.traffic, s.watch.seen = t, true
	if s.store.take(t.Recording) {
		s.narrow()
	}
}

// served is the exchange under the cursor, nil where there is none.
func (s *Screen) served() *model.Served {
	if l := s.line(); l != nil && l.entry != nil {
		return l.entry.Served
	}
	return nil
}

// line is the line under the cursor, nil where there is none.
func (s *Screen) line() *line {
	if s.list.At < len(s.shown) {
		return &s.shown[s.list.At]
	}
	return nil
}
