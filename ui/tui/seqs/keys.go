package seqs

import (
	"slices"

	"sonde/analysis/distil"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

var (
	keyPick      = key.NewBinding(key.WithKeys(" "), key.WithHelp("space", "pick"))
	keyPickAll   = key.NewBinding(key.WithKeys("A"), key.WithHelp("A", "pick all shown"))
	keyUnpickAll = key.NewBinding(key.WithKeys("A"), key.WithHelp("A", "unpick all shown"))
	keyCover     = key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "cover the rest"))
	keyUndo      = key.NewBinding(key.WithKeys("u"), key.WithHelp("u", "undo a"))
	keyBySC      = key.NewBinding(key.WithKeys("d"), key.WithHelp("d", "seqs by SC"))
	keyByDC      = key.NewBinding(key.WithKeys("d"), key.WithHelp("d", "seqs by DC"))
	keyTry       = key.NewBinding(key.WithKeys("s"), key.WithHelp("s", "try it"))
	keyTryPicked = key.NewBinding(key.WithKeys("s"), key.WithHelp("s", "try those picked"))
	keySend      = key.NewBinding(key.WithKeys("r"), key.WithHelp("r", "send by hand"))
	keyRead      = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "read it"))
	keyList      = key.NewBinding(key.WithKeys("enter", "esc"), key.WithHelp("⏎", "to the list"))
	keyPane      = key.NewBinding(key.WithKeys("v"), key.WithHelp("v", "other pane"))
	keyByRule    = key.NewBinding(key.WithKeys("p"), key.WithHelp("p", "pick by rule"))
	keyOrder     = key.NewBinding(key.WithKeys("o"), key.WithHelp("o", "order"))
	keyGroup     = key.NewBinding(key.WithKeys("g"), key.WithHelp("g", "group"))
	keyOrigin    = key.NewBinding(key.WithKeys("f"), key.WithHelp("f", "origin"))
)

// Keys are the keys that do something now.
func (s *Screen) Keys() []key.Binding {
	current := s.list.current()
	switch {
	case s.player.question.Open():
		return s.player.question.Keys()
	case s.list.find.Typing():
		return finder.Keys()
	case s.catalog.len() == 0:
		return nil
	case s.building():
		return s.builder.keys(s.player.keys(current))
	case s.details.drying(current):
		return append([]key.Binding{keyEndDry}, widget.MoveKeys()...)
	case s.details.stepping(current):
		return append([]key.Binding{s.details.steps.key(), keyEndSteps}, widget.MoveKeys()...)
	}
	narrow := []key.Binding{finder.KeyFilter, keyOrigin, keyOrder, keyGroup}
	if s.list.find.Text() != "" && !s.details.focused {
		narrow = append(narrow, finder.KeyClearFilter)
	}
	rule := s.catalog.distilled.ruleKey()
	if current == nil {
		return slices.Concat(s.picks.keys(), narrow, []key.Binding{rule})
	}
	return slices.Concat(
		[]key.Binding{keyPick},
		s.picks.keys(),
		[]key.Binding{
			s.list.pickAllKey(), keyByRule, s.details.readKey(), keyBuild, s.picks.tryKey(), keySend,
			s.details.compareKey(), keyDry,
		},
		s.player.keys(current),
		narrow,
		[]key.Binding{rule, keyPane},
		widget.MoveKeys(),
	)
}

// Actions are what the screen does at other times, and why not now.
func (s *Screen) Actions() []screen.Action {
	all := slices.Concat(
		screen.UnavailableActions(
			"nothing is listed", keyPick, s.list.pickAllKey(), keyRead, s.picks.tryKey(), keySend, keyPane,
			finder.KeyFilter, keyOrigin, keyOrder, keyGroup, keyByRule, keyBuild, keyCompare, keyDry,
		),
		screen.UnavailableActions("needs a test that was played", keyAgain, keyStep),
		screen.UnavailableActions("nothing is left to cover", keyCover),
		screen.UnavailableActions("a has picked nothing", keyUndo),
		screen.UnavailableActions("no filter is set", finder.KeyClearFilter),
	)
	if s.Typing() {
		return screen.BlockActions("a text is being typed", all)
	}
	return all
}

// ruleKey is the key that switches to the other rule.
func (d *distilledSeqs) ruleKey() key.Binding {
	if d.rule == distil.RuleSC {
		return keyByDC
	}
	return keyBySC
}

// pickAllKey is the key that picks or unpicks all listed rows.
func (l *rowList) pickAllKey() key.Binding {
	if allPicked(l.rows) {
		return keyUnpickAll
	}
	return keyPickAll
}

// press handles a key.
func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	current := s.list.current()
	switch {
	case s.list.find.Typing():
		return s.list.pressFilter(k)
	case s.building():
		return s.pressBuilder(k)
	case s.details.drying(current):
		s.details.pressDryRun(k)
		return nil
	case s.details.stepping(current):
		return s.player.pressSteps(k)
	}
	return s.pressList(k, current)
}

// pressBuilder handles a key while the builder has the focus.
func (s *Screen) pressBuilder(k tea.KeyMsg) tea.Cmd {
	switch {
	case s.builder.edit.open():
	case key.Matches(k, keyEndBuild):
		s.builder.open, s.details.focused = false, false
		return nil
	case key.Matches(k, keyDry):
		return s.details.startDryRun(s.builder.row, s.engine, s.player.host.URL)
	case key.Matches(k, keyAgain):
		return s.player.replay()
	case key.Matches(k, keyStep):
		return s.player.stepThrough()
	}
	return s.builder.press(k)
}

// pressList handles a key that means the whole list, or else the row under the cursor.
func (s *Screen) pressList(k tea.KeyMsg, current *row) tea.Cmd {
	d := s.details
	switch {
	case key.Matches(k, finder.KeyFilter):
		d.focused = false
		return s.list.find.Focus()
	case key.Matches(k, keyOrigin):
		s.list.nextOrigin()
	case key.Matches(k, keyOrder):
		s.list.nextOrder()
	case key.Matches(k, keyGroup):
		s.list.nextGrouping()
	case d.left != nil && key.Matches(k, keyEndCompare) && !(d.focused && key.Matches(k, keyList)):
		d.left = nil
	case key.Matches(k, finder.KeyClearFilter) && !d.focused:
		s.list.clearFilter()
	case key.Matches(k, s.catalog.distilled.ruleKey()):
		return s.picks.switchRule()
	case key.Matches(k, keyCover):
		return s.picks.pickCover()
	case key.Matches(k, keyUndo) && len(s.picks.cover.added) > 0:
		return s.picks.undoCover()
	case current != nil:
		return s.pressRow(k, current)
	}
	return nil
}

// pressRow handles a key that means the row under the cursor. The cursor is pinned to it.
func (s *Screen) pressRow(k tea.KeyMsg, current *row) tea.Cmd {
	s.list.pinned = true
	switch {
	case key.Matches(k, keyPick):
		return s.picks.toggle(current)
	case key.Matches(k, keyPickAll):
		return s.picks.toggleAll()
	case key.Matches(k, keyByRule):
		return s.picks.nextRule()
	case key.Matches(k, keyCompare):
		s.details.compareWith(current)
	case key.Matches(k, keyAgain):
		return s.player.replay()
	case key.Matches(k, keyStep):
		return s.player.stepThrough()
	case key.Matches(k, keyDry):
		return s.details.startDryRun(current, s.engine, s.player.host.URL)
	case key.Matches(k, keyBuild) && !s.catalog.links.ready():
		return s.loading.link(s.catalog.study, k)
	case key.Matches(k, keyBuild):
		return s.build()
	case key.Matches(k, keyTry):
		return s.picks.try()
	case key.Matches(k, keySend):
		return s.engine.Queue.ComposeLastCall(current.Seq, current.Test)
	case key.Matches(k, s.details.readKey(), keyPane):
		s.details.focused = !s.details.focused
	case s.details.focused:
		s.details.scroll.Key(k)
	default:
		s.list.cursor.Key(k)
	}
	return nil
}
