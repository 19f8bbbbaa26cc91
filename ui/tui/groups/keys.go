package groups

import (
	"slices"

	"sonde/ui/tui/finder"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/save"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// keyRule is named by the head of the seqs.
var keyRule = keymap.Bind("d", "seqs by DC or SC")

type need = keymap.Need[*Screen]

var (
	aGroup   = need{Met: func(s *Screen) bool { return s.group() >= 0 }, Why: "nothing fits the filter"}
	onTable  = need{Met: func(s *Screen) bool { return s.focus == table }, Why: "needs the table of groups"}
	offTable = keymap.Not(onTable.Met, "needs an operation")
	onFigure = need{Met: func(s *Screen) bool { return s.focus == picture }}
	onValue  = need{
		Met: func(s *Screen) bool { return s.focus == members && s.value() != "" },
		Why: "needs a value of the group",
	}
	onList    = need{Met: func(s *Screen) bool { return s.focus == members || s.focus == seqs }, Why: "the table has the focus"}
	filtered  = need{Met: func(s *Screen) bool { return s.find.Text() != "" }, Why: "no filter is set"}
	hasFigure = need{Met: func(s *Screen) bool { return s.drawing() != nil }, Why: "the figure is not drawn yet"}
	movable   = need{Met: func(s *Screen) bool { return s.focus != picture || s.tree() }}
	larger    = need{Met: func(s *Screen) bool { return !s.tree() && s.drawing() != nil && !s.drawing().sheet.Whole() }}
)

// keys are all that the keys do.
var keys = keymap.Map[*Screen]{
	{On: func(s *Screen) bool { return s.study == nil }},
	{
		On:   func(s *Screen) bool { return s.save.Typing() },
		Busy: "a file is named",
		Keys: func(s *Screen) []key.Binding { return s.save.Keys() },
		Rest: func(s *Screen, k tea.KeyMsg) tea.Cmd { return s.save.Update(k) },
	},
	{
		On:   func(s *Screen) bool { return s.find.Typing() },
		Busy: "a filter is typed",
		Keys: func(s *Screen) []key.Binding { return s.find.Keys() },
		Rest: (*Screen).typed,
	},
	{Rows: slices.Concat([]keymap.Row[*Screen]{
		{
			Key:   keymap.Bind("⏎", "operations", "enter", "right"),
			Needs: []need{aGroup, onTable},
			Do:    focusOn(members),
		},
		{Key: keymap.Bind("⏎", "why it is one", "enter"), Needs: []need{aGroup, onValue}, Do: focusOn(seqs)},
		{
			Key:   keymap.Bind("⏎", "in explore", "enter"),
			Needs: []need{aGroup, offTable, keymap.Not(onValue.Met, "")},
			Do:    func(s *Screen) tea.Cmd { return s.jump(screen.TabExplore) },
		},
		{
			Key:   keymap.Bind("t", "as a tree, as a figure"),
			Help:  func(s *Screen) string { return either(s.tree(), "as a figure", "as a tree") },
			Needs: []need{aGroup, {Met: onFigure.Met, Why: "needs the figure"}},
			Do:    keymap.Act((*Screen).turnFigure),
		},
		{
			Key:   keymap.Bind("g", "in graph"),
			Needs: []need{aGroup},
			Do:    func(s *Screen) tea.Cmd { return s.jump(screen.TabGraph) },
		},
		{Key: keymap.Bind("esc", "groups", "esc", "left"), Needs: []need{aGroup, onList}, Do: focusOn(table)},
		{Key: keymap.Bind("esc", "groups"), Needs: []need{aGroup, onFigure}, Do: focusOn(table)},
		{
			Key:   keymap.Bind("v", "next pane"),
			Needs: []need{aGroup},
			Do:    keymap.Act(func(s *Screen) { s.focus = (s.focus + 1) % parts }),
		},
		{Key: keyRule, Needs: []need{aGroup}, Do: keymap.Act((*Screen).turnRule)},
		{Key: finder.Open, Do: (*Screen).openFilter},
	}, keymap.Each(sheet.Bindings(sheet.Arrows, sheet.Letters), (*Screen).scroll, aGroup, onFigure, larger), []keymap.Row[*Screen]{
		{Key: finder.Clear, Needs: []need{filtered, {Met: onTable.Met}}, Do: keymap.Act((*Screen).clear)},
		{
			Key:   keymap.Bind("m", "match"),
			Help:  func(s *Screen) string { return "match: " + string(names(s.read.way).Match) },
			Needs: []need{aGroup},
			Do:    func(s *Screen) tea.Cmd { return s.restudy(names) },
		},
		{
			Key:   keymap.Bind("V", "values"),
			Help:  func(s *Screen) string { return "values: " + string(depths(s.read.way).Values) },
			Needs: []need{aGroup},
			Do:    func(s *Screen) tea.Cmd { return s.restudy(depths) },
		},
		{
			Key:   keymap.Bind("b", "groups as a treemap, as a list"),
			Help:  func(s *Screen) string { return either(s.asMap, "groups as a list", "groups as a treemap") },
			Needs: []need{aGroup},
			Do:    keymap.Act(func(s *Screen) { s.asMap = !s.asMap }),
		},
		{Key: keymap.Bind("s", "sort by size or number"), Needs: []need{aGroup}, Do: (*Screen).resort},
		{Key: save.Key, Needs: []need{aGroup, hasFigure}, Do: keymap.Act((*Screen).askFile)},
	},
		keymap.Each(widget.MoveKeys(), (*Screen).move, aGroup, movable),
		keymap.Each(sheet.Bindings(sheet.Shifts), (*Screen).scroll, aGroup, larger),
	)},
}

func focusOn(p part) func(*Screen) tea.Cmd {
	return keymap.Act(func(s *Screen) { s.focus = p })
}

// either returns the first text where a condition holds, and else the second.
func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// Keys returns the keys that do something now.
func (s *Screen) Keys() []key.Binding { return keys.Keys(s) }

// Actions returns all that the keys do, and why not now.
func (s *Screen) Actions() []screen.Action { return keys.Actions(s) }

// Listed returns all keys, for the page of keys.
func (s *Screen) Listed() []key.Binding { return keys.Listed() }
