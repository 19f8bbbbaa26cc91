package search

import (
	"slices"

	"sonde/ui/tui/finder"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/search/past"
	"sonde/ui/tui/search/source"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// formRows are the keys of the form with the settings of the next run.
var formRows = slices.Concat(
	[]keymap.Row[*Model]{
		{Key: keyStart, Needs: []need{onStart, needService}, Do: startNow},
		{
			Key:   keyChange,
			Help:  func(m *Model) string { return keymap.Either(m.form.setting().flip != nil, "switch it", "type a value") },
			Needs: []need{onSetting},
			Do:    keymap.Act(func(m *Model) { m.form.change() }),
		},
		{Key: keyMore, Needs: []need{onSetting}, Do: adjustSetting(coarseUp)},
		{Key: keyLess, Needs: []need{onSetting}, Do: adjustSetting(coarseDown)},
		{Key: keyStartHere, Needs: []need{onSetting, needService}, Do: startNow},
		hidden(keymap.Row[*Model]{Key: keyStartHere, Needs: []need{onStart, needService}, Do: startNow}),
	},
	keymap.Each([]key.Binding{widget.Down, widget.Up}, moveInForm),
	keymap.Hide(keymap.Each([]key.Binding{widget.PageUp, widget.PageDown, widget.Home, widget.End}, moveInForm)),
	[]keymap.Row[*Model]{
		{Key: keyCalls, Needs: []need{onStart}, Do: keymap.Act(func(m *Model) { m.form.editCalls() })},
		{Key: keyType, Needs: []need{onSetting}, Do: keymap.Act(func(m *Model) { m.form.editField() })},
		{Key: keyPast, Do: (*Model).listPast},
		{Key: keyFind, Do: func(m *Model) tea.Cmd { return m.engine.Queue.FindOperation() }},
		{Key: keyFineMore, Needs: []need{onSetting}, Do: adjustSetting(fineUp)},
		{Key: keyFineLess, Needs: []need{onSetting}, Do: adjustSetting(fineDown)},
		{Key: keymap.Bind("esc", "last run"), Needs: []need{needSeen}, Do: show(pageRun)},
	},
)

var (
	onSetting = need{Met: func(m *Model) bool { return m.form.setting() != nil }, Why: "needs a setting"}
	onStart   = keymap.Not(onSetting.Met, "")
)

func adjustSetting(a adjustment) func(*Model) tea.Cmd {
	return keymap.Act(func(m *Model) { m.form.adjust(a) })
}

func moveInForm(m *Model, k tea.KeyMsg) tea.Cmd {
	m.form.list.Key(k)
	return nil
}

// pastRows are the keys of the list of searches on disk.
var pastRows = slices.Concat(
	[]keymap.Row[*Model]{
		{
			Key: past.KeyOpen,
			Needs: []need{
				{Met: func(m *Model) bool { return !m.past.Empty() }, Why: "no search is listed"},
				{Met: func(m *Model) bool { return !m.past.Opening() }, Why: "a search is being read"},
			},
			Do: func(m *Model) tea.Cmd { return reopen(m.engine.Searches, m.past.Open()) },
		},
		{
			Key:   past.KeyType,
			Needs: []need{{Met: func(m *Model) bool { return !m.past.Opening() }, Why: "a search is being read"}},
			Do:    keymap.Act(func(m *Model) { m.past.TypeFolder() }),
		},
	},
	keymap.Each(widget.MoveKeys(), func(m *Model, k tea.KeyMsg) tea.Cmd {
		m.past.Move(k)
		return nil
	}, need{Met: func(m *Model) bool { return !m.past.Empty() }}),
	[]keymap.Row[*Model]{{Key: past.KeyClose, Do: keymap.Act(func(m *Model) { m.inPast = false })}},
)

var (
	needKnownSource = need{Met: func(m *Model) bool { return m.source.Known() }, Why: "nothing is known of the source"}
	needFiles       = need{Met: func(m *Model) bool { return m.source.Known() && !m.source.Reading() }, Why: "needs the list of files"}
	needText        = need{Met: func(m *Model) bool { return m.source.Reading() }, Why: "no file is open"}
	needNoText      = keymap.Not(needText.Met, "")
)

// sourceRows are the keys of the page with the service's source. They come in three parts: keys of an open
// file, keys of the list of files, and keys while nothing is known of the source.
var sourceRows = slices.Concat(
	[]keymap.Row[*Model]{
		{Key: source.KeyTest, Needs: []need{needText}, Do: showTestOfLine},
		{Key: keymap.Bind("n", "next uncovered"), Needs: []need{needText}, Do: goToUncovered(+1)},
		{Key: keymap.Bind("N", "previous uncovered"), Needs: []need{needText}, Do: goToUncovered(-1)},
		{
			Key:   keymap.Bind("⏎", "open, fold", "enter"),
			Help:  func(m *Model) string { return keymap.Either(m.source.OnFile(), "open", "fold") },
			Needs: []need{needFiles},
			Do:    func(m *Model) tea.Cmd { return m.source.Enter() },
		},
		{
			Key:   keymap.Bind("o", "uncovered first, by name"),
			Help:  func(m *Model) string { return keymap.Either(m.source.UncoveredFirst(), "by name", "uncovered first") },
			Needs: []need{needFiles},
			Do:    keymap.Act(func(m *Model) { m.source.ToggleOrder() }),
		},
		{Key: source.KeyClose, Needs: []need{on(pageSource), needNoText}, Do: show(pageRun)},
	},
	pauseRows(on(pageSource)),
	[]keymap.Row[*Model]{
		stopRow(on(pageSource)),
		{Key: keymap.Bind("esc", "to the files"), Needs: []need{needText}, Do: keymap.Act(func(m *Model) { m.source.CloseText() })},
		{Key: keymap.Bind("c", "to the run"), Needs: []need{on(pageSource), needText}, Do: show(pageRun)},
		{Key: widget.ScrollRight, Needs: []need{needText}, Do: keymap.Act(func(m *Model) { m.source.ScrollText(+1) })},
		{Key: widget.ScrollLeft, Needs: []need{needText}, Do: keymap.Act(func(m *Model) { m.source.ScrollText(-1) })},
	},
	keymap.Each(widget.MoveKeys(), func(m *Model, k tea.KeyMsg) tea.Cmd {
		m.source.Move(k)
		return nil
	}, needKnownSource),
)

func goToUncovered(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.source.GoToUncovered(by) }
}

// showTestOfLine shows the test that is kept for the line under the cursor, and why the test is kept. If no test is
// kept for the line, it shows the reason.
func showTestOfLine(m *Model) tea.Cmd {
	test, whyNone := m.source.TestOfLine()
	if test == "" {
		return whyNone
	}
	return m.showTest(test)
}

var (
	needFiltered   = need{Met: func(m *Model) bool { return m.events.Filtered() }, Why: "no filter is set"}
	needUnfiltered = keymap.Not(needFiltered.Met, "")
)

// eventRows are the keys of the page with the events of the run.
var eventRows = slices.Concat(
	[]keymap.Row[*Model]{
		{Key: finder.KeyFilter, Do: func(m *Model) tea.Cmd { return m.events.Focus() }},
		{Key: keymap.Bind("esc", "to the run", "esc", "E"), Needs: []need{needUnfiltered}, Do: show(pageRun)},
		{Key: keymap.Bind("E", "to the run"), Needs: []need{on(pageEvents), needFiltered}, Do: show(pageRun)},
		{
			Key: keyGo,
			Needs: []need{
				on(pageEvents),
				{Met: func(m *Model) bool { return m.events.Operation() != "" }, Why: "needs the event of an operation"},
			},
			Do: func(m *Model) tea.Cmd {
				return m.engine.Queue.ShowScreen(screen.TabExplore, m.events.Operation())
			},
		},
		{
			Key: keymap.Bind("⏎", "see all of it", "enter"),
			Needs: []need{
				on(pageEvents),
				{Met: func(m *Model) bool { return m.events.Text() != "" && m.events.Operation() == "" }},
			},
			Do: func(m *Model) tea.Cmd { return screen.ShowStatus(m.events.Text()) },
		},
	},
	pauseRows(on(pageEvents)),
	[]keymap.Row[*Model]{
		stopRow(on(pageEvents)),
		{Key: finder.KeyClearFilter, Needs: []need{needFiltered}, Do: keymap.Act(func(m *Model) { m.events.ClearFilter() })},
	},
	keymap.Each(widget.MoveKeys(), func(m *Model, k tea.KeyMsg) tea.Cmd {
		m.events.Move(k)
		return nil
	}),
)

// faultRows are the keys of the page of a fault.
var faultRows = slices.Concat(
	[]keymap.Row[*Model]{
		{Key: keymap.Bind("esc", "to the faults"), Do: show(pageRun)},
		{Key: keymap.Bind("y", "copy curl"), Do: func(m *Model) tea.Cmd { return m.fault.copy() }},
		{Key: keyGo, Needs: []need{on(pageFault)}, Do: func(m *Model) tea.Cmd {
			m.page = pageRun
			return m.engine.Queue.ShowScreen(screen.TabExplore, m.fault.fault.Op)
		}},
		{
			Key:   keyAgain,
			Needs: []need{on(pageFault), {Met: func(m *Model) bool { return m.fault.fault.Test != nil }, Why: "no test shows the fault"}},
			Do: func(m *Model) tea.Cmd {
				m.page = pageRun
				test := m.fault.fault.Test
				return m.engine.Queue.ComposeLastCall(test.Seq(), test)
			},
		},
	},
	keymap.Each(widget.MoveKeys(), func(m *Model, k tea.KeyMsg) tea.Cmd {
		m.fault.scroll(k)
		return nil
	}),
)

// startNow starts the search. It first asks if a question is necessary.
func startNow(m *Model) tea.Cmd { return m.start(false) }
