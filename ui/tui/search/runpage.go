package search

import (
	"slices"

	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// runPage is the page of a run: its panes, which of them has the focus, and which are in sight. Each
// pane owns its cursor; what they draw is a runView.
type runPage struct {
	post          *screen.MessageQueue
	width, height int

	focus      part
	lower      lower
	fromSource bool // the test on show was chosen in the source

	knobs   knobsPane
	result  textPane
	chart   widget.List // has no rows
	answers answersPane
	faults  faultsPane
	notes   textPane
	tests   testsPane
	why     textPane
	open    openPane
	scope   scope // what a stress was for last
}

func newRunPage(post *screen.MessageQueue) runPage { return runPage{post: post, lower: lowerFirst} }

// reset shows another run from its first line on.
func (p *runPage) reset() {
	*p = runPage{post: p.post, width: p.width, height: p.height, lower: lowerFirst, scope: p.scope}
}

// layout is where the panes are at the present size.
func (p *runPage) layout(v runView) layout {
	return lay(p.width, p.height, p.focus, p.lower, v.run.ended())
}

// fit sizes the panes.
func (p *runPage) fit(v runView, width, height int) {
	p.width, p.height = width, height
	l := p.layout(v)
	if !slices.Contains(l.visible, p.focus) {
		p.focus = partSteer
		l = p.layout(v)
	}
	p.knobs.fit(l.part[partSteer].H)
	p.answers.fit(v, l.part[partAnswers].H)
	p.faults.fit(v, l.part[partFaults].H)
	p.tests.fit(v, l.part[partTests].H)
	p.open.fit(v, l.part[partOpen].H)
	for _, at := range []part{partSteer, partWhy, partNotes} {
		if r := l.part[at]; !r.Empty() {
			if text := p.text(v, at); text != nil {
				text.fit(len(p.lines(v, at, r.W-4)), r.H-2)
			}
		}
	}
}

// text is a pane that scrolls by lines, nil where the pane is a list.
func (p *runPage) text(v runView, at part) *textPane {
	switch {
	case at == partSteer && v.run.ended():
		return &p.result
	case at == partWhy:
		return &p.why
	case at == partNotes:
		return &p.notes
	}
	return nil
}

// lines are those of a pane that is text.
func (p *runPage) lines(v runView, at part, width int) []string {
	switch at {
	case partSteer:
		return v.result(width)
	case partWhy:
		return v.whyLines(p.tests.chosen(v), width)
	}
	return v.notes(width)
}

// list is the cursor of a pane.
func (p *runPage) list(v runView, at part) *widget.List {
	if text := p.text(v, at); text != nil {
		return &text.list
	}
	switch at {
	case partSteer:
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
	return &p.chart
}

// show gives the focus to a pane.
func (p *runPage) show(at part) { p.focus, p.lower, p.fromSource = at, p.lower.with(at), false }

// turn gives the focus to the next pane or the previous one.
func (p *runPage) turn(v runView, by int) {
	all := p.layout(v).visible
	at := slices.Index(all, p.focus)
	p.show(all[(at+by+len(all))%len(all)])
}

// operation returns the operation that the cursor is on.
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

// test is the test that the cursor is on, or that shows the fault it is on; nil where there is none.
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

// key takes a key.
func (p *runPage) key(v runView, msg tea.KeyMsg) (request, tea.Cmd) {
	switch test := p.test(v); {
	case key.Matches(msg, keyEvents):
		return showEvents, nil
	case key.Matches(msg, keyCode):
		return showSource, nil
	case p.fromSource && key.Matches(msg, keyToCode):
		p.fromSource = false
		return showSource, nil
	case p.list(v, p.focus).Key(msg):
	case key.Matches(msg, keyPane):
		p.turn(v, +1)
	case key.Matches(msg, keyBack):
		p.turn(v, -1)
	case key.Matches(msg, keyGo):
		return p.enter(v)
	case key.Matches(msg, keyAgain) && test != nil:
		return noRequest, p.post.ComposeLastCall(test.Seq(), test)
	case key.Matches(msg, keySteps) && test != nil:
		return noRequest, p.stepThrough(v, *test)
	case key.Matches(msg, keyTests) && p.focus == partWhy:
		p.show(partTests)
	case v.run.ended():
		return keyEnded(v, msg), nil
	default:
		return noRequest, p.keySteer(v, msg)
	}
	return noRequest, nil
}

// keyEnded takes a key that is about the search that is over, or the next one.
func keyEnded(v runView, msg tea.KeyMsg) request {
	switch {
	case key.Matches(msg, keyNew):
		return newRun
	case key.Matches(msg, keyPast):
		return showPast
	case key.Matches(msg, keyResume) && v.resumable():
		return resumeRun
	}
	return noRequest
}

// keySteer takes a key that steers the run.
func (p *runPage) keySteer(v runView, msg tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(msg, keyMore, keyLess):
		v.run.tune(p.knobs.chosen(), false, key.Matches(msg, keyMore))
	case key.Matches(msg, keyFineMore, keyFineLess):
		v.run.tune(p.knobs.chosen(), true, key.Matches(msg, keyFineMore))
	case key.Matches(msg, keyPause):
		v.run.pause()
	case key.Matches(msg, keyStep):
		p.step(v)
	case key.Matches(msg, keyStop):
		return v.run.stop()
	default:
		p.keyStress(v, msg)
	}
	return nil
}

// keyStress takes a key that changes the weight of operations.
func (p *runPage) keyStress(v runView, msg tea.KeyMsg) {
	op, ok := p.operation(v)
	switch {
	case key.Matches(msg, keyPlainAll):
		v.run.stress(model.Priority{Kind: model.PriorityNormal, Label: "all"})
	case !ok:
	case key.Matches(msg, keyWiden):
		p.scope = p.scope.next(v.study, op)
	default:
		for _, k := range stresses {
			if key.Matches(msg, k.key) {
				s := p.scope.at(v.study, op)
				v.run.stress(model.Priority{Kind: k.kind, Ops: s.ops, Label: s.label})
			}
		}
	}
}

// step has the run play one more test, and shows it.
func (p *runPage) step(v runView) {
	v.run.step()
	if v.run.steerable() {
		p.tests.list, p.why = widget.List{}, textPane{}
		p.show(partWhy)
	}
}

// stepThrough plays a test call by call, which no search may disturb.
func (p *runPage) stepThrough(v runView, test model.Test) tea.Cmd {
	if v.run.active() {
		return screen.ShowStatus(
			"The search resets the service: stop it first, then " + widget.KeyName(keySteps) + " plays the test call by call",
		)
	}
	return p.post.StepThrough(test)
}

// enter shows more of what the cursor is on.
func (p *runPage) enter(v runView) (request, tea.Cmd) {
	switch p.focus {
	case partTests:
		p.why = textPane{}
		p.show(partWhy)
		return noRequest, nil
	case partWhy:
		p.show(partTests)
		return noRequest, nil
	case partFaults:
		return showFault, nil
	}
	if op, ok := p.operation(v); ok {
		return noRequest, p.post.ShowScreen(screen.TabExplore, op)
	}
	return noRequest, nil
}

// goTo puts the cursor on an operation's answers, and reports whether the run has the operation.
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

// showTest shows why there is a test, and reports whether it is kept.
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

// cursors are what the cursors of a run page are on.
type cursors struct {
	faults int // how many there were
	test   *model.Test
	target string
}

// cursors returns what the cursors are on, before a newer snapshot is taken.
func (p *runPage) cursors(v runView) cursors {
	return cursors{faults: len(v.run.snap.Faults), test: p.tests.chosen(v), target: p.open.target(v)}
}

// restore keeps a fault, test or target under its cursor, whatever a newer snapshot has above it.
func (p *runPage) restore(v runView, at cursors) {
	p.tests.restore(v, at.test)
	p.open.restore(v, at.target)
	p.faults.restore(len(v.run.snap.Faults) - at.faults)
}

// mouse moves the focus and the cursor to the cell that was clicked, and scrolls the pane under the
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
	if slices.Contains(l.visible, at) {
		p.show(at)
	}
	if p.text(v, at) == nil {
		list.Click(msg.Y - l.part[at].Y - firstRow(at))
	}
}

// firstRow is the line of a pane on which its list begins.
func firstRow(at part) int {
	if at == partAnswers || at == partOpen {
		return 2 // below the border and the head of the columns
	}
	return 1
}

// targets are the rows of the panes that are lists.
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

// rowsAt are the rows of a list that begins at a cell.
func rowsAt(x, y int, visible func() (from, to int)) (all []screen.PointAt) {
	from, to := visible()
	for i := range to - from {
		all = append(all, screen.PointAt{X: x, Y: y + i})
	}
	return all
}
