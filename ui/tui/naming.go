package tui

import (
	"fmt"

	"sonde/ui/tui/screen"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
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

// namingKey returns the key that switches the naming, with the one in use as its help. It returns false if the document
// names operations only by their paths, or if the visible screen uses the key for something else.
func (a *app) namingKey() (key.Binding, bool) {
	opened := a.spec.shown()
	if opened == nil || opened.Names.Next() == opened.Names.Naming() {
		return key.Binding{}, false
	}
	if key.Matches(keyMessage(keyNaming.Keys()[0]), a.screens.visible().Keys()...) {
		return key.Binding{}, false
	}
	b := keyNaming
	b.SetHelp(b.Help().Key, "names: "+opened.Names.Naming().String())
	return b, true
}

// switchedNaming returns the word for the naming, "" if it is that of the preferences.
func (a *app) switchedNaming() string {
	if a.naming == a.prefs.Names {
		return ""
	}
	return a.naming.String()
}
