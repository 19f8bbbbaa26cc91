package network

import (
	"cmp"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// kind is where a host stands on the map.
type kind int

const (
	outward kind = iota
	lookup
	inward
	kinds
)

func (k kind) String() string {
	return [kinds]string{"turns to", "looks up", "listens on"}[k]
}

func kindOf(h *model.HostSummary) kind {
	switch {
	case h.Inward:
		return inward
	case h.Protocol == model.DNS:
		return lookup
	}
	return outward
}

// line is one of the map: a host, or the head of those that follow.
type line struct {
	host *model.HostSummary
	head kind
}

// mapped are the lines of hosts that are in the map's order.
func mapped(hosts []*model.HostSummary) []line {
	var lines []line
	for i, h := range hosts {
		if i == 0 || kindOf(h) != kindOf(hosts[i-1]) {
			lines = append(lines, line{head: kindOf(h)})
		}
		lines = append(lines, line{host: h})
	}
	return lines
}

// land puts a cursor that is on a head on the host next to it.
func (s *Screen) land(down bool) {
	lines := mapped(s.hosts)
	for _, step := range []int{1, -1} {
		if !down {
			step = -step
		}
		for i := s.list.At; i >= 0 && i < len(lines); i += step {
			if lines[i].host != nil {
				s.list.Go(i)
				return
			}
		}
	}
}

// columns are where the parts of a map's line begin.
type columns struct {
	box                                 int // the cells of the service's box, 0 where it is left out
	trunk, host, protocol, count, comes int
}

// boxed is the narrowest map with the service's box.
const boxed = 64

// columnsOf arranges a map of width cells around a service of that name.
func columnsOf(name string, width int) columns {
	var c columns
	if width >= boxed {
		c.box = ansi.StringWidth(name) + 4
		c.trunk = c.box + 1
	}
	c.host = c.trunk + len("|-> > ")
	c.protocol = c.host + max(12, min(34, width-c.host-29))
	c.count = c.protocol + len("https ")
	c.comes = c.count + len("x9,999 ")
	return c
}

// mostName is the longest name of a service in its box.
const mostName = 12

// service is what the box in the map says.
func (s *Screen) service() string {
	return ansi.Truncate(cmp.Or(draw.Clean(s.host.Name), "service"), mostName, "…")
}

// viewMap draws the service and the hosts around it.
func (s *Screen) viewMap(width int) string {
	c := columnsOf(s.service(), width)
	t := newTrunk(mapped(s.hosts), s.list, c.box > 0)
	rows := make([]string, 0, t.to-t.from)
	for i := t.from; i < t.to; i++ {
		left := append(s.viewBox(c, i-t.middle()), t.span(i)...).Cut(width)
		var right draw.Line
		switch l := t.at(i); {
		case l.host != nil:
			right = s.viewHost(c, l.host, i == s.list.At, width-left.Width())
		case i < len(t.lines):
			right = draw.TextLine(" "+l.head.String(), theme.Dim)
		}
		rows = append(rows, left.String()+right.Render(width-left.Width(), i == s.list.At && s.focus == onMap))
	}
	return strings.Join(rows, "\n")
}

// viewBox is what stands before the trunk on a line so far below the middle of the
// service's box.
func (s *Screen) viewBox(c columns, below int) draw.Line {
	edge := strings.Repeat("─", max(0, c.box-2))
	switch {
	case c.box == 0:
		return nil
	case below == -1:
		return draw.TextLine("╭"+edge+"╮ ", theme.Border)
	case below == 0:
		return draw.Line{{Text: "│ ", Style: theme.Border}, {Text: s.service(), Style: theme.Strong}, {Text: " ├─", Style: theme.Border}}
	case below == 1:
		return draw.TextLine("╰"+edge+"╯ ", theme.Border)
	}
	return draw.TextLine(strings.Repeat(" ", c.trunk), theme.Plain)
}

// viewHost draws a host behind the trunk.
func (s *Screen) viewHost(c columns, h *model.HostSummary, at bool, width int) draw.Line {
	mark := draw.Span{Text: "   "}
	if at {
		mark = draw.Span{Text: " " + theme.Cursor + " ", Style: theme.Active}
	}
	line := append(draw.Line{mark}, draw.Span{Text: draw.CutMiddle(draw.Clean(h.Host), c.protocol-c.host-1), Style: theme.Plain})
	from := c.host - line[:1].Width() // where the line begins
	line = line.At(c.protocol-from, draw.Span{Text: spoken(h), Style: theme.Dim})
	line = line.At(c.count-from, draw.Span{Text: "×" + short(h.Count), Style: theme.Plain}).At(c.comes - from)
	for i, part := range s.comes(h) {
		if i > 0 {
			part = append(draw.TextLine("  ", theme.Plain), part...)
		}
		if i > 0 && line.Width()+part.Width() > width {
			break
		}
		line = append(line, part...)
	}
	return line
}

// comes is what a host does: what was put there, what was asked for, what came of
// the contacts.
func (s *Screen) comes(h *model.HostSummary) (parts []draw.Line) {
	if asked := s.asked(h); asked != "" {
		parts = append(parts, draw.TextLine("asked: "+asked, theme.Accent))
	}
	for _, stub := range h.Injected {
		parts = append(parts, marked(stub))
	}
	for _, word := range outcomes(h) {
		parts = append(parts, tally(h, word))
	}
	return parts
}

// asked is what the person wants a host to do and is not in force yet.
func (s *Screen) asked(h *model.HostSummary) string {
	var text string
	for _, w := range s.waiting {
		if w.Stub != nil && w.Stub.HostKey() == h.HostKey() {
			text = draw.Clean(w.Stub.Summary())
		}
	}
	return text
}

// spoken is what a host and the service speak.
func spoken(h *model.HostSummary) string {
	switch {
	case kindOf(h) == outward && h.Protocol == model.TCP && !h.ProtocolKnown && h.Count > 0:
		return "?"
	case h.TLS && h.Protocol == model.HTTP:
		return "https"
	case h.TLS && h.Protocol == model.TCP:
		return "tls"
	}
	return draw.Clean(string(h.Protocol))
}

// short writes a number in at most six cells.
func short(n int) string {
	switch {
	case n >= 1_000_000:
		return words.Count(n/1_000_000) + "M"
	case n >= 10_000:
		return words.Count(n/1000) + "k"
	}
	return words.Count(n)
}
