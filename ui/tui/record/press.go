package record

import (
	"sonde/ui/pane"
	"sonde/ui/tui/finder"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// press takes a key: it is a field's, the form's, or the screen's.
func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	switch {
	case s.folder != nil:
		return s.typedFolder(k)
	case s.form.typing():
		if dir := s.form.typed(k); dir != "" {
			return s.open(dir)
		}
		return nil
	case s.find.Typing():
		return s.typedFilter(k)
	case s.onForm():
		return s.onFormKey(k)
	}
	for _, of := range []func(tea.KeyMsg) (tea.Cmd, bool){s.watchKey, s.listKey, s.testKey} {
		if cmd, done := of(k); done {
			return cmd
		}
	}
	s.move(k)
	return nil
}

// onFormKey takes a key while the form is on show.
func (s *Screen) onFormKey(k tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(k, keyStart):
		return s.start(s.form.watch)
	case key.Matches(k, keyOpen):
		s.form.edit("", true)
	case key.Matches(k, keyShow) && !s.empty():
		s.setup = false
	default:
		s.form.key(k)
	}
	return nil
}

// watchKey does what is about the recording itself, and reports whether the key was for that.
func (s *Screen) watchKey(k tea.KeyMsg) (cmd tea.Cmd, done bool) {
	switch {
	case s.watch.live() && key.Matches(k, keyStop):
		return s.stop(), true
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

// listKey does what changes the list, and reports whether the key was for that.
func (s *Screen) listKey(k tea.KeyMsg) (cmd tea.Cmd, done bool) {
	switch {
	case key.Matches(k, finder.Open):
		s.focus = onList
		return s.find.Focus(), true
	case key.Matches(k, finder.Clear) && s.focus == onList:
		s.clear()
	case key.Matches(k, keyEach):
		s.all = !s.all
		s.narrow()
	case len(s.shown) == 0:
		return nil, false
	case key.Matches(k, keyPickAll):
		return s.pickAll(), true
	case key.Matches(k, keyPick):
		s.pick()
	default:
		return nil, false
	}
	return nil, true
}

// testKey does what makes tests, and reports whether the key was for that.
func (s *Screen) testKey(k tea.KeyMsg) (cmd tea.Cmd, done bool) {
	for o, b := range oracles {
		if s.side == preview && key.Matches(k, b) {
			return s.turnOracle(o), true
		}
	}
	switch {
	case key.Matches(k, keyWarnings) && len(s.watch.traffic.Warnings) > 0:
		s.turnTo(warnings)
	case s.line() == nil:
		return nil, false
	case key.Matches(k, keyPreview):
		s.turnTo(preview)
	case key.Matches(k, keyTogether) && s.side == preview:
		s.tests.together = !s.tests.together
		s.tests.stale = true
	case key.Matches(k, keyKeepTest):
		return s.make(toKeep), true
	case key.Matches(k, keyGenerate):
		s.editFolder()
	case key.Matches(k, keyMimic) && s.tests.path != "":
		return s.playAll(), true
	default:
		return nil, false
	}
	return nil, true
}

// turnTo shows something beside the list, or the exchange again.
func (s *Screen) turnTo(to side) {
	if s.side == to {
		to = exchange
	}
	s.side, s.text = to, pane.List{}
	if s.width < twoPanes || to == report {
		s.focus = onSide
	}
}

// move moves the cursor and the focus.
func (s *Screen) move(k tea.KeyMsg) {
	l := s.line()
	switch {
	case s.focus == onSide && key.Matches(k, keyList, keyPane):
		s.focus = onList
		if s.side == report {
			s.side = exchange
		}
	case s.focus == onSide:
		s.scroll(k)
	case l != nil && l.entry == nil && key.Matches(k, keyFold):
		s.turn()
	case l != nil && key.Matches(k, keyRead, keyPane):
		s.focus = onSide
	default:
		s.moved(func() { s.list.Key(k) })
	}
}

// moved moves the cursor; another line begins with its first message.
func (s *Screen) moved(move func()) {
	was := s.list.At
	move()
	if s.list.At != was {
		s.at, s.figure, s.message = 0, pane.List{}, pane.List{}
	}
}

// scroll moves in what stands beside the list.
func (s *Screen) scroll(k tea.KeyMsg) {
	switch s.side {
	case preview:
		s.tests.view.Key(k, s.layout().side.H-3)
	case exchange:
		s.scrollExchange(k)
	default:
		s.text.Key(k)
	}
}

// typedFilter takes a key while the filter has the focus.
func (s *Screen) typedFilter(k tea.KeyMsg) tea.Cmd {
	before := s.find.Text()
	cmd := s.find.Key(k)
	if s.find.Text() != before {
		s.narrow()
	}
	return cmd
}

// clear takes the filter away.
func (s *Screen) clear() {
	s.find.Set("")
	s.narrow()
}
