package record

import (
	"slices"

	"sonde/model"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Keys that appear in texts of the screen, or in several rows.
var (
	keyStart = keymap.Bind("⏎", "record", "enter")

	keyStartHere = keymap.Bind("s", "record")
	keyChange    = keymap.Bind("⏎", "change it", "enter")

	keyType = keymap.Bind("e", "type a value")
	keyTurn = keymap.Bind("←→", "change", "left", "right")
	keyOpen = keymap.Bind("o", "open a recording")
	keyStop = keymap.Bind("x", "stop")
	keyNew  = keymap.Bind("n", "new recording")

	keyPick     = keymap.Bind("space", "pick", " ")
	keyFold     = keymap.Bind("⏎", "open, close", "enter", "left", "right")
	keyEach     = keymap.Bind("f", "every exchange")
	keyTogether = keymap.Bind("t", "together, apart")
	keyMimic    = keymap.Bind("m", "mimic report")
	keyUnits    = keymap.Bind("F", "functions under test")

	keyAccept  = keymap.Bind("⏎", "accept", "enter")
	keyCancel  = keymap.Bind("esc", "cancel")
	keyReplace = keymap.Bind("W", "replace it", "W", "y")
	keyKeep    = keymap.Bind("esc", "keep it", "esc", "n")
)

// oracles are the keys that switch oracles on and off.
var oracles = map[model.MockOracle]key.Binding{
	model.OutputOracle:    keymap.Bind("O", "output oracle"),
	model.ParameterOracle: keymap.Bind("P", "parameter oracle"),
	model.CallOracle:      keymap.Bind("C", "call oracle"),
}

type need = keymap.Need[*Screen]

var (
	needForm      = need{Met: (*Screen).onForm, Why: "needs the form of a recording"}
	needSeen      = need{Met: func(s *Screen) bool { return s.watch.readable }, Why: "nothing is recorded yet"}
	needRecording = keymap.Not((*Screen).onForm, "nothing is recorded yet")
	needRunning   = need{Met: func(s *Screen) bool { return s.watch.live() }, Why: "no recording is running"}
	needEnded     = keymap.Not(needRunning.Met, "a recording is running")
	needWarnings  = need{
		Met: func(s *Screen) bool { return len(s.watch.traffic.Warnings) > 0 },
		Why: "there are no warnings",
	}

	needLine     = need{Met: func(s *Screen) bool { return s.exchanges.line() != nil }, Why: "no exchange is listed"}
	needGroup    = keymap.Not(needExchange.Met, "")
	needExchange = need{Met: func(s *Screen) bool { return s.exchanges.served() != nil }}
	needFilter   = need{Met: func(s *Screen) bool { return s.exchanges.find.Text() != "" }, Why: "no filter is set"}

	needList    = need{Met: func(s *Screen) bool { return s.focus == onList }}
	needSide    = keymap.Not(needList.Met, "")
	needSource  = need{Met: func(s *Screen) bool { return s.focus == onSide && s.side == sidePreview }}
	needMessage = need{Met: func(s *Screen) bool {
		return s.focus == onSide && s.side == sideExchange && s.exchanges.served() != nil
	}}
	needPreview = need{
		Met: func(s *Screen) bool { return !s.onForm() && s.side == sidePreview },
		Why: "needs the preview of a test",
	}
	needTests = need{Met: func(s *Screen) bool { return s.tests.path != "" }, Why: "no tests were generated yet"}
)

// typing is the reason why other keys do nothing while a text field is open.
const typing = "something is typed"

// keys are the keys of the screen.
var keys = keymap.Map[*Screen]{
	{
		On:   func(s *Screen) bool { return s.question.Open() },
		Busy: "a question is open",
		Rows: []keymap.Row[*Screen]{{Key: keyReplace}, {Key: keyKeep}}, // the question handles these keys
	},
	{
		On:   func(s *Screen) bool { return s.tests.folder != nil },
		Busy: typing,
		Rows: []keymap.Row[*Screen]{
			{Key: keyAccept, Do: (*Screen).writeTests},
			{Key: keyCancel, Do: keymap.Act(func(s *Screen) { s.tests.folder = nil })},
		},
		Rest: func(s *Screen, k tea.KeyMsg) tea.Cmd {
			s.tests.typeFolder(k)
			return nil
		},
	},
	{
		On:   func(s *Screen) bool { return s.form.typing() },
		Busy: typing,
		Rows: []keymap.Row[*Screen]{
			{Key: keyAccept, Do: (*Screen).acceptValue},
			{Key: keyCancel, Do: keymap.Act(func(s *Screen) { s.form.cancel() })},
		},
		Rest: func(s *Screen, k tea.KeyMsg) tea.Cmd {
			s.form.typeKey(k)
			return nil
		},
	},
	{
		On:   func(s *Screen) bool { return s.exchanges.find.Typing() },
		Busy: typing,
		Rows: keymap.Each(finder.Keys(), typeFilter),
		Rest: typeFilter,
	},
	{On: (*Screen).onForm, Rows: formRows},
	{Rows: slices.Concat(sideRows, testRows, listRows, recordingRows, moveRows)},
}

var (
	onSetting = need{Met: func(s *Screen) bool { return s.form.setting() != nil }, Why: "needs a setting"}
	onStart   = keymap.Not(onSetting.Met, "")
	onSwitch  = need{
		Met: func(s *Screen) bool { return s.form.setting() != nil && s.form.setting().toggle != nil },
		Why: "needs a setting that is switched",
	}
)

// formRows are the keys of the form.
var formRows = slices.Concat([]keymap.Row[*Screen]{
	{Key: keyStart, Needs: []need{needForm, onStart}, Do: (*Screen).start},
	{
		Key: keyChange,
		Help: func(s *Screen) string {
			return keymap.Either(s.form.setting().toggle != nil, "switch it", "type a value")
		},
		Needs: []need{needForm, onSetting},
		Do:    keymap.Act(func(s *Screen) { s.form.editField() }),
	},
	{Key: keyStartHere, Needs: []need{needForm, onSetting}, Do: (*Screen).start},
	{Key: keyStartHere, Needs: []need{needForm, onStart}, Do: (*Screen).start, Hidden: true},
	{Key: keyType, Needs: []need{needForm, onSetting}, Do: keymap.Act(func(s *Screen) { s.form.editField() })},
	{Key: keyTurn, Needs: []need{onSwitch}, Do: keymap.Act(func(s *Screen) { s.form.toggleField() })},
	{Key: keyOpen, Do: keymap.Act((*Screen).typeRecording)},
	{
		Key:   keymap.Bind("esc", "to the recording"),
		Needs: []need{needForm, needSeen},
		Do:    keymap.Act(func(s *Screen) { s.setup = false }),
	},
},
	keymap.Each([]key.Binding{widget.Down, widget.Up}, moveInForm),
	keymap.Hide(keymap.Each([]key.Binding{widget.PageUp, widget.PageDown, widget.Home, widget.End}, moveInForm)),
)

// sideRows are the keys for the line under the cursor and for the pane next to the list.
var sideRows = []keymap.Row[*Screen]{
	{
		Key:   keymap.Bind("⏎", "to the list", "enter", "esc"),
		Needs: []need{needSide, needRecording},
		Do:    keymap.Act((*Screen).focusList),
	},
	{Key: widget.ScrollRight, Needs: []need{needSource}, Take: (*Screen).move},
	{Key: widget.ScrollLeft, Needs: []need{needSource}, Take: (*Screen).move},
	{
		Key:   keyPick,
		Needs: []need{needRecording, needLine, needList},
		Do:    keymap.Act(func(s *Screen) { s.exchanges.pick() }),
	},
	{
		Key:    keyPick,
		Needs:  []need{needLine, needSide},
		Do:     keymap.Act(func(s *Screen) { s.exchanges.pick() }),
		Hidden: true,
	},
	{
		Key:   keyFold,
		Needs: []need{needGroup, needLine, needList},
		Do:    keymap.Act(func(s *Screen) { s.exchanges.toggleFold() }),
	},
	{
		Key:   keymap.Bind("⏎", "read it", "enter"),
		Needs: []need{needRecording, needLine, needList, needExchange},
		Do:    keymap.Act(func(s *Screen) { s.focus = onSide }),
	},
}

// testRows are the keys for making tests.
var testRows = []keymap.Row[*Screen]{
	{
		Key:   keymap.Bind("p", "preview the test"),
		Needs: []need{needRecording, needLine, keymap.Not(needPreview.Met, "")},
		Do:    show(sidePreview),
	},
	{Key: keymap.Bind("p", "the exchange"), Needs: []need{needPreview, needLine}, Do: show(sidePreview)},
	{Key: oracles[model.OutputOracle], Needs: []need{needPreview, needLine}, Do: toggleOracle(model.OutputOracle)},
	{Key: oracles[model.ParameterOracle], Needs: []need{needPreview, needLine}, Do: toggleOracle(model.ParameterOracle)},
	{Key: oracles[model.CallOracle], Needs: []need{needPreview, needLine}, Do: toggleOracle(model.CallOracle)},
	{
		Key:   keyTogether,
		Needs: []need{needPreview, needLine},
		Do:    keymap.Act(func(s *Screen) { s.tests.toggleTogether() }),
	},
	{
		Key:   keymap.Bind("g", "generate"),
		Needs: []need{needRecording, needLine},
		Do:    keymap.Act(func(s *Screen) { s.tests.editFolder() }),
	},
	{
		Key:   keymap.Bind("a", "keep as test"),
		Needs: []need{needRecording, needLine},
		Do:    func(s *Screen) tea.Cmd { return s.generate(toKeep) },
	},
	{Key: keyMimic, Needs: []need{needTests, needRecording, needLine}, Do: (*Screen).playAll},
}

// listRows are the keys that change which exchanges are listed and picked.
var listRows = []keymap.Row[*Screen]{
	{
		Key:   keymap.Bind("A", "pick all shown"),
		Needs: []need{needRecording, needLine},
		Do:    func(s *Screen) tea.Cmd { return s.exchanges.pickAll() },
	},
	{
		Key: keyEach,
		Help: func(s *Screen) string {
			if s.exchanges.all {
				return "one of a shape"
			}
			return "every exchange"
		},
		Needs: []need{needRecording},
		Do:    keymap.Act(func(s *Screen) { s.exchanges.toggleAll() }),
	},
	{Key: finder.KeyFilter, Needs: []need{needRecording}, Do: (*Screen).openFilter},
	{
		Key:   finder.KeyClearFilter,
		Needs: []need{needFilter, needList},
		Do:    keymap.Act(func(s *Screen) { s.exchanges.clear() }),
	},
}

// recordingRows are the keys for the whole recording.
var recordingRows = []keymap.Row[*Screen]{
	{Key: keymap.Bind("w", "warnings"), Needs: []need{needWarnings}, Do: show(sideWarnings)},
	{Key: keyUnits, Needs: []need{needRecording}, Do: (*Screen).toggleFunctions},
	{Key: keyStop, Needs: []need{needRunning}, Do: func(s *Screen) tea.Cmd { return s.watch.stop() }},
	{
		Key:   keyNew,
		Needs: []need{needRecording, needEnded},
		Do:    keymap.Act(func(s *Screen) { s.setup, s.form.list.At = true, 0 }),
	},
	{Key: keyOpen, Needs: []need{needEnded}, Do: keymap.Act((*Screen).typeRecording)},
	{Key: keymap.Bind("v", "other pane"), Needs: []need{needRecording}, Do: keymap.Act((*Screen).switchPane)},
}

func typeFilter(s *Screen, k tea.KeyMsg) tea.Cmd { return s.exchanges.typeFilter(k) }

// moveRows are the keys that move the cursor. While an exchange has the focus, the page keys scroll the
// marked message.
var moveRows = slices.Concat(
	keymap.Each([]key.Binding{widget.Up, widget.Down}, (*Screen).move),
	[]keymap.Row[*Screen]{
		{Key: widget.PageUp, Needs: []need{needMessage}, Do: pageMessage(-1)},
		{Key: widget.PageDown, Needs: []need{needMessage}, Do: pageMessage(+1)},
	},
	keymap.Each([]key.Binding{widget.PageUp, widget.PageDown}, (*Screen).move, keymap.Not(needMessage.Met, "")),
	keymap.Each([]key.Binding{widget.Home, widget.End}, (*Screen).move),
)

// show returns an action that shows a side, such as the warnings, in the pane next to the list. If the pane already
// shows this side, the action shows the exchange again.
func show(what side) func(*Screen) tea.Cmd {
	return keymap.Act(func(s *Screen) { s.showSide(what) })
}

func toggleOracle(o model.MockOracle) func(*Screen) tea.Cmd {
	return func(s *Screen) tea.Cmd { return s.tests.toggleOracle(o) }
}

// pageMessage returns an action that scrolls the marked message by pages.
func pageMessage(pages int) func(*Screen) tea.Cmd {
	return keymap.Act(func(s *Screen) { s.exchange.scrollMessage(pages, s.layout().message.H) })
}

func moveInForm(s *Screen, k tea.KeyMsg) tea.Cmd {
	s.form.list.Key(k)
	return nil
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

// onForm reports whether the form of the next recording is shown.
func (s *Screen) onForm() bool { return s.setup || !s.watch.readable }
