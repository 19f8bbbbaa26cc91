package network

import (
	"reflect"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// The keys of the screen; those of the lists are pane's.
var (
	keyRead   = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "its contacts"))
	keyOpen   = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "open it"))
	keyBack   = key.NewBinding(key.WithKeys("esc", "enter"), key.WithHelp("esc", "back"))
	keyMap    = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "to the map"))
	keyPane   = key.NewBinding(key.WithKeys("v"), key.WithHelp("v", "other pane"))
	keyInject = key.NewBinding(key.WithKeys("i"), key.WithHelp("i", "inject"))
	keyAway   = key.NewBinding(key.WithKeys("x"), key.WithHelp("x", "take it away"))
	keyEdit   = key.NewBinding(key.WithKeys("e"), key.WithHelp("e", "edit the stub"))
	keyNew    = key.NewBinding(key.WithKeys("n"), key.WithHelp("n", "stub for another host"))
	keyAdopt  = key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "into picked tests"))

	keyChoose = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "do it"))
	keyEither = key.NewBinding(key.WithKeys("left", "right"), key.WithHelp("←→", "http or tcp"))
	keyTake   = key.NewBinding(key.WithKeys("ctrl+s"), key.WithHelp("ctrl+s", "put it there"))
	keyLeave  = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "leave it"))
)

// Keys are the keys that matter now.
func (s *Screen) Keys() []key.Binding {
	switch {
	case s.menu != nil:
		return s.menu.keys()
	case s.edit != nil:
		return []key.Binding{keyTake, keyLeave}
	case len(s.hosts) == 0 && s.changeable():
		return []key.Binding{keyNew}
	case len(s.hosts) == 0:
		return nil
	}
	return slices.Concat(s.reading(), s.changing(), []key.Binding{keyPane}, pane.Moves())
}

// reading are the keys that show more or less.
func (s *Screen) reading() []key.Binding {
	switch s.focus {
	case onWhole:
		return []key.Binding{keyBack}
	case onContacts:
		return []key.Binding{keyOpen, keyMap}
	}
	return []key.Binding{keyRead}
}

// changing are the keys that have a host do something.
func (s *Screen) changing() []key.Binding {
	if !s.changeable() {
		return []key.Binding{keyAdopt}
	}
	keys := []key.Binding{keyInject}
	if h := s.at(); h != nil && len(h.Injected) > 0 {
		keys = append(keys, keyAway)
	}
	return append(keys, keyEdit, keyAdopt, keyNew)
}

// press takes a key: it is the box's, or the screen's.
func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	switch {
	case s.menu != nil:
		return s.choose(k)
	case s.edit != nil:
		return s.write(k)
	case key.Matches(k, keyNew, keyInject, keyEdit, keyAway) && !s.changeable():
		return screen.Tell(strings.Join(s.idle(), " "))
	case key.Matches(k, keyNew):
		return s.open(example, nil)
	case s.at() == nil:
		return nil
	}
	if cmd, done := s.change(k); done {
		return cmd
	}
	s.look(k)
	return nil
}

// change does what has a host do something, and reports whether the key was for that.
func (s *Screen) change(k tea.KeyMsg) (cmd tea.Cmd, done bool) {
	switch {
	case key.Matches(k, keyInject):
		return s.openMenu(), true
	case key.Matches(k, keyAway):
		return s.takeAway(), true
	case key.Matches(k, keyEdit):
		return s.editStub(), true
	case key.Matches(k, keyAdopt):
		return s.adopt(), true
	}
	return nil, false
}

// openMenu lists what the host under the cursor can be had to do.
func (s *Screen) openMenu() tea.Cmd {
	m := newMenu(*s.at())
	if len(m.choices) == 0 {
		return screen.Tell("No stub speaks " + pane.Clean(string(m.protocol)) + ": nothing can be put there")
	}
	s.menu = m
	return nil
}

// look moves, and shows more or less.
func (s *Screen) look(k tea.KeyMsg) {
	switch {
	case s.focus == onWhole && key.Matches(k, keyBack):
		s.focus = onContacts
	case s.focus == onContacts && key.Matches(k, keyMap), s.focus != onMap && key.Matches(k, keyPane):
		s.focus = onMap
	case s.focus == onContacts && key.Matches(k, keyOpen):
		s.focus, s.whole = onWhole, pane.List{}
	case s.focus == onMap && key.Matches(k, keyRead, keyPane):
		s.read()
	case s.focus == onWhole:
		s.whole.Key(k)
	case s.focus == onContacts:
		s.contacts.Key(k)
	default:
		was := s.list.At
		if s.list.Key(k) {
			s.land(s.list.At >= was)
		}
	}
}

// choose takes a key while the menu is open.
func (s *Screen) choose(k tea.KeyMsg) tea.Cmd {
	stub, open := s.menu.update(k)
	if !open {
		s.menu = nil
	}
	if stub == nil {
		return nil
	}
	return s.inject(*stub)
}

// editStub opens the stub of the host under the cursor.
func (s *Screen) editStub() tea.Cmd {
	stub := s.begun()
	for _, old := range s.at().Injected {
		if reflect.DeepEqual(old, stub) {
			return s.open(stub, &old)
		}
	}
	return s.open(stub, nil)
}

// open opens a stub to be changed, which takes the place of an old one, if any.
func (s *Screen) open(stub model.Stub, old *model.Stub) tea.Cmd {
	e, err := newEditor(stub, old)
	if err != nil {
		return screen.Fail(err)
	}
	s.edit = e
	return nil
}

// write takes a key while a stub is open.
func (s *Screen) write(k tea.KeyMsg) tea.Cmd {
	stub, open := s.edit.update(k)
	old := s.edit.old
	if !open {
		s.edit = nil
	}
	switch {
	case stub == nil:
		return nil
	case old != nil:
		return s.wish(without(*old), *stub)
	}
	return s.wish(*stub)
}
