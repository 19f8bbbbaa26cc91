package search

import (
	"slices"

	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// runPage is the page of a run: its panes, the pane with the focus, and the visible panes. Each pane
// owns its cursor. The panes draw a runView.
type runPage struct {
	width, height int
	splits        screen.Splits

	focus      part
	lower      lower
	fromSource bool // the user chose the test in the source
	enlarged   bool // the pane with the focus, a text, has all room below the head

	knobs   knobsPane
	result  textPane
	chart   chartPane
	answers answersPane
	faults  faultsPane
	notes   textPane
	tests   testsPane
	why     textPane
	open    openPane
	scope   scope // the scope that the user chose last
}

func newRunPage() runPage { return runPage{lower: lowerFirst} }

// reset shows the panes as at the start of a run.
func (p *runPage) reset() {
	*p = runPage{width: p.width, height: p.height, splits: p.splits, lower: lowerFirst, scope: p.scope}
}

// layout returns the rectangles of the panes.
func (p *runPage) layout(v runView) layout {
	l := lay(p.width, p.height, p.focus, p.lower, v.run.ended()).split(p.splits, p.lower)
	if p.enlarged {
		return l.enlarge(p.focus, p.width, p.height)
	}
	return l
}

// readable reports whether a pane is a text that can be enlarged.
func (p *runPage) readable(v runView, at part) bool {
	return at == partNotes || at == partKnobs && v.run.ended()
}

// fit sizes the panes.
func (p *runPage) fit(v runView, width, height int) {
	p.width, p.height = width, height
	p.enlarged = p.enlarged && p.readable(v, p.focus)
	if v.run.ended() {
		p.knobs.cancel()
	}
	l := p.layout(v)
	if !slices.Contains(l.visible, p.focus) {
		p.focus = partKnobs
		l = p.layout(v)
	}
	p.knobs.fit(l.part[partKnobs].H)
	p.answers.fit(v, l.part[partAnswers].H)
	p.faults.fit(v, l.part[partFaults].H)
	p.tests.fit(v, l.part[partTests].H)
	p.open.fit(v, l.part[partOpen].H)
	for _, at := range []part{partKnobs, partWhy, partNotes} {
		if r := l.part[at]; !r.Empty() {
			if text := p.text(v, at); text != nil {
				text.fit(len(p.lines(v, at, r.W-4)), r.H-2)
			}
		}
	}
}

// text returns a pane if it is a text that scrolls by lines. It returns nil for a list and for the chart.
func (p *runPage) text(v runView, at part) *textPane {
	switch {
	case at == partKnobs && v.run.ended():
		return &p.result
	case at == partWhy:
		return &p.why
	case at == partNotes:
		return &p.notes
	}
	return nil
}

// lines returns the lines of a pane that is text.
func (p *runPage) lines(v runView, at part, width int) []string {
	switch at {
	case partKnobs:
		return v.result(width)
	case partWhy:
		return v.whyLines(p.tests.chosen(v), width)
	}
	return v.notes(width)
}

// list returns the cursor of a pane.
func (p *runPage) list(v runView, at part) *widget.List {
	if text := p.text(v, at); text != nil {
		return &text.list
	}
	switch at {
	case partKnobs:
		return &p.knobs.list
	case partAnswers:
		return &p.answers.list
	case partFaults:
		return &p.faults.list
	case partTests:
		return &p.tests.list
	case partOpen:
		return &p.open.list
	}
	return &p.chart.none
}

// show moves the focus to a pane.
func (p *runPage) show(at part) {
	p.focus, p.lower, p.fromSource, p.enlarged = at, p.lower.with(at), false, false
}

// nextPane moves the focus to the next pane, or to the previous one if by is -1.
func (p *runPage) nextPane(v runView, by int) {
	all := p.layout(v).visible
	at := slices.Index(all, p.focus)
	p.show(all[(at+by+len(all))%len(all)])
}

// operation returns the operation under the cursor of the pane with the focus. It returns false if there is no
// operation under the cursor.
func (p *runPage) operation(v runView) (model.OpID, bool) {
	var op model.OpID
	switch p.focus {
	case partAnswers:
		op = p.answers.operation(v)
	case partFaults:
		if f := p.faults.chosen(v); f != nil {
			op = f.Op
		}
	case partOpen:
		if open := p.open.chosen(v); open != nil {
			op = open.Op
		}
	}
	return op, op != ""
}

// test returns the test under the cursor. If the cursor is on a fault, it returns the test that shows the fault. It
// returns nil if there is no test, or if the test has no calls.
func (p *runPage) test(v runView) *model.Test {
	var t *model.Test
	switch p.focus {
	case partTests, partWhy:
		t = p.tests.chosen(v)
	case partFaults:
		if f := p.faults.chosen(v); f != nil {
			t = f.Test
		}
	}
	if t == nil || len(t.Calls) == 0 {
		return nil
	}
	return t
}

// showWhy shows why the test under the cursor is kept, and scrolls to the first line.
func (p *runPage) showWhy() {
	p.why = textPane{}
	p.show(partWhy)
}

// goTo moves the cursor to the answers of an operation. It reports whether the run has the operation.
func (p *runPage) goTo(v runView, op model.OpID) bool {
	at := slices.IndexFunc(v.run.facts.grid, func(a answers) bool { return a.op == op })
	if at < 0 {
		return false
	}
	p.show(partAnswers)
	p.fit(v, p.width, p.height)
	p.answers.list.Go(at)
	return true
}

// showTest shows why the test with an ID is kept. It returns false if the test is no longer kept.
func (p *runPage) showTest(v runView, id string) bool {
	at := slices.IndexFunc(v.run.snap.Tests, func(t model.Test) bool { return t.ID == id })
	if at < 0 {
		return false
	}
	p.why = textPane{}
	p.show(partTests)
	p.fit(v, p.width, p.height)
	p.tests.list.Go(firstKept + at)
	p.show(partWhy)
	p.fromSource = true
	return true
}

// cursors holds the items under the cursors of a run page.
type cursors struct {
	faults int // the number of faults in the list
	test   *model.Test
	target string
}

// cursors returns the items under the cursors. It is called before a newer snapshot is stored.
func (p *runPage) cursors(v runView) cursors {
	return cursors{faults: len(v.run.snap.Faults), test: p.tests.chosen(v), target: p.open.target(v)}
}

// restore moves the cursors to the same fault, test and target in a newer snapshot. A cursor in the first row of the
// faults or the tests stays in that row.
func (p *runPage) restore(v runView, at cursors) {
	p.tests.restore(v, at.test)
	p.open.restore(v, at.target)
	p.faults.restore(len(v.run.snap.Faults) - at.faults)
}

// mouse handles clicks and the wheel. A click moves the focus and the cursor. The wheel scrolls the pane under the
// pointer.
func (p *runPage) mouse(v runView, msg tea.MouseMsg) {
	l := p.layout(v)
	if at, ok := p.tabAt(v, l, msg); ok {
		p.show(at)
		return
	}
	at, ok := l.at(msg.X, msg.Y)
	if !ok {
		return
	}
	list := p.list(v, at)
	list.Go(list.At + widget.WheelRows(msg))
	if !widget.LeftClick(msg) {
		return
	}
	if at == p.focus && p.enlarged {
		return
	}
	if slices.Contains(l.visible, at) {
		p.show(at)
	}
	if at == partChart {
		p.chart.goTo(v.chart(l.part[at]).CallAt(msg.X - l.part[at].X - 1))
		return
	}
	if p.text(v, at) == nil {
		list.Click(msg.Y - l.part[at].Y - firstRow(at))
	}
}

// firstRow returns the line of a pane on which its list begins.
func firstRow(at part) int {
	if at == partAnswers || at == partOpen {
		return 2 // below the border and the head of the columns
	}
	return 1
}

// targets returns the cells of the visible rows of all lists.
func (p *runPage) targets(v runView) (all []screen.PointAt) {
	l := p.layout(v)
	for i, r := range l.part {
		at := part(i)
		if r.Empty() || at == partChart || p.text(v, at) != nil || !slices.Contains(l.visible, at) {
			continue
		}
		all = append(all, rowsAt(r.X+1, r.Y+firstRow(at), p.list(v, at).Visible)...)
	}
	return all
}

// rowsAt returns the cells of the visible rows of a list whose first row is at x, y.
func rowsAt(x, y int, visible func() (from, to int)) (all []screen.PointAt) {
	from, to := visible()
	for i := range to - from {
		all = append(all, screen.PointAt{X: x, Y: y + i})
	}
	return all
}
