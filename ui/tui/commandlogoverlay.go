package tui

import (
	"sonde/ui/tui/commandlog"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// commandLogOverlay shows the command log over a screen.
type commandLogOverlay struct{ box *commandlog.Box }

func (o commandLogOverlay) update(msg tea.Msg) (overlay, tea.Cmd) {
	open, cmd := o.box.Update(msg)
	if !open {
		return nil, cmd
	}
	return o, cmd
}

func (o commandLogOverlay) over(picture string, width, height int) string {
	return o.box.Over(picture, width, height)
}

func (o commandLogOverlay) keys() []key.Binding { return o.box.Keys() }

// openCommandLog shows what the user did, as commands.
func openCommandLog(a *app) {
	a.overlay = commandLogOverlay{commandlog.NewBox(a.undos.log, a.engine.Commands.WriteScript)}
}
