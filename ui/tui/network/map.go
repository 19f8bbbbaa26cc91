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

// mapView draws the service and the hosts around it. It does not change the state.
type mapView struct {
	service string
	hosts   hostList
	pending []model.Command
	focused bool
	width   int
	columns columns
}

// columns has the first cell of each part of a line of the map.
type columns struct {
	box                                    int // width of the service's box, 0 if there is no box
	trunk, host, protocol, count, outcomes int
}

const (
	minBoxedMap    = 64 // minimum width of a map with the service's box
	maxServiceName = 12 // maximum width of the service's name
)

func newMapView(service string, hosts hostList, pending []model.Command, focused bool, width int) mapView {
	service = ansi.Truncate(cmp.Or(draw.Clean(service), "service"), maxServiceName, "…")
	return mapView{
		service: service,
		hosts:   hosts,
		pending: pending,
		focused: focused,
		width:   width,
		columns: columnsOf(service, width),
	}
}

// columnsOf returns the columns of a map of width cells. The service's box is as wide as the name needs.
func columnsOf(service string, width int) columns {
	var c columns
	if width >= minBoxedMap {
		c.box = ansi.StringWidth(service) + 4
		c.trunk = c.box + 1
	}
	c.host = c.trunk + len("|-> > ")
	c.protocol = c.host + max(12, min(34, width-c.host-29))
	c.count = c.protocol + len("https ")
	c.outcomes = c.count + len("x9,999 ")
	return c
}

func (m mapView) picture() string {
	t := newTrunk(m.hosts.lines(), m.hosts.rows, m.columns.box > 0)
	rows := make([]string, 0, t.to-t.from)
	for i := t.from; i < t.to; i++ {
		left := append(m.boxLine(i-t.middle()), t.span(i)...).Cut(m.width)
		width := m.width - left.Width()
		var right draw.Line
		switch l := t.at(i); {
		case l.host != nil:
			right = m.hostLine(l.host, i == m.hosts.rows.At, width)
		case i < len(t.lines):
			right = draw.TextLine(" "+l.head.String(), theme.Dim)
		}
		rows = append(rows, left.String()+right.Render(width, i == m.hosts.rows.At && m.focused))
	}
	return strings.Join(rows, "\n")
}

// boxLine draws a line of the service's box. below is the number of lines from the middle of the box down
// to this line, negative above the middle.
func (m mapView) boxLine(below int) draw.Line {
	edge := strings.Repeat("─", max(0, m.columns.box-2))
	switch {
	case m.columns.box == 0:
		return nil
	case below == -1:
		return draw.TextLine("╭"+edge+"╮ ", theme.Border)
	case below == 0:
		return draw.Line{
			{Text: "│ ", Style: theme.Border},
			{Text: m.service, Style: theme.Strong},
			{Text: " ├─", Style: theme.Border},
		}
	case below == 1:
		return draw.TextLine("╰"+edge+"╯ ", theme.Border)
	}
	return draw.TextLine(strings.Repeat(" ", m.columns.trunk), theme.Plain)
}

// hostLine draws a host to the right of the trunk.
func (m mapView) hostLine(h *model.HostSummary, selected bool, width int) draw.Line {
	c := m.columns
	mark := draw.Span{Text: "   "}
	if selected {
		mark = draw.Span{Text: " " + theme.Cursor + " ", Style: theme.Active}
	}
	name := draw.CutMiddle(draw.Clean(h.Host), c.protocol-c.host-1)
	line := draw.Line{mark, {Text: name, Style: theme.Plain}}
	from := c.host - line[:1].Width() // the column of the line's first cell
	line = line.
		At(c.protocol-from, draw.Span{Text: protocolName(h), Style: theme.Dim}).
		At(c.count-from, draw.Span{Text: "×" + shortCount(h.Count), Style: theme.Plain}).
		At(c.outcomes - from)
	for i, part := range m.effects(h) {
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

// effects draws, for a host, the requested stub that is not active yet, the injected stubs, and the outcomes of the
// contacts. If the service contacts the host while it starts, a mark comes first.
func (m mapView) effects(h *model.HostSummary) (parts []draw.Line) {
	if h.AtStart {
		parts = append(parts, draw.TextLine(theme.AtStart, theme.Accent))
	}
	if stub := pendingStub(m.pending, h); stub != "" {
		parts = append(parts, draw.TextLine("requested: "+stub, theme.Accent))
	}
	for _, stub := range h.Injected {
		parts = append(parts, injectedLine(stub))
	}
	for _, word := range outcomes(h) {
		parts = append(parts, outcomeCount(h, word))
	}
	return parts
}

// pendingStub returns a summary of the last requested stub for a host, "" if there is none.
func pendingStub(pending []model.Command, h *model.HostSummary) (text string) {
	for _, c := range pending {
		if c.Stub != nil && c.Stub.HostKey() == h.HostKey() {
			text = draw.Clean(c.Stub.Summary())
		}
	}
	return text
}

// protocolName returns the protocol between the service and a host, "?" if unknown.
func protocolName(h *model.HostSummary) string {
	switch {
	case protocolUnknown(h) && h.Count > 0:
		return "?"
	case h.TLS && h.Protocol == model.HTTP:
		return "https"
	case h.TLS && h.Protocol == model.TCP:
		return "tls"
	case h.Protocol == model.Postgres:
		return "pgsql"
	case h.Protocol == model.Environment:
		return "" // the name of the resource is enough
	}
	return draw.Clean(string(h.Protocol))
}

// shortCount formats a number in at most six cells.
func shortCount(n int) string {
	switch {
	case n >= 1_000_000:
		return words.Count(n/1_000_000) + "M"
	case n >= 10_000:
		return words.Count(n/1000) + "k"
	}
	return words.Count(n)
}
