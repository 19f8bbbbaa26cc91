// Package export is the Export screen: the picked seqs and tests, a preview of the test file, and the key
// that writes it. The export packages convert tests to files.
package export

import (
	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the Export screen.
type Screen struct {
	engine        screen.Engine
	service       screen.Service
	width, height int
	splits        screen.Splits
	shown         bool // the screen is visible
	seqNames      draw.SeqNames
	specHash      string // hash of the spec to which the values belong

	phase        model.RunPhase // the phase of the search
	starting     bool           // a search was started and has sent no progress yet
	surroundings usecase.Surroundings

	picks          picks
	preview        preview
	previewFocused bool // the preview has the focus, not the list
	destination    destination
	entry          *textEntry // nil while nothing is typed
	formats        formatList
	writeAfterRun  bool // write the file once the seqs in the queue have values

	question widget.Question
	allowed  bool // calls to a remote service are allowed
}

// New returns the screen. It is empty until something is picked.
func New(engine screen.Engine, service screen.Service) *Screen {
	return &Screen{
		engine:  engine,
		service: service,
		picks:   newPicks(),
		destination: destination{
			formats:    engine.TestFiles.Formats,
			faultModes: engine.TestFiles.FaultModes,
			folder:     defaultFolder,
		},
		formats:  newFormatList(),
		question: widget.Question{Pause: widget.ConfirmPause},
	}
}

// Name returns the name of the tab.
func (s *Screen) Name() string { return "Export" }

// TabBadge returns the number of picks, "" if there are none.
func (s *Screen) TabBadge() string {
	if len(s.picks.items) == 0 {
		return ""
	}
	return words.Count(len(s.picks.items))
}

// Typing reports whether a text field or a question has the focus.
func (s *Screen) Typing() bool { return s.entry != nil || s.question.Open() || s.formats.typing() }

// Update handles a message.
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
		cmd = s.mouse(msg)
	case screen.RunProgress:
		s.phase = msg.Snapshot.Phase
	case screen.RunStarting:
		s.starting = bool(msg)
	case screen.SurroundingsChanged:
		s.surroundings = msg.Surroundings
	case screen.SetSplits:
		s.splits = msg.Splits
	case screen.SpecOpened:
		s.seqNames = msg.Spec.Names
		s.specOpened(msg.Spec.Spec.Hash)
	case screen.Shown:
		s.shown = msg.Tab == screen.TabExport
	case screen.PicksChanged:
		s.picks.set(msg.Items)
		s.fileChanged()
	case widget.HostAllowed:
		s.allowed = s.allowed || msg.URL == s.service.URL
	case screen.ServiceChanged:
		s.setService(msg.Service)
	case compared:
		s.formats.take(msg)
	case previewed:
		s.preview.accept(msg)
	case widget.Highlighted:
		s.preview.Light(msg)
	case itemRun:
		cmd = s.itemRun(msg)
	case fileWritten:
		cmd = s.fileWritten(msg)
	}
	s.fit()
	return s, tea.Batch(cmd, s.refresh())
}

// specOpened drops the values and the names of tests. It keeps them if the document is the same as before.
func (s *Screen) specOpened(hash string) {
	if hash == "" || hash != s.specHash {
		s.picks.clear()
	}
	s.specHash = hash
}

// setService makes another service the one that is called. The values of picked seqs are those of the service before,
// so the file is made anew.
func (s *Screen) setService(service screen.Service) {
	s.service, s.allowed, s.writeAfterRun = service, false, false
	s.question.Close()
	s.fileChanged()
}

// fileChanged marks the preview and the written file as out of date. It is called when the content of the
// test file changes.
func (s *Screen) fileChanged() {
	s.preview.stale, s.formats.stale = true, true
	s.destination.written.path = ""
}

// refresh requests a new preview if the preview is stale. If it is not stale, refresh highlights the visible lines of
// the preview. refresh does nothing while the screen is not visible.
func (s *Screen) refresh() tea.Cmd {
	if !s.shown {
		return nil
	}
	var fits tea.Cmd
	if s.formats.open && s.formats.stale {
		fits = compareFormats(s)
	}
	if s.preview.stale {
		tests, items := s.picks.tests()
		preview := s.preview.request(s.engine, s.destination.format(), s.destination.faultMode(), tests, items)
		return tea.Batch(preview, fits)
	}
	return tea.Batch(s.preview.highlight(s.layout().code.H-2), fits)
}

func (s *Screen) layout() layout {
	l := newLayout(s.width, s.height, s.previewFocused, s.formats.open)
	l.list, l.code = s.splits.Columns(previewBorder, l.list, l.code)
	return l
}

// fit sets the numbers of rows and of visible rows of the lists.
func (s *Screen) fit() {
	l := s.layout()
	s.picks.list.Fit(len(s.picks.items), max(1, l.list.H-2))
	s.formats.fit(max(1, l.list.H-2))
	s.preview.Fit(l.code.H - 2)
}

// answer handles a message while a question is open.
func (s *Screen) answer(msg tea.Msg) tea.Cmd {
	answer, cmd := s.question.Update(msg)
	s.writeAfterRun = s.writeAfterRun && answer != widget.No
	return cmd
}

func (s *Screen) mouse(msg tea.MouseMsg) tea.Cmd {
	if s.question.Open() || s.entry != nil {
		return nil
	}
	l, rows := s.layout(), widget.WheelRows(msg)
	switch {
	case l.code.Has(msg.X, msg.Y):
		s.preview.Scroll.Go(s.preview.Scroll.At + rows)
		s.previewFocused = s.previewFocused || widget.LeftClick(msg)
	case l.list.Has(msg.X, msg.Y) && s.formats.open:
		return mouseInFormats(s, msg, msg.Y-l.list.Y-1)
	case l.list.Has(msg.X, msg.Y):
		list := &s.picks.list
		list.Go(list.At + rows)
		if widget.LeftClick(msg) && list.Click(msg.Y-l.list.Y-1) || rows != 0 {
			s.previewFocused = false
			s.preview.scrollTo(list.At)
		}
	}
	return nil
}
