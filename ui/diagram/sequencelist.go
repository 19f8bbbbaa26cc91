package diagram

import (
	"fmt"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
)

// list draws the diagram as an indented list. Messages that are in progress at the same time have rails
// side by side.
func (f Sequence) list(width, marked int) []SequenceRow {
	all := f.events()
	rails := f.rails()
	w := clocks(all)
	var rows []SequenceRow
	open := map[int]bool{} // rails in use
	for _, e := range all {
		m := f.Messages[e.message]
		line := draw.Line{{Text: fmt.Sprintf("%*s", w, clock(e.at)), Style: theme.Dim}, {Text: "  ", Style: theme.Active}}
		sign, style := rightward, theme.Border
		if e.message == marked {
			line[1].Text, style = theme.Cursor+" ", theme.Active
		}
		if e.end {
			sign = leftward
			delete(open, rails[e.message])
		}
		before := draw.Span{Text: railsBefore(open, rails[e.message]), Style: theme.Border}
		line = append(line, before, draw.Span{Text: sign + " ", Style: style})
		line = append(line, railsAfter(open, rails[e.message])...)
		line = append(line, f.eventText(e, width-line.Width())...)
		rows = append(rows, SequenceRow{Line: line.Cut(width), Message: e.message, End: e.end})
		if m.Ended && !e.end {
			open[rails[e.message]] = true
		}
	}
	return rows
}

// rails returns the column of each message in the list. Messages in progress at the same time have different columns.
// Messages that never end share one column, which is to the right of all other columns.
func (f Sequence) rails() []int {
	rails := f.slots(func(Message) int { return 0 })
	free := 0
	for _, r := range rails {
		free = max(free, r+1)
	}
	for i := range rails {
		if rails[i] < 0 {
			rails[i] = free
		}
	}
	return rails
}

// railsBefore draws the rails to the left of a rail.
func railsBefore(open map[int]bool, rail int) string {
	var out strings.Builder
	for i := range rail {
		out.WriteString(railAt(open, i) + " ")
	}
	return out.String()
}

// railsAfter draws the rails to the right of a rail.
func railsAfter(open map[int]bool, rail int) draw.Line {
	last := rail
	for i, is := range open {
		if is {
			last = max(last, i)
		}
	}
	var out strings.Builder
	for i := rail + 1; i <= last; i++ {
		out.WriteString(railAt(open, i) + " ")
	}
	return draw.TextLine(out.String(), theme.Border)
}

func railAt(open map[int]bool, i int) string {
	if open[i] {
		return lane
	}
	return " "
}

// eventText returns the text of an event in the list: a message or its reply, preceded by the name of the lane
// to which the message goes. The name is left out for messages from the first lane.
func (f Sequence) eventText(e event, width int) draw.Line {
	m := f.Messages[e.message]
	var line draw.Line
	if m.From > 0 {
		line = draw.TextLine(draw.CutMiddle(f.Lanes[m.To], max(6, width/2))+" ", theme.Strong)
	}
	return append(line, m.words(e.end, max(1, width-line.Width()))...)
}
