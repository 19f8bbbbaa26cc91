// Package explore is the Explore screen. It shows the operations of a spec as a tree, next to a page with
// all information about one operation. The form for a manual request takes the place of the page.
package explore

import (
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
	splits        screen.Splits
	analyzed      *screen.AnalyzedSpec // nil before a spec is opened
	ops           map[model.OpID]*model.Operation
	paths         *draw.PathShortener // shortens the paths of operations
	run           model.Snapshot
	onShow        bool

	tree    treePane
	page    pagePane
	history history

	announcement  announcement // announces the operation on the page
	draftTemplate func(model.Template) (model.Test, error)
	changes       changes    // changes since an older version of the spec
	correction    correction // the correction of a value

	send *send.Pane // the form for a manual request, which takes the place of the page
}

// New returns the screen. It stays empty until a spec is opened.
func New(e screen.Engine, h screen.Service) *Screen {
	find := finder.New("filter, such as !get tag:x")
	if e.Specs.LoadOlder != nil {
		find = finder.New("filter, such as changed:breaking", changedFact)
	}
	s := &Screen{
		tree: treePane{find: find},
		send: send.New(e, h),
		post: e.Queue,

		announcement:  announcement{post: e.Queue},
		draftTemplate: e.Manual.DraftTemplate,
		changes:       changes{load: e.Specs.LoadOlder},
		correction:    correction{keep: e.Corrections, post: e.Queue},
	}
	s.tree.changed = s.changes.words
	return s
}

// Name returns the word in the tab line.
func (s *Screen) Name() string { return "Explore" }

// TabBadge returns a sign while a request is in progress.
func (s *Screen) TabBadge() string {
	if s.send.InFlight() {
		return theme.Running
	}
	return ""
}

// Typing reports whether a text field has the focus.
func (s *Screen) Typing() bool {
	return s.tree.find.Typing() || s.send.Typing() || s.correction.open()
}

// Update handles a message.
func (s *Screen) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	sent, corrected := s.toSend(msg), s.correction.take(msg)
	next, cmd := s.update(msg)
	return next, tea.Batch(sent, corrected, cmd)
}

func (s *Screen) update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case screen.SpecOpened:
		if msg.Place != nil {
			s.open(msg.Spec, msg.Place)
		} else {
			s.reopen(msg.Spec)
		}
		cmd = tea.Batch(s.changes.compare(msg.Spec), s.correction.outcome(msg.Spec))
	case compared:
		if msg.newer == s.analyzed {
			cmd = s.post.Send(s.changes.result(msg, &s.tree))
			s.showCursor()
		}
	case screen.Shown:
		s.onShow = msg.Tab == screen.TabExplore
	case screen.RunProgress:
		if !s.progress(msg.Snapshot) {
			return s, nil
		}
	case screen.ShowScreen:
		if msg.Tab == screen.TabExplore && msg.Op != "" {
			s.visit(msg.Op)
			s.page.focused = true
		}
	case screen.FindOperation:
		if s.analyzed != nil && !s.send.Open() && !s.correction.open() {
			cmd = s.openFilter()
		}
	case screen.OperationSelected:
		s.announcement.last = msg.Op
		s.visit(msg.Op)
	case screen.ComposeRequest:
		cmd = s.compose(msg)
	case screen.PointAt:
		s.point(msg)
	case found:
		s.answered(msg)
	case screen.SetSplits:
		s.splits = msg.Splits
	case screen.RestoreSetting:
		restoreSetting(s, msg.Setting)
	case screen.NamingSwitched: // the page must be rewritten
	case tea.KeyMsg:
		cmd = s.press(msg)
	case tea.MouseMsg:
		cmd = s.mouse(msg)
	default:
		return s, nil
	}
	s.refresh()
	if s.analyzed != nil {
		cmd = tea.Batch(cmd, s.page.question.ask(s.analyzed, s.page.op))
	}
	shown := s.page.op
	if s.analyzed == nil || s.analyzed.IsPreview {
		shown = ""
	}
	return s, tea.Batch(cmd, s.announcement.send(shown))
}

// Location returns the operation on the page, or the name of the folder.
func (s *Screen) Location() (model.OpID, []string) {
	if s.page.op != "" {
		return s.page.op, []string{string(s.page.op)}
	}
	if f, ok := s.tree.folder(); ok {
		return "", []string{f.name}
	}
	return "", nil
}

// SavePlace stores the operation and the filter.
func (s *Screen) SavePlace(p *userdata.Place) {
	p.Operation, p.Filter = string(s.page.op), s.tree.find.Text()
}

// progress stores a newer state of the run. It reports whether the page must be rewritten, which is slow
// for a large spec.
func (s *Screen) progress(run model.Snapshot) bool {
	before := observe(s.run, s.page.op)
	s.run = run
	s.tree.progress(run)
	return s.onShow && !before.equal(observe(run, s.page.op))
}

// open shows a new spec. If place is not nil, open shows the operation and the filter in place. Otherwise it shows
// the operation that was shown before.
func (s *Screen) open(analyzed *screen.AnalyzedSpec, place *userdata.Place) {
	if place != nil {
		s.page.op = model.OpID(place.Operation)
		s.tree.find.SetText(place.Filter)
	}
	s.analyzed, s.ops = analyzed, map[model.OpID]*model.Operation{}
	for _, op := range analyzed.Spec.Operations {
		s.ops[op.ID] = op
	}
	s.paths = draw.NewPathShortener(analyzed.IDs())
	s.page.question.reset()
	s.history, s.page.folds = nil, map[string]bool{}
	s.tree.open(analyzed)
	op := s.page.op
	s.page.op, s.announcement.last = "", ""
	if s.ops[op] == nil && len(analyzed.Spec.Operations) > 0 {
		op = analyzed.Spec.Operations[0].ID
	}
	s.show(op)
	if !s.page.focused {
		s.focusTree()
	}
}

// reopen shows the same spec after a reload. The page's cursor stays on its value. If the page no longer has the
// value, the cursor stays on its row.
func (s *Screen) reopen(analyzed *screen.AnalyzedSpec) {
	shown, folds, stops := s.page.op, s.page.folds, s.page.stops
	history := s.history
	var value *flow
	if r := s.page.current(); r != nil {
		value = r.value
	}
	s.open(analyzed, nil)
	history.keepOnly(s.ops)
	s.history = history
	if s.page.op != shown || folds == nil {
		return
	}
	s.page.folds, s.page.stops = folds, stops
	s.refresh()
	if value == nil || s.page.goToValue(value) {
		return
	}
	s.page.folds[value.table()] = true // the value would be folded otherwise
	s.refresh()
	s.page.goToValue(value)
}

// refresh adapts the panes to the screen, and writes the page.
func (s *Screen) refresh() {
	if s.analyzed == nil {
		return
	}
	tree, page := s.divide(s.width, s.height)
	s.send.SetSize(page.W, page.H)
	s.tree.fit(tree)
	if !page.Empty() {
		s.page.write(page.W-2, s.subject())
	}
	s.page.fit(page, s.page.focused)
}

// subject returns what the page is about: an operation, a removed operation, a webhook or a folder.
func (s *Screen) subject() pageSubject {
	is := pageSubject{
		analyzed: s.analyzed, op: s.ops[s.page.op], observed: observe(s.run, s.page.op), changes: &s.changes,
	}
	is.removed, is.webhook = s.tree.removedOperation(), s.tree.webhook()
	if f, ok := s.tree.folder(); ok {
		is.folder = &f
	} else {
		is.absence = s.tree.absence()
	}
	return is
}

// show shows an operation, in the tree and on the page.
func (s *Screen) show(op model.OpID) {
	if op == s.page.op {
		return
	}
	s.openPage(op)
	s.tree.goTo(op)
}

// showCursor shows the operation or the folder under the tree's cursor on the page. If the tree is empty, the page is
// empty, too.
func (s *Screen) showCursor() {
	switch n := s.tree.node(); {
	case n == nil, n.op == nil, n.removed, n.webhook:
		s.openPage("")
	case n.op.ID != s.page.op:
		s.openPage(n.op.ID)
	}
}

// openPage opens the page of an operation, or of the folder under the cursor if op is "".
func (s *Screen) openPage(op model.OpID) {
	if op != s.send.Operation() {
		s.send.Close()
	}
	s.page.op = op
	s.page.reset()
	s.page.findFacts(s.analyzed, s.ops)
}

// answered shows the answer to a question. If the page has the focus and its cursor is still on the first row,
// the cursor moves to the first stop of the answer.
func (s *Screen) answered(msg found) {
	s.page.question.answered(msg)
	s.refresh()
	if s.page.focused && s.page.question.view != viewOperation {
		s.page.enter()
	}
}

// showView returns an action that shows the paths to the operation or its impact. If the page already shows this
// view, the action shows the operation's page again.
func showView(view pageView) func(*Screen) {
	return func(s *Screen) {
		s.page.question.toggle(view)
		if s.page.question.op != s.page.op {
			s.page.question.reset()
		}
		s.page.reset()
		s.page.focused = true
		s.refresh()
		s.page.enter()
	}
}

// painter returns a painter for the current state of the screen.
func (s *Screen) painter() painter {
	return painter{
		names:   s.analyzed.Names,
		paths:   s.paths,
		run:     s.run,
		tree:    &s.tree,
		page:    &s.page,
		changes: &s.changes,
	}
}

// View draws the tree and the page, or only one of them if there is no room for both.
func (s *Screen) View(width, height int) string {
	if s.analyzed == nil {
		return draw.FitLines("", width, height)
	}
	tree, page := s.divide(width, height)
	p := s.painter()
	var right string
	switch {
	case page.Empty():
		return p.treePane(tree)
	case s.send.Open():
		right = s.send.View(page.W, page.H)
	default:
		right = p.pagePane(page)
	}
	if !tree.Empty() {
		right = draw.JoinColumns(p.treePane(tree), right)
	}
	return s.correction.over(right, width, height)
}

// Targets returns the rows of the tree, and the stops of the page.
func (s *Screen) Targets() []screen.PointAt {
	if s.analyzed == nil {
		return nil
	}
	tree, page := s.divide(s.width, s.height)
	all := s.tree.targets(tree)
	if !s.send.Open() {
		all = append(all, s.page.targets(page)...)
	}
	return all
}

// point moves the cursor to the target at a cell.
func (s *Screen) point(at screen.PointAt) {
	tree, page := s.divide(s.width, s.height)
	switch {
	case tree.Has(at.X, at.Y) && s.tree.click(tree, at.Y-tree.Y):
		s.page.focused = false
		s.showCursor()
	case page.Has(at.X, at.Y) && s.page.stops.Click(at.Y-page.Y-1):
		s.page.focused = true
	}
}

// mouse handles a click, or scrolls the pane under the pointer.
func (s *Screen) mouse(msg tea.MouseMsg) tea.Cmd {
	if s.analyzed == nil || s.correction.open() {
		return nil
	}
	tree, page := s.divide(s.width, s.height)
	wheel := widget.WheelRows(msg)
	switch {
	case s.send.Open() && page.Has(msg.X, msg.Y):
		msg.X, msg.Y = msg.X-page.X, msg.Y-page.Y
		return s.send.Update(msg)
	case s.send.Typing():
	case tree.Has(msg.X, msg.Y) && wheel != 0:
		s.tree.rows.Go(s.tree.rows.At + wheel)
		s.showCursor()
	case tree.Has(msg.X, msg.Y) && widget.LeftClick(msg):
		return s.clickTree(tree, msg.Y-tree.Y)
	case page.Has(msg.X, msg.Y) && wheel != 0:
		s.page.stops.Go(s.page.stops.At + wheel)
	case page.Has(msg.X, msg.Y) && widget.LeftClick(msg):
		return s.clickPage(msg.Y - page.Y)
	}
	return nil
}

// clickTree handles a click on a line of the tree: the filter, a folder, or an operation. A second click on
// an operation moves the focus to its page.
func (s *Screen) clickTree(tree draw.Rect, y int) tea.Cmd {
	if y == 1 {
		return s.openFilter()
	}
	before := s.tree.rows.At
	if !s.tree.click(tree, y) {
		return nil
	}
	s.tree.find.Blur()
	n := s.tree.node()
	switch {
	case n.op == nil:
		s.tree.toggle()
	case before == s.tree.rows.At:
		s.page.focused = true
	default:
		s.page.focused = false
	}
	s.showCursor()
	return nil
}

// clickPage handles a click on a line of the page.
func (s *Screen) clickPage(y int) tea.Cmd {
	s.page.focused = true
	s.tree.find.Blur()
	if s.page.stops.Click(y-1) && s.page.rows[s.page.stops.At].stop() {
		return s.follow()
	}
	return nil
}
