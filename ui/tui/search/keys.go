package search

import (
	"sonde/ui/tui/finder"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/search/past"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Keys that appear in texts of the screen, or are used in several rows.
var (
	keyStart    = keymap.Bind("⏎", "start", "enter")
	keyChange   = keymap.Bind("⏎", "change it", "enter")
	keyFind     = keymap.Bind("/", "find an operation")
	keyType     = keymap.Bind("e", "type a value")
	keyCalls    = keymap.Bind("e", "how many calls")
	keyMore     = keymap.Bind("→", "more", "right", "l", "+")
	keyLess     = keymap.Bind("←", "less", "left", "h", "-")
	keyFineMore = keymap.Bind("⇧→", "a little more", "shift+right", "L")
	keyFineLess = keymap.Bind("⇧←", "a little less", "shift+left", "H")
	keyPast     = keymap.Bind("o", "open a search")

	keyStartHere = keymap.Bind("s", "start")

	keyPause  = keymap.Bind("space", "pause", " ")
	keyResume = keymap.Bind("space", "resume", " ")
	keyStop   = keymap.Bind("x", "stop")
	keyNew    = keymap.Bind("n", "new run")
	keyMute   = keymap.Bind("m", "mute")
	keyBoost  = keymap.Bind("b", "boost")
	keyOnly   = keymap.Bind("o", "only")
	keyPlain  = keymap.Bind("p", "plain")

	keyPane  = keymap.Bind("v", "next pane")
	keyGo    = keymap.Bind("⏎", "see operation", "enter")
	keyAgain = keymap.Bind("r", "send it by hand")
	keySteps = keymap.Bind("R", "step through it")

	keyAccept = keymap.Bind("⏎", "accept", "enter")
	keyCancel = keymap.Bind("esc", "cancel")
	keySend   = keymap.Bind("y", "send them")
	keyDont   = keymap.Bind("n", "send nothing", "n", "esc")
)

type need = keymap.Need[*Model]

var (
	needService = need{
		Met: func(m *Model) bool { return m.host.URL != "" },
		Why: "there is no service: start with --url or --demo",
	}
	needSeen      = need{Met: func(m *Model) bool { return m.run.hasSnapshot }, Why: "there was no search yet"}
	needActive    = need{Met: func(m *Model) bool { return m.run.active() }, Why: "no search is running"}
	needSteerable = need{Met: func(m *Model) bool { return m.run.steerable() }, Why: "no search is running"}
	needPausable  = need{Met: func(m *Model) bool { return m.run.handle != nil && !m.run.ended() }, Why: "no search is running"}
	needPaused    = need{Met: func(m *Model) bool { return m.run.paused }, Why: "no search is paused"}
	needEnded     = need{Met: func(m *Model) bool { return m.run.ended() }, Why: "a search is running"}
)

// on returns the condition that page p is shown.
func on(p page) need { return need{Met: func(m *Model) bool { return m.page == p }} }

// typing is the reason why other keys are inactive while a text field is open.
const typing = "a value is typed"

// keys are the keys of the screen.
var keys = keymap.Map[*Model]{
	{
		On:   func(m *Model) bool { return m.question.Open() },
		Busy: "a question is open",
		Rows: []keymap.Row[*Model]{{Key: keySend}, {Key: keyDont}}, // the question handles these keys
	},
	{
		On:   func(m *Model) bool { return m.form.typing() },
		Busy: typing,
		Rows: []keymap.Row[*Model]{
			{Key: keyAccept, Do: keymap.Act(func(m *Model) { m.form.acceptValue() })},
			{Key: keyCancel, Do: keymap.Act(func(m *Model) { m.form.cancel() })},
		},
		Rest: func(m *Model, k tea.KeyMsg) tea.Cmd {
			m.form.typeKey(k)
			return nil
		},
	},
	{
		On:   typingKnob,
		Busy: typing,
		Rows: []keymap.Row[*Model]{
			{Key: keyAccept, Do: keymap.Act(func(m *Model) { acceptKnob(m) })},
			{Key: keyCancel, Do: keymap.Act(func(m *Model) { m.panes.knobs.cancel() })},
		},
		Rest: func(m *Model, k tea.KeyMsg) tea.Cmd {
			m.panes.knobs.typeKey(k)
			return nil
		},
	},
	{
		On:   func(m *Model) bool { return m.inPast && m.past.Typing() },
		Busy: typing,
		Rows: []keymap.Row[*Model]{
			{Key: past.KeyOpen, Do: func(m *Model) tea.Cmd { return reopen(m.engine.Searches, m.past.AcceptFolder()) }},
			{Key: past.KeyClose, Do: keymap.Act(func(m *Model) { m.past.CancelFolder() })},
		},
		Rest: func(m *Model, k tea.KeyMsg) tea.Cmd {
			m.past.TypeKey(k)
			return nil
		},
	},
	{On: func(m *Model) bool { return m.inPast }, Away: "the list of searches is not on show", Rows: pastRows},
	{On: on(pageForm).Met, Away: "needs the form of a search", Rows: formRows},
	{On: on(pageSource).Met, Away: "the source is not on show", Rows: sourceRows},
	{
		On:   func(m *Model) bool { return m.page == pageEvents && m.events.Typing() },
		Busy: typing,
		Rows: keymap.Each(finder.Keys(), typeFilter),
		Rest: typeFilter,
	},
	{On: on(pageEvents).Met, Away: "the list of events is not on show", Rows: eventRows},
	{On: on(pageFault).Met, Away: "needs a fault", Rows: faultRows},
	{Away: "the run is not on show", Rows: runRows},
}

func typeFilter(m *Model, k tea.KeyMsg) tea.Cmd { return m.events.TypeKey(k) }

// Keys returns the keys that are active now.
func (m Model) Keys() []key.Binding { return keys.Keys(&m) }

// Actions returns the actions of all keys.
func (m Model) Actions() []screen.Action { return keys.Actions(&m) }

// Listed returns all keys, active or not, for docs/keys.md.
func (m Model) Listed() []key.Binding { return keys.Listed() }

func (m *Model) press(k tea.KeyMsg) tea.Cmd {
	cmd, _ := keys.Press(m, k)
	return cmd
}

// show returns an action that shows a page.
func show(p page) func(*Model) tea.Cmd { return keymap.Act(func(m *Model) { m.page = p }) }
