package tui

import (
	"fmt"
	"strings"
	"time"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/theme"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// leave asks whether to quit while a search is going on. It is deaf at first,
// so that a key meant for something else doesn't answer it.
type leave struct {
	run  model.Snapshot
	deaf bool
}

// awake ends a dialog's deafness.
type awake struct{}

var (
	keyYes  = key.NewBinding(key.WithKeys("y", "enter"), key.WithHelp("y", "stop it and quit"))
	keyStay = key.NewBinding(key.WithKeys("esc", "n", "q"), key.WithHelp("esc", "stay"))
)

func newLeave(run model.Snapshot) (leave, tea.Cmd) {
	wake := tea.Tick(500*time.Millisecond, func(time.Time) tea.Msg { return awake{} })
	return leave{run: run, deaf: true}, wake
}

func (l leave) update(msg tea.Msg) (overlay, tea.Cmd) {
	switch msg := msg.(type) {
	case awake:
		l.deaf = false
	case tea.KeyMsg:
		switch {
		case key.Matches(msg, keyYes):
			return l, l.confirm()
		case key.Matches(msg, keyStay) && !l.deaf:
			return nil, nil
		}
	}
	return l, nil
}

func (l leave) confirm() tea.Cmd {
	if l.deaf {
		return nil
	}
	return tea.Quit
}

func (l leave) view(width, _ int) string {
	lines := []string{
		fmt.Sprintf(" A search is going on: %.0f%% done.", 100*l.run.Used),
		" What it found so far is kept.",
		"",
		" " + theme.Accent.Render(keyYes.Help().Key) + " " + keyYes.Help().Desc +
			"    " + theme.Accent.Render(keyStay.Help().Key) + " " + keyStay.Help().Desc,
	}
	f := pane.Frame{Title: "Quit?", Width: min(width, 44), Height: len(lines) + 2, Focused: true}
	return f.Render(strings.Join(lines, "\n"))
}

func (l leave) keys() []key.Binding { return []key.Binding{keyYes, keyStay} }
