package tui

import (
	"fmt"

	"sonde/ui/tui/screen"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// switchNaming changes how all lists name operations, to the next naming: by path, summary or operationId. It skips a
// naming that gives no operation of the document a name.
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

// namingKey returns the key that switches the naming. The help of the key is the current naming. namingKey returns
// false if the document names operations only by their paths, or if the visible screen uses the key itself.
func (a *app) namingKey() (key.Binding, bool) {
	opened := a.spec.shown()
	if opened == nil || opened.Names.Next() == opened.Names.Naming() {
		return key.Binding{}, false
	}
	if key.Matches(keyMessage(screen.KeyNaming.Keys()[0]), a.screens.visible().Keys()...) {
		return key.Binding{}, false
	}
	b := screen.KeyNaming
	b.SetHelp(b.Help().Key, "names: "+opened.Names.Naming().String())
	return b, true
}

// switchedNaming returns the word for the current naming, "" if the preferences have the same naming.
func (a *app) switchedNaming() string {
	if a.naming == a.prefs.Names {
		return ""
	}
	return a.naming.String()
}
