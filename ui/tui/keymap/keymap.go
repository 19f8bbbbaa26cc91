// Package keymap has one table for all that the keys of a screen do. A row names a key
// once: what it does, what it needs, and why it can't be done without that. What a key
// press does, the line of keys, the help page, the palette, the page of keys in the docs
// and the check for conflicts are all derived from the table.
package keymap

import (
	"fmt"
	"slices"

	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// A Need is a condition of a row. Why says in the palette that it isn't met; it is empty
// where another row has the key then. Explain is shown instead where the key is pressed
// all the same; nil is Why.
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

// A Row is what a key does on a screen S.
type Row[S any] struct {
	// Key has the keys, the name that is shown for them and what they do.
	Key key.Binding
	// Help says what the key does now, where that depends on the state.
	Help func(S) string
	// Needs must all be met. The first that isn't says why the key does nothing.
	Needs []Need[S]
	// Do is the action. Take is one that has to know which key was pressed. A row with
	// neither is for a key that another component takes.
	Do   func(S) tea.Cmd
	Take func(S, tea.KeyMsg) tea.Cmd
	// Hidden rows work and are not listed.
	Hidden bool
}

// unmet returns the first need that isn't met, nil where all are.
func (r *Row[S]) unmet(s S) *Need[S] {
	for i := range r.Needs {
		if !r.Needs[i].Met(s) {
			return &r.Needs[i]
		}
	}
	return nil
}

// binding returns the row's key with what it does now.
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
	// On reports whether the screen is in the mode; nil is always true.
	On func(S) bool
	// Busy says why the keys of other modes do nothing meanwhile. Where it is empty,
	// they have their own reasons. The rows of a mode that is busy are of no use without
	// it, and listed only while it is on.
	Busy string
	// Away says why the rows of this mode do nothing while another mode is on, if their
	// needs are met. Where it is empty, such rows are not listed then.
	Away string
	Rows []Row[S]
	// Rest takes the keys that no row has, such as those of a text field.
	Rest func(S, tea.KeyMsg) tea.Cmd

	// Keys and Actions are those of a component with keys of its own. Listed has all keys
	// that Keys may return.
	Keys    func(S) []key.Binding
	Actions func(S) []screen.Action
	Listed  []key.Binding
}

// A Map is all that the keys of a screen do. The first mode that is on counts. In a
// mode, of two rows with the same key at most one may have its needs met.
type Map[S any] []Mode[S]

func (m Map[S]) mode(s S) *Mode[S] {
	for i := range m {
		if m[i].On == nil || m[i].On(s) {
			return &m[i]
		}
	}
	return nil
}

// Keys returns the keys that do something now, in the order of the table.
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

// Press does what a key does now, and reports whether it does anything. Where a need of
// it isn't met, it shows why; only esc is silent then.
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

// row returns the row of a key whose needs are met, or nil and what is missing; that is
// nil, too, where no row has the key or a reason.
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

// Actions returns all rows, each with the reason why it does nothing now. A row that
// does nothing for no reason of its own is left out.
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

// action returns the row as it is now; false where it is not listed.
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

// Listed returns the keys of all rows, whatever the state of the screen. The keys of the
// last mode come first, and those of busy modes last.
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

// Conflicts names keys for which two rows have their needs met now.
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

// Bind returns a binding: the name that is shown, what the key does, and the keys. Without
// keys, the name is the key.
func Bind(shown, help string, keys ...string) key.Binding {
	if len(keys) == 0 {
		keys = []string{shown}
	}
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, help))
}

// Each returns a row for each of several keys that a component takes, such as a list.
func Each[S any](keys []key.Binding, take func(S, tea.KeyMsg) tea.Cmd, needs ...Need[S]) []Row[S] {
	rows := make([]Row[S], len(keys))
	for i, k := range keys {
		rows[i] = Row[S]{Key: k, Needs: needs, Take: take}
	}
	return rows
}

// Hide returns rows that work without being listed.
func Hide[S any](rows []Row[S]) []Row[S] {
	for i := range rows {
		rows[i].Hidden = true
	}
	return rows
}

// Act makes an action of a method that has nothing to return.
func Act[S any](do func(S)) func(S) tea.Cmd {
	return func(s S) tea.Cmd {
		do(s)
		return nil
	}
}

// Not is the need that a condition does not hold.
func Not[S any](met func(S) bool, why string) Need[S] {
	return Need[S]{Met: func(s S) bool { return !met(s) }, Why: why}
}
