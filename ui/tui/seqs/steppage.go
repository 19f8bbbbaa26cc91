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

// minAnswer is the number of lines of an answer that scrollTo shows, even if the request fills the page.
const minAnswer = 4

// stepLines draws the calls of a test, and the request and the answer of the call that was played last.
// call and answer are the indexes of the first lines of that call and of its answer.
func stepLines(s *stepper, width int) (lines []draw.Line, call, answer int) {
	p := &page{width: width}
	p.prose("Call by call. The service is reset before the first call, if a reset is configured.", theme.Dim)
	for i, c := range s.test.Calls {
		if i < len(s.done) {
			call = len(p.lines)
			p.add(nil)
			answer = p.playedCall(i, c, s.done[i], i == len(s.done)-1)
			continue
		}
		if i == len(s.done) {
			p.add(nil)
		}
		p.callHead(i, c.Op, 0)
	}
	p.stepState(s)
	return p.lines, call, answer
}

// scrollTo returns the index of the first line to show on a page of height lines. The call that was played last and
// the beginning of its answer are then visible. If there is no room for the call and its answer, the answer is
// visible.
func (s *stepper) scrollTo(width, height int) int {
	_, call, answer := stepLines(s, width)
	return max(call, answer+minAnswer-height)
}

// playedCall adds a call that was played. If last is true, it also adds the request and the answer, and
// returns the index of the answer's first line.
func (p *page) playedCall(i int, planned model.Call, now stepped, last bool) (answer int) {
	x := now.sent.Exchanges[0]
	p.callHead(i, planned.Op, x.Reply.Status)
	if status := x.Reply.Status; planned.Status != 0 && status != planned.Status {
		before := draw.Span{Text: "  was " + statusText(planned.Status), Style: theme.Dim}
		p.value("≠ status", "", statusText(status), before)
	}
	if !last {
		return 0
	}
	if planned.User != "" {
		p.value("as", "", draw.Clean(planned.User))
	}
	p.sentRequest(now.request)
	answer = len(p.lines)
	p.answer(x)
	for _, f := range now.sent.Faults {
		if f.CountsAsFailure() {
			p.prose(theme.Failed+" "+draw.Clean(f.Label()+" "+f.Text), theme.Bad)
		}
	}
	return answer
}

// sentRequest adds the request that was sent. A long URL takes several lines.
func (p *page) sentRequest(r model.Request) {
	const label = "sent "
	for n, l := range words.Wrap(draw.Clean(r.Method+" "+r.URL), max(8, p.width-inset-len(label))) {
		line := draw.Line{{Text: strings.Repeat(" ", inset+len(label))}}
		if n == 0 {
			line = draw.TextLine(strings.Repeat(" ", inset)+label, theme.Dim)
		}
		p.add(append(line, draw.Span{Text: l, Style: theme.Value}))
	}
	p.requestContent(r)
}

// answer adds the answer of an exchange or, without an answer, the error.
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
		{Text: indent + "got ", Style: theme.Dim},
		{Text: statusText(x.Reply.Status), Style: theme.Value},
		{Text: "  " + words.Plural(len(x.Reply.Body), "byte"), Style: theme.Dim},
	})
	if len(x.Reply.Body) == 0 {
		return
	}
	for _, l := range widget.PayloadLines(bytes.TrimSpace(x.Reply.Body)) {
		p.add(draw.TextLine(indent+"  "+draw.Clean(l), theme.Plain))
	}
}

// stepState adds a line if a call is being sent, has failed, or was the last one.
func (p *page) stepState(s *stepper) {
	switch {
	case s.busy:
		p.prose("sending …", theme.Dim)
	case s.err != nil:
		p.prose(theme.Failed+" "+draw.Clean(s.err.Error()), theme.Bad)
	case s.finished():
		p.prose("That was the last call. The service keeps its state.", theme.Dim)
	}
}
