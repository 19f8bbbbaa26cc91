package explore

import (
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// toSend passes a message on to the pane for requests by hand: keys and the mouse only
// where that is open and has the focus.
func (s *Screen) toSend(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg, tea.KeyMsg, tea.MouseMsg:
		return nil // see press, mouse and refresh
	default:
		return s.send.Update(msg)
	}
}

// request opens the pane on the operation shown.
func (s *Screen) request() tea.Cmd {
	s.reading = true
	return s.send.Draft(s.shown, s.run.Tests)
}

// compose opens the pane on what another screen has.
func (s *Screen) compose(msg screen.ComposeRequest) tea.Cmd {
	if s.study == nil || s.ops[msg.Op] == nil {
		return nil
	}
	s.visit(msg.Op)
	s.reading = true
	if msg.Test != nil {
		return s.send.Take(*msg.Test)
	}
	return s.send.Draft(msg.Op, s.run.Tests)
}
