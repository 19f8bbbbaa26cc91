package record

import (
	"sonde/ui/tui/finder"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// press handles a key. An open field or the form gets it first.
func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	switch {
	case s.tests.folder != nil:
		return s.typedFolder(k)
	case s.form.typing():
		if dir := s.form.typed(k); dir != "" {
			return s.watch.open(dir)
		}
		return nil
	case s.exchanges.find.Typing():
		return s.exchanges.pressInFilter(k)
	case s.onForm():
		return s.formKey(k)
	}
	for _, handle := range []func(tea.KeyMsg) (tea.Cmd, bool){s.watchKey, s.listKey, s.testKey} {
		if cmd, done := handle(k); done {
			return cmd
		}
	}
	s.move(k)
	return nil
}

// formKey handles a key while the form is shown.
func (s *Screen) formKey(k tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(k, keyStart):
		return s.watch.start(s.form.watch)
	case key.Matches(k, keyOpen):
		s.form.edit("", true)
	case key.Matches(k, keyShow) && s.watch.seen:
		s.setup = false
	default:
		s.form.key(k)
	}
	return nil
}

// watchKey handles the keys of the recording, and reports whether k is one.
func (s *Screen) watchKey(k tea.KeyMsg) (cmd tea.Cmd, done bool) {
	switch {
	case s.watch.live() && key.Matches(k, keyStop):
		return s.watch.stop(), true
	case s.watch.live():
		return nil, false
	case key.Matches(k, keyNew):
		s.setup = true
		return nil, true
	case key.Matches(k, keyOpen):
		s.setup = true
		s.form.edit("", true)
		return nil, true
	}
	return nil, false
}

// listKey handles the keys that change the list, and reports whether k is one.
func (s *Screen) listKey(k tea.KeyMsg) (cmd tea.Cmd, done bool) {
	switch {
	case key.Matches(k, finder.KeyFilter):
		s.focus = onList
		return s.exchanges.find.Focus(), true
	case key.Matches(k, finder.KeyClearFilter) && s.focus == onList:
		s.exchanges.clear()
	case key.Matches(k, keyEach):
		s.exchanges.all = !s.exchanges.all
		s.exchanges.narrow()
	case len(s.exchanges.shown) == 0:
		return nil, false
	case key.Matches(k, keyPickAll):
		return s.exchanges.pickAll(), true
	case key.Matches(k, keyPick):
		s.exchanges.pick()
	default:
		return nil, false
	}
	return nil, true
}

// testKey handles the keys that make tests or show other panes, and reports whether k is
// one.
func (s *Screen) testKey(k tea.KeyMsg) (cmd tea.Cmd, done bool) {
	for o, b := range oracles {
		if s.side == sidePreview && key.Matches(k, b) {
			return s.tests.toggleOracle(o), true
		}
	}
	switch {
	case key.Matches(k, keyWarnings) && len(s.watch.traffic.Warnings) > 0:
		s.showSide(sideWarnings)
	case s.exchanges.line() == nil:
		return nil, false
	case key.Matches(k, keyPreview):
		s.showSide(sidePreview)
	case key.Matches(k, keyTogether) && s.side == sidePreview:
		s.tests.together = !s.tests.together
		s.tests.stale = true
	case key.Matches(k, keyKeepTest):
		return s.generate(toKeep), true
	case key.Matches(k, keyGenerate):
		s.tests.editFolder()
	case key.Matches(k, keyMimic) && s.tests.path != "":
		return s.playAll(), true
	default:
		return nil, false
	}
	return nil, true
}

// showSide shows something beside the list. If it is shown already, it shows the exchange.
func (s *Screen) showSide(to side) {
	if s.side == to {
		to = sideExchange
	}
	s.side, s.text = to, widget.List{}
	if s.width < minTwoPanes || to == sideReport {
		s.focus = onSide
	}
}

// move moves the cursor and the focus.
func (s *Screen) move(k tea.KeyMsg) {
	l := s.exchanges.line()
	switch {
	case s.focus == onSide && key.Matches(k, keyList, keyPane):
		s.focus = onList
		if s.side == sideReport {
			s.side = sideExchange
		}
	case s.focus == onSide:
		s.scroll(k)
	case l != nil && l.entry == nil && key.Matches(k, keyFold):
		s.exchanges.toggleFold()
	case l != nil && key.Matches(k, keyRead, keyPane):
		s.focus = onSide
	default:
		s.moved(func() { s.exchanges.list.Key(k) })
	}
}

// moved calls a function that moves the cursor. On another line, the first message is
// marked.
func (s *Screen) moved(move func()) {
	was := s.exchanges.list.At
	move()
	if s.exchanges.list.At != was {
		s.exchange.at, s.exchange.figure, s.exchange.message = 0, widget.List{}, widget.List{}
	}
}

// scroll handles a key in the pane beside the list.
func (s *Screen) scroll(k tea.KeyMsg) {
	switch s.side {
	case sidePreview:
		s.tests.view.Key(k, s.layout().side.H-3)
	case sideExchange:
		if x := s.exchanges.served(); x != nil {
			s.exchange.key(x, k, s.layout())
		} else {
			s.text.Key(k)
		}
	default:
		s.text.Key(k)
	}
}

// pressInFilter handles a key while the filter has the focus.
func (el *exchangeList) pressInFilter(k tea.KeyMsg) tea.Cmd {
	before := el.find.Text()
	cmd := el.find.HandleKey(k)
	if el.find.Text() != before {
		el.narrow()
	}
	return cmd
}

// clear removes the filter.
func (el *exchangeList) clear() {
	el.find.SetText("")
	el.narrow()
}
