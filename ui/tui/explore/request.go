package explore

import (
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// toSend passes a message to the pane for requests. It leaves out sizes, keys and mouse events, because the screen
// passes these itself, and only to an open pane.
func (s *Screen) toSend(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg, tea.KeyMsg, tea.MouseMsg:
		return nil // see press, mouse and refresh
	default:
		return s.send.Update(msg)
	}
}

// request opens a request of the current operation.
func (s *Screen) request() tea.Cmd {
	s.page.focused = true
	return s.send.OpenOperation(s.page.op, s.run.Tests)
}

// compose opens a request that another screen has composed.
func (s *Screen) compose(msg screen.ComposeRequest) tea.Cmd {
	if s.analyzed == nil || s.ops[msg.Op] == nil {
		return nil
	}
	s.visit(msg.Op)
	s.page.focused = true
	if msg.Test != nil {
		return s.send.OpenTest(*msg.Test, msg.SavedAs)
	}
	return s.send.OpenOperation(msg.Op, s.run.Tests)
}
