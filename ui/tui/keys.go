package tui

import (
	"slices"
	"strings"

	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// The frame's own keys.
var (
	keyNumber  = keymap.Bind("1-8", "a screen", "1", "2", "3", "4", "5", "6", "7", "8")
	keyPalette = keymap.Bind("ctrl+p", "all actions", "ctrl+p", ":")
	keyReload  = keymap.Bind("ctrl+r", "read the spec again")
	keyHealth  = keymap.Bind("!", "problems")
	keyHelp    = keymap.Bind("?", "keys")
	keyQuit    = keymap.Bind("q", "quit", "q", "ctrl+c")
	keyForce   = key.NewBinding(key.WithKeys("ctrl+c"))
)

// frameKeys returns what the frame's keys do on every screen. A key that does something
// on the screen on show is the screen's.
func frameKeys() keymap.Map[*app] {
	opened := keymap.Need[*app]{Met: func(a *app) bool { return a.study != nil }, Why: "no spec is open"}
	needs := []keymap.Need[*app]{opened}
	return keymap.Map[*app]{{Rows: []keymap.Row[*app]{
		{Key: keyNumber, Take: (*app).showNumber},
		{Key: keymap.Bind("tab", "next screen"), Do: func(a *app) tea.Cmd { return a.show(a.tab + 1) }},
		{Key: keymap.Bind("shift+tab", "screen before"), Do: func(a *app) tea.Cmd { return a.show(a.tab - 1) }},
		{Key: keyPalette, Do: keymap.Act(func(a *app) { a.overlay = newPalette(a.entries()) })},
		{
			Key: keymap.Bind("alt+←", "back to where you were", "alt+left", "["),
			Do:  func(a *app) tea.Cmd { return a.step((*trail).back, "this is where you began") },
		},
		{
			Key: keymap.Bind("alt+→", "forward again", "alt+right", "]"),
			Do:  func(a *app) tea.Cmd { return a.step((*trail).on, "there is nowhere to go forward to") },
		},
		{Key: keymap.Bind("J", "jump to a row by letters"), Needs: needs, Do: (*app).openJump},
		{Key: keyReload, Do: (*app).open},
		{Key: screen.KeyUsers, Needs: needs, Do: (*app).openLogins},
		{Key: keyHealth, Do: keymap.Act(func(a *app) { a.overlay = newHealth(a.troubles(), a.engine.Edit) })},
		{Key: keymap.Bind("ctrl+t", "take the 60-second tour"), Needs: needs, Do: (*app).beginTour},
		{Key: keyHelp, Do: keymap.Act(func(a *app) { a.overlay = newHelp(a.screens[a.tab].Name(), a.allKeys()) })},
		{Key: keyQuit, Do: (*app).quit},
	}}}
}

// typed takes what was typed. Keys that come in quick succession arrive as one
// message; unless they are text for a field, each is a key of its own.
func (a *app) typed(k tea.KeyMsg) tea.Cmd {
	if k.Type != tea.KeyRunes || k.Paste || len(k.Runes) < 2 {
		return a.press(k)
	}
	var cmds []tea.Cmd
	for i, r := range k.Runes {
		if a.overlay == nil && a.typing() {
			rest := tea.KeyMsg{Type: tea.KeyRunes, Alt: k.Alt, Runes: k.Runes[i:]}
			return tea.Batch(append(cmds, a.press(rest))...)
		}
		cmds = append(cmds, a.press(tea.KeyMsg{Type: tea.KeyRunes, Alt: k.Alt, Runes: []rune{r}}))
	}
	return tea.Batch(cmds...)
}

// press takes a key: it is the overlay's, the frame's, or the screen's.
func (a *app) press(k tea.KeyMsg) tea.Cmd {
	a.said = screen.StatusMessage{}
	if cmd, mine := a.touring(k); mine {
		return cmd
	}
	switch {
	case key.Matches(k, keyForce) && !a.asking():
		return a.quit()
	case a.overlay != nil:
		return a.toOverlay(k)
	case a.typing():
		return a.toScreen(k)
	}
	k = a.rebound.meant(a.screens[a.tab], k)
	if cmd, mine := a.own(k); mine {
		return cmd
	}
	if a.study == nil {
		return nil
	}
	return a.toScreen(k)
}

// asking reports whether it is asked already whether to quit.
func (a *app) asking() bool {
	_, ok := a.overlay.(leave)
	return ok
}

func (a *app) typing() bool {
	return a.study != nil && a.screens[a.tab].Typing()
}

// own does what the frame's own keys do, and reports whether it was one.
func (a *app) own(k tea.KeyMsg) (cmd tea.Cmd, mine bool) {
	if !key.Matches(k, a.frame.Listed()...) || a.claimed(k) {
		return nil, false
	}
	return a.frame.Press(a, k)
}

// showNumber goes to the screen with the number that was pressed.
func (a *app) showNumber(k tea.KeyMsg) tea.Cmd { return a.show(screen.Tab(k.Runes[0] - '1')) }

// openJump paints letters on what can be pointed at.
func (a *app) openJump() tea.Cmd {
	a.overlay = newJump(func() screen.Screen { return a.screens[a.tab] })
	if a.overlay == nil {
		return screen.ShowStatus("there is nothing to jump to here")
	}
	return nil
}

// claimed reports whether a key does something on the screen on show: that goes
// before what it does everywhere else.
func (a *app) claimed(k tea.KeyMsg) bool {
	return a.study != nil && key.Matches(k, a.screens[a.tab].Keys()...)
}

// quit ends the app, or asks first where a search or a recording is going on.
func (a *app) quit() tea.Cmd {
	held := a.held()
	if !a.running() && held == "" {
		return tea.Quit
	}
	var cmd tea.Cmd
	a.overlay, cmd = newLeave(a.run, held, a.pause)
	return cmd
}

// keys are those that matter now.
func (a *app) keys() []key.Binding {
	switch {
	case a.overlay != nil:
		return a.overlay.keys()
	case a.study == nil:
		return []key.Binding{keyReload, keyHelp, keyQuit}
	case a.typing():
		return a.screens[a.tab].Keys()
	}
	keys := slices.DeleteFunc(shown(a.screens[a.tab].Keys()), known)
	if len(a.troubles()) > 0 {
		keys = append(keys, keyHealth)
	}
	return a.rebound.named(a.screens[a.tab], append(keys, keyPalette, keyHelp))
}

// known tells of keys that need no mention: those that move in every list.
func known(b key.Binding) bool {
	return slices.ContainsFunc(widget.MoveKeys(), func(m key.Binding) bool { return m.Help() == b.Help() })
}

// allKeys are the keys of the screen on show, and the frame's.
func (a *app) allKeys() []key.Binding {
	if a.study == nil {
		return a.frame.Listed()
	}
	s := a.screens[a.tab]
	return slices.Concat(a.rebound.named(s, slices.Concat(shown(s.Keys()), a.frame.Listed())), legend(s))
}

// legend is what a screen's signs mean, as bindings that no key is bound to.
func legend(s screen.Screen) []key.Binding {
	var out []key.Binding
	if e, ok := s.(screen.LegendProvider); ok {
		for _, sign := range e.LegendEntries() {
			out = append(out, key.NewBinding(key.WithHelp(sign[0], sign[1])))
		}
	}
	return out
}

// shown returns the bindings that are enabled and have a help text.
func shown(all []key.Binding) []key.Binding {
	var out []key.Binding
	for _, b := range all {
		if b.Enabled() && b.Help().Desc != "" {
			out = append(out, b)
		}
	}
	return out
}

// again returns the message of a binding's first key, as if it were pressed.
func again(b key.Binding) tea.Cmd {
	msg := pressed(b.Keys()[0])
	return func() tea.Msg { return msg }
}

// pressed is the inverse of tea.KeyMsg.String.
func pressed(name string) tea.KeyMsg {
	bare, alt := strings.CutPrefix(name, "alt+")
	if t, ok := keyTypes[bare]; ok {
		return tea.KeyMsg{Type: t, Alt: alt, Runes: runesOf(t)}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Alt: alt, Runes: []rune(bare)}
}

// runesOf returns the rune that bubbletea sends along with the space key.
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
