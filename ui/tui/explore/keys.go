package explore

import (
	"slices"

	"sonde/model/match"
	"sonde/ui/draw"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Keys that appear in texts of the screen.
var (
	keyFollow = keymap.Bind("⏎", "go to, unfold", "enter", "right", "l")
	keySend   = keymap.Bind("r", "send a request")
	keyPaths  = keymap.Bind("p", "paths, leave them")
	keyImpact = keymap.Bind("I", "impact, leave it")
	// keyLeave leaves the paths and the impact.
	keyLeave = keymap.Bind("esc", "leave the paths or the impact")
)

type condition = keymap.Need[*Screen]

var (
	onPage     = condition{Met: func(s *Screen) bool { return s.page.focused }, Why: "needs an operation's page"}
	onTree     = keymap.Not(onPage.Met, "needs the list of operations")
	filtered   = condition{Met: func(s *Screen) bool { return s.tree.ops.filtered() }, Why: "no filter is set"}
	onWay      = condition{Met: func(s *Screen) bool { _, ok := s.page.way(); return ok }, Why: "needs the paths to an operation"}
	onStep     = condition{Met: func(s *Screen) bool { return s.page.onStep() }, Why: "needs a step of a path"}
	onValue    = condition{Met: func(s *Screen) bool { return s.page.currentValue() != nil }, Why: "needs a value on an operation's page"}
	unfiltered = keymap.Not(filtered.Met, "needs the list, unfiltered")
	chosen     = condition{Met: func(s *Screen) bool { return s.page.op != "" }, Why: "choose an operation first"}
	followed   = condition{
		Met: func(s *Screen) bool { return s.history.fromRow(s.page.op) },
		Why: "needs an operation that you came to from another one's page",
	}
	against = condition{
		Met: func(s *Screen) bool { return s.changes.diff != nil },
		Why: "needs an older version of the spec: sonde --against OLD NEW",
	}
	viewed = condition{
		Met: func(s *Screen) bool { return s.page.question.view != viewOperation }, Why: "needs the paths to an operation or its impact",
	}
	// leavable is not met on a filtered list of operations, because esc clears the filter first.
	leavable     = condition{Met: func(s *Screen) bool { return s.page.focused || !s.tree.ops.filtered() }, Why: "a filter is set"}
	unviewed     = keymap.Not(viewed.Met, "")
	wasElsewhere = condition{
		Met:     func(s *Screen) bool { return len(s.history) > 0 },
		Why:     "there was no operation before",
		Explain: func(*Screen) string { return "this is where you started" },
	}
)

// keys are the keys of the screen.
var keys = keymap.Map[*Screen]{
	{On: func(s *Screen) bool { return s.analyzed == nil }},
	{
		On:      func(s *Screen) bool { return s.send.Open() },
		Busy:    "a request is open",
		Keys:    func(s *Screen) []key.Binding { return s.send.Keys() },
		Actions: func(s *Screen) []screen.Action { return s.send.Actions() },
		Rest:    func(s *Screen, k tea.KeyMsg) tea.Cmd { return s.send.Update(k) },
	},
	{
		On:   func(s *Screen) bool { return s.correction.open() },
		Busy: "a value is being corrected",
		Keys: func(s *Screen) []key.Binding { return s.correction.box.Keys() },
		Rest: func(s *Screen, k tea.KeyMsg) tea.Cmd { return s.correction.press(k) },
	},
	{
		On:   func(s *Screen) bool { return s.tree.find.Typing() },
		Busy: "a filter is being typed",
		Rows: keymap.Each(finder.Keys(), (*Screen).typeFilter),
		Rest: (*Screen).typeFilter,
	},
	{Rows: slices.Concat([]keymap.Row[*Screen]{
		{Key: keyFollow, Help: func(s *Screen) string { return s.page.followHelp() }, Needs: []condition{onPage}, Do: (*Screen).follow},
		{
			Key:   keymap.Bind("o", "go to it"),
			Needs: []condition{onStep},
			Do:    keymap.Act(func(s *Screen) { s.goFromRow(s.page.current().to) }),
		},
		{Key: keymap.Bind("←", "operations", "left", "h"), Needs: []condition{onPage}, Do: toTree},
		{Key: keymap.Bind("esc", "back"), Needs: []condition{onPage, followed, unviewed}, Do: keymap.Act((*Screen).back)},
		{
			Key:    keymap.Bind("esc", "operations"),
			Needs:  []condition{onPage, keymap.Not(followed.Met, ""), unviewed},
			Do:     toTree,
			Hidden: true,
		},
		{Key: keymap.Bind("space", "go to, unfold", " "), Needs: []condition{onPage}, Do: (*Screen).follow, Hidden: true},
		{Key: keymap.Bind("⏎", "open", "enter", "right", "l"), Needs: []condition{onTree}, Take: (*Screen).openNode},
		{Key: finder.KeyClearFilter, Needs: []condition{filtered, onTree}, Do: keymap.Act((*Screen).clearFilter)},
		{
			Key:   keymap.Bind("←", "fold", "left", "h"),
			Needs: []condition{onTree, unfiltered, {Met: func(s *Screen) bool { return s.tree.foldable() }, Why: "the folder is closed"}},
			Do:    inTree((*treePane).fold),
		},
		{
			Key:    keymap.Bind("←", "to the folder", "left", "h"),
			Needs:  []condition{onTree, filtered},
			Do:     inTree((*treePane).fold),
			Hidden: true,
		},
		{
			Key:   keymap.Bind("⌫", "back", "backspace"),
			Needs: []condition{wasElsewhere},
			Do:    keymap.Act((*Screen).back),
		},
		{Key: keySend, Needs: []condition{chosen, keymap.Not(onWay.Met, "")}, Do: (*Screen).request},
		{Key: finder.KeyFilter, Do: (*Screen).openFilter},
		{
			Key: keyPaths,
			Help: func(s *Screen) string {
				return keymap.Either(s.page.question.view == viewPaths, "leave the paths", "paths")
			},
			Needs: []condition{chosen},
			Do:    keymap.Act(showView(viewPaths)),
		},
		{
			Key: keyImpact,
			Help: func(s *Screen) string {
				return keymap.Either(s.page.question.view == viewImpact, "leave the impact", "impact")
			},
			Needs: []condition{chosen},
			Do:    keymap.Act(showView(viewImpact)),
		},
		{Key: keymap.Bind("r", "send this way"), Needs: []condition{onWay}, Do: (*Screen).sendWay},
		{
			Key:   keymap.Bind("g", "in graph"),
			Needs: []condition{chosen},
			Do:    func(s *Screen) tea.Cmd { return s.post.ShowScreen(screen.TabGraph, s.page.op) },
		},
		{
			Key:   keymap.Bind("c", "correct the value"),
			Help:  func(*Screen) string { return "correct it" }, // the value in the row under the cursor
			Needs: []condition{onValue},
			Do:    (*Screen).correctValue,
		},
		{
			Key:   keymap.Bind("G", "its group"),
			Needs: []condition{chosen},
			Do:    func(s *Screen) tea.Cmd { return s.post.ShowScreen(screen.TabGroups, s.page.op) },
		},
		{
			Key:   screen.KeySeqs,
			Needs: []condition{chosen},
			Do:    func(s *Screen) tea.Cmd { return s.post.ShowSeqsOf(s.page.op) },
		},
		{
			Key:   keymap.Bind("a", "attributes too, links only"),
			Help:  func(s *Screen) string { return keymap.Either(s.page.attributes, "links only", "attributes too") },
			Needs: []condition{chosen},
			Do:    keymap.Act(func(s *Screen) { s.page.toggleAttributes(s.analyzed, s.ops) }),
		},
		{
			Key:   screen.KeyAppend,
			Needs: []condition{chosen, keymap.Not(onWay.Met, "")},
			Do:    func(s *Screen) tea.Cmd { return s.post.Send(screen.AppendOperation{Op: s.page.op}) },
		},
		{Key: keymap.Bind("b", "keep this way"), Needs: []condition{onWay}, Do: keepWay},
		{Key: keymap.Bind(":", "all"), Needs: []condition{onTree, unfiltered}, Do: keymap.Act(func(s *Screen) { s.tree.foldAll() })},
		{
			Key:   keymap.Bind("space", "fold", " "),
			Needs: []condition{onTree, unfiltered},
			Do:    inTree((*treePane).toggle),
		},
		{
			Key:    keymap.Bind("space", "to the folder", " "),
			Needs:  []condition{onTree, filtered},
			Do:     inTree((*treePane).toggle),
			Hidden: true,
		},
		{Key: keyLeave, Help: func(*Screen) string { return "leave" }, Needs: []condition{viewed, leavable}, Do: leaveView},
		{Key: keymap.Bind("B", "breaking changes"), Needs: []condition{against}, Do: keymap.Act((*Screen).showBreaking)},
		{Key: keymap.Bind("v", "other pane"), Do: keymap.Act(func(s *Screen) { s.read(!s.page.focused) })},
	}, keymap.Each(widget.MoveKeys(), (*Screen).move))},
}

// Keys returns the keys that are active now.
func (s *Screen) Keys() []key.Binding { return keys.Keys(s) }

// Actions returns the actions of all keys. Inactive keys have a reason.
func (s *Screen) Actions() []screen.Action { return keys.Actions(s) }

// Listed returns all keys of the screen, for docs/keys.md. The keys of the form for a request come last.
func (s *Screen) Listed() []key.Binding { return slices.Concat(keys.Listed(), s.send.Listed()) }

func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	cmd, _ := keys.Press(s, k)
	return cmd
}

// move moves the cursor of the pane that has the focus.
func (s *Screen) move(k tea.KeyMsg) tea.Cmd {
	switch {
	case s.page.focused:
		s.page.move(k)
	case s.tree.rows.Key(k):
		s.showCursor()
	}
	return nil
}

// leaveView shows the operation's page instead of the paths or the impact. The focus stays.
var leaveView = keymap.Act(func(s *Screen) {
	s.page.question.toggle(s.page.question.view)
	s.page.reset()
})

// toTree moves the focus to the operations.
var toTree = keymap.Act((*Screen).focusTree)

// focusTree moves the focus to the operations. If the filter hides the operation on the page, the page then
// shows the row under the cursor.
func (s *Screen) focusTree() {
	s.page.focused = false
	if !s.tree.has(s.page.op) {
		s.showCursor()
	}
}

// keepWay keeps the path under the cursor as a seq, on the Seqs screen.
func keepWay(s *Screen) tea.Cmd {
	p, _ := s.page.way()
	return s.post.Send(screen.KeepSeq{Seq: p.Seq})
}

// openFilter moves the focus to the line of the filter.
func (s *Screen) openFilter() tea.Cmd {
	s.focusTree()
	return s.tree.find.Focus()
}

// typeFilter handles a key while the filter has the focus. A new filter is about other operations, so the page no
// longer shows the paths or the impact.
func (s *Screen) typeFilter(k tea.KeyMsg) tea.Cmd {
	cmd, moved := s.tree.typeFilter(k)
	switch {
	case moved:
		s.page.question.view = viewOperation
		s.showCursor()
	case s.page.op == "": // the filter had no hit
		s.showCursor()
	}
	return cmd
}

// showBreaking filters the operations with changes that may break clients.
func (s *Screen) showBreaking() {
	s.focusTree()
	s.tree.find.SetText(changedFact + ":breaking")
	s.tree.narrow()
	s.page.question.view = viewOperation
	s.showCursor()
}

// clearFilter shows all operations again.
func (s *Screen) clearFilter() {
	s.tree.clearFilter()
	if s.page.op == "" {
		s.showCursor()
	}
}

// openNode opens the page of the operation under the cursor. If a folder is under the cursor, enter folds or unfolds
// the folder. Another key unfolds the folder or, if the folder is already unfolded, moves to its first operation.
func (s *Screen) openNode(k tea.KeyMsg) tea.Cmd {
	switch n := s.tree.current(); {
	case n == nil:
	case n.op != nil:
		s.read(true)
	case k.Type == tea.KeyEnter:
		s.tree.toggle()
	case s.tree.enter():
		s.showCursor()
	}
	return nil
}

// inTree returns an action that calls a function of the tree. If the function moves the cursor, the page shows the new
// row.
func inTree(do func(*treePane) bool) func(*Screen) tea.Cmd {
	return keymap.Act(func(s *Screen) {
		if do(&s.tree) {
			s.showCursor()
		}
	})
}

// read moves the focus to the page or to the tree.
func (s *Screen) read(page bool) {
	if !page {
		s.focusTree()
		return
	}
	s.page.focused = true
	s.refresh()
	s.page.enter()
}

// follow unfolds or folds the row under the cursor, or goes to the operation in it.
func (s *Screen) follow() tea.Cmd {
	r := s.page.current()
	switch {
	case r == nil:
		return nil
	case r.fold != "":
		s.page.folds[r.fold] = !s.page.folds[r.fold]
		return nil
	case r.to != "":
		s.goFromRow(r.to)
		return nil
	case r.observed:
		return s.post.ShowScreen(screen.TabSearch, s.page.op)
	case r.declared != nil:
		return showDeclared(s, r.declared)
	case r.value != nil && !r.value.shared():
		return screen.ShowStatus(draw.Clean(r.value.use.Name) + ": " + r.value.kinds() + "; no other operation has this value")
	case s.page.nextStop():
		return nil
	}
	return screen.ShowStatus("this is the end of the page")
}

// showDeclared moves the cursor to the value of a part of a message, in the table of values that says where it comes
// from or goes. If the operation exchanges no such value, it shows what the part is.
func showDeclared(s *Screen, d *declaration) tea.Cmd {
	if s.page.goToDeclared(d) {
		return nil
	}
	table := (flow{use: match.ValueUse{Out: d.out}}).table()
	folded := !s.page.folds[table]
	s.page.folds[table] = true
	s.refresh()
	if s.page.goToDeclared(d) {
		return nil
	}
	s.page.folds[table] = !folded
	return screen.ShowStatus(d.text())
}
