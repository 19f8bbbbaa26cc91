package network

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// contactText draws the lines of a contact, starting at index from. If not all lines fit, the note has the
// number of the last visible line and of all lines.
func contactText(lines []draw.Line, from, height int) (note, body string) {
	from = min(from, max(0, len(lines)-1))
	if len(lines) > height {
		note = fmt.Sprintf("%d of %d lines", min(from+height, len(lines)), len(lines))
	}
	p := page{lines: lines[from:min(len(lines), from+max(0, height))]}
	return note, p.String()
}

// contactLines describes a contact with a host in full. It returns no lines for nil.
func contactLines(c *model.HostContact, h *model.HostSummary, width int) []draw.Line {
	if c == nil || width <= 0 {
		return nil
	}
	p := &page{width: width}
	p.sent(c.Contact)
	p.add(nil)
	p.outcome(*c, h)
	p.add(nil)
	p.call(*c)
	if c.AnsweredBy != nil && len(c.AnsweredBy.Prologue) > 0 {
		p.add(nil)
		p.prologue(c.AnsweredBy.Prologue)
	}
	return p.lines
}

// sent adds the message or the action of the service.
func (p *page) sent(c model.Contact) {
	switch {
	case c.Kind == model.ContactMessage && c.Protocol == model.HTTP:
		withoutBody := model.Contact{
			Kind:     c.Kind,
			Protocol: c.Protocol,
			Request:  model.Request{Method: c.Request.Method, URL: c.Request.URL},
		}
		p.add(append(draw.TextLine(" ", theme.Plain), sentLine(withoutBody, p.width-1)...))
		for _, name := range slices.Sorted(maps.Keys(c.Request.Header)) {
			p.header(name, strings.Join(c.Request.Header[name], ", "))
		}
		p.payload(c.Request.Body)
	case c.Kind == model.ContactMessage && len(c.Data) > 0:
		p.add(draw.TextLine(" it sent "+words.Plural(len(c.Data), "byte"), theme.Plain))
		p.payload(c.Data)
	default:
		p.add(append(draw.TextLine(" ", theme.Plain), sentLine(c, p.width-1)...))
	}
}

// outcome adds the outcome of a contact, who answered, and the answer.
func (p *page) outcome(c model.HostContact, h *model.HostSummary) {
	p.add(append(draw.TextLine(" ", theme.Plain), outcome(c.Outcome)))
	if by := answerer(c, h); by != "" {
		p.prose(2, by, theme.Dim)
	}
	a := c.StubAnswer()
	if a == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(a.Header)) {
		p.header(name, strings.Join(a.Header[name], ", "))
	}
	for _, r := range a.Records {
		p.header(r.Type, r.Value)
	}
	p.payload(a.Content())
}

// answerer describes the stub that answered. If no stub answered, it explains the outcome. It returns "" for outcomes
// that need no explanation.
func answerer(c model.HostContact, h *model.HostSummary) string {
	if c.AnsweredBy == nil {
		return map[string]string{
			"refused": "No stub matches: the connection is refused.",
			"lost":    "No stub matches: the message is lost.",
			"real":    "It went to the real host.",
			"listens": "The service waits here for connections.",
			"works":   "No stub matches: it is as on the real machine.",
		}[c.Outcome]
	}
	text := "by a stub"
	isAnswerer := func(s model.Stub) bool { return reflect.DeepEqual(s, *c.AnsweredBy) }
	if h != nil && slices.ContainsFunc(h.Injected, isAnswerer) {
		text = "by an injected stub"
	}
	if to := matchText(c.AnsweredBy.Match); to != "" {
		text += ", " + to
	}
	if n := len(c.AnsweredBy.Answers); n > 1 {
		text += fmt.Sprintf(", answer %d of %d", min(c.Answer+1, n), n)
	}
	return text
}

// matchText describes the messages that a stub answers, "" for all.
func matchText(m model.StubMatch) string {
	text := draw.Clean(m.String())
	if text == "" || strings.HasPrefix(text, "with ") {
		return text
	}
	return "to " + text
}

// call adds when the contact was made, if it is known: during a call of the test, while the service started, or
// before the first call. It also adds how long the service waited.
func (p *page) call(c model.HostContact) {
	switch {
	case c.Op != "":
		line := draw.TextLine(fmt.Sprintf(" during call %d  ", c.Call+1), theme.Dim)
		p.add(append(line, draw.OperationLine(string(c.Op), p.width-line.Width())...))
	case c.AtStart:
		p.add(draw.TextLine(" "+theme.AtStart+" while the service started", theme.Accent))
	case c.Call < 0:
		p.add(draw.TextLine(" before the first call", theme.Dim))
	}
	if c.Took > 0 {
		p.add(draw.TextLine(fmt.Sprintf(" the service waited %s ms", words.Count(c.Took)), theme.Warn))
	}
}

// prologue adds the data that is sent in both directions once on each connection, before the messages.
func (p *page) prologue(steps []model.PrologueStep) {
	p.add(draw.TextLine(" once on each connection, before", theme.Dim))
	for _, step := range steps {
		for _, said := range []struct {
			arrow string
			data  []byte
		}{{"→", step.Sent()}, {"←", step.Answer().Content()}} {
			if len(said.data) > 0 {
				p.add(draw.Line{{Text: "  " + said.arrow + " ", Style: theme.Dim}, {Text: excerpt(said.data), Style: theme.Value}})
			}
		}
	}
}

// header adds a name with its value.
func (p *page) header(name, value string) {
	p.add(draw.Line{
		{Text: "  " + draw.Clean(name) + ": ", Style: theme.Dim},
		{Text: draw.Clean(value), Style: theme.Plain},
	})
}

// payload adds the beginning of a message's content.
func (p *page) payload(data []byte) {
	if len(data) == 0 {
		return
	}
	for _, l := range widget.PayloadLines(data) {
		p.add(draw.TextLine("  "+draw.CleanLines(l), theme.Value))
	}
}
