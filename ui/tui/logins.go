package tui

import (
	"sonde/ui/tui/users"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// logins is the box of the users over a screen.
type logins struct{ box *users.Box }

func (a *app) openLogins() tea.Cmd {
	box, cmd := users.New(a.engine.UserLogins, a.post)
	a.overlay = logins{box}
	return cmd
}

func (l logins) update(msg tea.Msg) (overlay, tea.Cmd) {
	open, cmd := l.box.Update(msg)
	if !open {
		return nil, cmd
	}
	return l, cmd
}

func (l logins) over(picture string, width, height int) string {
	return l.box.Over(picture, width, height)
}

func (l logins) keys() []key.Binding { return l.box.Keys() }
