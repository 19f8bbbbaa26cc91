package send

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// layout is where form and answer go; an empty rectangle is not drawn.
type layout struct{ form, answer draw.Rect }

// The lowest pane with the answer below the form, and the narrowest with the answer
// beside it.
const (
	twoBelow  = 16
	twoBeside = 96
)

// lay puts the answer beside the form or below it. Where room is short, the one that
// has the focus has all of it.
func lay(width, height, rows int, reading bool) layout {
	all := draw.Rect{W: width, H: height}
	switch {
	case width >= twoBeside:
		l := layout{all, all}
		l.form.W = width / 2
		l.answer.X, l.answer.W = l.form.W, width-l.form.W
		return l
	case height >= twoBelow:
		l := layout{all, all}
		l.form.H = min(max(5, rows+2), height*55/100)
		l.answer.Y, l.answer.H = l.form.H, height-l.form.H
		return l
	case reading:
		return layout{answer: all}
	}
	return layout{form: all}
}

func (p *Pane) layout() layout {
	rows := len(p.rows())
	if p.edit.area != nil {
		rows = p.height // as many as there is room for
	}
	return lay(p.width, p.height, rows, p.reading)
}

// fit tells the lists how much they hold and how much of it is in sight.
func (p *Pane) fit() {
	if p.op == nil {
		return
	}
	l := p.layout()
	p.list.Fit(len(p.rows()), max(1, l.form.H-2))
	p.page.Fit(len(p.answer(l.answer.W-2))+p.docLines(), max(1, l.answer.H-2))
	if p.edit.area != nil {
		p.edit.area.SetWidth(max(1, l.form.W-4))
		p.edit.area.SetHeight(max(1, l.form.H-3))
	}
	if p.edit.field != nil {
		p.edit.field.Width = max(1, l.form.W-2-p.columns(l.form.W-2).value-2)
	}
}

// View draws the form and the answer.
func (p *Pane) View(width, height int) string {
	v := *p
	v.Fit(width, height)
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

func (p *Pane) viewForm(r draw.Rect) string {
	title := theme.Dim.Render("send ") + draw.OperationLine(string(p.op.ID), r.W-12).String()
	f := draw.Frame{Title: title, Width: r.W, Height: r.H, Focused: !p.reading}
	w, h := f.Inner()
	switch {
	case p.edit.area != nil:
		f.Note = "body"
		text := " " + strings.ReplaceAll(p.edit.area.View(), "\n", "\n ")
		return f.Render(draw.JoinRows(draw.FitLines(text, w, max(0, h-1)), " "+widget.KeyAndHelp(keyTake)+"   "+widget.KeyAndHelp(keyCancel)))
	case p.form.empty():
		return f.Render(theme.Dim.Render("\n  …"))
	}
	rows := p.rows()
	if len(rows) > h {
		f.Note = fmt.Sprintf("%d of %d lines", p.list.At+1, len(rows))
	}
	var lines []string
	from, to := p.list.Visible()
	for i := from; i < to; i++ {
		at := i == p.list.At && !p.reading
		lines = append(lines, p.line(rows[i], at, w).Render(w, at && p.edit.field == nil))
	}
	return f.Render(strings.Join(lines, "\n"))
}

func (p *Pane) viewAnswer(r draw.Rect) string {
	f := draw.Frame{Title: p.title(r.W), Width: r.W, Height: r.H, Focused: p.reading}
	w, h := f.Inner()
	head := p.answer(w)
	from, to := p.page.Visible()
	if p.page.Rows > h {
		f.Note = fmt.Sprintf("%s-%s of %s", words.Count(from+1), words.Count(to), words.Count(p.page.Rows))
	}
	var rows []string
	for i := from; i < to; i++ {
		var line draw.Line
		if i < len(head) {
			line = head[i]
		} else {
			line = p.doc().Line(i - len(head))
		}
		rows = append(rows, p.viewLine(line, i == p.page.At && p.reading, w))
	}
	return f.Render(strings.Join(rows, "\n"))
}

// viewLine draws a line of the answer, with the cursor where it is.
func (p *Pane) viewLine(l draw.Line, at bool, width int) string {
	row := l.Render(width, at)
	if at {
		row = draw.Overlay(row, theme.Active.Render(theme.Cursor), 0, 0)
	}
	return row
}

// answer is what came of the request, in lines, or what to do.
func (p *Pane) answer(width int) []draw.Line {
	switch {
	case p.Out():
		return p.waiting(width)
	case p.way.err != nil:
		lines := []draw.Line{nil}
		for _, text := range words.Wrap(draw.Clean(p.way.err.Error()), max(1, width-6)) {
			lines = append(lines, draw.TextLine("   "+text, theme.Bad))
		}
		lines[1] = draw.TextLine(" "+theme.Failed+strings.TrimPrefix(lines[1].Text(), "  "), theme.Bad)
		return lines
	case p.way.sent != nil:
		return p.came(width)
	case p.host.URL == "":
		return prose(
			width,
			"There is no service to send it to: start with sonde SPEC --url URL, or say in sonde.yaml how to start it; sonde alone opens the demo.",
		)
	}
	return prose(width, widget.KeyName(keyGo)+" sends this to "+p.where()+".", p.before())
}

// where says who gets the request.
func (p *Pane) where() string {
	switch {
	case p.around.Net:
		return "a copy of the service on a virtual network"
	case strings.Contains(p.host.URL, model.PortPlaceholder):
		return "the service, which is started for that"
	}
	return p.host.URL
}

// before says what else the key does.
func (p *Pane) before() string {
	text := ""
	if p.form.before {
		text = "What stands behind first is sent before it, because it needs what that brings. "
	}
	if p.around.Net && !p.way.up {
		text += "The first time that is built and started, which takes some seconds."
	}
	return text
}

// prose writes paragraphs.
func prose(width int, paragraphs ...string) (lines []draw.Line) {
	for _, text := range paragraphs {
		if text == "" {
			continue
		}
		lines = append(lines, nil)
		for _, l := range words.Wrap(draw.Clean(text), max(1, min(width-4, 76))) {
			lines = append(lines, draw.TextLine("  "+l, theme.Dim))
		}
	}
	return lines
}

// waiting says what is on its way.
func (p *Pane) waiting(width int) []draw.Line {
	text := "Waiting for an answer"
	switch {
	case p.way.keeping:
		text = "It is played from the service's first state, to be kept as a test"
	case p.around.Net && !p.way.up:
		text = "The service is built and started, and then gets it"
	}
	if s := p.way.since / ticks; s > 0 {
		text += fmt.Sprintf(" · %d s", s)
	}
	return prose(width, text+" …", widget.KeyName(keyStop)+" gives it up.")
}

// mouse moves the focus and the cursor to what was clicked, and scrolls what lies
// under the pointer.
func (p *Pane) mouse(msg tea.MouseMsg) {
	if p.Typing() {
		return
	}
	l, by := p.layout(), widget.WheelRows(msg)
	switch {
	case l.form.Has(msg.X, msg.Y):
		p.list.Go(p.list.At + by)
		if widget.LeftClick(msg) {
			p.reading = false
			p.list.Click(msg.Y - l.form.Y - 1)
		}
	case l.answer.Has(msg.X, msg.Y):
		p.page.Top = max(0, min(p.page.Top+by, p.page.Rows-p.page.Height))
		p.page.Go(p.page.At + by)
		if widget.LeftClick(msg) {
			p.reading = true
			p.page.Click(msg.Y - l.answer.Y - 1)
		}
	}
}

// cut is a text of at most so many cells.
func cut(text string, width int) string { return ansi.Truncate(text, max(0, width), "…") }
