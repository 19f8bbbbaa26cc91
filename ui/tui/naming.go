package tui

import (
	"fmt"

	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// switchNaming names operations in the next way in all lists. It skips namings in which the document names no operation.
func (a *app) switchNaming() tea.Cmd {
	names := a.spec.shown().Names
	if names.Next() == names.Naming() {
		return screen.ShowStatus("the document names operations only by their paths")
	}
	a.naming = names.Next()
	names.Use(a.naming)
	text := fmt.Sprintf("operations by %s", a.naming)
	if n := names.Missing(); n > 0 {
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
