// Package seqs is the fourth screen: the distilled seqs and the tests that a
// search keeps, in one list to read, filter and pick from.
package seqs

import (
	"slices"

	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/ui/app/userdata"
	"sonde/ui/draw"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the Seqs screen.
type Screen struct {
	engine        screen.Engine
	host          screen.Service
	width, height int

	rows     store
	shown    []*row // those that fit the filter, and their headings
	headings int
	list     widget.List
	was      int  // where the cursor was
	moved    bool // the cursor was moved, or its row meant: from then on it stays there

	find     finder.Finder
	only     only
	order    order
	grouping grouping
	ruled    ruled

	reading bool // the details have the focus, not the list
	page    widget.List
	bench   bench
	users   []string // who may call besides nobody, as far as is known
	dry     dry
	walk    walk
	left    *row // with which the row under the cursor is compared, nil for none

	around    screen.Surroundings
	question  widget.Question // whether to call a host that is not on this machine
	allowed   bool            // it was answered with yes
	searching bool
	replaying bool
	found     []model.Fault // by the search
	stale     bool          // what is listed, for there are other rows
	tally     tally
	onShow    bool
	preparing *screen.AnalyzedSpec // that is or was prepared
	binding   *screen.AnalyzedSpec // for which seqs are or were bound
	until     []tea.Msg            // what waits until they are
	meter     *valuegroup.Meter    // nil until the study was prepared
	rest      rest
}

// New returns the screen. It stays empty until a spec is opened or a run is
// going on.
func New(engine screen.Engine, host screen.Service) *Screen {
	return &Screen{
		engine:   engine,
		host:     host,
		question: widget.Question{Pause: widget.ConfirmPause},
		find:     finder.New("operation, status:5xx, !not", "origin", "host", "length", "faults"),
	}
}

// Name is the tab's word.
func (s *Screen) Name() string { return "Seqs" }

// TabBadge is the number of seqs and tests.
func (s *Screen) TabBadge() string {
	if s.rows.len() == 0 {
		return ""
	}
	return words.Count(s.rows.len())
}

// Typing tells that a question, the filter or a value has the focus.
func (s *Screen) Typing() bool {
	return s.question.Open() || s.find.Typing() || s.building() && s.bench.edit.open()
}

// Update takes a message.
func (s *Screen) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	var asked tea.Cmd
	if s.question.Open() {
		_, asked = s.question.Update(msg)
		switch msg.(type) {
		case tea.KeyMsg, tea.MouseMsg:
			return s, asked
		}
	}
	next, cmd := s.update(msg)
	return next, tea.Batch(asked, cmd)
}

func (s *Screen) update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case screen.SpecOpened:
		cmd = s.opened(msg.Spec, msg.Place)
	case screen.UsersChanged:
		s.enrol(msg)
	case screen.SurroundingsChanged:
		s.around = msg.Surroundings
	case widget.HostAllowed:
		s.allowed = s.allowed || msg.URL == s.host.URL
	case replayed:
		cmd = s.replayed(msg)
		s.rows.weighMade()
	case outlined:
		cmd = s.outlined(msg)
	case screen.StepThroughTest:
		cmd = s.stepOf(msg.Test)
	case stepped:
		s.stepped(msg)
	case rehearsed:
		cmd = s.rehearsed(msg)
	case screen.RunProgress:
		s.searching = msg.Snapshot.Phase == model.PhaseRunning || msg.Snapshot.Phase == model.PhasePaused
		if others := s.rows.take(msg); others {
			s.stale = true
			cmd = s.askAgain()
		}
		s.found = msg.Snapshot.Faults
		s.weigh()
	case screen.ScreenShown:
		cmd = s.comesOnShow(msg.Tab)
	case binding:
		cmd = s.bound(msg)
	case prepared:
		cmd = s.prepared(msg)
	case covered:
		cmd = s.covered(msg)
	case screen.PutStub:
		cmd = s.put(msg.Stub)
	case screen.TestsKept:
		cmd = s.keep(msg.Tests)
	case screen.AppendOperation:
		cmd = s.append(msg.Op)
	case screen.ShowScreen:
		s.goTo(msg)
	case screen.PointAt:
		s.point(msg)
	case tea.KeyMsg:
		cmd = s.press(msg)
	case tea.MouseMsg:
		cmd = s.mouse(msg)
	default:
		return s, nil
	}
	s.fit()
	return s, cmd
}

// opened shows the seqs of a spec that was read, and tells the other screens
// what of it is picked where anything is or was.
func (s *Screen) opened(study *screen.AnalyzedSpec, left *userdata.Place) tea.Cmd {
	had := s.tally.picked > 0
	s.left, s.dry, s.walk = nil, dry{}, walk{}
	s.meter, s.binding, s.until = nil, nil, nil
	s.rest = rest{no: s.rest.no, pending: true, added: s.rest.added}
	s.rows.open(study)
	s.find.Look(study.Index)
	if left != nil {
		s.putBack(left)
	}
	s.narrow()
	s.tally = newTally(&s.rows, s.rows.picks())
	var tell tea.Cmd
	if had || s.tally.picked > 0 {
		tell = s.picks()
	}
	for _, r := range s.rows.made {
		if r.built {
			tell = tea.Batch(tell, s.outline(r))
		}
	}
	return tell
}

// narrow filters the rows. The cursor stays on its row, and that where it is on
// the screen, as far as the filter and the list let it.
func (s *Screen) narrow() {
	var at *row
	if s.moved && s.list.At < len(s.shown) {
		at = s.shown[s.list.At]
	}
	s.shown, s.headings = s.grouping.head(&s.rows, s.sift())
	index := max(0, slices.Index(s.shown, at))
	s.list.Top += index - s.list.At
	s.list.At = index
	s.fit()
}

// fit tells the lists how much they hold and how much of it is in sight.
func (s *Screen) fit() {
	list, page := s.divide()
	if list.Empty() {
		list = draw.Rect{W: s.width, H: s.height}
	}
	s.list.Fit(len(s.shown), max(1, list.H-2-s.head(list)))
	s.pass()
	if s.bench.on != nil && s.bench.open {
		s.bench.list.Fit(len(s.parts(0)), max(1, page.H-2))
		s.bench.edit.fit(page.W-2, page.H-3)
	}
	if s.onShow { // else nobody sees it, and it may take its time
		lines := len(s.details(page.W - 2))
		s.page.Fit(max(0, lines-(page.H-2))+1, 1) // positions of the first line
	}
}

// goTo shows the seqs with an operation.
func (s *Screen) goTo(msg screen.ShowScreen) {
	if msg.Tab != screen.TabSeqs || msg.Op == "" {
		return
	}
	s.find.Set(`"` + string(msg.Op) + `"`)
	s.only, s.reading, s.moved = onlyAll, false, false
	s.narrow()
}

func (s *Screen) mouse(msg tea.MouseMsg) tea.Cmd {
	list, page := s.divide()
	switch by := widget.WheelRows(msg); {
	case s.building() && s.bench.edit.open():
	case page.Has(msg.X, msg.Y) && s.building():
		s.bench.list.Go(s.bench.list.At + by)
		if widget.LeftClick(msg) {
			s.bench.list.Click(msg.Y - page.Y - 1)
		}
	case page.Has(msg.X, msg.Y):
		s.page.Go(s.page.At + by)
		s.reading = s.reading || widget.LeftClick(msg)
	case !list.Has(msg.X, msg.Y):
	case by != 0:
		s.list.Go(s.list.At + by)
		s.moved = true
	case widget.LeftClick(msg):
		return s.click(msg.X-list.X, msg.Y-list.Y-1-s.head(list))
	}
	return nil
}

// click puts the cursor on the row y lines below the first, and picks it where its
// mark was clicked.
func (s *Screen) click(x, y int) tea.Cmd {
	s.reading = false
	if !s.list.Click(y) {
		return nil
	}
	heading := s.shown[s.list.At].isHeading()
	s.moved, s.was = true, s.list.At
	s.pass()
	if heading {
		return nil
	}
	if x <= markColumn+1 {
		return s.pick(s.shown[s.list.At])
	}
	return nil
}
