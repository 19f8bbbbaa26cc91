package tui

import (
	"fmt"
	"time"

	"sonde/model"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// quitQuestion asks whether to quit while a search is starting or in progress, or while a screen has
// unfinished work.
type quitQuestion struct{ box widget.Confirm }

var (
	keyYes  = key.NewBinding(key.WithKeys("y", "enter", "ctrl+c"), key.WithHelp("y", "stop it and quit"))
	keyStay = key.NewBinding(key.WithKeys("esc", "n", "q"), key.WithHelp("esc", "stay"))
)

// newQuitQuestion opens the question. work describes unfinished work other than a search,
// "" for none.
func newQuitQuestion(run model.Snapshot, work string, pause time.Duration) (overlay, tea.Cmd) {
	text := "A search is starting."
	switch {
	case work != "":
		text = work
	case inProgress(run):
		text = fmt.Sprintf("A search is running, %.0f%% done. What it has found so far is kept.", 100*run.Used)
	}
	box, cmd := widget.NewConfirm("Quit?", text, keyYes, keyStay, pause)
	return quitQuestion{box}, cmd
}

func (q quitQuestion) update(msg tea.Msg) (overlay, tea.Cmd) {
	var answer widget.Answer
	q.box, answer = q.box.Update(msg)
	switch answer {
	case widget.Yes:
		return q, tea.Quit
	case widget.No:
		return nil, nil
	}
	return q, nil
}

func (q quitQuestion) over(picture string, width, height int) string {
	return q.box.Over(picture, width, height)
}

func (q quitQuestion) keys() []key.Binding { return q.box.Keys() }
