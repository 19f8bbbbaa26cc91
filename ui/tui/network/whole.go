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

// viewWhole draws all of the contact under the cursor, and tells how much of it was
// in sight so far where that is not all.
func (s *Screen) viewWhole(width, height int) (note, body string) {
	lines := s.wholeLines(width)
	from := min(s.whole.At, max(0, len(lines)-1))
	if len(lines) > height {
		note = fmt.Sprintf("%d of %d lines", min(from+height, len(lines)), len(lines))
	}
	p := page{lines: lines[from:min(len(lines), from+max(0, height))]}
	return note, p.String()
}

// wholeLines say all of the contact under the cursor.
func (s *Screen) wholeLines(width int) []draw.Line {
	m := s.met()
	if m == nil || width <= 0 {
		return nil
	}
	p := &page{width: width}
	p.asked(m.Contact)
	p.add(nil)
	p.came(*m, s.at())
	p.add(nil)
	p.when(*m)
	return p.lines
}

// asked says what the service did.
func (p *page) asked(c model.Contact) {
	switch {
	case c.Kind == model.ContactMessage && c.Protocol == model.HTTP:
		line := draw.TextLine(" ", theme.Plain)
		p.add(append(line, asks(
			model.Contact{Kind: c.Kind, Protocol: c.Protocol, Request: model.Request{Method: c.Request.Method, URL: c.Request.URL}},
			p.width-1,
		)...))
		for _, name := range slices.Sorted(maps.Keys(c.Request.Header)) {
			p.header(name, strings.Join(c.Request.Header[name], ", "))
		}
		p.said(c.Request.Body)
	case c.Kind == model.ContactMessage && len(c.Data) > 0:
		p.add(draw.TextLine(" it said "+words.Plural(len(c.Data), "byte"), theme.Plain))
		p.said(c.Data)
	default:
		p.add(append(draw.TextLine(" ", theme.Plain), asks(c, p.width-1)...))
	}
}

// came says what came of it, and who answered.
func (p *page) came(m model.HostContact, h *model.HostSummary) {
	p.add(append(draw.TextLine(" ", theme.Plain), outcome(m.Outcome)))
	if by := answerer(m, h); by != "" {
		p.prose(2, by, theme.Dim)
	}
	a := m.StubAnswer()
	if a == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(a.Header)) {
		p.header(name, a.Header[name])
	}
	for _, r := range a.Records {
		p.header(r.Type, r.Value)
	}
	p.said(a.Content())
}

// answerer says which stub answered.
func answerer(m model.HostContact, h *model.HostSummary) string {
	if m.AnsweredBy == nil {
		return map[string]string{
			"refused": "No stub is for it: nobody listens there.",
			"lost":    "No stub is for it: nobody hears it.",
			"real":    "It went to the real host.",
			"listens": "The service waits here for whoever speaks to it.",
		}[m.Outcome]
	}
	text := "by a stub"
	if h != nil && slices.ContainsFunc(h.Injected, func(s model.Stub) bool { return reflect.DeepEqual(s, *m.AnsweredBy) }) {
		text = "by what was put there"
	}
	if to := draw.Clean(m.AnsweredBy.Match.String()); to != "" {
		text += ", to " + to
	}
	if n := len(m.AnsweredBy.Answers); n > 1 {
		text += fmt.Sprintf(", answer %d of %d", min(m.Answer+1, n), n)
	}
	return text
}

// when says during which call it was, and how long the service waited.
func (p *page) when(m model.HostContact) {
	switch {
	case m.Op != "":
		line := draw.TextLine(fmt.Sprintf(" during call %d  ", m.Call+1), theme.Dim)
		p.add(append(line, draw.OperationLine(string(m.Op), p.width-line.Width())...))
	case m.Call < 0:
		p.add(draw.TextLine(" before the first call", theme.Dim))
	}
	if m.Took > 0 {
		p.add(draw.TextLine(fmt.Sprintf(" the service waited %s ms", words.Count(m.Took)), theme.Warn))
	}
}

// header is a name with its value.
func (p *page) header(name, value string) {
	p.add(draw.Line{{Text: "  " + draw.Clean(name) + ": ", Style: theme.Dim}, {Text: draw.Clean(value), Style: theme.Plain}})
}

// said is what one of the two said.
func (p *page) said(what []byte) {
	if len(what) == 0 {
		return
	}
	for _, l := range widget.PayloadLines(what) {
		p.add(draw.TextLine("  "+draw.CleanLines(l), theme.Value))
	}
}
