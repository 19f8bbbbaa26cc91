package record

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/diagram"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// figureOf is an exchange as a sequence diagram: the first message is the request, the
// others are what the service sent for it.
func figureOf(x *model.ServedRequest, service string) diagram.Sequence {
	f := diagram.Sequence{Lanes: []string{cmp.Or(draw.Clean(x.User), "client"), cmp.Or(draw.Clean(service), "service")}}
	verb := draw.Clean(x.Request.Method)
	f.Messages = []diagram.Message{asked(x.Exchange, diagram.Message{To: 1, Verb: verb, Text: draw.Clean(x.Request.URL)})}
	hosts := map[string]int{}
	for i := range x.OutwardCalls {
		sent := &x.OutwardCalls[i]
		if hosts[sent.Host] == 0 {
			hosts[sent.Host] = len(f.Lanes)
			f.Lanes = append(f.Lanes, called(sent))
		}
		m := outward(sent)
		m.At, m.To = sent.At.Sub(x.At), hosts[sent.Host]
		f.Messages = append(f.Messages, m)
	}
	return f
}

// called is what people call a host.
func called(x *model.OutwardCall) string { return draw.Clean(cmp.Or(x.Name, x.Host)) }

// outward is what the service sent, as a message from it.
func outward(x *model.OutwardCall) diagram.Message {
	m := diagram.Message{From: 1, Loose: !x.Attribution.Certain()}
	if x.Protocol == model.HTTP {
		m.Verb, m.Text = draw.Clean(x.Request.Method), draw.Clean(x.Request.URL)
		return asked(x.Exchange, m)
	}
	m.Verb = strings.ToUpper(draw.Clean(string(x.Protocol)))
	var said, answer []byte
	if len(x.Messages) > 0 {
		said, answer = x.Messages[0].Request, x.Messages[len(x.Messages)-1].Answer
	}
	m.Text = brief(said)
	if n := len(x.Messages); n > 1 {
		m.Text += fmt.Sprintf(" and %d more", n-1)
	}
	m.Took, m.Style = x.Took, theme.Good
	switch {
	case x.Err != nil:
		m.Ended, m.Reply, m.Style = true, failed(x.Err), theme.Bad
	case len(answer) > 0:
		m.Ended, m.Reply = true, brief(answer)+" · "+took(x.Exchange)
	case x.Protocol == model.TCP:
		m.Ended, m.Reply, m.Style = true, "closed · "+took(x.Exchange), theme.Dim
	}
	return m
}

// asked is a message of HTTP with what came of it.
func asked(x model.Exchange, m diagram.Message) diagram.Message {
	m.Ended, m.Took = true, x.Took
	if x.Err != nil && x.Reply.Status == 0 {
		m.Reply, m.Style = failed(x.Err), theme.Bad
		return m
	}
	glyph, style := theme.Class(x.Reply.Status)
	m.Reply, m.Style = glyph+" "+strconv.Itoa(x.Reply.Status)+" · "+took(x), style
	return m
}

func failed(err error) string { return theme.Failed + " " + draw.Clean(err.Error()) }

// took is how long an exchange took.
func took(x model.Exchange) string {
	ms := float64(x.Took.Microseconds()) / 1000
	if ms < 10 {
		return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
	}
	return words.Count(int(ms+.5)) + " ms"
}

// brief is the beginning of what was said on one line.
func brief(said []byte) string {
	short := said[:min(len(said), 120)]
	if !widget.IsText(short) {
		return widget.HexBytes(short[:min(len(short), 16)])
	}
	return strings.TrimSpace(draw.Clean(string(short)))
}

// exchangeView shows an exchange as a figure, above the message of it that is marked.
type exchangeView struct {
	service string
	at      int         // the message that is marked
	figure  widget.List // its cursor is the first line in sight
	message widget.List // the same
}

// drawn are the head and the rows of an exchange's figure. Where the view has the focus, the marked
// message is shown as such.
func (v *exchangeView) drawn(x *model.ServedRequest, focused bool, width int) (head draw.Line, rows []diagram.SequenceRow) {
	if x == nil || width <= 0 {
		return nil, nil
	}
	marked := -1
	if focused {
		marked = v.at
	}
	return figureOf(x, v.service).Draw(width, marked)
}

// key takes a key that moves from message to message, or by pages in the text of the marked one.
func (v *exchangeView) key(x *model.ServedRequest, k tea.KeyMsg, l layout) {
	if key.Matches(k, widget.PageUp, widget.PageDown) {
		v.message.Go(v.message.At + page(k, l.message.H))
		return
	}
	_, rows := v.drawn(x, true, l.figure.W-2)
	v.step(k, begun(rows))
}

// page is how far a page is in a pane.
func page(k tea.KeyMsg, height int) int {
	by := max(1, height-4)
	if key.Matches(k, widget.PageUp) {
		return -by
	}
	return by
}

// step marks the next message in the order of time, or the previous one.
func (v *exchangeView) step(k tea.KeyMsg, order []int) {
	l := widget.List{At: max(0, slices.Index(order, v.at)), Rows: len(order), Height: 1}
	if l.Key(k) && len(order) > 0 && order[l.At] != v.at {
		v.at, v.message = order[l.At], widget.List{}
	}
}

// begun are the messages in the order in which they begin.
func begun(rows []diagram.SequenceRow) (order []int) {
	for _, r := range rows {
		if !r.End {
			order = append(order, r.Message)
		}
	}
	return order
}

// viewFigure draws the figure, with the marked message in sight.
func (v *exchangeView) viewFigure(x *model.ServedRequest, r draw.Rect, focused bool) string {
	f := draw.Frame{Title: draw.OperationLine(named(x), r.W-6).String(), Width: r.W, Height: r.H, Focused: focused}
	w, h := f.Inner()
	head, rows := v.drawn(x, focused, w)
	var out []string
	if head != nil {
		out, h = append(out, head.String()), h-1
	}
	from := max(0, min(v.figure.At, len(rows)-h))
	for _, row := range rows[from:min(len(rows), from+h)] {
		out = append(out, row.Line.String())
	}
	if len(rows) > h {
		f.Note = fmt.Sprintf("%d of %d lines", min(from+h, len(rows)), len(rows))
	} else {
		f.Note = theme.Dim.Render(certainty(x))
	}
	return f.Render(strings.Join(out, "\n"))
}

// named is an exchange's operation, or what was asked where no document has it.
func named(x *model.ServedRequest) string {
	return cmp.Or(string(x.Request.Op), x.Request.Method+" "+x.Request.URL)
}

// certainty says how it is known that what was sent was for this request.
func certainty(x *model.ServedRequest) string {
	ways := map[model.Attribution]int{}
	for _, sent := range x.OutwardCalls {
		ways[sent.Attribution]++
	}
	if len(ways) == 0 {
		return ""
	}
	return "linked by " + listed(links(ways))
}
