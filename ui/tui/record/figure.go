package record

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/lifeline"
	"sonde/ui/pane"
	"sonde/ui/payload"
	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// figureOf is an exchange as a sequence diagram: the first message is the request, the
// others are what the service sent for it.
func figureOf(x *model.Served, service string) lifeline.Figure {
	f := lifeline.Figure{Lanes: []string{cmp.Or(pane.Clean(x.User), "client"), cmp.Or(pane.Clean(service), "service")}}
	verb := pane.Clean(x.Request.Method)
	f.Messages = []lifeline.Message{asked(x.Exchange, lifeline.Message{To: 1, Verb: verb, Text: pane.Clean(x.Request.URL)})}
	hosts := map[string]int{}
	for i := range x.Sent {
		sent := &x.Sent[i]
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
func called(x *model.Sent) string { return pane.Clean(cmp.Or(x.Name, x.Host)) }

// outward is what the service sent, as a message from it.
func outward(x *model.Sent) lifeline.Message {
	m := lifeline.Message{From: 1, Loose: !x.How.Certain()}
	if x.Protocol == model.HTTP {
		m.Verb, m.Text = pane.Clean(x.Request.Method), pane.Clean(x.Request.URL)
		return asked(x.Exchange, m)
	}
	m.Verb = strings.ToUpper(pane.Clean(string(x.Protocol)))
	var said, answer []byte
	if len(x.Turns) > 0 {
		said, answer = x.Turns[0].Words, x.Turns[len(x.Turns)-1].Answer
	}
	m.Text = brief(said)
	if n := len(x.Turns); n > 1 {
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
func asked(x model.Exchange, m lifeline.Message) lifeline.Message {
	m.Ended, m.Took = true, x.Took
	if x.Err != nil && x.Reply.Status == 0 {
		m.Reply, m.Style = failed(x.Err), theme.Bad
		return m
	}
	glyph, style := theme.Class(x.Reply.Status)
	m.Reply, m.Style = glyph+" "+strconv.Itoa(x.Reply.Status)+" · "+took(x), style
	return m
}

func failed(err error) string { return theme.Failed + " " + pane.Clean(err.Error()) }

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
	if !payload.Legible(short) {
		return payload.Spaced(short[:min(len(short), 16)])
	}
	return strings.TrimSpace(pane.Clean(string(short)))
}

// drawn are the figure's head and rows in so many cells.
func (s *Screen) drawn(width int) (head pane.Line, rows []lifeline.Row) {
	x := s.served()
	if x == nil || width <= 0 {
		return nil, nil
	}
	marked := -1
	if s.focus == onSide {
		marked = s.at
	}
	return figureOf(x, s.host.Name).Draw(width, marked)
}

// scrollExchange moves from message to message, or by pages in the text of the one that
// is marked.
func (s *Screen) scrollExchange(k tea.KeyMsg) {
	switch {
	case s.served() == nil:
		s.text.Key(k)
	case key.Matches(k, pane.PageUp, pane.PageDown):
		s.message.Go(s.message.At + page(k, s.layout().message.H))
	default:
		s.step(k)
	}
}

// page is how far a page is in a pane.
func page(k tea.KeyMsg, height int) int {
	by := max(1, height-4)
	if key.Matches(k, pane.PageUp) {
		return -by
	}
	return by
}

// step marks the message of the next row, in the order of time.
func (s *Screen) step(k tea.KeyMsg) {
	_, rows := s.drawn(s.layout().figure.W - 2)
	order := begun(rows)
	l := pane.List{At: max(0, slices.Index(order, s.at)), Rows: len(order), Height: 1}
	if l.Key(k) && len(order) > 0 && order[l.At] != s.at {
		s.at, s.message = order[l.At], pane.List{}
	}
}

// begun are the messages in the order in which they begin.
func begun(rows []lifeline.Row) (order []int) {
	for _, r := range rows {
		if !r.End {
			order = append(order, r.Message)
		}
	}
	return order
}

// viewFigure draws the exchange, the marked message in sight.
func (s *Screen) viewFigure(r pane.Rect) string {
	x := s.served()
	f := pane.Frame{Title: pane.Operation(named(x), r.W-6).String(), Width: r.W, Height: r.H, Focused: s.focus == onSide}
	w, h := f.Inner()
	head, rows := s.drawn(w)
	var out []string
	if head != nil {
		out, h = append(out, head.String()), h-1
	}
	from := max(0, min(s.figure.At, len(rows)-h))
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
func named(x *model.Served) string {
	return cmp.Or(string(x.Request.Op), x.Request.Method+" "+x.Request.URL)
}

// certainty says how it is known that what was sent was for this request.
func certainty(x *model.Served) string {
	ways := map[model.Cause]int{}
	for _, sent := range x.Sent {
		ways[sent.How]++
	}
	if len(ways) == 0 {
		return ""
	}
	return "linked by " + listed(links(ways))
}
