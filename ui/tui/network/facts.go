package network

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// hostFacts describes a host in at most height lines.
func hostFacts(h *model.HostSummary, pending []model.Command, width, height int) string {
	p := page{width: width}
	p.add(draw.TextLine(" "+hostKindText(h), theme.Plain))
	p.injected(h, pending)
	p.operations(h)
	var counts []draw.Line
	for _, word := range outcomes(h) {
		counts = append(counts, outcomeCount(h, word))
	}
	p.flow("outcomes", counts, "nothing so far")
	return p.cut(height)
}

// maxOperations is the maximum number of operations listed for a host.
const maxOperations = 4

// operations adds when the service contacted a host: while it started, and during which operations.
func (p *page) operations(h *model.HostSummary) {
	ops := h.Operations[:min(len(h.Operations), maxOperations)]
	var by []draw.Line
	if h.AtStart {
		by = append(by, draw.TextLine(theme.AtStart+" its start", theme.Accent))
	}
	for _, op := range ops {
		by = append(by, draw.OperationLine(string(op), p.width-labelWidth-1))
	}
	if left := len(h.Operations) - len(ops); left > 0 {
		by = append(by, draw.TextLine(fmt.Sprintf("and %d more", left), theme.Dim))
	}
	none := "no call: the service does it on its own"
	if h.Count == 0 {
		none = "not contacted so far"
	}
	p.flow("during", by, none)
}

// hostKindText returns the protocol and kind of a host, and the number of contacts.
func hostKindText(h *model.HostSummary) string {
	parts := []string{draw.Clean(string(h.Protocol))}
	switch {
	case protocolName(h) == "?":
		parts[0] = "nothing was sent yet"
	case h.TLS:
		parts[0] += ", TLS"
	}
	switch kindOf(h) {
	case inward:
		parts = append(parts, "a port of the service")
	case resource:
		parts = append(parts, "of the service's machine")
	case lookup:
		parts = append(parts, "a name")
	}
	return strings.Join(append(parts, words.Plural(h.Count, "contact")), " · ")
}

// injected adds the user's stubs for a host, including one that is not active yet.
func (p *page) injected(h *model.HostSummary, pending []model.Command) {
	var now []draw.Line
	for _, stub := range h.Injected {
		line := injectedLine(stub)
		if to := matchText(stub.Match); to != "" {
			line = append(line, draw.Span{Text: " " + to, Style: theme.Dim})
		}
		now = append(now, line)
	}
	if stub := pendingStub(pending, h); stub != "" {
		now = append(now, draw.TextLine("requested: "+stub+", not in force yet", theme.Accent))
	}
	if len(now) > 0 {
		p.flow("injected", now, "")
	}
}

// labelWidth is the width of the labels on the left of a page.
const labelWidth = 11

// page is a text whose lines are truncated or wrapped to its width.
type page struct {
	width int
	lines []draw.Line
}

func (p *page) add(l draw.Line) { p.lines = append(p.lines, l.Cut(p.width)) }

// prose adds a text, wrapped into indented lines.
func (p *page) prose(indent int, text string, style theme.Style) {
	for _, l := range words.Wrap(draw.Clean(text), p.width-indent-1) {
		p.add(draw.TextLine(strings.Repeat(" ", indent)+l, style))
	}
}

// flow adds a label followed by parts, as many per line as fit. If there are no parts, it adds the text none instead,
// such as "nothing so far".
func (p *page) flow(label string, parts []draw.Line, none string) {
	line := draw.TextLine(" "+label, theme.Dim).At(labelWidth)
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
			line = draw.TextLine(strings.Repeat(" ", labelWidth), theme.Plain)
		default:
			line = append(line, draw.Span{Text: gap})
		}
		line = append(line, part...)
	}
	p.add(line)
}

// cut draws at most height lines. If height is not positive, it draws all lines. If lines are left out, the last line
// has their number.
func (p *page) cut(height int) string {
	if left := len(p.lines) - height; left > 0 && height > 0 {
		more := fmt.Sprintf(" … %s more", words.Plural(left+1, "line"))
		p.lines = append(p.lines[:height-1], draw.TextLine(more, theme.Dim))
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
