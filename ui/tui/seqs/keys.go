package seqs

import (
	"slices"

	"sonde/analysis/distil"
	"sonde/ui/tui/finder"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

var (
	keyPick    = key.NewBinding(key.WithKeys(" "), key.WithHelp("space", "pick"))
	keyPickAll = key.NewBinding(key.WithKeys("A"), key.WithHelp("A", "pick all shown"))
	keyDropAll = key.NewBinding(key.WithKeys("A"), key.WithHelp("A", "unpick all shown"))
	keyCover   = key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "cover the rest"))
	keyUndo    = key.NewBinding(key.WithKeys("u"), key.WithHelp("u", "undo a"))
	keyBySC    = key.NewBinding(key.WithKeys("d"), key.WithHelp("d", "seqs by SC"))
	keyByDC    = key.NewBinding(key.WithKeys("d"), key.WithHelp("d", "seqs by DC"))
	keyTry     = key.NewBinding(key.WithKeys("s"), key.WithHelp("s", "try it"))
	keyTryAll  = key.NewBinding(key.WithKeys("s"), key.WithHelp("s", "try those picked"))
	keySend    = key.NewBinding(key.WithKeys("r"), key.WithHelp("r", "send by hand"))
	keyRead    = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "read it"))
	keyList    = key.NewBinding(key.WithKeys("enter", "esc"), key.WithHelp("⏎", "to the list"))
	keyPane    = key.NewBinding(key.WithKeys("v"), key.WithHelp("v", "other pane"))
	keyByRule  = key.NewBinding(key.WithKeys("p"), key.WithHelp("p", "pick by rule"))
	keyOrder   = key.NewBinding(key.WithKeys("o"), key.WithHelp("o", "order"))
	keyGroup   = key.NewBinding(key.WithKeys("g"), key.WithHelp("g", "group"))
	keyOnly    = key.NewBinding(key.WithKeys("f"), key.WithHelp("f", "origin"))
)

// Keys are the keys that matter now.
func (s *Screen) Keys() []key.Binding {
	switch {
	case s.question.Open():
		return s.question.Keys()
	case s.find.Typing():
		return s.find.Keys()
	}
	if s.rows.len() == 0 {
		return nil
	}
	switch {
	case s.building():
		return s.buildKeys()
	case s.drying():
		return append([]key.Binding{keyWet}, widget.MoveKeys()...)
	case s.stepping():
		return append([]key.Binding{s.walk.key(), keyEndStep}, widget.MoveKeys()...)
	}
	narrow := []key.Binding{finder.Open, keyOnly, keyOrder, keyGroup}
	if s.find.Text() != "" && !s.reading {
		narrow = append(narrow, finder.Clear)
	}
	if len(s.shown) == 0 {
		return slices.Concat(s.adding(), narrow, []key.Binding{s.keyRule()})
	}
	return slices.Concat([]key.Binding{keyPick}, s.adding(), []key.Binding{
		s.pickAll(), keyByRule, s.keyRead(), keyEdit, s.keyTry(), keySend, s.keyCompared(), keyDry,
	}, s.againKeys(), narrow,
		[]key.Binding{s.keyRule(), keyPane}, widget.MoveKeys())
}

// adding are the keys that pick what covers the rest, and take it back.
func (s *Screen) adding() []key.Binding {
	var keys []key.Binding
	if len(s.rest.rows) > 0 {
		keys = append(keys, keyCover)
	}
	if len(s.rest.added) > 0 {
		keys = append(keys, keyUndo)
	}
	return keys
}

func (s *Screen) keyRule() key.Binding {
	if s.rows.distilled.rule == distil.SC {
		return keyByDC
	}
	return keyBySC
}

func (s *Screen) pickAll() key.Binding {
	if s.allPicked() {
		return keyDropAll
	}
	return keyPickAll
}

func (s *Screen) keyTry() key.Binding {
	if s.tally.picked > 0 {
		return keyTryAll
	}
	return keyTry
}

func (s *Screen) keyRead() key.Binding {
	if s.reading {
		return keyList
	}
	return keyRead
}

func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	switch {
	case s.find.Typing():
		return s.typed(k)
	case s.building():
		return s.pressBench(k)
	case s.drying():
		s.pressDry(k)
	case s.stepping():
		return s.pressStep(k)
	case key.Matches(k, finder.Open):
		s.reading = false
		return s.find.Focus()
	case key.Matches(k, keyOnly):
		s.only = (s.only + 1) % onlys
		s.narrow()
	case key.Matches(k, keyOrder):
		s.order = (s.order + 1) % orders
		s.narrow()
	case key.Matches(k, keyGroup):
		s.grouping = (s.grouping + 1) % groupings
		s.narrow()
	case s.left != nil && key.Matches(k, keyAlone) && !(s.reading && key.Matches(k, keyList)):
		s.left = nil
	case key.Matches(k, finder.Clear) && !s.reading:
		s.find.Set("")
		s.narrow()
	case key.Matches(k, s.keyRule()):
		return s.turnRule()
	case key.Matches(k, keyCover):
		return s.coverRest()
	case key.Matches(k, keyUndo) && len(s.rest.added) > 0:
		return s.takeBack()
	case len(s.shown) > 0:
		return s.pressRow(k)
	}
	return nil
}

// pressRow takes a key that means the row under the cursor, which stays on it from then on.
func (s *Screen) pressRow(k tea.KeyMsg) tea.Cmd {
	s.moved = true
	switch {
	case key.Matches(k, keyPick):
		return s.pick(s.shown[s.list.At])
	case key.Matches(k, keyPickAll):
		return s.pickShown()
	case key.Matches(k, keyByRule):
		return s.pickByRule()
	case key.Matches(k, keyCompare):
		s.left, s.page.At = s.shown[s.list.At], 0
	case key.Matches(k, keyAgain):
		return s.replay()
	case key.Matches(k, keyStep):
		return s.stepThrough()
	case key.Matches(k, keyDry):
		return s.dryRun()
	case key.Matches(k, keyEdit) && s.rows.connect == nil:
		return s.bind(k)
	case key.Matches(k, keyEdit):
		return s.build()
	case key.Matches(k, s.keyTry()):
		return s.try()
	case key.Matches(k, keySend):
		return s.compose()
	case key.Matches(k, s.keyRead(), keyPane):
		s.reading = !s.reading
	case s.reading:
		s.page.Key(k)
	default:
		s.list.Key(k)
	}
	return nil
}

// typed takes a key while the filter has the focus. Who is done with a filter looks at
// what it found, and the cursor stays on its row then, too.
func (s *Screen) typed(k tea.KeyMsg) tea.Cmd {
	before := s.find.Text()
	cmd := s.find.Key(k)
	s.moved = s.moved || !s.find.Typing() && !s.find.Empty()
	if s.find.Text() != before {
		s.narrow()
	}
	return cmd
}
