package groups

import (
	"slices"

	"sonde/ui/tui/finder"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/practice"
	"sonde/ui/tui/save"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// keyRule appears in the note of the seqs.
var keyRule = keymap.Bind("d", "seqs by DC or SC")

type need = keymap.Need[*Screen]

var (
	aGroup   = need{Met: func(s *Screen) bool { return s.view.table.section() >= 0 }, Why: "nothing fits the filter"}
	onTable  = need{Met: func(s *Screen) bool { return s.view.focus == table }, Why: "needs the table of groups"}
	hasParts = need{Met: func(s *Screen) bool { return s.view.table.divided() }, Why: "needs a group or area that has parts"}
	offTable = keymap.Not(onTable.Met, "needs an operation")
	onFigure = need{Met: func(s *Screen) bool { return s.view.focus == picture }}
	onOp     = need{Met: func(s *Screen) bool { return s.view.op() != "" }}
	onValue  = need{
		Met: func(s *Screen) bool { return s.view.focus == members && s.view.value() != "" },
		Why: "needs a value of the group",
	}
	onArea = need{
		Met: func(s *Screen) bool { return s.view.focus == picture && s.view.figure.area() >= 0 },
	}
	graphable = need{Met: func(s *Screen) bool { return s.area() >= 0 || s.view.op() != "" }, Why: "needs an operation or an area"}
	seqsOf    = need{
		Met: func(s *Screen) bool { return s.view.focus == table || s.area() >= 0 || s.view.op() != "" },
		Why: "needs an operation, an area or a group",
	}
	onHeading = need{
		Met: func(s *Screen) bool { return s.view.focus == members && s.view.members.onHeading() },
	}
	onList = need{
		Met: func(s *Screen) bool { return s.view.focus == members || s.view.focus == seqs },
		Why: "the table has the focus",
	}
	filtered  = need{Met: func(s *Screen) bool { return s.view.table.find.Text() != "" }, Why: "no filter is set"}
	hasFigure = need{Met: func(s *Screen) bool { return s.view.figure.drawing != nil }, Why: "the figure is not drawn yet"}
	movable   = need{Met: func(s *Screen) bool {
		return s.view.focus != picture || s.view.figure.tree() || s.view.figure.overview()
	}}
	callable = need{Met: func(s *Screen) bool { return s.calls.HasService() }, Why: practice.NoService}
	larger   = need{Met: func(s *Screen) bool { return s.view.figure.larger() }}
)

// keys are the keys of the screen.
var keys = append(keymap.Map[*Screen](practice.Modes(func(s *Screen) *practice.Page { return s.calls })), keymap.Map[*Screen]{
	{On: func(s *Screen) bool { return s.view.analyzed == nil }},
	{
		On:   func(s *Screen) bool { return s.save.Typing() },
		Busy: "a file name is being typed",
		Keys: func(s *Screen) []key.Binding { return s.save.Keys() },
		Rest: func(s *Screen, k tea.KeyMsg) tea.Cmd { return s.save.Update(k) },

		Listed: save.Keys(),
	},
	{
		On:   func(s *Screen) bool { return s.view.table.find.Typing() },
		Busy: "a filter is being typed",
		Rows: keymap.Each(finder.Keys(), (*Screen).typeFilter),
		Rest: (*Screen).typeFilter,
	},
	{Rows: slices.Concat([]keymap.Row[*Screen]{
		{
			Key:   keymap.Bind("⏎", "operations", "enter", "right"),
			Needs: []need{aGroup, onTable},
			Do:    focusOn(members),
		},
		{
			Key:   keymap.Bind("space", "fold, unfold", " "),
			Needs: []need{onTable, hasParts},
			Do:    keymap.Act(func(s *Screen) { s.view.toggle() }),
		},
		{Key: keymap.Bind("⏎", "why it is one", "enter"), Needs: []need{aGroup, onValue}, Do: focusOn(seqs)},
		{
			Key:   keymap.Bind("⏎", "unfold, fold", "enter", " "),
			Needs: []need{aGroup, onHeading},
			Do:    keymap.Act(func(s *Screen) { s.view.toggleByValue() }),
		},
		{
			Key:   keymap.Bind("⏎", "in explore", "enter"),
			Needs: []need{aGroup, offTable, onOp, keymap.Not(onArea.Met, "")},
			Do:    func(s *Screen) tea.Cmd { return s.jump(screen.TabExplore) },
		},
		{
			Key:   keymap.Bind("⏎", "open the area", "enter"),
			Needs: []need{aGroup, onArea},
			Do:    keymap.Act(func(s *Screen) { s.view.openArea() }),
		},
		{
			Key:   keymap.Bind("t", "as a tree, as a figure"),
			Help:  func(s *Screen) string { return keymap.Either(s.view.figure.tree(), "as a figure", "as a tree") },
			Needs: []need{aGroup, onFigure},
			Do:    keymap.Act(func(s *Screen) { s.view.figure.toggleTree() }),
		},
		{
			Key:   keymap.Bind("g", "in graph"),
			Needs: []need{aGroup, graphable},
			Do:    (*Screen).showInGraph,
		},
		{Key: screen.KeySeqs, Needs: []need{aGroup, seqsOf}, Do: (*Screen).showSeqs},
		{Key: keymap.Bind("esc", "groups", "esc", "left"), Needs: []need{aGroup, onList}, Do: focusOn(table)},
		{Key: keymap.Bind("esc", "groups"), Needs: []need{aGroup, onFigure}, Do: focusOn(table)},
		{
			Key:   keymap.Bind("v", "next pane"),
			Needs: []need{aGroup},
			Do:    keymap.Act(func(s *Screen) { s.view.focus = (s.view.focus + 1) % panes }),
		},
		{Key: keyRule, Needs: []need{aGroup}, Do: keymap.Act(func(s *Screen) { s.view.switchRule() })},
		{Key: finder.KeyFilter, Do: (*Screen).openFilter},
		{Key: practice.KeyOpen, Needs: []need{aGroup, callable}, Do: keymap.Act((*Screen).openCalls)},
	}, keymap.Each(sheet.AllBindings(sheet.ArrowKeys, sheet.LetterKeys), scroll, aGroup, onFigure, larger), []keymap.Row[*Screen]{
		{Key: finder.KeyClearFilter, Needs: []need{filtered, {Met: onTable.Met}}, Do: keymap.Act((*Screen).clearFilter)},
		{
			Key:   keymap.Bind("m", "match"),
			Help:  func(s *Screen) string { return "match: " + string(otherMatch(s.regrouping.mode).Match) },
			Needs: []need{aGroup},
			Do:    func(s *Screen) tea.Cmd { return s.switchMode(otherMatch) },
		},
		{
			Key:   keymap.Bind("V", "values"),
			Help:  func(s *Screen) string { return "values: " + string(otherDepth(s.regrouping.mode).Values) },
			Needs: []need{aGroup},
			Do:    func(s *Screen) tea.Cmd { return s.switchMode(otherDepth) },
		},
		{
			Key: keymap.Bind("b", "groups as a treemap, as a list"),
			Help: func(s *Screen) string {
				return keymap.Either(s.view.table.asMap, "groups as a list", "groups as a treemap")
			},
			Needs: []need{aGroup},
			Do:    keymap.Act(func(s *Screen) { s.view.table.asMap = !s.view.table.asMap }),
		},
		{Key: keymap.Bind("s", "sort by size or number"), Needs: []need{aGroup}, Do: (*Screen).switchOrder},
		{
			Key: keymap.Bind("t", "the figure as a tree, as a figure"),
			Help: func(s *Screen) string {
				return keymap.Either(s.view.figure.tree(), "the tree as a figure", "the figure as a tree")
			},
			Needs: []need{aGroup, keymap.Not(onFigure.Met, "")},
			Do: keymap.Act(func(s *Screen) {
				s.view.focus = picture
				s.view.figure.toggleTree()
			}),
		},
		{
			Key: keymap.Bind("a", "the figure of all groups, of one"),
			Help: func(s *Screen) string {
				return keymap.Either(s.view.figure.whole, "figure of one group", "figure of all groups")
			},
			Needs: []need{aGroup},
			Do:    keymap.Act(func(s *Screen) { s.view.toggleWhole() }),
		},
		{
			Key: keymap.Bind("A", "figure with, without given and unused values"),
			Help: func(s *Screen) string {
				return keymap.Either(s.view.results.allValues, "only exchanged values", "given and unused values")
			},
			Needs: []need{aGroup},
			Do:    keymap.Act(func(s *Screen) { s.view.results.toggleValues() }),
		},
		{Key: save.KeyExport, Needs: []need{aGroup, hasFigure}, Do: keymap.Act((*Screen).openExport)},
	},
		keymap.Each(widget.MoveKeys(), move, aGroup, movable),
		keymap.Each(sheet.AllBindings(sheet.ShiftArrowKeys), scroll, aGroup, larger),
	)},
}...)

// focusOn returns an action that moves the focus to a pane.
func focusOn(p pane) func(*Screen) tea.Cmd {
	return keymap.Act(func(s *Screen) { s.view.focus = p })
}

// move moves the cursor of the pane that has the focus.
func move(s *Screen, k tea.KeyMsg) tea.Cmd {
	s.view.move(k)
	return nil
}

// scroll moves the visible part of the figure.
func scroll(s *Screen, k tea.KeyMsg) tea.Cmd {
	s.view.figure.scroll(k)
	return nil
}

// Keys returns the keys that are active now.
func (s *Screen) Keys() []key.Binding { return keys.Keys(s) }

// Actions returns the actions of all keys. Inactive keys have a reason.
func (s *Screen) Actions() []screen.Action { return keys.Actions(s) }

// Listed returns all keys, active or not, for docs/keys.md.
func (s *Screen) Listed() []key.Binding { return keys.Listed() }
