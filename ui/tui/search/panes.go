package search

import (
	"slices"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// layout is that of the run at the present size.
func (m Model) layout() layout {
	return lay(m.width, m.height, m.focus, m.lower, m.watch.ended())
}

// fit tells the lists how much they hold and how much of it is in sight.
func (m *Model) fit() {
	m.form.list.Fit(len(m.form.fields), m.fieldRows())
	l := m.layout()
	if !slices.Contains(l.visible, m.focus) {
		m.focus = partSteer
		l = m.layout()
	}
	if !m.watch.ended() {
		m.lists[partSteer].Fit(len(knobs), knobRows(l.part[partSteer].H-2))
	}
	m.lists[partTests].Fit(len(m.watch.facts.tests), max(1, l.part[partTests].H-2))
	m.lists[partOpen].Fit(len(m.watch.snap.Open), max(1, l.part[partOpen].H-3))
	for _, p := range []part{partSteer, partWhy, partNotes} {
		m.fitText(p, l.part[p])
	}
	answers, faults := l.part[partAnswers].H, l.part[partFaults].H
	m.lists[partAnswers].Fit(len(m.watch.facts.grid), max(1, answers-3)) // border, head of the columns
	m.lists[partFaults].Fit(len(m.watch.snap.Faults), max(1, faults-2-detailLines(faults)))
}

// fitText is for panes of text that are on show, where the cursor is the first
// line in sight.
func (m *Model) fitText(p part, r pane.Rect) {
	if r.Empty() {
		return
	}
	if lines, ok := m.text(p, r.W-4); ok {
		m.lists[p].Fit(max(0, len(lines)-(r.H-2))+1, 1)
	}
}

// text is what a pane says in lines that scroll, false where it is a list.
func (m Model) text(p part, width int) ([]string, bool) {
	switch {
	case p == partSteer && m.watch.ended():
		return m.result(width), true
	case p == partWhy:
		return m.why(width), true
	case p == partNotes:
		return m.notes(width), true
	}
	return nil, false
}

// show gives the focus to a pane.
func (m *Model) show(p part) { m.focus, m.lower, m.fromCode = p, m.lower.with(p), false }

// turnTo gives the focus to the next pane or the one before.
func (m *Model) turnTo(by int) {
	all := m.layout().visible
	at := slices.Index(all, m.focus)
	m.show(all[(at+by+len(all))%len(all)])
}

// operation returns what the cursor is on.
func (m Model) operation() (model.OpID, bool) {
	if m.onEvents() {
		op := m.events.Operation()
		return op, op != ""
	}
	at := m.lists[m.focus].At
	switch grid, faults := m.watch.facts.grid, m.watch.snap.Faults; {
	case m.focus == partAnswers && at < len(grid):
		return grid[at].op, true
	case m.focus == partFaults && at < len(faults):
		return newest(faults, at).Op, true
	case m.focus == partOpen && at < len(m.watch.snap.Open):
		op := m.watch.snap.Open[at].Op
		return op, op != ""
	}
	return "", false
}

// chosenTest is the test that the cursor is on, or that shows the fault it is on; nil
// where there is none.
func (m Model) chosenTest() *model.Test {
	var t *model.Test
	switch at := m.lists[partFaults].At; {
	case m.focus == partTests || m.focus == partWhy:
		t = m.test()
	case m.focus == partFaults && at < len(m.watch.snap.Faults):
		t = newest(m.watch.snap.Faults, at).Test
	}
	if t == nil || len(t.Calls) == 0 {
		return nil
	}
	return t
}

// stepThrough plays the test under the cursor call by call, which no search may disturb.
func (m Model) stepThrough() tea.Cmd {
	if m.watch.active() {
		return screen.Tell("The search resets the service: stop it first, then " + pane.Key(keySteps) + " plays the test call by call")
	}
	return m.engine.Post.StepThrough(*m.chosenTest())
}

// newest returns the i-th fault, counted from the last one found.
func newest(faults []model.Fault, i int) model.Fault { return faults[len(faults)-1-i] }

// toOperation shows what the cursor is on in Explore.
func (m Model) toOperation() tea.Cmd {
	op, ok := m.operation()
	if !ok {
		return nil
	}
	return m.engine.Post.Show(screen.Explore, op)
}

// enter shows more of what the cursor is on.
func (m *Model) enter() tea.Cmd {
	switch m.focus {
	case partTests:
		m.lists[partWhy] = pane.List{}
		m.show(partWhy)
		return nil
	case partWhy:
		m.show(partTests)
		return nil
	case partFaults:
		m.openFault()
		return nil
	}
	return m.toOperation()
}

// goTo puts the cursor on an operation's answers.
func (m *Model) goTo(msg screen.Goto) {
	at := slices.IndexFunc(m.watch.facts.grid, func(a answers) bool { return a.op == msg.Op })
	if msg.Tab != screen.Search || at < 0 {
		return
	}
	m.setup, m.inCode, m.inEvents, m.inPast, m.inFault = false, false, false, false, false
	m.show(partAnswers)
	m.fit()
	m.lists[partAnswers].Go(at)
}

// mouse moves the focus and the cursor to what was clicked, and scrolls what
// lies under the pointer.
func (m *Model) mouse(msg tea.MouseMsg) {
	switch {
	case m.question.Open() || m.form.typing():
	case m.inPast:
		m.past.Mouse(msg)
	case m.setup:
		m.mouseSetup(msg)
	case m.inCode:
		m.code.Mouse(msg)
	case m.inEvents:
		m.events.Mouse(msg)
	case m.inFault:
		m.page.top += pane.Wheel(msg)
		m.fitFault()
	default:
		m.mouseRun(msg)
	}
}

func (m *Model) mouseSetup(msg tea.MouseMsg) {
	m.form.list.Go(m.form.list.At + pane.Wheel(msg)/3)
	if pane.Clicked(msg) {
		_, first := m.setupLines()
		m.form.list.Click(msg.Y - first - 1)
	}
}

func (m *Model) mouseRun(msg tea.MouseMsg) {
	l := m.layout()
	if p, ok := m.tabAt(l, msg); ok {
		m.show(p)
		return
	}
	p, ok := l.at(msg.X, msg.Y)
	if !ok {
		return
	}
	list := &m.lists[p]
	list.Go(list.At + pane.Wheel(msg))
	if pane.Clicked(msg) {
		if slices.Contains(l.visible, p) {
			m.show(p)
		}
		if _, text := m.text(p, 1); !text {
			list.Click(msg.Y - l.part[p].Y - firstRow(p))
		}
	}
}

// firstRow is the line of a pane on which its list begins.
func firstRow(p part) int {
	if p == partAnswers || p == partOpen {
		return 2 // below the border and the head of the columns
	}
	return 1
}
