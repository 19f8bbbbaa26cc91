package tui

import (
	"sonde/ui/tui/users"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// usersOverlay shows the users over a screen.
type usersOverlay struct{ box *users.Box }

func (u usersOverlay) update(msg tea.Msg) (overlay, tea.Cmd) {
	open, cmd := u.box.Update(msg)
	if !open {
		return nil, cmd
	}
	return u, cmd
}

func (u usersOverlay) over(picture string, width, height int) string {
	return u.box.Over(picture, width, height)
}

func (u usersOverlay) keys() []key.Binding { return u.box.Keys() }
