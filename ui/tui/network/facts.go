package network

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// facts says what is known of a host, in no more lines than there is room for.
func (s *Screen) facts(h *model.HostSummary, width, height int) string {
	p := page{width: width}
	p.add(draw.TextLine(" "+what(h), theme.Plain))
	s.put(&p, h)
	during(&p, h)
	var came []draw.Line
	for _, word := range outcomes(h) {
		came = append(came, tally(h, word))
	}
	p.flow("came", came, "nothing so far")
	return p.cut(height)
}

// mostDuring is how many operations are named of those during which the service turns
// to a host.
const mostDuring = 4

// during says during which operations the service turned to a host.
func during(p *page, h *model.HostSummary) {
	ops := h.Operations[:min(len(h.Operations), mostDuring)]
	var by []draw.Line
	for _, op := range ops {
		by = append(by, draw.OperationLine(string(op), p.width-labels-1))
	}
	if left := len(h.Operations) - len(ops); left > 0 {
		by = append(by, draw.TextLine(fmt.Sprintf("and %d more", left), theme.Dim))
	}
	none := "no call: the service does it by itself"
	if h.Count == 0 {
		none = "nothing so far: nobody turned to it"
	}
	p.flow("during", by, none)
}

// what says what a host is.
func what(h *model.HostSummary) string {
	parts := []string{draw.Clean(string(h.Protocol))}
	switch {
	case spoken(h) == "?":
		parts[0] = "nothing was said yet"
	case h.TLS:
		parts[0] += ", TLS"
	}
	switch kindOf(h) {
	case inward:
		parts = append(parts, "a port of the service")
	case lookup:
		parts = append(parts, "a name")
	}
	return strings.Join(append(parts, words.Plural(h.Count, "contact")), " · ")
}

// put says what a person had the host do, or wants it to.
func (s *Screen) put(p *page, h *model.HostSummary) {
	var now []draw.Line
	for _, stub := range h.Injected {
		line := marked(stub)
		if to := draw.Clean(stub.Match.String()); to != "" {
			line = append(line, draw.Span{Text: " to " + to, Style: theme.Dim})
		}
		now = append(now, line)
	}
	if asked := s.asked(h); asked != "" {
		now = append(now, draw.TextLine("asked: "+asked+", not in force yet", theme.Accent))
	}
	if len(now) > 0 {
		p.flow("put there", now, "")
	}
}

// labels is how wide the words at the left of a page are.
const labels = 11

// page makes lines.
type page struct {
	width int
	lines []draw.Line
}

func (p *page) add(l draw.Line) { p.lines = append(p.lines, l.Cut(p.width)) }

// prose adds a text, broken into lines.
func (p *page) prose(indent int, text string, style theme.Style) {
	for _, l := range words.Wrap(draw.Clean(text), p.width-indent-1) {
		p.add(draw.TextLine(strings.Repeat(" ", indent)+l, style))
	}
}

// flow adds parts one after the other, as many to a line as fit, behind a label.
func (p *page) flow(label string, parts []draw.Line, none string) {
	line := draw.TextLine(" "+label, theme.Dim).At(labels)
	if len(parts) == 0 {
		p.add(append(line, draw.Span{Text: none, Style: theme.Dim}))
		return
	}
	const gap = "   "
	for i, part := range parts {
		switch {
		case i == 0:
		case line.Width()+len(gap)+part.Width() > p.width:
			p.add(line)
			line = draw.TextLine(strings.Repeat(" ", labels), theme.Plain)
		default:
			line = append(line, draw.Span{Text: gap})
		}
		line = append(line, part...)
	}
	p.add(line)
}

// cut draws so many of the lines; the last says where there are more.
func (p *page) cut(height int) string {
	if left := len(p.lines) - height; left > 0 && height > 0 {
		p.lines = append(p.lines[:height-1], draw.TextLine(fmt.Sprintf(" … %s more", words.Plural(left+1, "line")), theme.Dim))
	}
	return p.String()
}

func (p *page) String() string {
	rows := make([]string, len(p.lines))
	for i, l := range p.lines {
		rows[i] = l.String()
	}
	return strings.Join(rows, "\n")
}
