package tui

import (
	"fmt"

	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// switchNaming names operations in the next way in all lists.
func (a *app) switchNaming() tea.Cmd {
	a.naming = a.naming.Next()
	a.spec.shown().Names.Use(a.naming)
	text := fmt.Sprintf("operations by %s", a.naming)
	if n := a.spec.shown().Names.Missing(); n > 0 {
		text += fmt.Sprintf("; %s without one by path", words.Count(n))
	}
	return tea.Batch(a.screens.broadcast(screen.NamingSwitched{}), screen.ShowStatus(text))
}

// switchedNaming returns the word for the naming, "" if it is that of the preferences.
func (a *app) switchedNaming() string {
	if a.naming == a.prefs.Names {
		return ""
	}
	return a.naming.String()
}
