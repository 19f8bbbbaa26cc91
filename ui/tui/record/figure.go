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

	tea "github.com/charmbracelet/bubbletea"
)

// exchangeDiagram returns an exchange as a sequence diagram. The first message is the request. The other
// messages are the outward calls of the service.
func exchangeDiagram(x *model.ServedRequest, service string) diagram.Sequence {
	f := diagram.Sequence{Lanes: []string{cmp.Or(draw.Clean(x.User), "client"), cmp.Or(draw.Clean(service), "service")}}
	verb := draw.Clean(x.Request.Method)
	f.Messages = []diagram.Message{withReply(x.Exchange, diagram.Message{To: 1, Verb: verb, Text: draw.Clean(x.Request.URL)})}
	hosts := map[string]int{}
	for i := range x.OutwardCalls {
		sent := &x.OutwardCalls[i]
		if hosts[sent.Host] == 0 {
			hosts[sent.Host] = len(f.Lanes)
			f.Lanes = append(f.Lanes, hostName(sent))
		}
		m := outwardMessage(sent)
		m.At, m.To = sent.At.Sub(x.At), hosts[sent.Host]
		f.Messages = append(f.Messages, m)
	}
	return f
}

// hostName returns the name of a host, or its address.
func hostName(x *model.OutwardCall) string { return draw.Clean(cmp.Or(x.Name, x.Host)) }

// outwardMessage returns an outward call as a message of a diagram.
func outwardMessage(x *model.OutwardCall) diagram.Message {
	m := diagram.Message{From: 1, Loose: !x.Attribution.Certain()}
	if x.Protocol == model.HTTP {
		m.Verb, m.Text = draw.Clean(x.Request.Method), draw.Clean(x.Request.URL)
		return withReply(x.Exchange, m)
	}
	m.Verb = strings.ToUpper(draw.Clean(string(x.Protocol)))
	var sent, answer []byte
	if len(x.Messages) > 0 {
		sent, answer = x.Messages[0].Request, x.Messages[len(x.Messages)-1].Answer
	}
	if m.Text = excerpt(sent); x.Protocol.IsDatabase() {
		m.Text = excerpt([]byte(model.DatabaseText(sent)))
	}
	if n := len(x.Messages); n > 1 {
		m.Text += fmt.Sprintf(" and %d more", n-1)
	}
	m.Took, m.Style = x.Took, theme.Good
	switch {
	case x.Err != nil:
		m.Ended, m.Reply, m.Style = true, failed(x.Err), theme.Bad
	case len(answer) > 0 && x.Protocol.IsDatabase():
		text, isError := model.DatabaseReplyText(answer)
		if isError {
			m.Style = theme.Bad
		}
		m.Ended, m.Reply = true, excerpt([]byte(text))+" · "+durationText(x.Exchange)
	case len(answer) > 0:
		m.Ended, m.Reply = true, excerpt(answer)+" · "+durationText(x.Exchange)
	case x.Protocol == model.TCP:
		m.Ended, m.Reply, m.Style = true, "closed · "+durationText(x.Exchange), theme.Dim
	}
	return m
}

// withReply returns an HTTP message with its reply or, if there is none, with the error.
func withReply(x model.Exchange, m diagram.Message) diagram.Message {
	m.Ended, m.Took = true, x.Took
	if x.Err != nil && x.Reply.Status == 0 {
		m.Reply, m.Style = failed(x.Err), theme.Bad
		return m
	}
	glyph, style := theme.Class(x.Reply.Status)
	m.Reply, m.Style = glyph+" "+strconv.Itoa(x.Reply.Status)+" · "+durationText(x), style
	return m
}

func failed(err error) string { return theme.Failed + " " + draw.Clean(err.Error()) }

// durationText returns the duration of an exchange.
func durationText(x model.Exchange) string {
	ms := float64(x.Took.Microseconds()) / 1000
	if ms < 10 {
		return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
	}
	return words.Count(int(ms+.5)) + " ms"
}

// excerpt returns the beginning of a message on one line.
func excerpt(message []byte) string {
	short := message[:min(len(message), 120)]
	if !widget.IsText(short) {
		return widget.HexBytes(short[:min(len(short), 16)])
	}
	return strings.TrimSpace(draw.Clean(string(short)))
}

// exchangeView shows an exchange as a sequence diagram, and the marked message below it.
type exchangeView struct {
	service string
	at      int         // the index of the marked message
	figure  widget.List // lines of the diagram; its cursor is the first visible line
	message widget.List // lines of the marked message; its cursor is the first visible line
}

// drawn returns the head and the rows of an exchange's diagram. The marked message is highlighted if the
// view has the focus.
func (v *exchangeView) drawn(x *model.ServedRequest, focused bool, width int) (head draw.Line, rows []diagram.SequenceRow) {
	if x == nil || width <= 0 {
		return nil, nil
	}
	marked := -1
	if focused {
		marked = v.at
	}
	return exchangeDiagram(x, v.service).Draw(width, marked)
}

// scrollMessage scrolls the marked message by pages of a pane of height lines.
func (v *exchangeView) scrollMessage(pages, height int) {
	v.message.Go(v.message.At + pages*max(1, height-4))
}

// step handles a key that marks the next, previous, first or last message by time.
func (v *exchangeView) step(x *model.ServedRequest, k tea.KeyMsg, width int) {
	_, rows := v.drawn(x, true, width)
	order := messageOrder(rows)
	l := widget.List{At: max(0, slices.Index(order, v.at)), Rows: len(order), Height: 1}
	if l.Key(k) && len(order) > 0 && order[l.At] != v.at {
		v.at, v.message = order[l.At], widget.List{}
	}
}

// messageOrder returns the indices of the messages, in the order of their beginnings.
func messageOrder(rows []diagram.SequenceRow) (order []int) {
	for _, r := range rows {
		if !r.End {
			order = append(order, r.Message)
		}
	}
	return order
}

// viewFigure draws the diagram, scrolled so that the marked message is visible.
func (v *exchangeView) viewFigure(x *model.ServedRequest, r draw.Rect, focused bool) string {
	f := draw.Frame{Title: draw.OperationLine(operationName(x), r.W-6).String(), Width: r.W, Height: r.H, Focused: focused}
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

// operationName returns the operation of an exchange, or its method and URL if the
// document doesn't have it.
func operationName(x *model.ServedRequest) string {
	return cmp.Or(string(x.Request.Op), x.Request.Method+" "+x.Request.URL)
}

// certainty describes how the outward calls are attributed to the request. If there are none, it returns
// "".
func certainty(x *model.ServedRequest) string {
	ways := map[model.Attribution]int{}
	for _, sent := range x.OutwardCalls {
		ways[sent.Attribution]++
	}
	if len(ways) == 0 {
		return ""
	}
	return "linked by " + linksText(links(ways))
}
