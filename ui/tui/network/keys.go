package network

import (
	"reflect"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// The keys that the screen's texts name.
var (
	keyInject = keymap.Bind("i", "inject")
	keyNew    = keymap.Bind("n", "stub for another host")

	keyChoose = keymap.Bind("⏎", "do it", "enter")
	keyEither = keymap.Bind("←→", "http or tcp", "left", "right")
	keyTake   = keymap.Bind("ctrl+s", "put it there")
	keyLeave  = keymap.Bind("esc", "leave it")
)

type need = keymap.Need[*Screen]

var (
	changeable = need{
		Met:     (*Screen).changeable,
		Why:     "needs a virtual network",
		Explain: func(s *Screen) string { return strings.Join(s.idle(), " ") },
	}
	aHost    = need{Met: func(s *Screen) bool { return s.at() != nil }, Why: "no host was turned to yet"}
	injected = need{
		Met: func(s *Screen) bool { return len(s.at().Injected) > 0 },
		Why: "nothing is injected there",
		Explain: func(s *Screen) string {
			return "Nothing was put at " + draw.Clean(s.at().Host) + ": " + widget.KeyName(keyInject) + " puts something there"
		},
	}
)

// on is the need that a part has the focus.
func on(focus part) need { return need{Met: func(s *Screen) bool { return s.focus == focus }} }

// keys are all that the keys do.
var keys = keymap.Map[*Screen]{
	{
		On:   func(s *Screen) bool { return s.menu != nil },
		Busy: "a stub is edited",
		Keys: func(s *Screen) []key.Binding { return s.menu.keys() },
		Rest: (*Screen).choose,
	},
	{
		On:   func(s *Screen) bool { return s.edit != nil },
		Busy: "a stub is edited",
		Keys: func(*Screen) []key.Binding { return []key.Binding{keyTake, keyLeave} },
		Rest: (*Screen).write,
	},
	{Rows: slices.Concat([]keymap.Row[*Screen]{
		{Key: keymap.Bind("⏎", "its contacts", "enter"), Needs: []need{aHost, on(onMap)}, Do: keymap.Act((*Screen).read)},
		{
			Key:   keymap.Bind("⏎", "open it", "enter"),
			Needs: []need{aHost, on(onContacts)},
			Do:    keymap.Act(func(s *Screen) { s.focus, s.whole = onWhole, widget.List{} }),
		},
		{Key: keymap.Bind("esc", "to the map"), Needs: []need{aHost, on(onContacts)}, Do: focusOn(onMap)},
		{Key: keymap.Bind("esc", "back", "esc", "enter"), Needs: []need{aHost, on(onWhole)}, Do: focusOn(onContacts)},
		{Key: keyInject, Needs: []need{changeable, aHost}, Do: (*Screen).openMenu},
		{Key: keymap.Bind("x", "take it away"), Needs: []need{changeable, aHost, injected}, Do: (*Screen).takeAway},
		{Key: keymap.Bind("e", "edit the stub"), Needs: []need{changeable, aHost}, Do: (*Screen).editStub},
		{Key: keymap.Bind("a", "into picked tests"), Needs: []need{aHost}, Do: (*Screen).adopt},
		{Key: keyNew, Needs: []need{changeable}, Do: func(s *Screen) tea.Cmd { return s.open(example, nil) }},
		{Key: keymap.Bind("v", "other pane"), Needs: []need{aHost}, Do: keymap.Act((*Screen).turnFocus)},
	}, keymap.Each(widget.MoveKeys(), (*Screen).move, aHost))},
}

func focusOn(to part) func(*Screen) tea.Cmd {
	return keymap.Act(func(s *Screen) { s.focus = to })
}

// Keys returns the keys that do something now.
func (s *Screen) Keys() []key.Binding { return keys.Keys(s) }

// Actions returns all that the keys do, and why not now.
func (s *Screen) Actions() []screen.Action { return keys.Actions(s) }

// Listed returns all keys, for the page of keys.
func (s *Screen) Listed() []key.Binding { return keys.Listed() }

func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	cmd, _ := keys.Press(s, k)
	return cmd
}

// turnFocus gives the focus to the other pane.
func (s *Screen) turnFocus() {
	if s.focus == onMap {
		s.read()
		return
	}
	s.focus = onMap
}

// openMenu lists what the host under the cursor can be had to do.
func (s *Screen) openMenu() tea.Cmd {
	m := newMenu(*s.at())
	if len(m.choices) == 0 {
		return screen.ShowStatus("No stub speaks " + draw.Clean(string(m.protocol)) + ": nothing can be put there")
	}
	s.menu = m
	return nil
}

// move moves the cursor of the pane that has the focus.
func (s *Screen) move(k tea.KeyMsg) tea.Cmd {
	switch s.focus {
	case onWhole:
		s.whole.Key(k)
	case onContacts:
		s.contacts.Key(k)
	case onMap:
		was := s.list.At
		if s.list.Key(k) {
			s.land(s.list.At >= was)
		}
	}
	return nil
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
		return screen.ShowError(err)
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
