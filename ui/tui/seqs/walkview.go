package seqs

import (
	"bytes"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// stepLines are the calls, with all of the one that was played last, and the lines at which
// that and what it was answered begin.
func (s *Screen) stepLines(width int) (lines []draw.Line, from, came int) {
	p := &page{width: width}
	p.prose("Call by call. Before the first the service is reset, if somebody said how.", theme.Dim)
	w := s.walk
	for i, c := range w.test.Calls {
		if i < len(w.done) {
			from = len(p.lines)
			p.add(nil)
			came = p.step(i, c, w.done[i], i == len(w.done)-1)
			continue
		}
		if i == len(w.done) {
			p.add(nil)
		}
		p.head(i, c.Op, 0)
	}
	p.ahead(w)
	return p.lines, from, came
}

// step is a call that was played; the last one with what was sent and, from the line on
// that it returns, what came.
func (p *page) step(i int, was model.Call, now stepped, last bool) (came int) {
	x := now.sent.Exchanges[0]
	p.head(i, was.Op, x.Reply.Status)
	if came := x.Reply.Status; was.Status != 0 && came != was.Status {
		p.value("≠ status", "", status(came), draw.Span{Text: "  was " + status(was.Status), Style: theme.Dim})
	}
	if !last {
		return 0
	}
	if was.User != "" {
		p.value("as", "", draw.Clean(was.User))
	}
	p.sent(now.request)
	came = len(p.lines)
	p.answer(x)
	for _, f := range now.sent.Faults {
		if !f.CountsAsFailure() {
			continue
		}
		p.prose(theme.Failed+" "+draw.Clean(f.Label()+" "+f.Text), theme.Bad)
	}
	return came
}

// sent is a request, on as many lines as its URL takes.
func (p *page) sent(r model.Request) {
	const word = "sent "
	for n, l := range words.Wrap(draw.Clean(r.Method+" "+r.URL), max(8, p.width-inset-len(word))) {
		line := draw.Line{{Text: strings.Repeat(" ", inset+len(word))}}
		if n == 0 {
			line = draw.TextLine(strings.Repeat(" ", inset)+word, theme.Dim)
		}
		p.add(append(line, draw.Span{Text: l, Style: theme.Value}))
	}
	p.content(r)
}

// answer is what came.
func (p *page) answer(x model.Exchange) {
	if x.Reply.Status == 0 {
		text := "no answer"
		if x.Err != nil {
			text += ": " + x.Err.Error()
		}
		p.prose(theme.Failed+" "+draw.Clean(text), theme.Bad)
		return
	}
	indent := strings.Repeat(" ", inset)
	p.add(draw.Line{
		{Text: indent + "came ", Style: theme.Dim},
		{Text: status(x.Reply.Status), Style: theme.Value},
		{Text: "  " + words.Plural(len(x.Reply.Body), "byte"), Style: theme.Dim},
	})
	if len(x.Reply.Body) == 0 {
		return
	}
	for _, l := range widget.PayloadLines(bytes.TrimSpace(x.Reply.Body)) {
		p.add(draw.TextLine(indent+"  "+draw.Clean(l), theme.Plain))
	}
}

// ahead says what comes next, or why that does not.
func (p *page) ahead(w walk) {
	switch {
	case w.busy:
		p.prose("sending …", theme.Dim)
	case w.err != nil:
		p.prose(theme.Failed+" "+draw.Clean(w.err.Error()), theme.Bad)
	case w.over():
		p.prose("That was the last. The service stays as it is now.", theme.Dim)
	}
}
