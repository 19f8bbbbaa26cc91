package export

import (
	"slices"

	"sonde/ui/code"
	"sonde/ui/pane"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

var (
	keyWrite  = key.NewBinding(key.WithKeys("w"), key.WithHelp("w", "write"))
	keyFormat = key.NewBinding(key.WithKeys("o"), key.WithHelp("o", "other format"))
	keyFaults = key.NewBinding(key.WithKeys("F"), key.WithHelp("F", "faults: fail, pin or skip"))
	keyFolder = key.NewBinding(key.WithKeys("f"), key.WithHelp("f", "folder"))
	keyName   = key.NewBinding(key.WithKeys("n"), key.WithHelp("n", "name it"))
	keyRun    = key.NewBinding(key.WithKeys("r"), key.WithHelp("r", "find values"))
	keyPlay   = key.NewBinding(key.WithKeys("r"), key.WithHelp("r", "play with stubs"))
	keyHalt   = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "stop"))
	keyRead   = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "read it"))
	keyList   = key.NewBinding(key.WithKeys("enter", "esc"), key.WithHelp("⏎", "to the list"))
	keyPane   = key.NewBinding(key.WithKeys("v"), key.WithHelp("v", "other pane"))

	keyAccept = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "take it"))
	keyCancel = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "leave it"))

	keyReplace = key.NewBinding(key.WithKeys("W", "y"), key.WithHelp("W", "replace them"))
	keyKeep    = key.NewBinding(key.WithKeys("esc", "n"), key.WithHelp("esc", "keep them"))
	keySend    = key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "run them"))
	keyDont    = key.NewBinding(key.WithKeys("n", "esc"), key.WithHelp("n", "send nothing"))
)

// Keys are the keys that matter now.
func (s *Screen) Keys() []key.Binding {
	switch {
	case s.question.Open():
		return s.question.Keys()
	case s.field != nil:
		return []key.Binding{keyAccept, keyCancel}
	case len(s.items) == 0:
		return []key.Binding{keyFolder}
	}
	var keys []key.Binding
	if tests, _ := s.tests(); len(tests) > 0 || s.canRun() {
		keys = append(keys, keyWrite)
	}
	if s.canRun() {
		keys = append(keys, s.keyRun())
	}
	if s.values.running() {
		keys = append(keys, keyHalt)
	}
	if len(s.formats) > 1 {
		keys = append(keys, keyFormat)
	}
	if len(s.modes) > 1 {
		keys = append(keys, keyFaults)
	}
	keys = append(keys, keyFolder, s.keyRead(), keyName)
	if s.reading {
		keys = append(keys, code.Right, code.Left)
	}
	return slices.Concat(keys, []key.Binding{keyPane}, pane.Moves())
}

// keyRun finds values, or where there are some plays them with what a person put at
// hosts.
func (s *Screen) keyRun() key.Binding {
	if s.unvalued() {
		return keyRun
	}
	return keyPlay
}

func (s *Screen) keyRead() key.Binding {
	if s.reading {
		return keyList
	}
	return keyRead
}

func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	switch {
	case s.field != nil:
		s.typed(k)
	case key.Matches(k, keyFolder):
		s.edit()
	case len(s.items) == 0:
	case key.Matches(k, keyName):
		s.name()
	case key.Matches(k, keyFormat) && len(s.formats) > 1:
		s.turn()
	case key.Matches(k, keyFaults) && len(s.modes) > 1:
		s.turnFaults()
	case key.Matches(k, keyWrite):
		return s.writeAll()
	case key.Matches(k, keyRun) && s.canRun():
		s.after = false
		return s.realise()
	case key.Matches(k, keyHalt) && s.values.running():
		s.values.halt()
		s.after = false
	case key.Matches(k, s.keyRead(), keyPane):
		s.reading = !s.reading
	case s.reading:
		s.preview.Key(k, s.layout().code.H-2)
	case s.list.Key(k):
		s.preview.show(s.list.At)
	}
	return nil
}
