package send

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// came is the answer to the request, behind those to the calls before it; or to the call
// before it that was refused.
func (p *Pane) came(width int) []draw.Line {
	s := p.way.sent
	last := len(s.Exchanges) - 1
	var lines []draw.Line
	for i, x := range s.Exchanges {
		line := draw.TextLine(" ", theme.Plain)
		if i < last || s.Test.Calls[i].Op != p.op.ID {
			line = append(
				append(line, draw.OperationLine(string(s.Test.Calls[i].Op), max(8, width-14))...),
				draw.Span{Text: "  ", Style: theme.Plain},
			)
		}
		line = append(line, verdict(x)...)
		if i == last {
			line = append(line, draw.Span{Text: weight(x), Style: theme.Dim})
		}
		lines = append(lines, line)
	}
	if s.Test.Calls[last].Op != p.op.ID {
		lines = append(append(lines, prose(width, "What comes behind needs this, and was not sent.")...), nil)
	}
	x := s.Exchanges[last]
	return slices.Concat(lines, wrong(s.Faults, width), p.outside(width), headers(x.Reply), said(x, width))
}

// verdict is a status with its glyph, or that there is none.
func verdict(x model.Exchange) draw.Line {
	if x.Reply.Status == 0 {
		return draw.TextLine(theme.Failed+" no answer", theme.Bad)
	}
	glyph, style := theme.Class(x.Reply.Status)
	return draw.TextLine(fmt.Sprintf("%s %d", glyph, x.Reply.Status), style)
}

// weight is how long an answer took and how much it is.
func weight(x model.Exchange) string {
	text := "  " + took(x.Took)
	if x.Reply.Proto != "" {
		text += "  " + draw.Clean(x.Reply.Proto)
	}
	if n := len(x.Reply.Body); n > 0 {
		text += "  " + words.Plural(n, "byte")
	}
	if x.Reply.Truncated {
		text += ", cut"
	}
	return text
}

func took(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// wrong is what the answers should not be.
func wrong(faults []model.Fault, width int) (lines []draw.Line) {
	for _, f := range faults {
		if !f.CountsAsFailure() {
			continue
		}
		text := theme.Failed + " " + draw.Clean(f.Oracle+": "+cmp.Or(f.Text, f.Expected))
		for i, l := range words.Wrap(text, max(1, width-4)) {
			lines = append(lines, draw.TextLine(strings.Repeat(" ", 1+min(2*i, 2))+l, theme.Bad))
		}
	}
	return lines
}

// outside says what hosts answered meanwhile.
func (p *Pane) outside(width int) (lines []draw.Line) {
	s := p.way.sent
	if !s.Net {
		return nil
	}
	for _, stub := range s.Test.Stubs {
		text := theme.Injected + " " + draw.Clean(stub.Host+" "+stub.Summary())
		lines = append(lines, draw.TextLine(" "+cut(text, width-2), theme.Value))
	}
	if n := len(s.Hosts); n > 0 {
		lines = append(lines, draw.TextLine(" 7 shows "+words.Plural(n, "host")+" that the service turned to", theme.Dim))
	}
	return lines
}

// unremarkable are headers that most answers have and few people read.
var unremarkable = []string{
	"Date", "Content-Length", "Connection", "Server", "Keep-Alive", "Transfer-Encoding", "Vary",
	"X-Content-Type-Options",
}

// headers are those that matter: all but what says nothing of the request.
func headers(r model.Reply) (lines []draw.Line) {
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		if slices.Contains(unremarkable, name) {
			continue
		}
		for _, value := range r.Header[name] {
			lines = append(
				lines,
				draw.Line{{Text: " " + draw.Clean(name) + "  ", Style: theme.Dim}, {Text: draw.Clean(value), Style: theme.Plain}},
			)
		}
	}
	return lines
}

// said stands over the body, or says why there is none.
func said(x model.Exchange, width int) []draw.Line {
	lines := []draw.Line{nil}
	switch {
	case x.Err != nil:
		for _, l := range words.Wrap(draw.Clean(x.Err.Error()), max(1, width-4)) {
			lines = append(lines, draw.TextLine(" "+l, theme.Bad))
		}
		return lines
	case len(x.Reply.Body) == 0:
		return append(lines, draw.TextLine(" no body", theme.Dim))
	}
	return lines
}
