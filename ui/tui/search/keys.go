package search

import (
	"sonde/ui/pane"

	"github.com/charmbracelet/bubbles/key"
)

// The keys of the screen; those of the lists are pane's.
var (
	keyStart    = key.NewBinding(key.WithKeys("enter", "s"), key.WithHelp("⏎", "start"))
	keyType     = key.NewBinding(key.WithKeys("e"), key.WithHelp("e", "type a value"))
	keyMore     = key.NewBinding(key.WithKeys("right", "l"), key.WithHelp("→", "more"))
	keyLess     = key.NewBinding(key.WithKeys("left", "h"), key.WithHelp("←", "less"))
	keyFineMore = key.NewBinding(key.WithKeys("shift+right", "L"), key.WithHelp("⇧→", "a little more"))
	keyFineLess = key.NewBinding(key.WithKeys("shift+left", "H"), key.WithHelp("⇧←", "a little less"))
	keyResult   = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "last run"))

	keyPause  = key.NewBinding(key.WithKeys(" "), key.WithHelp("space", "pause"))
	keyResume = key.NewBinding(key.WithKeys(" "), key.WithHelp("space", "go on"))
	keyStop   = key.NewBinding(key.WithKeys("x", "s"), key.WithHelp("x", "stop"))
	keyPane   = key.NewBinding(key.WithKeys("v"), key.WithHelp("v", "next pane"))
	keyBack   = key.NewBinding(key.WithKeys("V"), key.WithHelp("V", "pane before"))
	keyGo     = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "see operation"))
	keyNew    = key.NewBinding(key.WithKeys("n"), key.WithHelp("n", "new run"))

	keyAccept = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "take it"))
	keyCancel = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "leave it"))

	keySend = key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "send them"))
	keyDont = key.NewBinding(key.WithKeys("n", "esc"), key.WithHelp("n", "send nothing"))
)

// Keys are the keys that matter now.
func (m Model) Keys() []key.Binding {
	switch {
	case m.box != nil:
		return m.box.Keys()
	case m.form.typing():
		return []key.Binding{keyAccept, keyCancel}
	case m.setup:
		return m.setupKeys()
	case m.watch.ended():
		return append([]key.Binding{keyNew}, m.paneKeys()...)
	}
	return append(m.steerKeys(), m.paneKeys()...)
}

func (m Model) setupKeys() []key.Binding {
	keys := []key.Binding{keyMore, keyLess, pane.Down, pane.Up, keyType, keyFineMore, keyFineLess}
	if m.host.URL != "" {
		keys = append([]key.Binding{keyStart}, keys...)
	}
	if m.watch.seen {
		keys = append(keys, keyResult)
	}
	return keys
}

func (m Model) steerKeys() []key.Binding {
	switch {
	case !m.watch.active(): // somebody else's run
		return nil
	case !m.watch.seen:
		return []key.Binding{keyStop}
	case m.watch.paused:
		return []key.Binding{keyResume, keyMore, keyLess, keyStop, keyFineMore, keyFineLess}
	}
	return []key.Binding{keyPause, keyMore, keyLess, keyStop, keyFineMore, keyFineLess}
}

func (m Model) paneKeys() []key.Binding {
	keys := []key.Binding{keyPane}
	if _, ok := m.operation(); ok {
		keys = append(keys, keyGo)
	}
	keys = append(keys, keyBack)
	if m.lists[m.focus].Rows > 1 {
		keys = append(keys, pane.Moves()...)
	}
	return keys
}
