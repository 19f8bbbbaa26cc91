package record

import (
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// start starts a recording with the settings of the form.
func (s *Screen) start() tea.Cmd { return s.watch.start(s.form.watch) }

// typeRecording opens the text field for the recording to open, in the form.
func (s *Screen) typeRecording() {
	s.setup = true
	s.form.edit("", true)
}

// acceptValue stores the typed value of a setting, or opens the recording in the typed folder.
func (s *Screen) acceptValue() tea.Cmd {
	if dir := s.form.accept(); dir != "" {
		return s.watch.open(dir)
	}
	return nil
}

// openFilter moves the focus to the filter.
func (s *Screen) openFilter() tea.Cmd {
	s.focus = onList
	return s.exchanges.find.Focus()
}

// showSide shows a side in the pane next to the list. If that side is shown already, showSide shows the exchange.
func (s *Screen) showSide(to side) {
	if s.side == to {
		to = sideExchange
	}
	s.side, s.text = to, widget.List{}
	if s.width < minTwoPanes || to == sideReport {
		s.focus = onSide
	}
}

// focusList moves the focus to the list and closes the report.
func (s *Screen) focusList() {
	s.focus = onList
	if s.side == sideReport {
		s.side = sideExchange
	}
}

// switchPane moves the focus between the list and the pane next to it. A list without lines keeps the
// focus.
func (s *Screen) switchPane() {
	switch {
	case s.focus == onSide:
		s.focusList()
	case s.exchanges.line() != nil:
		s.focus = onSide
	}
}

// move moves the cursor of the pane with the focus, or scrolls the pane.
func (s *Screen) move(k tea.KeyMsg) tea.Cmd {
	switch x := s.exchanges.served(); {
	case s.focus == onList:
		s.moved(func() { s.exchanges.list.Key(k) })
	case s.side == sidePreview:
		s.tests.view.Key(k, s.layout().side.H-3)
	case s.side == sideExchange && x != nil:
		s.exchange.step(x, k, s.layout().figure.W-2)
	default:
		s.text.Key(k)
	}
	return nil
}

// moved calls move, which moves the cursor. If the cursor is then on another line, the first message of that line's
// exchange is marked.
func (s *Screen) moved(move func()) {
	was := s.exchanges.list.At
	move()
	if s.exchanges.list.At != was {
		s.exchange.at, s.exchange.figure, s.exchange.message = 0, widget.List{}, widget.List{}
	}
}

// typeFilter handles a key while the filter has the focus.
func (el *exchangeList) typeFilter(k tea.KeyMsg) tea.Cmd {
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

// toggleAll switches between listing every exchange and one exchange of each shape.
func (el *exchangeList) toggleAll() {
	el.all = !el.all
	el.narrow()
}
