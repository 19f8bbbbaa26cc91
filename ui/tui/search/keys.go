package search

import (
	"slices"

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
	keyStep   = key.NewBinding(key.WithKeys("."), key.WithHelp(".", "step"))
	keyStop   = key.NewBinding(key.WithKeys("x", "s"), key.WithHelp("x", "stop"))
	keyPane   = key.NewBinding(key.WithKeys("v"), key.WithHelp("v", "next pane"))
	keyBack   = key.NewBinding(key.WithKeys("V"), key.WithHelp("V", "pane before"))
	keyGo     = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "see operation"))
	keyWhy    = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "why?"))
	keyTests  = key.NewBinding(key.WithKeys("enter", "esc"), key.WithHelp("⏎", "to the tests"))
	keyNew    = key.NewBinding(key.WithKeys("n"), key.WithHelp("n", "new run"))

	keyMute     = key.NewBinding(key.WithKeys("m"), key.WithHelp("m", "mute"))
	keyBoost    = key.NewBinding(key.WithKeys("b"), key.WithHelp("b", "boost"))
	keyOnly     = key.NewBinding(key.WithKeys("o"), key.WithHelp("o", "only"))
	keyPlain    = key.NewBinding(key.WithKeys("p"), key.WithHelp("p", "plain"))
	keyPlainAll = key.NewBinding(key.WithKeys("P"), key.WithHelp("P", "plain all"))
	keyWiden    = key.NewBinding(key.WithKeys("t"), key.WithHelp("t", "tag, group"))

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
	return slices.Concat(m.steerKeys(), m.paneKeys(), m.fineKeys())
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
		return slices.Concat([]key.Binding{keyResume, keyStep}, m.stressKeys(), turnKeys)
	}
	return slices.Concat([]key.Binding{keyPause, keyStep}, m.stressKeys(), turnKeys)
}

// turnKeys turn the chosen knob, wherever the focus is, or end the run.
var turnKeys = []key.Binding{keyMore, keyLess, keyStop}

// fineKeys turn the chosen knob a little.
func (m Model) fineKeys() []key.Binding {
	if !m.watch.steerable() {
		return nil
	}
	return []key.Binding{keyFineMore, keyFineLess}
}

// stressKeys stress what the cursor is on.
func (m Model) stressKeys() []key.Binding {
	var keys []key.Binding
	if op, ok := m.operation(); ok {
		keys = []key.Binding{keyMute, keyBoost, keyOnly}
		if s, _ := m.scope(); m.stressedAny(s.ops) {
			keys = append(keys, keyPlain)
		}
		if len(scopes(m.study, op)) > 1 {
			keys = append(keys, keyWiden)
		}
	}
	if len(m.watch.snap.Weights) > 0 {
		keys = append(keys, keyPlainAll)
	}
	return keys
}

func (m Model) paneKeys() []key.Binding {
	keys := []key.Binding{keyPane}
	if _, ok := m.operation(); ok {
		keys = append(keys, keyGo)
	}
	switch m.focus {
	case partTests:
		keys = append(keys, keyWhy)
	case partWhy:
		keys = append(keys, keyTests)
	}
	keys = append(keys, keyBack)
	if m.lists[m.focus].Rows > 1 {
		keys = append(keys, pane.Moves()...)
	}
	return keys
}
