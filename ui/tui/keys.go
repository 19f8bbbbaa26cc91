package tui

import (
	"slices"
	"strings"

	"sonde/ui/tui/commandlog"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// The keys of the frame.
var (
	keyNumber   = keymap.Bind("1-8", "a screen", "1", "2", "3", "4", "5", "6", "7", "8")
	keyPalette  = keymap.Bind("ctrl+p", "all actions", "ctrl+p", ":")
	keyReload   = keymap.Bind("ctrl+r", "read the spec again")
	keyProblems = keymap.Bind("!", "problems")
	keyHelp     = keymap.Bind("?", "keys")
	keyQuit     = keymap.Bind("q", "quit", "q", "ctrl+c")
	keyForce    = key.NewBinding(key.WithKeys("ctrl+c"))
)

// frameKeys returns the table of the keys that work on every screen. If the visible screen uses such a key
// itself, the screen gets it.
func frameKeys() keymap.Map[*app] {
	opened := keymap.Need[*app]{Met: func(a *app) bool { return a.spec.opened != nil }, Why: "no spec is open"}
	needs := []keymap.Need[*app]{opened}
	listed := keymap.Need[*app]{Met: func(a *app) bool { return a.spec.shown() != nil }, Why: "no spec is open"}
	return keymap.Map[*app]{{Rows: []keymap.Row[*app]{
		{Key: keyNumber, Take: func(a *app, k tea.KeyMsg) tea.Cmd { return a.nav.show(screen.Tab(k.Runes[0] - '1')) }},
		{Key: keymap.Bind("tab", "next screen"), Do: func(a *app) tea.Cmd { return a.nav.show(a.screens.tab + 1) }},
		{Key: keymap.Bind("shift+tab", "screen before"), Do: func(a *app) tea.Cmd { return a.nav.show(a.screens.tab - 1) }},
		{Key: keyPalette, Do: keymap.Act(func(a *app) { a.overlay = newPalette(a.paletteEntries(), a.spec.index()) })},
		{
			Key: keymap.Bind("alt+←", "back to where you were", "alt+left", "["),
			Do:  func(a *app) tea.Cmd { return a.nav.step((*trail).back, "this is where you began") },
		},
		{
			Key: keymap.Bind("alt+→", "forward again", "alt+right", "]"),
			Do:  func(a *app) tea.Cmd { return a.nav.step((*trail).forward, "there is nowhere to go forward to") },
		},
		{Key: keymap.Bind("J", "jump to a row by letters"), Needs: needs, Do: (*app).openJump},
		{
			Key:   screen.KeyNaming,
			Needs: []keymap.Need[*app]{listed},
			Do:    (*app).switchNaming,
		},
		{Key: keyReload, Do: func(a *app) tea.Cmd { return a.spec.read() }},
		{
			Key:   screen.KeyUndo,
			Needs: []keymap.Need[*app]{opened, {Met: func(a *app) bool { return len(a.undos.done) > 0 }, Why: "there is nothing to undo"}},
			Do:    func(a *app) tea.Cmd { return a.undos.undo() },
		},
		{
			Key:   screen.KeyRedo,
			Needs: []keymap.Need[*app]{opened, {Met: func(a *app) bool { return len(a.undos.undone) > 0 }, Why: "nothing was undone"}},
			Do:    func(a *app) tea.Cmd { return a.undos.redo() },
		},
		{Key: commandlog.KeyLog, Do: keymap.Act(openCommandLog)},
		{Key: screen.KeyUsers, Needs: needs, Do: (*app).openUsers},
		{Key: screen.KeyEnvironments, Needs: needs, Do: (*app).openEnvironments},
		{Key: keyProblems, Do: keymap.Act(func(a *app) { a.overlay = newProblemList(a.problems(), a.engine.Specs.Edit) })},
		{Key: keymap.Bind("ctrl+t", "take the 60-second tour"), Needs: needs, Do: (*app).beginTour},
		{Key: keyHelp, Do: keymap.Act(openHelp)},
		{Key: keyQuit, Do: (*app).quit},
	}}}
}

// typed handles a key message. Keys in quick succession arrive as one message. If no text field has the focus, typed
// handles each key of the message separately.
func (a *app) typed(k tea.KeyMsg) tea.Cmd {
	a.early = a.early || a.spec.opened == nil
	if len(a.waiting) > 0 && a.spec.preview == nil { // the key is handled after the waiting keys
		a.waiting = append(a.waiting, k)
		return nil
	}
	return a.pressAll(k)
}

// pressAll handles the keys of a message one by one. If a text field gets the focus, the field receives the remaining
// keys as one text.
func (a *app) pressAll(k tea.KeyMsg) tea.Cmd {
	presses := widget.KeyPresses(k)
	var cmds []tea.Cmd
	for i := range presses {
		if a.overlay == nil && a.typing() {
			return tea.Batch(append(cmds, a.press(widget.TypedText(presses[i:])))...)
		}
		cmds = append(cmds, a.press(presses[i]))
	}
	return tea.Batch(cmds...)
}

// press handles one key. While the tour watches the key, press also finds out whether the key changes what is shown.
func (a *app) press(k tea.KeyMsg) tea.Cmd {
	if a.overlay != nil || a.typing() || !a.tour.watches(k) {
		return a.route(k)
	}
	before := a.body()
	cmd := a.route(k)
	a.tour.pressedArrow(a.body() != before)
	return cmd
}

// route handles one key. The first of these that uses the key receives it:
//   - the tour
//   - the welcome, which any key closes
//   - quit, if the key is ctrl+c and the app is not asking whether to quit
//   - the overlay
//   - a text field
//   - the waiting keys, if the key needs the analysis of the spec
//   - the visible screen, if it lists the key
//   - the frame
//   - the visible screen
func (a *app) route(k tea.KeyMsg) tea.Cmd {
	a.status.clear()
	if a.tour.shown() {
		switch a.tour.press(k, a.scene()) {
		case tourBegun:
			return a.beginTour()
		case tourMoved:
			return a.resizeScreens()
		}
	}
	if _, ok := a.overlay.(welcome); ok {
		a.overlay = nil
		if key.Matches(k, keyLook) {
			return nil
		}
	}
	visible := a.screens.visible()
	switch {
	case key.Matches(k, keyForce) && !a.askingToQuit():
		return a.quit()
	case a.overlay != nil:
		return a.toOverlay(k)
	case a.typing():
		return a.screens.update(a.screens.tab, k)
	}
	k = a.screens.remap.resolve(visible, k)
	if a.spec.preview != nil && a.needsAnalysis(k) {
		a.waiting = append(a.waiting, k)
		return nil
	}
	opened := a.spec.opened != nil || a.previewing()
	used := opened && key.Matches(k, visible.Keys()...)
	if !used && key.Matches(k, a.frame.Listed()...) {
		if cmd, done := a.frame.Press(a, k); done {
			return cmd
		}
	}
	if !opened {
		return nil
	}
	return a.screens.update(a.screens.tab, k)
}

// askingToQuit reports whether the app is asking the user whether to quit.
func (a *app) askingToQuit() bool {
	_, ok := a.overlay.(quitQuestion)
	return ok
}

func (a *app) typing() bool {
	return (a.spec.opened != nil || a.previewing()) && a.screens.visible().Typing()
}

// needsAnalysis reports whether a key that is pressed on the preview of the spec has to wait for the analysis. Keys
// that move the cursor, begin a filter or quit do not have to wait. A key that only the frame handles does not have
// to wait, either. If an earlier key is waiting, every key except quit has to wait.
func (a *app) needsAnalysis(k tea.KeyMsg) bool {
	listed := a.screens.visible().Keys()
	enough := append(slices.DeleteFunc(slices.Clone(listed), func(b key.Binding) bool { return !movesCursor(b) }), finder.KeyFilter)
	switch {
	case key.Matches(k, keyQuit):
		return false
	case len(a.waiting) > 0:
		return true
	case a.previewing() && key.Matches(k, listed...):
		return !key.Matches(k, enough...)
	}
	return !key.Matches(k, a.frame.Listed()...)
}

// maxFootKeys is the maximum number of keys in the key line. The help page has all keys.
const maxFootKeys = 8

// keys returns the keys for the key line, the most useful first. kept is the number of keys at the end that are always
// shown.
func (a *app) keys() (keys []key.Binding, kept int) {
	switch {
	case a.overlay != nil:
		return a.overlay.keys(), 1
	case a.spec.opened == nil:
		return []key.Binding{keyReload, keyHelp, keyQuit}, 1
	case a.typing():
		return a.screens.visible().Keys(), 1
	}
	keys, kept = append(a.screens.mainKeys(), keyPalette), 1
	if a.width >= keepsPalette {
		kept++
	}
	if len(a.problems()) > 0 {
		keys = append(keys, keyProblems)
		if a.width >= keepsProblems {
			kept++
		}
	}
	if b, ok := a.namingKey(); ok {
		keys = append(keys, b)
		if a.width >= keepsNaming {
			kept++
		}
	}
	return a.screens.remap.named(a.screens.visible(), append(keys, keyHelp)), kept
}

// If the screen is at least keepsNaming cells wide, the key line always has the key that switches the naming. If it is
// at least keepsProblems cells wide, it always has the key that lists the problems, and if it is at least keepsPalette
// cells wide, the key that lists all actions.
const (
	keepsNaming   = 80
	keepsProblems = 120
	keepsPalette  = 150
)

// movesCursor reports whether a key moves the cursor in every list. The key line leaves out such keys.
func movesCursor(b key.Binding) bool {
	return slices.ContainsFunc(widget.MoveKeys(), func(m key.Binding) bool { return m.Help() == b.Help() })
}

// allKeys returns the lines of the help page: the keys of the visible screen that work now, all keys of the
// frame, what the mouse does, and the screen's signs.
func (a *app) allKeys() []key.Binding {
	if a.spec.opened == nil {
		return a.frame.Listed()
	}
	s := a.screens.visible()
	keys := slices.Concat(withHelp(s.Keys()), a.frame.Listed())
	return slices.Concat(a.screens.remap.named(s, keys), mouseBindings, legendBindings(s))
}

// mouseBindings are what the mouse does on all screens, besides clicks, as bindings without keys.
var mouseBindings = []key.Binding{
	key.NewBinding(key.WithHelp("drag", "a border moves it, text in a pane is copied")),
	key.NewBinding(key.WithHelp("⇧ drag", "the terminal's own selection")),
}

// legendBindings returns the signs of a screen as bindings without keys.
func legendBindings(s screen.Screen) []key.Binding {
	var out []key.Binding
	if e, ok := s.(screen.LegendProvider); ok {
		for _, sign := range e.LegendEntries() {
			out = append(out, key.NewBinding(key.WithHelp(sign[0], sign[1])))
		}
	}
	return out
}

// withHelp returns the bindings that are enabled and have a help text.
func withHelp(all []key.Binding) []key.Binding {
	var out []key.Binding
	for _, b := range all {
		if b.Enabled() && b.Help().Desc != "" {
			out = append(out, b)
		}
	}
	return out
}

// pressKey returns a command that presses the first key of a binding.
func pressKey(b key.Binding) tea.Cmd {
	msg := keyMessage(b.Keys()[0])
	return func() tea.Msg { return msg }
}

// keyMessage returns the message of the key with a name. It is the inverse of tea.KeyMsg.String.
func keyMessage(name string) tea.KeyMsg {
	bare, alt := strings.CutPrefix(name, "alt+")
	if t, ok := keyTypes[bare]; ok {
		return tea.KeyMsg{Type: t, Alt: alt, Runes: runesOf(t)}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Alt: alt, Runes: []rune(bare)}
}

// runesOf returns the runes that bubbletea sends with a key: a blank for the space key, nil for others.
func runesOf(t tea.KeyType) []rune {
	if t == tea.KeySpace {
		return []rune{' '}
	}
	return nil
}

var keyTypes = func() map[string]tea.KeyType {
	types := map[string]tea.KeyType{}
	for t := tea.KeyType(-128); t < 128; t++ {
		if name := t.String(); name != "" && t != tea.KeyRunes {
			types[name] = t
		}
	}
	return types
}()
