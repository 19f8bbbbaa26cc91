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
	return lay(m.width, m.height, m.focus, m.watch.ended())
}

// fit tells the lists how much they hold and how much of it is in sight.
func (m *Model) fit() {
	l := m.layout()
	if !slices.Contains(l.visible, m.focus) {
		m.focus = partSteer
		l = m.layout()
	}
	rows := [parts]int{
		partSteer:   len(knobs),
		partAnswers: len(m.watch.facts.grid),
		partFaults:  len(m.watch.snap.Faults),
	}
	height := [parts]int{
		partSteer:   len(knobs),
		partAnswers: l.part[partAnswers].H - 3, // border and the head of the columns
		partFaults:  l.part[partFaults].H - 2 - detailLines(l.part[partFaults].H),
	}
	if m.watch.ended() {
		rows[partSteer] = len(m.result(l.part[partSteer].W - 4))
		height[partSteer] = l.part[partSteer].H - 2
		rows[partSteer] = max(0, rows[partSteer]-height[partSteer]+1) // positions of the first line
		height[partSteer] = 1
	}
	for p := range m.lists {
		m.lists[p].Fit(rows[p], max(1, height[p]))
	}
}

// turnTo gives the focus to the next pane or the one before.
func (m *Model) turnTo(by int) {
	all := m.layout().visible
	at := slices.Index(all, m.focus)
	m.focus = all[(at+by+len(all))%len(all)]
}

// operation returns what the cursor is on.
func (m Model) operation() (model.OpID, bool) {
	at := m.lists[m.focus].At
	switch grid, faults := m.watch.facts.grid, m.watch.snap.Faults; {
	case m.focus == partAnswers && at < len(grid):
		return grid[at].op, true
	case m.focus == partFaults && at < len(faults):
		return newest(faults, at).Op, true
	}
	return "", false
}

// newest returns the i-th fault, counted from the last one found.
func newest(faults []model.Fault, i int) model.Fault { return faults[len(faults)-1-i] }

// toOperation shows what the cursor is on in Explore.
func (m Model) toOperation() tea.Cmd {
	op, ok := m.operation()
	if !ok {
		return nil
	}
	return func() tea.Msg { return screen.Goto{Tab: screen.Explore, Op: op} }
}

// goTo puts the cursor on an operation's answers.
func (m *Model) goTo(msg screen.Goto) {
	at := slices.IndexFunc(m.watch.facts.grid, func(a answers) bool { return a.op == msg.Op })
	if msg.Tab != screen.Search || at < 0 {
		return
	}
	m.setup, m.focus = false, partAnswers
	m.fit()
	m.lists[partAnswers].Go(at)
}

// mouse moves the focus and the cursor to what was clicked, and scrolls what
// lies under the pointer.
func (m *Model) mouse(msg tea.MouseMsg) {
	switch {
	case m.box != nil || m.form.typing():
	case m.setup:
		m.mouseSetup(msg)
	default:
		m.mouseRun(msg)
	}
}

func (m *Model) mouseSetup(msg tea.MouseMsg) {
	m.form.list.Fit(len(fields), len(fields))
	m.form.list.Go(m.form.list.At + pane.Wheel(msg)/3)
	if pane.Clicked(msg) {
		_, first := m.setupLines()
		m.form.list.Click(msg.Y - first - 1)
	}
}

func (m *Model) mouseRun(msg tea.MouseMsg) {
	l := m.layout()
	if p, ok := m.tabAt(l, msg); ok {
		m.focus = p
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
			m.focus = p
		}
		if p != partSteer || !m.watch.ended() {
			list.Click(msg.Y - l.part[p].Y - firstRow(p))
		}
	}
}

// firstRow is the line of a pane on which its list begins.
func firstRow(p part) int {
	if p == partAnswers {
		return 2 // below the border and the head of the columns
	}
	return 1
}
