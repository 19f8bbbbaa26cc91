package search

import (
	"slices"

	"sonde/model"
	"sonde/ui/tui/search/events"
	"sonde/ui/tui/search/past"
	"sonde/ui/widget"

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
	keyResume = key.NewBinding(key.WithKeys(" "), key.WithHelp("space", "resume"))
	keyStep   = key.NewBinding(key.WithKeys("."), key.WithHelp(".", "step"))
	keyStop   = key.NewBinding(key.WithKeys("x", "s"), key.WithHelp("x", "stop"))
	keyPane   = key.NewBinding(key.WithKeys("v"), key.WithHelp("v", "next pane"))
	keyBack   = key.NewBinding(key.WithKeys("V"), key.WithHelp("V", "previous pane"))
	keyGo     = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "see operation"))
	keyWhy    = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "why?"))
	keyTests  = key.NewBinding(key.WithKeys("enter", "esc"), key.WithHelp("⏎", "to the tests"))
	keyAgain  = key.NewBinding(key.WithKeys("r"), key.WithHelp("r", "send it by hand"))
	keySteps  = key.NewBinding(key.WithKeys("R"), key.WithHelp("R", "step through it"))
	keyCode   = key.NewBinding(key.WithKeys("c"), key.WithHelp("c", "source"))
	keyToCode = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "to the source"))
	keyEvents = key.NewBinding(key.WithKeys("E"), key.WithHelp("E", "events"))
	keyToRun  = key.NewBinding(key.WithKeys("esc", "E"), key.WithHelp("esc", "to the run"))
	keyPast   = key.NewBinding(key.WithKeys("o"), key.WithHelp("o", "open a search"))
	keyNew    = key.NewBinding(key.WithKeys("n"), key.WithHelp("n", "new run"))

	keyMute     = key.NewBinding(key.WithKeys("m"), key.WithHelp("m", "mute"))
	keyBoost    = key.NewBinding(key.WithKeys("b"), key.WithHelp("b", "boost"))
	keyOnly     = key.NewBinding(key.WithKeys("o"), key.WithHelp("o", "only"))
	keyPlain    = key.NewBinding(key.WithKeys("p"), key.WithHelp("p", "plain"))
	keyPlainAll = key.NewBinding(key.WithKeys("P"), key.WithHelp("P", "plain all"))
	keyWiden    = key.NewBinding(key.WithKeys("t"), key.WithHelp("t", "tag, group"))

	keyFault     = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "see fault"))
	keyCopyFault = key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "copy curl"))
	keyToFaults  = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "to the faults"))

	keyAccept = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "accept"))
	keyCancel = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "cancel"))

	keySend = key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "send them"))
	keyDont = key.NewBinding(key.WithKeys("n", "esc"), key.WithHelp("n", "send nothing"))
)

// stresses are the keys that change the weight of operations.
var stresses = []struct {
	key  key.Binding
	kind model.PriorityKind
}{
	{key: keyMute, kind: model.PriorityMuted},
	{key: keyBoost, kind: model.PriorityBoosted},
	{key: keyOnly, kind: model.PriorityOnly},
	{key: keyPlain, kind: model.PriorityNormal},
}

// Keys are the keys that matter now.
func (m Model) Keys() []key.Binding {
	switch {
	case m.question.Open():
		return m.question.Keys()
	case m.form.typing():
		return m.form.keys()
	case m.inPast && m.past.Typing():
		return m.past.Keys()
	case m.inPast:
		return append(m.past.Keys(), past.Leave)
	case m.page == pageForm:
		return m.form.keys()
	case m.page == pageSource:
		keys := m.source.Keys()
		return slices.Insert(keys, min(3, len(keys)), m.run.holdKeys()...)
	case m.page == pageEvents:
		return eventKeys(m.events, &m.run)
	case m.page == pageFault:
		return m.fault.keys()
	}
	return m.panes.keys(m.runView())
}

// eventKeys are those of the events, and of the run as far as they work there.
func eventKeys(page events.Model, r *trackedRun) []key.Binding {
	keys := page.Keys()
	if page.Typing() {
		return keys
	}
	own := []key.Binding{keyToRun}
	if page.Operation() != "" {
		own = append(own, keyGo)
	}
	return slices.Concat(keys[:1], own, r.holdKeys(), keys[1:])
}

// keys are those of the settings.
func (f *form) keys() []key.Binding {
	if f.typing() {
		return []key.Binding{keyAccept, keyCancel}
	}
	keys := []key.Binding{keyMore, keyLess, widget.Down, widget.Up, keyType, keyPast, keyFineMore, keyFineLess}
	if f.host.URL != "" {
		keys = append([]key.Binding{keyStart}, keys...)
	}
	if f.hasRun {
		keys = append(keys, keyResult)
	}
	return keys
}

// keys are those of the page of a fault.
func (p *faultPage) keys() []key.Binding {
	keys := []key.Binding{keyToFaults, keyCopyFault, keyGo}
	if p.fault.Test != nil {
		keys = append(keys, keyAgain)
	}
	return append(keys, widget.MoveKeys()...)
}

// keys are those of the run: the knobs' first where the knobs have the focus.
func (p *runPage) keys(v runView) []key.Binding {
	panes := p.paneKeys(v)
	switch {
	case v.run.ended() && v.resumable():
		return slices.Concat([]key.Binding{keyResume, keyNew, keyPast}, panes)
	case v.run.ended():
		return slices.Concat([]key.Binding{keyNew, keyPast}, panes)
	case !v.run.active(): // another program's run
		return panes
	case !v.run.seen:
		return append([]key.Binding{keyStop}, panes...)
	}
	hold, turn := keyPause, []key.Binding{keyMore, keyLess, keyFineMore, keyFineLess}
	if v.run.paused {
		hold = keyResume
	}
	keys := append([]key.Binding{hold, keyStep}, p.stressKeys(v)...)
	if p.focus == partSteer {
		return slices.Concat(keys, turn[:2], []key.Binding{keyStop}, panes, turn[2:])
	}
	return slices.Concat(keys, []key.Binding{keyStop}, panes, turn)
}

// stressKeys change the weight of the operation under the cursor.
func (p *runPage) stressKeys(v runView) []key.Binding {
	var keys []key.Binding
	if op, ok := p.operation(v); ok {
		keys = []key.Binding{keyMute, keyBoost, keyOnly}
		if v.run.weighted(p.scope.at(v.study, op).ops) {
			keys = append(keys, keyPlain)
		}
		if len(scopes(v.study, op)) > 1 {
			keys = append(keys, keyWiden)
		}
	}
	if len(v.run.snap.Weights) > 0 {
		keys = append(keys, keyPlainAll)
	}
	return keys
}

// paneKeys open what the cursor is on, show other panes, and move in this one.
func (p *runPage) paneKeys(v runView) []key.Binding {
	var keys []key.Binding
	switch _, ok := p.operation(v); {
	case p.focus == partFaults && ok:
		keys = append(keys, keyFault)
	case ok:
		keys = append(keys, keyGo)
	case p.focus == partTests:
		keys = append(keys, keyWhy)
	case p.focus == partWhy:
		keys = append(keys, keyTests)
	}
	if p.test(v) != nil {
		keys = append(keys, keyAgain, keySteps)
	}
	if p.fromSource {
		keys = append(keys, keyToCode)
	}
	keys = append(keys, keyPane, keyCode, keyEvents)
	if p.list(v, p.focus).Rows > 1 {
		keys = append(keys, widget.MoveKeys()...)
	}
	return append(keys, keyBack)
}
