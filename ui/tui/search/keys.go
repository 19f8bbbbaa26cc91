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
	keyAgain  = key.NewBinding(key.WithKeys("r"), key.WithHelp("r", "send it by hand"))
	keySteps  = key.NewBinding(key.WithKeys("R"), key.WithHelp("R", "step through it"))
	keyCode   = key.NewBinding(key.WithKeys("c"), key.WithHelp("c", "source"))
	keyToCode = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "to the source"))
	keyEvents = key.NewBinding(key.WithKeys("E"), key.WithHelp("E", "what happened"))
	keyToRun  = key.NewBinding(key.WithKeys("esc", "E"), key.WithHelp("esc", "to the run"))
	keyPast   = key.NewBinding(key.WithKeys("o"), key.WithHelp("o", "open a search"))
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
	case m.question.Open():
		return m.question.Keys()
	case m.form.typing():
		return []key.Binding{keyAccept, keyCancel}
	case m.inPast:
		return m.pastKeys()
	case m.setup:
		return m.setupKeys()
	case m.inCode:
		return m.codeKeys()
	case m.inEvents:
		return m.eventKeys()
	case m.inFault:
		return m.faultKeys()
	case m.watch.ended():
		return slices.Concat(m.endKeys(), m.paneKeys())
	}
	return m.runKeys()
}

// endKeys are those of a search that is over.
func (m Model) endKeys() []key.Binding {
	if m.resumable() {
		return []key.Binding{keyResume, keyNew, keyPast}
	}
	return []key.Binding{keyNew, keyPast}
}

func (m Model) setupKeys() []key.Binding {
	keys := []key.Binding{keyMore, keyLess, pane.Down, pane.Up, keyType, keyPast, keyFineMore, keyFineLess}
	if m.host.URL != "" {
		keys = append([]key.Binding{keyStart}, keys...)
	}
	if m.watch.seen {
		keys = append(keys, keyResult)
	}
	return keys
}

// runKeys are those while the run goes on: the knobs' first where the knobs are.
func (m Model) runKeys() []key.Binding {
	switch {
	case !m.watch.active(): // somebody else's run
		return m.paneKeys()
	case !m.watch.seen:
		return append([]key.Binding{keyStop}, m.paneKeys()...)
	}
	hold, turn := keyPause, []key.Binding{keyMore, keyLess, keyFineMore, keyFineLess}
	if m.watch.paused {
		hold = keyResume
	}
	keys := append([]key.Binding{hold, keyStep}, m.stressKeys()...)
	if m.focus == partSteer {
		return slices.Concat(keys, turn[:2], []key.Binding{keyStop}, m.paneKeys(), turn[2:])
	}
	return slices.Concat(keys, []key.Binding{keyStop}, m.paneKeys(), turn)
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

// paneKeys go on to what the cursor is on, to other panes, and move in this one.
func (m Model) paneKeys() []key.Binding {
	var keys []key.Binding
	switch _, ok := m.operation(); {
	case m.focus == partFaults && ok:
		keys = append(keys, keyFault)
	case ok:
		keys = append(keys, keyGo)
	case m.focus == partTests:
		keys = append(keys, keyWhy)
	case m.focus == partWhy:
		keys = append(keys, keyTests)
	}
	if m.chosenTest() != nil {
		keys = append(keys, keyAgain, keySteps)
	}
	if m.fromCode {
		keys = append(keys, keyToCode)
	}
	keys = append(keys, keyPane, keyCode, keyEvents)
	if m.lists[m.focus].Rows > 1 {
		keys = append(keys, pane.Moves()...)
	}
	return append(keys, keyBack)
}
