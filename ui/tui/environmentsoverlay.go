package tui

import (
	"sonde/ui/tui/environments"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// environmentsOverlay shows the environments over a screen.
type environmentsOverlay struct{ box *environments.Box }

func (e environmentsOverlay) update(msg tea.Msg) (overlay, tea.Cmd) {
	open, cmd := e.box.Update(msg)
	if !open {
		return nil, cmd
	}
	return e, cmd
}

func (e environmentsOverlay) over(picture string, width, height int) string {
	return e.box.Over(picture, width, height)
}

func (e environmentsOverlay) keys() []key.Binding { return e.box.Keys() }

// openEnvironments shows the environments of the configuration.
func (a *app) openEnvironments() tea.Cmd {
	box, cmd := environments.New(a.engine.Environments, a.queue)
	a.overlay = environmentsOverlay{box}
	return cmd
}
