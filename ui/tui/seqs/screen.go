// Package seqs is the Seqs screen of the app. It lists the distilled seqs and the tests that a search
// keeps. The user can read, filter, pick, edit and play them.
//
// The Screen passes messages to its parts, each of which owns one piece of state. The catalog has all rows.
// The rowList has the listed rows and the cursor. The selection has the picks and their coverage. The
// details are the pane next to the list. The builder edits a seq, and the player calls the service. Calls
// of the service and slow computations run in a tea.Cmd. Only Update changes state.
package seqs

import (
	"fmt"
	"slices"

	"sonde/analysis/distil"
	"sonde/model"
	"sonde/ui/app/userdata"
	"sonde/ui/theme"
	"sonde/ui/tui/practice"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the Seqs screen.
type Screen struct {
	engine        *screen.Engine
	width, height int
	visible       bool // the app shows this screen now
	splits        screen.Splits

	catalog *catalog
	list    *rowList
	picks   *selection
	details *details
	builder *builder
	player  *player
	calls   *practice.Page // lists seqs while it calls them
	loading loading
}

// New returns the screen. It stays empty until a spec is opened or a search runs.
func New(engine screen.Engine, host screen.Service) *Screen {
	rows := &catalog{}
	list := newRowList(rows)
	shown := &details{catalog: rows}
	picks := &selection{catalog: rows, list: list, post: engine.Queue}
	calls := practice.New(&engine, host)
	rows.called = calls.Results()
	return &Screen{
		engine:  &engine,
		calls:   calls,
		catalog: rows,
		list:    list,
		picks:   picks,
		details: shown,
		builder: &builder{engine: &engine, catalog: rows, picks: picks},
		player: &player{
			engine:   &engine,
			host:     host,
			list:     list,
			details:  shown,
			question: widget.Question{Pause: widget.ConfirmPause},
		},
	}
}

// Name returns the name of the tab.
func (s *Screen) Name() string { return "Seqs" }

// TabBadge returns the number of seqs and tests, and a sign while seqs are being called.
func (s *Screen) TabBadge() string {
	if s.catalog.empty() {
		return ""
	}
	n := words.LimitedCell(s.catalog.len(), s.catalog.more())
	if s.calls.Running() {
		return n + " " + theme.Running
	}
	return n
}

// Typing reports whether a question, the filter or a value has the focus.
func (s *Screen) Typing() bool {
	return s.player.question.Open() || s.calls.Asking() || s.list.find.Typing() || s.building() && s.builder.edit.open()
}

// Location returns the name of the row under the cursor.
func (s *Screen) Location() (model.OpID, []string) {
	if r := s.list.current(); r != nil {
		return "", []string{r.ID}
	}
	return "", nil
}

// Update handles a message. While a question is open, it receives all keys and mouse events.
func (s *Screen) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	var answered tea.Cmd
	if s.player.question.Open() {
		_, answered = s.player.question.Update(msg)
		switch msg.(type) {
		case tea.KeyMsg, tea.MouseMsg:
			return s, answered
		}
	}
	called, done := s.calls.Update(msg)
	if done {
		return s, called
	}
	var picks tea.Cmd
	if changed, picked := s.catalog.storeCalled(); changed { // rows have the tests of the seqs that were called
		if picked {
			picks = s.picks.changed()
		}
		if s.list.find.MentionsFact("outcome") {
			s.list.refresh()
		}
		settle(s)
	}
	return s, tea.Batch(answered, called, picks, s.update(msg))
}

// UnfinishedWork describes a listing in progress, "" if there is none.
func (s *Screen) UnfinishedWork() string { return s.calls.UnfinishedWork() }

func (s *Screen) update(msg tea.Msg) (cmd tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case tea.KeyMsg:
		cmd = s.press(msg)
	case tea.MouseMsg:
		cmd = s.mouse(msg)
	case screen.PointAt:
		s.point(msg)

	case screen.SpecOpened:
		cmd = s.open(msg.Spec, msg.Place)
	case screen.Shown:
		cmd = s.show(msg.Tab == screen.TabSeqs)
	case screen.RunProgress:
		cmd = s.progress(msg)
	case screen.SetSplits:
		s.splits = msg.Splits
	case screen.RestoreSetting:
		return restoreSetting(s, msg.Setting)
	case screen.UsersChanged:
		s.builder.setUsers(msg)
	case screen.SurroundingsChanged:
		s.player.around = msg.Surroundings
	case widget.HostAllowed:
		s.player.allowed = s.player.allowed || msg.URL == s.player.host.URL
	case screen.ServiceChanged:
		s.player.setService(msg.Service)
		s.details.close() // requests of a dry run and answers are those of the service before
	case screen.StepThroughTest:
		cmd = stepThroughTest(s, msg.Test)
	case screen.PutStub:
		cmd = s.picks.addStub(msg.Stub)
	case screen.RequestFilesRead:
		cmd = filesRead(s, msg.Folder)
	case screen.TestSaved:
		if !s.visible {
			s.loading.saved = (&savedSeq{path: msg.Path, name: msg.Name}).key()
		}
		return nil
	case screen.TestsKept:
		cmd = s.picks.addTests(msg.Tests)
	case screen.AppendOperation:
		cmd = s.appendCall(msg.Op)
	case screen.KeepSeq:
		cmd = s.keepSeq(msg)
	case screen.ShowScreen:
		if msg.Tab == screen.TabSeqs && msg.Op != "" {
			cmd = s.limitTo(newScope(screen.ScopeSeqs{Name: string(msg.Op), Operations: []model.OpID{msg.Op}}, s.catalog.unknown))
		}
	case screen.ScopeSeqs:
		cmd = s.limitTo(newScope(msg, s.catalog.unknown))

	case replayed:
		cmd = s.replayed(msg)
	case outlined:
		cmd = s.builder.outlined(msg)
	case stepped:
		_, page := s.divide()
		s.player.stepped(msg, page)
	case dryRunDone:
		cmd = s.details.dryRunDone(msg)
	case linked:
		cmd = s.linked(msg)
	case scoped:
		cmd = s.scoped(msg)
	case prepared:
		cmd = s.prepared(msg)
	case covered:
		cmd = s.picks.covered(msg)
	default:
		return nil
	}
	settle(s)
	return cmd
}

// settle updates what depends on the rows and on the size of the screen.
func settle(s *Screen) {
	if s.visible {
		s.list.shared = sharedBy(s.list.rows, s.catalog.called.Any())
	}
	s.fit()
}

// open shows the seqs of a spec. If rows are or were picked, it reports the picks to the other screens. The parameter
// left is the place where the user left the spec, or nil if it is unknown.
func (s *Screen) open(analyzed *screen.AnalyzedSpec, left *userdata.Place) tea.Cmd {
	had := s.picks.tally.picked > 0
	s.details.close()
	s.loading = loading{preparing: s.loading.preparing, saved: s.loading.saved}
	s.picks.reset()
	s.catalog.open(analyzed)
	s.list.open(analyzed)
	if left != nil {
		s.restore(left)
	}
	s.list.refresh()
	s.picks.tally = newTally(s.catalog)
	var cmds []tea.Cmd
	if had || s.picks.tally.picked > 0 {
		cmds = append(cmds, s.picks.changed())
	}
	for _, r := range s.catalog.made {
		if r.built {
			cmds = append(cmds, s.builder.outline(r))
		}
	}
	return tea.Batch(cmds...)
}

// show stores whether the screen is visible. When the screen becomes visible, show starts the computations
// that were postponed.
func (s *Screen) show(visible bool) tea.Cmd {
	analyzed := s.catalog.analyzed
	s.visible = visible
	if visible {
		s.list.countFaults()
	}
	switch {
	case !s.visible || analyzed == nil:
		return nil
	case s.loading.preparing != analyzed:
		return tea.Batch(s.loading.link(analyzed), s.loading.prepare(analyzed))
	case s.picks.cover.stale:
		return s.picks.askCover()
	}
	return nil
}

// progress handles a newer snapshot of a search.
func (s *Screen) progress(msg screen.RunProgress) (cmd tea.Cmd) {
	phase := msg.Snapshot.Phase
	s.player.searching = phase == model.PhaseRunning || phase == model.PhasePaused
	if s.catalog.update(msg) {
		s.list.stale = true
		cmd = s.picks.coverMayChange(s.visible)
	}
	if s.visible {
		s.list.countFaults()
	}
	return cmd
}

// replayed stores the answers to a row's test, unless the row was changed in the meantime.
func (s *Screen) replayed(msg replayed) tea.Cmd {
	s.player.busy = false
	r := msg.row
	switch {
	case msg.err != nil:
		return screen.ShowError(msg.err)
	case r.built && !r.hasCalls(msg.sent.Calls), r.file != nil && !r.hasRequests(msg.sent):
		return screen.ShowStatus(r.ID + " was changed meanwhile; play it again")
	}
	var picks tea.Cmd
	if r.built || r.file != nil {
		r.Test = &msg.test
		picks = s.picks.changed()
		s.builder.closeOn(r) // the details then show the answers
	}
	s.catalog.countFaultsOfMade()
	return tea.Batch(picks, screen.ShowStatus(r.storeReplay(&msg.test)))
}

// linked stores the function that links calls, and handles the messages that were waiting for it.
func (s *Screen) linked(msg linked) tea.Cmd {
	if msg.analyzed != s.catalog.analyzed {
		return nil
	}
	s.catalog.links.connect = msg.connect
	s.fit()
	waiting := s.loading.waiting
	cmds := make([]tea.Cmd, len(waiting))
	for i, m := range waiting {
		cmds[i] = s.update(m)
	}
	s.loading.waiting = nil
	return tea.Batch(cmds...)
}

// prepared stores the result of loading.prepare.
func (s *Screen) prepared(msg prepared) tea.Cmd {
	if msg.analyzed != s.catalog.analyzed {
		return nil
	}
	s.catalog.whole.sc, s.catalog.whole.meter = &msg.sc, msg.meter
	if !s.catalog.scope.whole() {
		return nil
	}
	s.catalog.list(s.catalog.whole)
	s.list.refresh()
	if s.catalog.distilled.rule == distil.RuleSC { // the picks may now be listed in another order
		return s.picks.changed()
	}
	return s.picks.askCover()
}

// stepThroughTest plays the first call of a test. It adds the test if no row has it.
func stepThroughTest(s *Screen, t model.Test) tea.Cmd {
	if s.catalog.analyzed == nil {
		return nil
	}
	s.details.close()
	s.builder.open = false
	s.list.reveal(s.catalog.rowOf(t))
	return s.player.stepThrough()
}

// build opens the builder on the row under the cursor. If the user did not build this row, it opens the builder on a
// copy.
func (s *Screen) build() tea.Cmd {
	r := s.list.current()
	if !r.built {
		t, from := r.Test, screen.SavedAs{}
		if r.file != nil {
			t, from = r.Draft, r.file.savedAs()
		}
		r = s.catalog.build(r.Seq, t)
		r.from = from
		s.list.reveal(r)
	}
	s.builder.start(r)
	s.builder.open, s.details.focused = true, true
	return s.builder.outline(r)
}

// building reports whether the builder has the focus.
func (s *Screen) building() bool {
	r := s.list.current()
	return s.builder.open && s.details.focused && r != nil && r == s.builder.row &&
		!s.details.drying(r) && !s.details.stepping(r)
}

// keepSeq adds a row for a seq, as if the user had built the seq, and picks it.
func (s *Screen) keepSeq(msg screen.KeepSeq) tea.Cmd {
	switch {
	case s.catalog.analyzed == nil:
		return nil
	case !s.catalog.links.ready():
		return s.loading.link(s.catalog.analyzed, msg)
	}
	r := s.catalog.build(msg.Seq, nil)
	r.picked = true
	s.builder.start(r)
	s.list.reveal(r)
	text := fmt.Sprintf("%s keeps this way, and is picked: 4, then %s plays it", r.ID, widget.KeyName(keyPlay))
	return tea.Batch(s.builder.outline(r), screen.ShowStatus(text))
}

// appendCall adds a call to the seq that the user is building, or starts a new seq.
func (s *Screen) appendCall(op model.OpID) tea.Cmd {
	switch {
	case s.catalog.analyzed == nil:
		return nil
	case !s.catalog.links.ready():
		return s.loading.link(s.catalog.analyzed, screen.AppendOperation{Op: op})
	}
	if !slices.Contains(s.catalog.made, s.builder.row) {
		s.builder.start(s.catalog.build(nil, nil))
		s.builder.row.picked = true
	}
	s.list.reveal(s.builder.row)
	return s.builder.append(op)
}
