package tui

import (
	"fmt"
	"time"

	"sonde/model"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// leave asks whether to quit while a search or a recording is going on.
type leave struct{ box widget.Confirm }

var (
	keyYes  = key.NewBinding(key.WithKeys("y", "enter", "ctrl+c"), key.WithHelp("y", "stop it and quit"))
	keyStay = key.NewBinding(key.WithKeys("esc", "n", "q"), key.WithHelp("esc", "stay"))
)

// newLeave asks with what goes on besides a search, if anything does.
func newLeave(run model.Snapshot, held string, pause time.Duration) (overlay, tea.Cmd) {
	text := "A search is starting."
	switch {
	case held != "":
		text = held
	case ongoing(run):
		text = fmt.Sprintf("A search is going on, %.0f%% done. What it found so far is kept.", 100*run.Used)
	}
	box, cmd := widget.NewConfirm("Quit?", text, keyYes, keyStay, pause)
	return leave{box}, cmd
}

func (l leave) update(msg tea.Msg) (overlay, tea.Cmd) {
	var answer widget.Answer
	l.box, answer = l.box.Update(msg)
	switch answer {
	case widget.Yes:
		return l, tea.Quit
	case widget.No:
		return nil, nil
	}
	return l, nil
}

func (l leave) over(picture string, width, height int) string {
	return l.box.Over(picture, width, height)
}

func (l leave) keys() []key.Binding { return l.box.Keys() }
