package send

import (
	"sonde/ui/draw"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// layout has the rectangles of the form and the answer. Panes with an empty rectangle are not drawn.
type layout struct{ form, answer draw.Rect }

// The minimum height for the answer below the form, and the minimum width for the answer next to the form.
const (
	minHeightBelow = 16
	minWidthBeside = 96
)

// newLayout places the answer next to the form or below it. If there is no room for both, only the pane
// with the focus is drawn. rows is the number of rows of the form.
func newLayout(width, height, rows int, reading bool) layout {
	all := draw.Rect{W: width, H: height}
	switch {
	case width >= minWidthBeside:
		l := layout{form: all, answer: all}
		l.form.W = width / 2
		l.answer.X, l.answer.W = l.form.W, width-l.form.W
		return l
	case height >= minHeightBelow:
		l := layout{form: all, answer: all}
		l.form.H = min(max(5, rows+2), height*55/100)
		l.answer.Y, l.answer.H = l.form.H, height-l.form.H
		return l
	case reading:
		return layout{answer: all}
	}
	return layout{form: all}
}

func (p *Pane) layout() layout {
	rows := len(p.form.rows()) + p.form.address.height(p.width-2, p.height)
	switch {
	case p.form.edit.area != nil:
		rows = p.height // as many rows as fit
	case p.form.edit.field != nil:
		rows += fieldHints(p.height)
	}
	return newLayout(p.width, p.height, rows, p.answer.focused)
}

// SetSize sets the pane's size in cells.
func (p *Pane) SetSize(width, height int) {
	p.width, p.height = width, height
	p.fit()
}

// fit sets the numbers of lines and of visible lines of the form and the answer.
func (p *Pane) fit() {
	if p.op == nil {
		return
	}
	l := p.layout()
	p.form.fit(l.form)
	switch {
	case p.answer.shows(historyAside):
		p.answer.history.fit(l.answer)
	case p.listsMessages():
		p.stream.fit(p.head(l.answer), l.answer)
	default:
		p.answer.fit(p.head(l.answer), p.body(), l.answer)
	}
}

// body returns the body of the current answer, or nil if there is none.
func (p *Pane) body() *widget.Payload {
	if p.answer.top() == nil && (p.sender.inFlight() || p.sender.err != nil || p.stream.listed()) {
		return nil
	}
	return p.answer.body
}

// listsMessages reports whether the messages of a stream are shown.
func (p *Pane) listsMessages() bool {
	return p.stream.listed() && p.answer.top() == nil && !p.sender.inFlight() && p.sender.err == nil
}

// head draws the lines above the body of an answer at r.
func (p *Pane) head(r draw.Rect) []draw.Line {
	if p.answer.top() != nil {
		return p.answer.asideLines(r.W - 2)
	}
	if m := p.stream.opened; m != nil {
		return openedLines(*m)
	}
	v := resultView{
		sender:  &p.sender,
		op:      p.op.ID,
		service: p.host.Address(),
		network: p.form.around.Net,
		setUp:   p.form.form.before,
	}
	return v.lines(r.W - 2)
}

// goToBody moves the cursor to a line of the body.
func (p *Pane) goToBody(line int) {
	p.fit() // the number of lines or the size of the pane may have changed
	p.answer.scroll.Go(p.answer.head + line)
}

// goToHit moves the cursor to the next line with the search text: after the cursor for step 1, before the cursor for
// -1, and at or after the cursor for 0.
func (p *Pane) goToHit(step int) {
	if line, found := p.answer.nextHit(step); found {
		p.goToBody(line)
	}
}

// View draws the form and the answer.
func (p *Pane) View(width, height int) string {
	v := *p
	v.SetSize(width, height)
	l := v.layout()
	var picture string
	switch {
	case l.answer.Empty():
		picture = v.viewForm(l.form)
	case l.form.Empty():
		picture = v.viewAnswer(l.answer)
	case l.answer.X > 0:
		picture = draw.JoinColumns(v.viewForm(l.form), v.viewAnswer(l.answer))
	default:
		picture = draw.JoinRows(v.viewForm(l.form), v.viewAnswer(l.answer))
	}
	return v.question.Over(picture, width, height)
}

func (p *Pane) viewForm(r draw.Rect) string { return p.form.view(p.op.ID, r, !p.answer.focused) }

func (p *Pane) viewAnswer(r draw.Rect) string {
	switch {
	case p.answer.shows(historyAside):
		return p.answer.history.view(r)
	case p.listsMessages():
		return p.stream.view(p.head(r), r, p.answer.focused)
	}
	return p.answer.view(p.answer.name(), p.head(r), p.body(), r)
}

// mouse scrolls the pane under the pointer, and moves the focus and the cursor to the clicked position.
func (p *Pane) mouse(msg tea.MouseMsg) {
	if p.Typing() {
		return
	}
	l, by, clicked := p.layout(), widget.WheelRows(msg), widget.LeftClick(msg)
	switch {
	case l.form.Has(msg.X, msg.Y) && p.answer.top() != nil: // esc goes back first
	case l.answer.Has(msg.X, msg.Y) && p.answer.shows(historyAside):
		p.answer.history.mouse(by, clicked, msg.Y-l.answer.Y-1)
	case l.form.Has(msg.X, msg.Y):
		p.form.cursor.Go(p.form.cursor.At + by)
		if clicked {
			p.answer.focused = false
			p.form.cursor.Click(msg.Y - l.form.Y - 1 - p.form.address.height(l.form.W-2, l.form.H-2))
		}
	case l.answer.Has(msg.X, msg.Y) && p.listsMessages():
		p.stream.mouse(by, clicked, msg.Y-l.answer.Y-1)
		p.answer.focused = p.answer.focused || clicked
	case l.answer.Has(msg.X, msg.Y):
		p.answer.mouse(by, clicked, msg.Y-l.answer.Y-1)
	}
}
