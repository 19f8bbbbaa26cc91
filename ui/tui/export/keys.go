package export

import (
	"slices"

	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// The keys that the screen's texts name.
var (
	keyWrite  = keymap.Bind("w", "write")
	keyFormat = keymap.Bind("o", "other format")
	keyFaults = keymap.Bind("F", "faults: fail, pin or skip")
	keyFolder = keymap.Bind("f", "folder")
	keyRun    = keymap.Bind("r", "find values")
	keyPlay   = keymap.Bind("r", "play with stubs")
	keyHalt   = keymap.Bind("esc", "stop")

	keyAccept = keymap.Bind("⏎", "take it", "enter")
	keyCancel = keymap.Bind("esc", "leave it")

	keyReplace = keymap.Bind("W", "replace them", "W", "y")
	keyKeep    = keymap.Bind("esc", "keep them", "esc", "n")
	keySend    = keymap.Bind("y", "run them")
	keyDont    = keymap.Bind("n", "send nothing", "n", "esc")
)

type need = keymap.Need[*Screen]

var (
	picked   = need{Met: func(s *Screen) bool { return len(s.items) > 0 }, Why: "nothing is picked"}
	writable = need{Met: (*Screen).writable, Why: "nothing that is picked has values, and there is no service"}
	running  = need{Met: func(s *Screen) bool { return s.values.running() }, Why: "nothing runs"}
	runnable = need{Met: (*Screen).canRun, Why: "all that is picked has values, or there is no service"}
	unvalued = need{Met: (*Screen).unvalued}
	onFile   = need{Met: func(s *Screen) bool { return s.reading }}
)

// keys are all that the keys do.
var keys = keymap.Map[*Screen]{
	{
		On:   func(s *Screen) bool { return s.question.Open() },
		Busy: "a question is open",
		Keys: func(s *Screen) []key.Binding { return s.question.Keys() },
	},
	{
		On:   func(s *Screen) bool { return s.field != nil },
		Busy: "something is typed",
		Rows: []keymap.Row[*Screen]{
			{Key: keyAccept, Do: keymap.Act((*Screen).accept)},
			{Key: keyCancel, Do: keymap.Act(func(s *Screen) { s.field = nil })},
		},
		Rest: (*Screen).typed,
	},
	{Rows: slices.Concat([]keymap.Row[*Screen]{
		{Key: keyWrite, Needs: []need{picked, writable}, Do: (*Screen).writeAll},
		{Key: keyRun, Needs: []need{picked, runnable, unvalued}, Do: (*Screen).run},
		{
			Key:   keyPlay,
			Needs: []need{picked, keymap.Not(unvalued.Met, ""), {Met: (*Screen).canRun, Why: "no stub was put into what is picked"}},
			Do:    (*Screen).run,
		},
		{Key: keyHalt, Needs: []need{picked, running}, Do: keymap.Act((*Screen).halt)},
		{
			Key:   keyFormat,
			Needs: []need{picked, {Met: func(s *Screen) bool { return len(s.formats) > 1 }, Why: "there is one format only"}},
			Do:    keymap.Act((*Screen).turn),
		},
		{
			Key:   keyFaults,
			Needs: []need{picked, {Met: func(s *Screen) bool { return len(s.modes) > 1 }, Why: "there is one way only"}},
			Do:    keymap.Act((*Screen).turnFaults),
		},
		{Key: keyFolder, Do: keymap.Act((*Screen).edit)},
		{
			Key:   keymap.Bind("⏎", "read it, to the list", "enter"),
			Help:  (*Screen).readHelp,
			Needs: []need{picked},
			Do:    keymap.Act((*Screen).turnFocus),
		},
		{
			Key:    keymap.Bind("esc", "to the list"),
			Needs:  []need{picked, onFile, keymap.Not(running.Met, "")},
			Do:     keymap.Act((*Screen).turnFocus),
			Hidden: true,
		},
		{Key: keymap.Bind("n", "name it"), Needs: []need{picked}, Do: keymap.Act((*Screen).name)},
		{Key: widget.ScrollRight, Needs: []need{picked, onFile}, Take: (*Screen).move},
		{Key: widget.ScrollLeft, Needs: []need{picked, onFile}, Take: (*Screen).move},
		{Key: keymap.Bind("v", "other pane"), Needs: []need{picked}, Do: keymap.Act((*Screen).turnFocus)},
	}, keymap.Each(widget.MoveKeys(), (*Screen).move, picked))},
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

// writable reports whether there are tests to write, or a service to find their values.
func (s *Screen) writable() bool {
	tests, _ := s.tests()
	return len(tests) > 0 || s.canRun() || s.values.running()
}

// run finds values, or where there are some plays them with the stubs that were put
// into them.
func (s *Screen) run() tea.Cmd {
	s.after = false
	return s.realise()
}

func (s *Screen) halt() {
	s.values.halt()
	s.after = false
}

func (s *Screen) readHelp() string {
	if s.reading {
		return "to the list"
	}
	return "read it"
}

// turnFocus gives the focus to the other pane.
func (s *Screen) turnFocus() { s.reading = !s.reading }

// move moves the cursor of the list, or the window on the file.
func (s *Screen) move(k tea.KeyMsg) tea.Cmd {
	switch {
	case s.reading:
		s.preview.Key(k, s.layout().code.H-2)
	case s.list.Key(k):
		s.preview.show(s.list.At)
	}
	return nil
}
