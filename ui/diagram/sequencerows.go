package diagram

import (
	"fmt"
	"slices"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// The pieces of lanes and arrows.
const (
	lane, bar              = "│", "┃"
	leave, enter           = "├", "┠" // an arrow begins at a lane, or at a bar
	answer                 = "┨"      // a reply begins at a bar
	crossLane              = "┼"
	crossBar               = "╂"
	messageLine, replyLine = "─", "╌"
	rightward, leftward    = "▸", "◂"
)

// rows returns the lines of the diagram, from the earliest event to the latest.
func (p *plan) rows(marked int) []SequenceRow {
	var rows []SequenceRow
	open := map[int]bool{} // messages in progress
	for _, e := range p.all {
		open[e.message] = p.Messages[e.message].Ended
		rows = append(rows, SequenceRow{Line: p.row(e, open, e.message == marked), Message: e.message, End: e.end})
		if e.end {
			delete(open, e.message)
		}
	}
	return rows
}

// row draws one event between the lanes.
func (p *plan) row(e event, open map[int]bool, marked bool) draw.Line {
	m := p.Messages[e.message]
	lanes := p.background(open)
	from, to := p.x[m.From], p.x[m.To]+2*max(0, p.slots[e.message])
	gutter := "  "
	if marked {
		gutter = theme.Cursor + " "
	}
	line := draw.Line{{Text: fmt.Sprintf("%*s", p.clock, clock(e.at)), Style: theme.Dim}, {Text: gutter, Style: theme.Active}}
	line = append(line, p.lanes(line.Width(), from, lanes)...)
	line = append(line, p.arrow(m, e.end, from, to, lanes, marked)...)
	return append(line, p.lanes(to+1, p.width, lanes)...).Cut(p.width)
}

// background returns the character of each column that an arrow may cross: a lane, or the bar of a message in
// progress.
func (p *plan) background(open map[int]bool) map[int]string {
	all := map[int]string{}
	for _, x := range p.x {
		all[x] = lane
	}
	for i, is := range open {
		if is {
			all[p.x[p.Messages[i].To]+2*p.slots[i]] = bar
		}
	}
	return all
}

// lanes draws the columns [from, to), which have no arrow.
func (p *plan) lanes(from, to int, lanes map[int]string) draw.Line {
	var out strings.Builder
	for x := from; x < to; x++ {
		if s := lanes[x]; s != "" {
			out.WriteString(s)
		} else {
			out.WriteByte(' ')
		}
	}
	return draw.TextLine(out.String(), theme.Border)
}

// arrow draws a message or its reply between two columns.
func (p *plan) arrow(m Message, end bool, from, to int, lanes map[int]string, marked bool) draw.Line {
	style := theme.Border
	if marked {
		style = theme.Active
	}
	begin, head := joint(lanes[from], leave, enter)+messageLine, rightward+joint(lanes[to], lane, bar)
	if end {
		begin, head = joint(lanes[from], lane, bar)+leftward, answer
	}
	right := to + 1 - len([]rune(head))
	words := spaced(m.words(end, right-from-len("-- ")-len(" -")))
	line := append(draw.TextLine(begin, style), words...)
	line = append(line, draw.Span{Text: wire(from+line.Width(), right, end, lanes), Style: style})
	return append(line, draw.Span{Text: head, Style: style})
}

// spaced adds a blank before and after a line that is not empty.
func spaced(l draw.Line) draw.Line {
	if l.Width() == 0 {
		return nil
	}
	blank := draw.TextLine(" ", theme.Plain)
	return slices.Concat(blank, l, blank)
}

// joint returns the character where an arrow meets a column: atBar if the column has the bar of a message in
// progress, otherwise atLane.
func joint(column, atLane, atBar string) string {
	if column == bar {
		return atBar
	}
	return atLane
}

// wire returns the part of an arrow after its text, in the columns [from, to). The arrow crosses lanes and bars.
func wire(from, to int, end bool, lanes map[int]string) string {
	straight := messageLine
	if end {
		straight = replyLine
	}
	var out strings.Builder
	for x := from; x < to; x++ {
		switch lanes[x] {
		case lane:
			out.WriteString(crossLane)
		case bar:
			out.WriteString(crossBar)
		default:
			out.WriteString(straight)
		}
	}
	return out.String()
}

// words returns the text of a message or of its reply in at most width cells. It drops the first segments
// of a long path, and the last parts of a long reply.
func (m Message) words(end bool, width int) draw.Line {
	if end {
		return draw.TextLine(shorter(m.Reply, width), m.Style).Cut(width)
	}
	var line draw.Line
	if m.Loose {
		line = draw.TextLine(doubt, theme.Warn)
	}
	if m.Verb != "" {
		line = append(line, draw.Span{Text: m.Verb + " ", Style: theme.Method(m.Verb)})
	}
	text := m.Text
	if room := width - line.Width(); strings.HasPrefix(text, "/") && room > 0 {
		text = target(text, room)
	}
	return append(line, draw.Span{Text: text, Style: theme.Plain}).Cut(width)
}

// target returns a path in at most width cells, with as much of its query as fits.
func target(text string, width int) string {
	path, query, found := strings.Cut(text, "?")
	if !found || ansi.StringWidth(text) <= width {
		return draw.ShortPath(text, width)
	}
	path = draw.ShortPath(path, max(1, width-ansi.StringWidth("?…")))
	return ansi.Truncate(path+"?"+query, width, "…")
}

// between separates the parts of a reply.
const between = " · "

// shorter drops the last parts of a reply until it fits or only the first part is left.
func shorter(reply string, width int) string {
	for ansi.StringWidth(reply) > width {
		at := strings.LastIndex(reply, between)
		if at < 0 {
			break
		}
		reply = reply[:at]
	}
	return reply
}
