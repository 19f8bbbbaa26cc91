package record

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// links counts the kinds of attribution of all outward calls.
func (s *store) links() []link {
	ways := map[model.Attribution]int{}
	for i := range s.served {
		for _, sent := range s.served[i].OutwardCalls {
			ways[sent.Attribution]++
		}
	}
	return links(ways)
}

// viewList draws the operations and their exchanges.
func (el *exchangeList) viewList(r draw.Rect, focused bool, empty string) string {
	f := draw.Frame{Title: el.listTitle(), Width: r.W, Height: r.H, Focused: focused}
	w, _ := f.Inner()
	if n := len(el.store.picks()); n > 0 {
		f.Note = words.Count(n) + " picked"
	}
	if el.list.Rows > el.list.Height {
		f.Note = strings.TrimPrefix(f.Note+fmt.Sprintf(" · %d of %d", el.list.At+1, el.list.Rows), " · ")
	}
	rows := append([]string{el.viewFilter(w)}, el.find.ProblemLines(w)...)
	from, to := el.list.Visible()
	for i := from; i < to; i++ {
		at := i == el.list.At
		rows = append(rows, el.find.Highlight(el.viewLine(el.shown[i], at, w)).Render(w, at && focused))
	}
	if len(el.shown) == 0 {
		for _, line := range words.Wrap(draw.Clean(empty), w-6) {
			rows = append(rows, theme.Dim.Render("    "+line))
		}
	}
	return f.Render(strings.Join(rows, "\n"))
}

// listTitle describes the number of recorded operations.
func (el *exchangeList) listTitle() string {
	seen := 0
	for _, g := range el.store.groups {
		if g.op != "" {
			seen++
		}
	}
	return fmt.Sprintf("Operations %d", seen) + theme.Dim.Render(fmt.Sprintf(" of %d seen", len(el.store.place)))
}

// noExchange returns the reason why the list is empty.
func (v *view) noExchange() string {
	switch {
	case len(v.exchanges.store.served) > 0:
		return "no exchange matches the filter"
	case v.watch.live() && len(v.watch.traffic.In) > 0:
		return "No request yet. Send some to " + v.watch.traffic.In[0].Addr + ", as your clients do."
	}
	return "Nothing was recorded. " + widget.KeyName(keyNew) + " makes a new recording."
}

// viewFilter draws the filter and, on the right, which exchanges are listed.
func (el *exchangeList) viewFilter(width int) string {
	right := widget.KeyName(keyEach) + " " + "one of a shape"
	if el.all {
		right = widget.KeyName(keyEach) + " " + "every exchange"
	}
	return el.find.View(width-len(right)-1) + theme.Dim.Render(right) + " "
}

// viewLine draws a line of the list.
func (el *exchangeList) viewLine(l line, at bool, width int) draw.Line {
	cursor := draw.TextLine(" ", theme.Plain)
	if at {
		cursor = draw.TextLine(theme.Cursor, theme.Active)
	}
	if l.entry == nil {
		return append(cursor, el.viewGroup(l, width-1)...)
	}
	return append(cursor, el.viewEntry(l.entry, width-1)...)
}

// viewGroup draws an operation, the number of its exchanges, and their statuses.
func (el *exchangeList) viewGroup(l line, width int) draw.Line {
	fold := theme.Closed
	if l.group.open {
		fold = theme.Open
	}
	right := append(draw.Line{
		plain(fmt.Sprintf("%-6s", "×"+words.Count(len(l.group.all)))),
	}, statuses(tallied(l.group.all).statuses, false)...)
	column := max(12, width-max(16, right.Width())-1)
	name := draw.OperationLine(groupTitle(""), column-3)
	if l.group.op != "" {
		name = el.names.Operation(l.group.op, column-3)
	}
	line := append(draw.TextLine(fold+" ", theme.Dim), name...)
	return line.At(column, right...).Cut(width)
}

// viewEntry draws an exchange: its status and duration, the number of exchanges with its shape, and the
// hosts that the service called.
func (el *exchangeList) viewEntry(e *entry, width int) draw.Line {
	mark := plain("  ")
	if el.store.picked[e.ID] {
		mark = draw.Span{Text: theme.Picked + " ", Style: theme.Good}
	}
	glyph, style := theme.Class(e.Reply.Status)
	answer := glyph + " " + strconv.Itoa(e.Reply.Status)
	if e.Reply.Status == 0 {
		answer, style = theme.Failed+" —", theme.Bad
	}
	line := draw.Line{plain(" "), mark, {Text: answer, Style: style}}
	line = line.At(9, plain(fmt.Sprintf("%9s", durationText(e.Exchange))))
	alike := ""
	if e.alike > 1 {
		alike = "×" + words.Count(e.alike)
	}
	return append(line.At(19, draw.Span{Text: fmt.Sprintf("%-5s", alike), Style: theme.Dim}), outwardHosts(e)...).Cut(width)
}

// shortHost returns a host name without its port. An IP address keeps its port.
func shortHost(host string) string {
	name, _, err := net.SplitHostPort(host)
	if err != nil || net.ParseIP(name) != nil {
		return host
	}
	return name
}

// outwardHosts draws the hosts that the service called.
func outwardHosts(e *entry) draw.Line {
	var hosts []string
	calls := map[string]int{}
	doubt := false
	for i := range e.OutwardCalls {
		h := shortHost(hostName(&e.OutwardCalls[i]))
		if !slices.Contains(hosts, h) {
			hosts = append(hosts, h)
		}
		calls[h]++
		doubt = doubt || !e.OutwardCalls[i].Attribution.Certain()
	}
	if len(hosts) == 0 {
		return nil
	}
	line := draw.TextLine("→ ", theme.Dim)
	if doubt {
		line = draw.TextLine("? ", theme.Warn)
	}
	for i, h := range hosts {
		if n := calls[h]; n > 1 {
			hosts[i] = fmt.Sprintf("%s ×%d", h, n)
		}
	}
	return append(line, plain(strings.Join(hosts, ", ")))
}
