// Package keymap has the table of a screen's keys. A row describes what a key does, what it needs, and why
// it does nothing if a need is not met. The effect of a key, the line of keys, the help page, the palette,
// docs/keys.md and the check for conflicts are all derived from the table.
package keymap

import (
	"fmt"
	"slices"

	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// A Need is a condition of a row. If the condition is not met, the palette shows Why as the reason. If the user
// presses the key nevertheless, the status line shows the result of Explain, or Why if Explain is nil. If Why is "",
// nothing is shown, for example because another row has the key in that case.
type Need[S any] struct {
	Met     func(S) bool
	Why     string
	Explain func(S) string
}

func (n *Need[S]) explain(s S) string {
	if n.Explain != nil {
		return n.Explain(s)
	}
	return n.Why
}

// A Row describes what a key does on a screen S.
type Row[S any] struct {
	// Key has the keys, their displayed name, and a help text. Map.Listed and docs/keys.md use this help text, and
	// not Help. If the help depends on the state, the text must therefore have all variants, such as "unfold, fold".
	Key key.Binding
	// Help returns the help text for the current state. It is nil if the help does not depend on the state.
	Help func(S) string
	// Needs are conditions that must all be met. If several needs are not met, the first of them is the reason why
	// the key does nothing.
	Needs []Need[S]
	// Do is the action. Take is an action that depends on the pressed key. If both are nil, another
	// component handles the key.
	Do   func(S) tea.Cmd
	Take func(S, tea.KeyMsg) tea.Cmd
	// Hidden rows have an effect, but are not listed.
	Hidden bool
}

// unmet returns the first need that is not met, or nil if all are met.
func (r *Row[S]) unmet(s S) *Need[S] {
	for i := range r.Needs {
		if !r.Needs[i].Met(s) {
			return &r.Needs[i]
		}
	}
	return nil
}

// binding returns the row's key with its current help.
func (r *Row[S]) binding(s S) key.Binding {
	b := r.Key
	if r.Help != nil {
		b.SetHelp(b.Help().Key, r.Help(s))
	}
	return b
}

func (r *Row[S]) press(s S, k tea.KeyMsg) tea.Cmd {
	switch {
	case r.Do != nil:
		return r.Do(s)
	case r.Take != nil:
		return r.Take(s, k)
	}
	return nil
}

// A Mode is the table of one state of a screen, such as a question that is open.
type Mode[S any] struct {
	// On reports whether the screen is in the mode. If On is nil, the screen is always in the mode.
	On func(S) bool
	// Busy is the reason why keys of other modes do nothing while this mode is on. If Busy is "", those keys have
	// their own reasons. Map.Actions lists the rows of a mode with Busy only while the mode is on.
	Busy string
	// Away is the reason why rows of this mode do nothing while another mode is on, although their needs are met. If
	// Away is "", Map.Actions does not list such rows.
	Away string
	Rows []Row[S]
	// Rest handles the keys that are in no row, such as letters for a text field.
	Rest func(S, tea.KeyMsg) tea.Cmd

	// Keys and Actions return the keys and actions of a component with its own keys. Listed returns all
	// keys that Keys may return.
	Keys    func(S) []key.Binding
	Actions func(S) []screen.Action
	Listed  []key.Binding
}

// A Map is the table of a screen's keys. The first mode that is on decides what a key does. If two rows of
// a mode have the same key, their needs must not be met at the same time.
type Map[S any] []Mode[S]

func (m Map[S]) mode(s S) *Mode[S] {
	for i := range m {
		if m[i].On == nil || m[i].On(s) {
			return &m[i]
		}
	}
	return nil
}

// Keys returns the keys that are active and not hidden, in the order of the table.
func (m Map[S]) Keys(s S) []key.Binding {
	now := m.mode(s)
	if now == nil {
		return nil
	}
	keys := make([]key.Binding, 0, len(now.Rows))
	for i := range now.Rows {
		if r := &now.Rows[i]; !r.Hidden && r.unmet(s) == nil {
			keys = append(keys, r.binding(s))
		}
	}
	if now.Keys != nil {
		keys = append(keys, now.Keys(s)...)
	}
	return keys
}

// Press performs the action of a key. If a need of the key is not met, Press shows the reason, except for the key
// esc. If the key has neither an action nor a reason, the key goes to Rest. done is false if there is no Rest,
// either.
func (m Map[S]) Press(s S, k tea.KeyMsg) (cmd tea.Cmd, done bool) {
	now := m.mode(s)
	if now == nil {
		return nil, false
	}
	r, missing := now.row(s, k.String())
	switch {
	case r != nil:
		return r.press(s, k), true
	case missing != nil && k.Type != tea.KeyEsc:
		return screen.ShowStatus(missing.explain(s)), true
	case now.Rest != nil:
		return now.Rest(s, k), true
	}
	return nil, false
}

// row returns the row of a key, if all needs of the row are met. If there is no such row, found is nil, and missing
// is an unmet need of the key that has a Why. missing is nil if there is no such need, either.
func (m *Mode[S]) row(s S, name string) (found *Row[S], missing *Need[S]) {
	for i := range m.Rows {
		r := &m.Rows[i]
		if !slices.Contains(r.Key.Keys(), name) {
			continue
		}
		unmet := r.unmet(s)
		if unmet == nil {
			return r, nil
		}
		if missing == nil && unmet.Why != "" {
			missing = unmet
		}
	}
	return nil, missing
}

// Actions returns the actions of all rows that are not hidden. Inactive actions have a reason. Inactive
// rows without a reason are left out.
func (m Map[S]) Actions(s S) []screen.Action {
	now := m.mode(s)
	var all []screen.Action
	for i := range m {
		all = append(all, m[i].actions(s, now)...)
	}
	return all
}

func (m *Mode[S]) actions(s S, now *Mode[S]) []screen.Action {
	var all []screen.Action
	if m.Actions != nil {
		all = m.Actions(s)
	}
	busy := ""
	if now != nil && now != m {
		busy = now.Busy
	}
	for i := range m.Rows {
		a, ok := m.Rows[i].action(s)
		if !ok || m != now && m.Busy != "" {
			continue
		}
		if m != now && a.Why == "" {
			a.Why = m.Away
		}
		all = append(all, a)
	}
	if busy != "" {
		for i := range all {
			all[i].Why = busy
		}
	}
	if m == now {
		return all
	}
	return slices.DeleteFunc(all, func(a screen.Action) bool { return a.Why == "" })
}

// action returns the current action of a row. It returns false if the row is not listed.
func (r *Row[S]) action(s S) (screen.Action, bool) {
	missing := r.unmet(s)
	switch {
	case r.Hidden:
		return screen.Action{}, false
	case missing != nil:
		return screen.Action{Key: r.Key, Why: missing.Why}, missing.Why != ""
	}
	return screen.Action{Key: r.binding(s)}, true
}

// Listed returns the keys of all rows that are not hidden. The result does not depend on the screen's state: it has
// the help of Row.Key, and not the result of Row.Help. The keys of the last mode come first, and the keys of modes
// with Busy come last.
func (m Map[S]) Listed() []key.Binding {
	if len(m) == 0 {
		return nil
	}
	last := len(m) - 1
	listed, busy := m[last].listed(), []key.Binding(nil)
	for i := range m[:last] {
		if m[i].Busy == "" {
			listed = append(listed, m[i].listed()...)
		} else {
			busy = append(busy, m[i].listed()...)
		}
	}
	return append(listed, busy...)
}

func (m *Mode[S]) listed() []key.Binding {
	var all []key.Binding
	for i := range m.Rows {
		if !m.Rows[i].Hidden {
			all = append(all, m.Rows[i].Key)
		}
	}
	return append(all, m.Listed...)
}

// Conflicts returns a text for each conflict in the current mode: a key that is in two rows, if the needs of both
// rows are met.
func (m Map[S]) Conflicts(s S) []string {
	now := m.mode(s)
	if now == nil {
		return nil
	}
	var all []string
	taken := map[string]string{}
	for i := range now.Rows {
		r := &now.Rows[i]
		if r.unmet(s) != nil {
			continue
		}
		does := r.binding(s).Help().Desc
		for _, name := range r.Key.Keys() {
			if other, ok := taken[name]; ok {
				all = append(all, fmt.Sprintf("%q is for %q and for %q", name, other, does))
			}
			taken[name] = does
		}
	}
	return all
}

// Bind returns a binding with a displayed name, a help text, and keys. If there are no keys, the name is
// the key.
func Bind(shown, help string, keys ...string) key.Binding {
	if len(keys) == 0 {
		keys = []string{shown}
	}
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, help))
}

// Each returns a row for each of several keys. The action of all rows is take.
func Each[S any](keys []key.Binding, take func(S, tea.KeyMsg) tea.Cmd, needs ...Need[S]) []Row[S] {
	rows := make([]Row[S], len(keys))
	for i, k := range keys {
		rows[i] = Row[S]{Key: k, Needs: needs, Take: take}
	}
	return rows
}

// Hide sets Hidden in rows and returns them.
func Hide[S any](rows []Row[S]) []Row[S] {
	for i := range rows {
		rows[i].Hidden = true
	}
	return rows
}

// Act returns an action that calls a function and returns no command.
func Act[S any](do func(S)) func(S) tea.Cmd {
	return func(s S) tea.Cmd {
		do(s)
		return nil
	}
}

// Not returns the need that a condition is false.
func Not[S any](met func(S) bool, why string) Need[S] {
	return Need[S]{Met: func(s S) bool { return !met(s) }, Why: why}
}
