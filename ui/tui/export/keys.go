package export

import (
	"slices"

	"sonde/ui/tui/finder"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Keys that appear in texts of the screen.
var (
	keyWrite  = keymap.Bind("w", "write")
	keyFormat = keymap.Bind("o", "formats")
	keyFaults = keymap.Bind("F", "faults: fail, pin or skip")
	keyFolder = keymap.Bind("f", "folder")
	keyRun    = keymap.Bind("r", "find values")
	keyPlay   = keymap.Bind("r", "play with stubs")
	keyHalt   = keymap.Bind("esc", "stop")

	keyAccept = keymap.Bind("⏎", "accept", "enter")
	keyCancel = keymap.Bind("esc", "cancel")

	keyChoose = keymap.Bind("⏎", "choose it", "enter")
	keyLeave  = keymap.Bind("esc", "leave", "esc", "o")
	keySee    = keymap.Bind("v", "other pane")

	keyReplace = keymap.Bind("W", "replace them", "W", "y")
	keyKeep    = keymap.Bind("esc", "keep them", "esc", "n")
	keySend    = keymap.Bind("y", "run them")
	keyDont    = keymap.Bind("n", "send nothing", "n", "esc")
)

type need = keymap.Need[*Screen]

var (
	needPicks    = need{Met: func(s *Screen) bool { return len(s.picks.items) > 0 }, Why: "nothing is picked"}
	needWritable = need{Met: (*Screen).writable, Why: "no picked item has values, and there is no service"}
	needRunning  = need{Met: func(s *Screen) bool { return s.picks.values.running() }, Why: "nothing is running"}
	needRunnable = need{Met: (*Screen).canRun, Why: "all picked items have values, or there is no service"}
	needStubs    = need{Met: (*Screen).canRun, Why: "no stub was put into a picked item"}
	needValues   = need{Met: func(s *Screen) bool { return s.picks.lacksValues() }}
	needList     = keymap.Not(needPreview.Met, "")
	needPreview  = need{Met: func(s *Screen) bool { return s.previewFocused }}
	needFormats  = need{
		Met: func(s *Screen) bool { return len(s.destination.formats) > 1 },
		Why: "there is only one format",
	}
	needFaultModes = need{
		Met: func(s *Screen) bool { return len(s.destination.faultModes) > 1 },
		Why: "there is only one mode",
	}
)

// keys are the keys of the screen.
var keys = keymap.Map[*Screen]{
	{
		On:   func(s *Screen) bool { return s.question.Open() },
		Busy: "a question is open",
		Keys: func(s *Screen) []key.Binding { return s.question.Keys() },

		Listed: []key.Binding{keyReplace, keyKeep, keySend, keyDont},
	},
	{
		On:   func(s *Screen) bool { return s.entry != nil },
		Busy: "something is typed",
		Rows: []keymap.Row[*Screen]{
			{Key: keyAccept, Do: keymap.Act((*Screen).acceptText)},
			{Key: keyCancel, Do: keymap.Act(func(s *Screen) { s.entry = nil })},
		},
		Rest: func(s *Screen, k tea.KeyMsg) tea.Cmd {
			s.entry.press(k)
			return nil
		},
	},
	{
		On:   func(s *Screen) bool { return s.formats.typing() },
		Busy: "a format is sought",
		Rows: keymap.Each(finder.Keys(), typeFormat),
		Rest: typeFormat,
	},
	{On: func(s *Screen) bool { return s.formats.open }, Busy: "a format is being chosen", Rows: formatRows},
	{Rows: slices.Concat(fileKeys, paneKeys, keymap.Each(widget.MoveKeys(), (*Screen).move, needPicks))},
}

// fileKeys are the keys that find values and write the file.
var fileKeys = []keymap.Row[*Screen]{
	{Key: keyWrite, Needs: []need{needPicks, needWritable}, Do: (*Screen).writeAll},
	{Key: keyRun, Needs: []need{needPicks, needRunnable, needValues}, Do: (*Screen).run},
	{Key: keyPlay, Needs: []need{needPicks, keymap.Not(needValues.Met, ""), needStubs}, Do: (*Screen).run},
	{Key: keyHalt, Needs: []need{needPicks, needRunning}, Do: keymap.Act((*Screen).stopRunning)},
	{
		Key:   keyFormat,
		Needs: []need{needFormats},
		Do:    listFormats,
	},
	{
		Key:   keyFaults,
		Needs: []need{needPicks, needFaultModes},
		Do: keymap.Act(func(s *Screen) {
			s.destination.nextFaultMode()
			s.fileChanged()
		}),
	},
	{Key: keyFolder, Do: keymap.Act((*Screen).typeFolder)},
}

// formatRows are the keys of the list of formats.
var formatRows = slices.Concat(
	[]keymap.Row[*Screen]{
		{
			Key:   keyChoose,
			Needs: []need{{Met: func(s *Screen) bool { return len(s.formats.shown) > 0 }, Why: "no format is called that"}},
			Do:    chooseFormat,
		},
		{Key: finder.KeyFilter, Do: func(s *Screen) tea.Cmd { return s.formats.find() }},
		{Key: keySee, Needs: []need{needPicks}, Do: keymap.Act((*Screen).switchPane)},
		{Key: keymap.Bind("esc", "to the list"), Needs: []need{needPreview}, Do: keymap.Act((*Screen).switchPane), Hidden: true},
		{Key: keyLeave, Needs: []need{needList}, Do: keymap.Act(leaveFormats)},
		{Key: widget.ScrollRight, Needs: []need{needPreview}, Take: (*Screen).move},
		{Key: widget.ScrollLeft, Needs: []need{needPreview}, Take: (*Screen).move},
	},
	keymap.Each(widget.MoveKeys(), moveInFormats),
)

// paneKeys are the keys that switch between the list and the preview, and move in them.
var paneKeys = []keymap.Row[*Screen]{
	{
		Key: keymap.Bind("⏎", "read it, to the list", "enter"),
		Help: func(s *Screen) string {
			if s.previewFocused {
				return "to the list"
			}
			return "read it"
		},
		Needs: []need{needPicks},
		Do:    keymap.Act((*Screen).switchPane),
	},
	{
		Key:    keymap.Bind("esc", "to the list"),
		Needs:  []need{needPicks, needPreview, keymap.Not(needRunning.Met, "")},
		Do:     keymap.Act((*Screen).switchPane),
		Hidden: true,
	},
	{Key: keymap.Bind("n", "name it"), Needs: []need{needPicks}, Do: keymap.Act((*Screen).typeName)},
	{Key: widget.ScrollRight, Needs: []need{needPicks, needPreview}, Take: (*Screen).move},
	{Key: widget.ScrollLeft, Needs: []need{needPicks, needPreview}, Take: (*Screen).move},
	{Key: keySee, Needs: []need{needPicks}, Do: keymap.Act((*Screen).switchPane)},
}

// Keys returns the keys for the key line: those that are active and not hidden.
func (s *Screen) Keys() []key.Binding { return keys.Keys(s) }

// Actions returns the actions of all keys.
func (s *Screen) Actions() []screen.Action { return keys.Actions(s) }

// Listed returns all keys, active or not, for docs/keys.md.
func (s *Screen) Listed() []key.Binding { return keys.Listed() }

func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	cmd, _ := keys.Press(s, k)
	return cmd
}

// writable reports whether there are tests to write, or items that are running or can be run.
func (s *Screen) writable() bool {
	tests, _ := s.picks.tests()
	return len(tests) > 0 || s.canRun() || s.picks.values.running()
}

// run finds values for seqs, and plays tests with the user's stubs.
func (s *Screen) run() tea.Cmd {
	s.writeAfterRun = false
	return s.runItems()
}

func (s *Screen) stopRunning() {
	s.picks.values.stop()
	s.writeAfterRun = false
}

func (s *Screen) switchPane() { s.previewFocused = !s.previewFocused }

// move moves the cursor of the list, or scrolls the preview.
func (s *Screen) move(k tea.KeyMsg) tea.Cmd {
	switch {
	case s.previewFocused:
		s.preview.Key(k, s.layout().code.H-2)
	case s.picks.list.Key(k):
		s.preview.scrollTo(s.picks.list.At)
	}
	return nil
}
