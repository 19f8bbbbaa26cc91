// Package export is the sixth screen: what was picked, the test file as it
// will be written, and the key that writes it.
package export

import (
	"reflect"
	"slices"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// defaultFolder is where the tests go unless the person says otherwise.
const defaultFolder = "sonde-tests"

// Screen is the Export screen.
type Screen struct {
	engine        screen.Engine
	host          screen.Service
	width, height int
	visible       bool
	names         draw.SeqNames

	phase    model.RunPhase // of the run
	starting bool           // a run is on its way
	around   screen.Surroundings

	items   []screen.SeqItem
	list    widget.List
	values  values
	hash    string // of the document that the values are for
	reading bool   // the preview has the focus, not the list
	preview preview

	formats []screen.TestFormat // the one that is written first
	modes   []string            // what tests of faults do, the chosen one first
	folder  string
	field   *textinput.Model  // while the folder or a name is being typed
	naming  string            // the ID of the test whose name that is, "" for the folder
	called  map[string]string // what the person calls tests, by their IDs
	file    file
	after   bool // the file is written once the seqs that are being run have values

	question widget.Question
	allowed  bool // to call a remote host
}

// New returns the screen. It stays empty until something is picked.
func New(engine screen.Engine, host screen.Service) *Screen {
	return &Screen{
		engine:   engine,
		host:     host,
		formats:  engine.Formats,
		modes:    engine.FaultModes,
		folder:   defaultFolder,
		called:   map[string]string{},
		values:   newValues(),
		question: widget.Question{Pause: widget.ConfirmPause},
	}
}

// Name is the tab's word.
func (s *Screen) Name() string { return "Export" }

// TabBadge is the number of picks.
func (s *Screen) TabBadge() string {
	if len(s.items) == 0 {
		return ""
	}
	return words.Count(len(s.items))
}

// Typing tells that a text field or a question has the focus.
func (s *Screen) Typing() bool { return s.field != nil || s.question.Open() }

// Update takes a message.
func (s *Screen) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	var cmd tea.Cmd
	if s.question.Open() {
		cmd = s.answer(msg)
	} else if k, ok := msg.(tea.KeyMsg); ok {
		cmd = s.press(k)
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case tea.MouseMsg:
		s.mouse(msg)
	case screen.RunProgress:
		s.phase = msg.Snapshot.Phase
	case screen.RunStarting:
		s.starting = bool(msg)
	case screen.SurroundingsChanged:
		s.around = msg.Surroundings
	case screen.SpecOpened:
		s.names = msg.Spec.Names
		s.opened(msg.Spec.Spec.Hash)
	case screen.ScreenShown:
		s.visible = msg.Tab == screen.TabExport
	case screen.PicksChanged:
		s.take(msg.Items)
	case widget.HostAllowed:
		s.allowed = s.allowed || msg.URL == s.host.URL
	case previewed:
		s.preview.take(msg)
	case widget.Highlighted:
		s.preview.Light(msg)
	case realised:
		cmd = s.realised(msg)
	case written:
		cmd = s.written(msg)
	}
	s.fit()
	return s, tea.Batch(cmd, s.refresh())
}

// opened forgets the values where the document is another now, because its seqs
// are others, too.
func (s *Screen) opened(hash string) {
	if hash == "" || hash != s.hash {
		s.values.forget()
		clear(s.called)
	}
	s.hash = hash
}

// take shows other picks; the cursor stays on its item.
func (s *Screen) take(items []screen.SeqItem) {
	at := 0
	if s.list.At < len(s.items) {
		old := s.items[s.list.At]
		at = max(0, slices.IndexFunc(items, func(i screen.SeqItem) bool { return i.ID == old.ID && slices.Equal(i.Seq, old.Seq) }))
	}
	for _, old := range s.items { // one that is built on is another seq under the same ID
		if slices.ContainsFunc(items, func(i screen.SeqItem) bool {
			return i.ID == old.ID && !(slices.Equal(i.Seq, old.Seq) && reflect.DeepEqual(i.Draft, old.Draft))
		}) {
			delete(s.values.failed, old.ID)
		}
	}
	s.items, s.list.At = items, at
	s.changed()
}

// format is the one in which tests are written.
func (s *Screen) format() screen.TestFormat {
	if len(s.formats) == 0 {
		return screen.TestFormat{Name: "go", File: "sonde_test.go", Run: "go test"}
	}
	return s.formats[0]
}

// turn shows the tests in the next format.
func (s *Screen) turn() {
	s.formats = slices.Concat(s.formats[1:], s.formats[:1])
	s.preview.Scroll.Go(0)
	s.changed()
}

// faults says what the tests of faults do.
func (s *Screen) faults() string {
	if len(s.modes) == 0 {
		return ""
	}
	return s.modes[0]
}

// turnFaults lets the tests of faults do something else.
func (s *Screen) turnFaults() {
	s.modes = slices.Concat(s.modes[1:], s.modes[:1])
	s.changed()
}

// changed tells that the file would be another one now, also than the one that
// was written.
func (s *Screen) changed() {
	s.preview.stale = true
	s.file.path = ""
}

// tests are the values of what is picked, and with each the index of its item.
func (s *Screen) tests() (tests []model.Test, items []int) {
	for i, item := range s.items {
		if t := s.values.of(item); t != nil && t.EarlierState == "" {
			named := *t
			named.Name = s.called[item.ID]
			tests, items = append(tests, named), append(items, i)
		}
	}
	return tests, items
}

// unsound is how many of the picked tests are left out because they depend on what other
// tests leave in the service, or were not played again.
func (s *Screen) unsound() int {
	n := 0
	for _, item := range s.items {
		if t := s.values.of(item); t != nil && t.EarlierState != "" {
			n++
		}
	}
	return n
}

// refresh makes the preview anew where it is on show and out of date, and
// highlights what of it is in sight.
func (s *Screen) refresh() tea.Cmd {
	if !s.visible {
		return nil
	}
	if s.preview.stale {
		tests, items := s.tests()
		return s.preview.make(s.engine, s.format(), s.faults(), tests, items)
	}
	return s.preview.highlight(s.layout().code.H - 2)
}

// fit tells the lists how much they hold and how much of it is in sight.
func (s *Screen) fit() {
	l := s.layout()
	s.list.Fit(len(s.items), max(1, l.list.H-2))
	s.preview.Fit(l.code.H - 2)
}

// answer takes a message while a question is open.
func (s *Screen) answer(msg tea.Msg) tea.Cmd {
	answer, cmd := s.question.Update(msg)
	s.after = s.after && answer != widget.No
	return cmd
}

func (s *Screen) mouse(msg tea.MouseMsg) {
	if s.Typing() {
		return
	}
	l, by := s.layout(), widget.WheelRows(msg)
	switch {
	case l.code.Has(msg.X, msg.Y):
		s.preview.Scroll.Go(s.preview.Scroll.At + by)
		s.reading = s.reading || widget.LeftClick(msg)
	case l.list.Has(msg.X, msg.Y):
		s.list.Go(s.list.At + by)
		if widget.LeftClick(msg) && s.list.Click(msg.Y-l.list.Y-1) || by != 0 {
			s.reading = false
			s.preview.show(s.list.At)
		}
	}
}
