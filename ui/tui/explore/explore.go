// Package explore is the first screen: the operations of a spec as a tree, and
// beside it all that is known of one of them.
package explore

import (
	"maps"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/app/userdata"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/send"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the Explore screen.
type Screen struct {
	post          *screen.MessageQueue
	width, height int
	study         *screen.AnalyzedSpec
	ops           map[model.OpID]*model.Operation
	paths         *draw.PathShortener // of the tree's operations
	run           model.Snapshot
	onShow        bool

	tree tree
	rows widget.List // the cursor in the tree
	find finder.Finder

	reading bool // the page has the focus, not the tree
	shown   model.OpID
	told    model.OpID // what the other screens know to be shown
	went    bool       // the person went there, and not only a cursor
	facts   facts      // of the operation shown
	history []model.OpID
	open    map[string]bool // folds of the page
	page    []row
	stops   widget.List // its cursor is on a row of the page

	send *send.Pane // over the page, while a request is made by hand
}

// New returns the screen. It stays empty until a spec is opened.
func New(e screen.Engine, h screen.Service) *Screen {
	return &Screen{find: finder.New("filter, such as !get tag:x"), send: send.New(e, h), post: e.Queue}
}

// Name is the tab's word.
func (s *Screen) Name() string { return "Explore" }

// TabBadge tells that a request by hand is on its way. The title line counts the operations.
func (s *Screen) TabBadge() string {
	if s.send.Out() {
		return theme.Running
	}
	return ""
}

// Typing tells that a field has the focus.
func (s *Screen) Typing() bool { return s.find.Typing() || s.send.Typing() }

// Update takes a message.
func (s *Screen) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	sent := s.toSend(msg)
	next, cmd := s.update(msg)
	return next, tea.Batch(sent, cmd)
}

func (s *Screen) update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case screen.SpecOpened:
		s.opened(msg.Spec, msg.Place)
	case screen.ScreenShown:
		s.onShow = msg.Tab == screen.TabExplore
	case screen.RunProgress:
		if !s.progress(msg.Snapshot) {
			return s, nil
		}
	case screen.ShowScreen:
		if msg.Tab == screen.TabExplore && msg.Op != "" {
			s.visit(msg.Op)
			s.reading = true
		}
	case screen.OperationSelected:
		s.told = msg.Op
		s.visit(msg.Op)
	case screen.ComposeRequest:
		cmd = s.compose(msg)
	case screen.PointAt:
		s.point(msg)
	case tea.KeyMsg:
		cmd = s.press(msg)
	case tea.MouseMsg:
		cmd = s.mouse(msg)
	default:
		return s, nil
	}
	s.refresh()
	return s, tea.Batch(cmd, s.tell())
}

// Location returns the operation on the page, or the folder.
func (s *Screen) Location() (model.OpID, []string) {
	switch n := s.node(); {
	case s.shown != "":
		return s.shown, []string{string(s.shown)}
	case n != nil:
		return "", []string{s.tree.folders[n.folder].name}
	}
	return "", nil
}

// progress takes a newer state of the run, and reports whether the page has to be
// made anew for it now: that is slow for a large spec.
func (s *Screen) progress(run model.Snapshot) bool {
	before := s.seen(s.shown)
	s.run = run
	if s.find.Asks("status") {
		s.sift()
	}
	now := s.seen(s.shown)
	return s.onShow && (!maps.Equal(before.counts, now.counts) ||
		!slices.EqualFunc(before.faults, now.faults, unchanged) || before.unmet != now.unmet)
}

// unchanged reports whether a fault is shown as before.
func unchanged(a, b model.Fault) bool {
	return a.ID == b.ID && a.Count == b.Count && a.Calls == b.Calls && a.Verdict == b.Verdict && a.Text == b.Text
}

// tell lets the other screens know which operation is shown, where that is new.
func (s *Screen) tell() tea.Cmd {
	went := s.went
	s.went = false
	if s.shown == "" || s.shown == s.told {
		return nil
	}
	s.told = s.shown
	return s.post.Send(screen.OperationSelected{Op: s.shown, InPassing: !went})
}

// opened shows another spec, where it was left or at the place of the old one if it has
// that, too.
func (s *Screen) opened(study *screen.AnalyzedSpec, left *userdata.Place) {
	if left != nil {
		s.shown = model.OpID(left.Operation)
		s.find.Set(left.Filter)
	}
	s.study, s.tree, s.ops = study, newTree(study.Spec), map[model.OpID]*model.Operation{}
	for _, op := range study.Spec.Operations {
		s.ops[op.ID] = op
	}
	s.paths = draw.NewPathShortener(study.IDs())
	s.history, s.open = nil, map[string]bool{}
	s.find.Look(study.Index)
	s.sift()
	old := s.shown
	s.shown, s.told, s.rows = "", "", widget.List{}
	s.rows.Fit(len(s.tree.nodes), s.rows.Height)
	if s.ops[old] == nil && len(study.Spec.Operations) > 0 {
		old = study.Spec.Operations[0].ID
	}
	s.look(old)
}

// refresh makes the page anew and keeps both cursors in sight.
func (s *Screen) refresh() {
	if s.study == nil {
		return
	}
	tree, page := s.divide(s.width, s.height)
	s.send.Fit(page.W, page.H)
	s.rows.Fit(len(s.tree.nodes), max(0, tree.H-3-len(s.find.Complaint(tree.W-2))))
	if !page.Empty() {
		s.page = s.write(page.W - 2)
	}
	s.stops.Fit(len(s.page), max(0, page.H-2-s.foot(page)))
}

// write makes the rows of the page.
func (s *Screen) write(width int) []row {
	op := s.ops[s.shown]
	if op == nil {
		if n := s.node(); n != nil {
			return folderPage(s.tree.folders[n.folder], width)
		}
		return nil
	}
	return operationPage(op, s.facts, s.seen(op.ID), width, s.open)
}

// node is the row under the tree's cursor, nil where the tree is empty.
func (s *Screen) node() *node {
	if s.rows.At >= len(s.tree.nodes) {
		return nil
	}
	n := s.tree.nodes[s.rows.At] // a copy: the tree reuses its rows
	return &n
}

func (s *Screen) seen(op model.OpID) seen {
	found := seen{counts: s.run.Grid[op], newest: map[int]string{}}
	for status := range found.counts {
		if text := s.run.Newest[model.OpStatus{Op: op, Status: status}]; text != "" {
			found.newest[status] = text
		}
	}
	for _, w := range s.run.Summary.Warnings {
		if w.Op == op && w.Kind == model.WarnNever2xx {
			found.unmet = strings.TrimPrefix(w.Text, string(op)+" ")
		}
	}
	for _, f := range s.run.Faults {
		if f.Op == op {
			found.faults = append(found.faults, f)
		}
	}
	return found
}

// look shows an operation, in the tree and on the page.
func (s *Screen) look(op model.OpID) {
	if op == s.shown {
		return
	}
	s.turn(op)
	if row := s.tree.row(op, s.rows.At); row >= 0 {
		s.rows.Fit(len(s.tree.nodes), s.rows.Height)
		s.rows.Go(row)
	}
}

// turn opens the page of an operation, or of the folder under the cursor.
func (s *Screen) turn(op model.OpID) {
	if op != s.send.Operation() {
		s.send.Close()
	}
	s.shown = op
	s.open = map[string]bool{}
	s.stops = widget.List{Height: s.stops.Height}
	if o := s.ops[op]; o != nil {
		s.facts = factsOf(s.study, o, s.ops)
	}
}

// visit is look, and remembers the way back. A filter that hides the operation
// is taken away.
func (s *Screen) visit(op model.OpID) {
	if s.study == nil || op == s.shown || s.ops[op] == nil {
		return
	}
	if s.shown != "" {
		s.history = append(s.history, s.shown)
	}
	if s.tree.row(op, s.rows.At) < 0 {
		s.find.Set("")
		s.sift()
	}
	s.look(op)
	s.went = true
}

// back returns to the operation before.
func (s *Screen) back() {
	n := len(s.history)
	op := s.history[n-1]
	s.history = s.history[:n-1]
	s.look(op)
	s.went = true
}
