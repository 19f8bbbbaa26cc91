package network

import (
	"reflect"
	"slices"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Keys that appear in texts of the screen.
var (
	keyInject = keymap.Bind("i", "inject")
	keyNew    = keymap.Bind("n", "stub for another host")

	keyChoose   = keymap.Bind("⏎", "do it", "enter")
	keyProtocol = keymap.Bind("←→", "http or tcp", "left", "right")
	keySave     = keymap.Bind("ctrl+s", "inject it")
	keyCancel   = keymap.Bind("esc", "cancel")
)

type need = keymap.Need[*Screen]

var (
	needChangeable = need{
		Met:     (*Screen).changeable,
		Why:     "needs a virtual network",
		Explain: func(s *Screen) string { return s.view().whyEmpty()[0] },
	}
	needHost = need{
		Met: func(s *Screen) bool { return s.hosts.selected() != nil },
		Why: "the service has contacted no host yet",
	}
	needInjected = need{
		Met: func(s *Screen) bool { return len(s.hosts.selected().Injected) > 0 },
		Why: "nothing is injected there",
		Explain: func(s *Screen) string {
			host := draw.Clean(s.hosts.selected().Host)
			return "Nothing is injected at " + host + ": " + widget.KeyName(keyInject) + " injects a stub"
		},
	}
)

// needFocus returns the condition that the pane f has the focus.
func needFocus(f focus) need {
	return need{Met: func(s *Screen) bool { return s.contacts.focus == f }}
}

// keys are the keys of the screen.
var keys = keymap.Map[*Screen]{
	{
		On:   func(s *Screen) bool { return s.menu != nil },
		Busy: "a stub is edited",
		Keys: func(s *Screen) []key.Binding { return s.menu.keys() },
		Rest: (*Screen).pressInMenu,

		Listed: []key.Binding{keyChoose, keyProtocol, keyCancel},
	},
	{
		On:   func(s *Screen) bool { return s.edit != nil },
		Busy: "a stub is edited",
		Rows: keymap.Each([]key.Binding{keySave, keyCancel}, (*Screen).pressInEditor),
		Rest: (*Screen).pressInEditor,
	},
	{Rows: slices.Concat([]keymap.Row[*Screen]{
		{
			Key:   keymap.Bind("⏎", "its contacts", "enter"),
			Needs: []need{needHost, needFocus(onMap)},
			Do:    keymap.Act(func(s *Screen) { s.contacts.open(s.hosts.selected()) }),
		},
		{
			Key:   keymap.Bind("⏎", "open it", "enter"),
			Needs: []need{needHost, needFocus(onContacts)},
			Do:    keymap.Act(func(s *Screen) { s.contacts.openContact() }),
		},
		{Key: keymap.Bind("esc", "to the map"), Needs: []need{needHost, needFocus(onContacts)}, Do: setFocus(onMap)},
		{Key: keymap.Bind("esc", "back", "esc", "enter"), Needs: []need{needHost, needFocus(onContact)}, Do: setFocus(onContacts)},
		{Key: keyInject, Needs: []need{needChangeable, needHost}, Do: (*Screen).openMenu},
		{Key: keymap.Bind("x", "remove it"), Needs: []need{needChangeable, needHost, needInjected}, Do: (*Screen).removeInjected},
		{Key: keymap.Bind("e", "edit the stub"), Needs: []need{needChangeable, needHost}, Do: (*Screen).editStub},
		{Key: keymap.Bind("a", "into picked tests"), Needs: []need{needHost}, Do: (*Screen).putIntoTests},
		{Key: keyNew, Needs: []need{needChangeable}, Do: func(s *Screen) tea.Cmd { return s.openEditor(exampleStub, nil) }},
		{Key: keymap.Bind("v", "other pane"), Needs: []need{needHost}, Do: keymap.Act((*Screen).switchPane)},
	}, keymap.Each(widget.MoveKeys(), (*Screen).move, needHost))},
}

func setFocus(f focus) func(*Screen) tea.Cmd {
	return keymap.Act(func(s *Screen) { s.contacts.focus = f })
}

// Keys returns the keys that are active now.
func (s *Screen) Keys() []key.Binding { return keys.Keys(s) }

// Actions returns the actions of all keys.
func (s *Screen) Actions() []screen.Action { return keys.Actions(s) }

// Listed returns all keys, active or not, for docs/keys.md.
func (s *Screen) Listed() []key.Binding { return keys.Listed() }

func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	cmd, _ := keys.Press(s, k)
	return cmd
}

// switchPane moves the focus to the contacts or back to the map.
func (s *Screen) switchPane() {
	if s.contacts.focus == onMap {
		s.contacts.open(s.hosts.selected())
		return
	}
	s.contacts.focus = onMap
}

// move moves the cursor of the pane with the focus.
func (s *Screen) move(k tea.KeyMsg) tea.Cmd {
	if s.contacts.focus == onMap {
		s.hosts.press(k)
		return nil
	}
	s.contacts.press(k)
	return nil
}

// openMenu opens the menu of answers and faults for the host under the cursor.
func (s *Screen) openMenu() tea.Cmd {
	m := newMenu(*s.hosts.selected())
	if len(m.choices) == 0 {
		return screen.ShowStatus("Stubs don't support " + draw.Clean(string(m.protocol)) + ": nothing can be injected there")
	}
	s.menu = m
	return nil
}

// pressInMenu handles a key while the menu is open. A stub that the user chooses replaces all injected
// stubs of the host.
func (s *Screen) pressInMenu(k tea.KeyMsg) tea.Cmd {
	stub, open := s.menu.update(k)
	if !open {
		s.menu = nil
	}
	if stub == nil {
		return nil
	}
	return s.apply(append(removals(s.hosts.injected(stub.HostKey())), *stub)...)
}

// removeInjected removes the user's stubs for the host under the cursor.
func (s *Screen) removeInjected() tea.Cmd {
	return s.apply(removals(s.hosts.selected().Injected)...)
}

// editStub opens the current stub of the host under the cursor or, if there is none, a new stub.
func (s *Screen) editStub() tea.Cmd {
	stub, ok := s.currentStub()
	if !ok {
		stub = newStub(s.hosts.selected())
	}
	for _, old := range s.hosts.selected().Injected {
		if reflect.DeepEqual(old, stub) {
			return s.openEditor(stub, &old)
		}
	}
	return s.openEditor(stub, nil)
}

// openEditor opens the editor with a stub. When the user saves the stub, it replaces the stub old, unless old is nil.
func (s *Screen) openEditor(stub model.Stub, old *model.Stub) tea.Cmd {
	e, err := newEditor(stub, old)
	if err != nil {
		return screen.ShowError(err)
	}
	s.edit = e
	return nil
}

// pressInEditor handles a key while a stub is edited.
func (s *Screen) pressInEditor(k tea.KeyMsg) tea.Cmd {
	stub, open := s.edit.update(k)
	old := s.edit.old
	if !open {
		s.edit = nil
	}
	switch {
	case stub == nil:
		return nil
	case old != nil:
		return s.apply(removal(*old), *stub)
	}
	return s.apply(*stub)
}

// currentStub returns the current stub of the host under the cursor. It returns false if there is none.
func (s *Screen) currentStub() (model.Stub, bool) {
	h := s.hosts.selected()
	if s.contacts.focus == onMap {
		return currentStub(h, nil)
	}
	return currentStub(h, s.contacts.selected(h))
}

// putIntoTests adds the current stub to the picked tests.
func (s *Screen) putIntoTests() tea.Cmd {
	stub, ok := s.currentStub()
	if !ok {
		return screen.ShowStatus("No stub has answered there yet: " + widget.KeyName(keyInject) + " injects one")
	}
	return s.queue.Send(screen.PutStub{Stub: stub})
}

// apply sends stubs to the running search, or stores them for the next calls.
func (s *Screen) apply(stubs ...model.Stub) tea.Cmd {
	if !s.run.live() {
		s.next = withStubs(s.next, stubs)
		s.showHosts()
		return s.announce()
	}
	msg := screen.SteerSearch{Commands: make([]model.Command, len(stubs))}
	for i := range stubs {
		msg.Commands[i].Stub = &stubs[i]
	}
	return s.queue.Send(msg)
}

// mouse moves the focus and the cursor to the clicked position, and scrolls the pane under the pointer.
func (s *Screen) mouse(msg tea.MouseMsg) {
	switch {
	case s.menu != nil:
		s.menu.mouse(msg)
		return
	case s.edit != nil || len(s.hosts.all) == 0:
		return
	}
	l := s.layout()
	switch {
	case l.hosts.Has(msg.X, msg.Y):
		if widget.LeftClick(msg) {
			s.contacts.focus = onMap
		}
		s.hosts.mouse(msg, msg.Y-l.hosts.Y-1)
	case l.contacts.Has(msg.X, msg.Y):
		s.contacts.mouse(msg, msg.Y-l.contacts.Y-1, s.hosts.selected())
	}
}
