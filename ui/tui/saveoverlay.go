package tui

import (
	"sonde/ui/tui/saverequest"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// saveOverlay asks for the file and the name of a request, over a screen.
type saveOverlay struct{ box *saverequest.Box }

func (s saveOverlay) update(msg tea.Msg) (overlay, tea.Cmd) {
	open, cmd := s.box.Update(msg)
	if !open {
		return nil, cmd
	}
	return s, cmd
}

func (s saveOverlay) over(picture string, width, height int) string {
	return s.box.Over(picture, width, height)
}

func (s saveOverlay) keys() []key.Binding { return s.box.Keys() }

// openSave asks where a request or a seq is saved.
func (a *app) openSave(msg screen.SaveTest) tea.Cmd {
	if a.engine.RequestFiles.Save == nil || a.overlay != nil {
		return nil
	}
	a.overlay = saveOverlay{saverequest.New(a.engine.RequestFiles, a.queue, msg, a.requests.proposed())}
	return nil
}
