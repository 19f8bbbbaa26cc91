package search

import (
	"slices"

	"sonde/model"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// pauseRows returns the keys that pause and resume the run. The keys are active only if all given conditions are met.
func pauseRows(where ...need) []keymap.Row[*Model] {
	pause := keymap.Act(func(m *Model) { m.run.togglePause() })
	return []keymap.Row[*Model]{
		{Key: keyPause, Needs: slices.Concat(where, []need{needPausable, keymap.Not(needPaused.Met, "")}), Do: pause},
		{Key: keyResume, Needs: slices.Concat(where, []need{needPaused, needPausable}), Do: pause},
	}
}

// stopRow returns the key that stops the run. It is active only if all given conditions are met.
func stopRow(where ...need) keymap.Row[*Model] {
	return keymap.Row[*Model]{
		Key:   keyStop,
		Needs: slices.Concat(where, []need{needActive}),
		Do:    func(m *Model) tea.Cmd { return m.run.stop() },
	}
}

var (
	needOperation = need{Met: func(m *Model) bool { return m.operation() != "" }, Why: "needs an operation of a running search"}
	needWeighted  = need{
		Met: func(m *Model) bool { return m.run.weighted(m.scopeHere().ops) },
		Why: "no operation is muted or boosted",
	}
	needWeights = need{
		Met: func(m *Model) bool { return len(m.run.snap.Weights) > 0 },
		Why: "no operation is muted or boosted",
	}
	needScopes = need{
		Met: func(m *Model) bool { return len(scopes(m.analyzed, m.operation())) > 1 },
		Why: "the operation is in no tag or group with others",
	}
)

// weightRows are the keys that change the weights of operations: of all operations in the scope under the cursor.
// While all weights have their default, the keys that reset weights are hidden. The hidden keys have an effect,
// because a command that changes a weight may be pending.
var weightRows = []keymap.Row[*Model]{
	weightRow(keyMute, model.PriorityMuted),
	weightRow(keyBoost, model.PriorityBoosted),
	weightRow(keyOnly, model.PriorityOnly),
	weightRow(keyPlain, model.PriorityNormal, needWeighted),
	hidden(weightRow(keyPlain, model.PriorityNormal, keymap.Not(needWeighted.Met, ""))),
	{
		Key:   keymap.Bind("t", "tag, group"),
		Needs: []need{needSteerable, needOperation, needScopes},
		Do:    keymap.Act(func(m *Model) { m.panes.scope = m.panes.scope.next(m.analyzed, m.operation()) }),
	},
	plainAllRow(needWeights),
	hidden(plainAllRow(keymap.Not(needWeights.Met, ""))),
}

func weightRow(k key.Binding, kind model.PriorityKind, more ...need) keymap.Row[*Model] {
	return keymap.Row[*Model]{
		Key:   k,
		Needs: append([]need{needSteerable, needOperation}, more...),
		Do: keymap.Act(func(m *Model) {
			s := m.scopeHere()
			m.run.apply(model.Command{Priority: &model.Priority{Kind: kind, Ops: s.ops, Label: s.label}})
		}),
	}
}

func plainAllRow(weights need) keymap.Row[*Model] {
	return keymap.Row[*Model]{
		Key:   keymap.Bind("P", "plain all"),
		Needs: []need{needSteerable, weights},
		Do: keymap.Act(func(m *Model) {
			m.run.apply(model.Command{Priority: &model.Priority{Kind: model.PriorityNormal, Label: "all"}})
		}),
	}
}

func hidden(r keymap.Row[*Model]) keymap.Row[*Model] {
	r.Hidden = true
	return r
}

// operation returns the operation under the cursor of the run's panes, "" for none.
func (m *Model) operation() model.OpID {
	op, _ := m.panes.operation(m.runView())
	return op
}

// scopeHere returns a scope of the operation under the cursor: the scope that is most similar to the one that the
// user chose last.
func (m *Model) scopeHere() scope { return m.panes.scope.at(m.analyzed, m.operation()) }

// knobRows returns the keys that change the knob under the cursor of the knobs pane, even if another pane has the
// focus. The keys are active only if all given conditions are met.
func knobRows(keyUp key.Binding, up adjustment, keyDown key.Binding, down adjustment, where ...need) []keymap.Row[*Model] {
	needs := slices.Concat(where, []need{needSteerable})
	return []keymap.Row[*Model]{
		{Key: keyUp, Needs: needs, Do: adjustKnob(up)},
		{Key: keyDown, Needs: needs, Do: adjustKnob(down)},
	}
}

func adjustKnob(a adjustment) func(*Model) tea.Cmd {
	return keymap.Act(func(m *Model) { m.run.adjustKnob(m.panes.knobs.chosen(), a) })
}

// focused returns the condition that a pane has the focus.
func focused(at part) need { return need{Met: func(m *Model) bool { return m.panes.focus == at }} }

var (
	onKnobs   = focused(partKnobs)
	onChart   = focused(partChart)
	offChart  = keymap.Not(onChart.Met, "")
	onText    = need{Met: func(m *Model) bool { return m.panes.readable(m.runView(), m.panes.focus) }}
	onTests   = need{Met: focused(partTests).Met, Why: "needs a test"}
	onWhy     = focused(partWhy)
	onFaults  = focused(partFaults)
	needFault = need{Met: func(m *Model) bool { return onFaults.Met(m) && m.operation() != "" }, Why: "needs a fault"}
	needTest  = need{
		Met: func(m *Model) bool { return m.panes.test(m.runView()) != nil },
		Why: "needs a test, or a fault that one shows",
	}
	needUnended  = keymap.Not(needEnded.Met, "")
	onCodeTarget = need{Met: func(m *Model) bool {
		return m.panes.focus == partOpen && m.panes.open.chosen(m.runView()) != nil && m.operation() == ""
	}}
	needOpened = need{Met: func(m *Model) bool { return m.panes.fromSource }}
	needList   = need{Met: func(m *Model) bool { return m.panes.list(m.runView(), m.panes.focus).Rows > 1 }}
)

// paneRows are the keys that open the item under the cursor, show other panes and pages, and move the
// cursor.
var paneRows = slices.Concat(
	[]keymap.Row[*Model]{
		{Key: keymap.Bind("⏎", "see fault", "enter"), Needs: []need{needFault}, Do: keymap.Act(showFault)},
		{
			Key:   keymap.Bind("⏎", "type a value", "enter"),
			Needs: []need{onKnobs, needUnended, needSteerable},
			Do:    keymap.Act(editKnob),
		},
		{
			Key:   keymap.Bind("⏎", "what it is", "enter"),
			Needs: []need{onKnobs, needUnended, keymap.Not(needSteerable.Met, "")},
			Do:    func(m *Model) tea.Cmd { return screen.ShowStatus(m.panes.knobs.chosen().about()) },
		},
		{
			Key:   keymap.Bind("⏎", "all of it, smaller", "enter"),
			Help:  func(m *Model) string { return keymap.Either(m.panes.enlarged, "smaller", "all of it") },
			Needs: []need{onText},
			Do:    keymap.Act(func(m *Model) { m.panes.enlarged = !m.panes.enlarged }),
		},
		{
			Key:    keymap.Bind("esc", "smaller"),
			Needs:  []need{{Met: func(m *Model) bool { return m.panes.enlarged }}},
			Do:     keymap.Act(func(m *Model) { m.panes.enlarged = false }),
			Hidden: true,
		},
		{Key: keymap.Bind("⏎", "what was covered", "enter"), Needs: []need{onChart}, Do: showCovered},
		{Key: keymap.Bind("⏎", "see the source", "enter"), Needs: []need{onCodeTarget}, Do: show(pageSource)},
		{
			Key:   keyGo,
			Needs: []need{keymap.Not(onFaults.Met, ""), {Met: needOperation.Met, Why: "needs an operation"}},
			Do:    func(m *Model) tea.Cmd { return m.engine.Queue.ShowScreen(screen.TabExplore, m.operation()) },
		},
		{Key: keymap.Bind("⏎", "why?", "enter"), Needs: []need{onTests}, Do: keymap.Act(func(m *Model) { m.panes.showWhy() })},
		{
			Key:   keymap.Bind("⏎", "to the tests", "enter", "esc"),
			Needs: []need{onWhy, keymap.Not(needOpened.Met, "")},
			Do:    focusTests,
		},
		{Key: keymap.Bind("⏎", "to the tests", "enter"), Needs: []need{onWhy, needOpened}, Do: focusTests},
		{Key: keyAgain, Needs: []need{needTest}, Do: func(m *Model) tea.Cmd {
			test := m.panes.test(m.runView())
			return m.engine.Queue.ComposeLastCall(test.Seq(), test)
		}},
		{Key: keySteps, Needs: []need{needTest}, Do: (*Model).stepThrough},
		{Key: keymap.Bind("esc", "to the source"), Needs: []need{needOpened}, Do: keymap.Act(func(m *Model) {
			m.panes.fromSource = false
			m.page = pageSource
		})},
		{Key: keyPane, Do: keymap.Act(func(m *Model) { m.panes.nextPane(m.runView(), +1) })},
		{Key: keymap.Bind("c", "source"), Do: show(pageSource)},
		{Key: keymap.Bind("E", "events"), Do: show(pageEvents)},
	},
	keymap.Each(widget.MoveKeys(), func(m *Model, k tea.KeyMsg) tea.Cmd {
		m.panes.list(m.runView(), m.panes.focus).Key(k)
		return nil
	}, needList),
	keymap.Each(widget.MoveKeys(), moveInChart, onChart),
	keymap.Hide(keymap.Each([]key.Binding{widget.ScrollLeft, widget.ScrollRight}, moveInChart, onChart)),
	[]keymap.Row[*Model]{
		{Key: keymap.Bind("V", "previous pane"), Do: keymap.Act(func(m *Model) { m.panes.nextPane(m.runView(), -1) })},
	},
)

var focusTests = keymap.Act(func(m *Model) { m.panes.show(partTests) })

// runRows are the keys of the page of a run. While the pane of the knobs has the focus, the keys that change a knob
// come earlier in the line of keys.
var runRows = slices.Concat(
	pauseRows(),
	[]keymap.Row[*Model]{{Key: keymap.Bind(".", "step"), Needs: []need{needSteerable}, Do: keymap.Act((*Model).step)}},
	weightRows,
	knobRows(keyMore, coarseUp, keyLess, coarseDown, onKnobs),
	[]keymap.Row[*Model]{
		stopRow(),
		{
			Key:   keyResume,
			Needs: []need{{Met: func(m *Model) bool { return m.runView().resumable() }}},
			Do:    (*Model).resume,
		},
		{Key: keyNew, Needs: []need{needSeen, needEnded}, Do: keymap.Act((*Model).again)},
		{Key: keyPast, Needs: []need{needSeen, needEnded}, Do: (*Model).listPast},
	},
	paneRows,
	knobRows(keyMore, coarseUp, keyLess, coarseDown, keymap.Not(onKnobs.Met, ""), offChart),
	knobRows(keyFineMore, fineUp, keyFineLess, fineDown, offChart),
)

// step plays one more test, and shows it.
func (m *Model) step() {
	m.run.step()
	m.panes.tests.list = widget.List{}
	m.panes.showWhy()
}

// stepThrough plays the test under the cursor call by call, unless a search uses the
// service.
func (m *Model) stepThrough() tea.Cmd {
	if m.run.active() {
		return screen.ShowStatus(
			"The search resets the service: stop it first, then " + widget.KeyName(keySteps) + " plays the test call by call",
		)
	}
	return m.engine.Queue.StepThrough(*m.panes.test(m.runView()))
}

// showFault shows the page of the fault under the cursor.
func showFault(m *Model) {
	describe := m.engine.Searches.DescribeFault
	if describe != nil && m.fault.open(describe, m.run.snap.Faults, m.panes.faults.list.At, m.run.ended()) {
		m.page = pageFault
	}
}
