package explore

import (
	"slices"

	"sonde/model"
	"sonde/ui/tui/filter"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// The keys that the screen's texts name.
var (
	keyFollow = keymap.Bind("⏎", "go to, unfold", "enter", "right", "l")
	keySend   = keymap.Bind("r", "send a request")
)

type condition = keymap.Need[*Screen]

var (
	onPage       = condition{Met: func(s *Screen) bool { return s.reading }, Why: "needs an operation's page"}
	onTree       = keymap.Not(onPage.Met, "needs the list of operations")
	filtered     = condition{Met: func(s *Screen) bool { return s.tree.filtered() }, Why: "no filter is set"}
	unfiltered   = keymap.Not(filtered.Met, "needs the list, unfiltered")
	chosen       = condition{Met: func(s *Screen) bool { return s.shown != "" }, Why: "choose an operation first"}
	wasElsewhere = condition{
		Met:     func(s *Screen) bool { return len(s.history) > 0 },
		Why:     "there was no operation before",
		Explain: func(*Screen) string { return "this is where you began" },
	}
)

// keys are all that the keys do.
var keys = keymap.Map[*Screen]{
	{On: func(s *Screen) bool { return s.study == nil }},
	{
		On:      func(s *Screen) bool { return s.send.Open() },
		Busy:    "a request is open",
		Keys:    func(s *Screen) []key.Binding { return s.send.Keys() },
		Actions: func(s *Screen) []screen.Action { return s.send.Actions() },
		Rest:    func(s *Screen, k tea.KeyMsg) tea.Cmd { return s.send.Update(k) },
	},
	{
		On:   func(s *Screen) bool { return s.find.Typing() },
		Busy: "a filter is typed",
		Keys: func(s *Screen) []key.Binding { return s.find.Keys() },
		Rest: (*Screen).typed,
	},
	{Rows: slices.Concat([]keymap.Row[*Screen]{
		{Key: keyFollow, Needs: []condition{onPage}, Do: (*Screen).enter},
		{
			Key:   keymap.Bind("←", "operations", "left", "h", "esc"),
			Needs: []condition{onPage},
			Do:    keymap.Act(func(s *Screen) { s.reading = false }),
		},
		{Key: keymap.Bind("space", "go to, unfold", " "), Needs: []condition{onPage}, Do: (*Screen).enter, Hidden: true},
		{Key: keymap.Bind("⏎", "open", "enter", "right", "l"), Needs: []condition{onTree}, Take: (*Screen).openNode},
		{Key: finder.Clear, Needs: []condition{filtered, onTree}, Do: keymap.Act((*Screen).unfilter)},
		{
			Key:   keymap.Bind("←", "fold", "left", "h"),
			Needs: []condition{onTree, unfiltered, {Met: (*Screen).foldable, Why: "the folder is closed"}},
			Do:    keymap.Act((*Screen).foldNode),
		},
		{
			Key:    keymap.Bind("←", "to the folder", "left", "h"),
			Needs:  []condition{onTree, filtered},
			Do:     keymap.Act((*Screen).foldNode),
			Hidden: true,
		},
		{
			Key:   keymap.Bind("⌫", "back", "backspace"),
			Needs: []condition{wasElsewhere},
			Do:    keymap.Act((*Screen).back),
		},
		{Key: keySend, Needs: []condition{chosen}, Do: (*Screen).request},
		{Key: finder.Open, Do: (*Screen).openFilter},
		{
			Key:   keymap.Bind("g", "in graph"),
			Needs: []condition{chosen},
			Do:    func(s *Screen) tea.Cmd { return s.post.ShowScreen(screen.TabGraph, s.shown) },
		},
		{
			Key:   keymap.Bind("G", "its group"),
			Needs: []condition{chosen},
			Do:    func(s *Screen) tea.Cmd { return s.post.ShowScreen(screen.TabGroups, s.shown) },
		},
		{
			Key:   screen.KeyAppend,
			Needs: []condition{chosen},
			Do:    func(s *Screen) tea.Cmd { return s.post.Send(screen.AppendOperation{Op: s.shown}) },
		},
		{Key: keymap.Bind(":", "all"), Needs: []condition{onTree, unfiltered}, Do: keymap.Act((*Screen).foldAll)},
		{
			Key:   keymap.Bind("space", "fold", " "),
			Needs: []condition{onTree, unfiltered},
			Do:    keymap.Act((*Screen).toggleNode),
		},
		{
			Key:    keymap.Bind("space", "to the folder", " "),
			Needs:  []condition{onTree, filtered},
			Do:     keymap.Act((*Screen).toggleNode),
			Hidden: true,
		},
		{Key: keymap.Bind("v", "other pane"), Do: keymap.Act(func(s *Screen) { s.read(!s.reading) })},
	}, keymap.Each(widget.MoveKeys(), (*Screen).move))},
}

// Keys returns the keys that do something now.
func (s *Screen) Keys() []key.Binding { return keys.Keys(s) }

// Actions returns all that the keys do, and why not now.
func (s *Screen) Actions() []screen.Action { return keys.Actions(s) }

// Listed returns all keys for the page of keys: those of a request come after the others.
func (s *Screen) Listed() []key.Binding { return slices.Concat(keys.Listed(), s.send.Listed()) }

func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	cmd, _ := keys.Press(s, k)
	return cmd
}

// foldable reports whether there is something to fold at the tree's cursor.
func (s *Screen) foldable() bool {
	n := s.node()
	return n != nil && (n.op != nil || s.tree.unfolded(n.folder))
}

// move moves the cursor of the pane that has the focus.
func (s *Screen) move(k tea.KeyMsg) tea.Cmd {
	switch {
	case s.reading:
		s.walk(k)
	case s.rows.Key(k):
		s.settle()
	}
	return nil
}

// openFilter gives the focus to the line in which the filter is typed.
func (s *Screen) openFilter() tea.Cmd {
	s.reading = false
	return s.find.Focus()
}

// unfilter takes the filter away.
func (s *Screen) unfilter() {
	s.find.Set("")
	s.sift()
}

// foldAll folds or unfolds all folders; the cursor stays on its folder.
func (s *Screen) foldAll() {
	n := s.node()
	if n == nil {
		return
	}
	folder, op := n.folder, n.op
	s.tree.foldAll()
	s.rows.Fit(len(s.tree.nodes), s.rows.Height)
	for i, n := range s.tree.nodes {
		if n.folder == folder && (n.op == nil || n.op == op) {
			s.rows.Go(i)
		}
	}
}

// typed takes a key while the filter has the focus.
func (s *Screen) typed(k tea.KeyMsg) tea.Cmd {
	before := s.find.Text()
	cmd := s.find.Key(k)
	switch now := s.find.Text(); {
	case now == "" && before != "":
		s.sift()
	case now != before:
		s.narrow()
	}
	return cmd
}

// sift has the tree show what fits the filter; the cursor stays on its operation
// as far as that is in sight.
func (s *Screen) sift() {
	at := s.node()
	s.tree.filter(s.fits())
	s.rows.Fit(len(s.tree.nodes), s.rows.Height)
	if at != nil && at.op != nil {
		s.rows.Go(s.tree.row(at.op.ID, s.rows.At))
	}
}

// fits tells how an operation fits the filter; nil where there is none.
func (s *Screen) fits() func(*model.Operation) filter.Rank {
	if s.find.Empty() {
		return nil
	}
	return func(op *model.Operation) filter.Rank {
		return s.find.Fit(filter.Row{Ops: []model.OpID{op.ID}, Statuses: s.study.Index.Statuses(op.ID, s.run)})
	}
}

// narrow filters the tree by what was typed, and puts the cursor on the first
// operation.
func (s *Screen) narrow() {
	s.tree.filter(s.fits())
	s.rows.Fit(len(s.tree.nodes), s.rows.Height)
	s.rows.Go(min(1, len(s.tree.nodes)-1))
	s.settle()
}

// settle shows what is under the tree's cursor.
func (s *Screen) settle() {
	switch n := s.node(); {
	case n == nil:
	case n.op == nil:
		s.turn("")
	case n.op.ID != s.shown:
		s.turn(n.op.ID)
	}
}

// current returns the node under the tree's cursor; false where its keys do nothing:
// the tree is empty, or a filter keeps the folder open.
func (s *Screen) current() (*node, bool) {
	n := s.node()
	return n, n != nil && (n.op != nil || !s.tree.filtered())
}

// openNode opens the operation under the cursor, or folds and unfolds the folder.
func (s *Screen) openNode(k tea.KeyMsg) tea.Cmd {
	n, ok := s.current()
	switch {
	case !ok:
	case n.op != nil:
		s.read(true)
	case k.Type == tea.KeyEnter:
		s.tree.fold(n.folder, !s.tree.unfolded(n.folder))
	case s.tree.unfolded(n.folder):
		s.rows.Go(s.rows.At + 1)
		s.settle()
	default:
		s.tree.fold(n.folder, true)
	}
	return nil
}

// foldNode folds the folder under the cursor, or goes from an operation to its folder.
func (s *Screen) foldNode() {
	if n, ok := s.current(); ok && n.op == nil {
		s.tree.fold(n.folder, false)
	} else if ok {
		s.toFolder()
	}
}

// toggleNode folds or unfolds the folder under the cursor, or goes from an operation to
// its folder.
func (s *Screen) toggleNode() {
	if n, ok := s.current(); ok && n.op == nil {
		s.tree.fold(n.folder, !s.tree.unfolded(n.folder))
	} else if ok {
		s.toFolder()
	}
}

func (s *Screen) toFolder() {
	s.rows.Go(s.tree.parent(s.rows.At))
	s.settle()
}

// read moves the focus to the page, there to its first stop, or back.
func (s *Screen) read(page bool) {
	s.reading = page
	s.refresh()
	if page && s.stops.At == 0 && s.stopNear(0, 1) > 0 {
		s.step(1)
	}
}

// enter goes to the neighbour under the cursor, or unfolds.
func (s *Screen) enter() tea.Cmd {
	if s.stops.At >= len(s.page) {
		return nil
	}
	switch r := s.page[s.stops.At]; {
	case r.to != "":
		s.visit(r.to)
		return nil
	case r.fold != "":
		s.open[r.fold] = !s.open[r.fold]
		return nil
	case r.about != nil:
		return screen.ShowStatus("no other operation has this value")
	}
	return screen.ShowStatus("nothing to open in this line; ↓ goes to the next that has")
}
