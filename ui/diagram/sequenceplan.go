package diagram

import (
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// minGap is the minimum number of cells between two lanes. firstGap is the minimum after the first lane if
// there are more than two lanes. maxGap is the maximum number of cells that a text may require.
const minGap, firstGap, maxGap = 14, 12, 44

// plan is the layout of a diagram's lanes.
type plan struct {
	Sequence
	all   []event
	clock int   // width of the time column
	x     []int // the column of each lane
	slots []int // index: message; value: its slot at the lane to which it goes
	width int
}

// plan computes the layout of the lanes. It returns false if there is not enough room.
func (f Sequence) plan(width int) (plan, bool) {
	if len(f.Lanes) == 0 {
		return plan{}, false
	}
	p := plan{Sequence: f, all: f.events(), slots: f.slots(func(m Message) int { return m.To }), width: width}
	p.clock = clocks(p.all)
	gaps := p.gaps()
	first := p.clock + 3
	room := width - first - 2 - p.depth(len(f.Lanes)-1)
	if !squeeze(gaps, p.least(), room) {
		return p, false
	}
	p.x = []int{first}
	for i, g := range gaps {
		p.x = append(p.x, p.x[i]+g)
	}
	return p, true
}

// depth returns the number of cells beside a lane that messages in progress take.
func (p *plan) depth(lane int) int {
	most := 0
	for i, m := range p.Messages {
		if m.To == lane {
			most = max(most, 2*p.slots[i])
		}
	}
	return most
}

// gaps returns, for each lane except the last one, the number of cells up to the next lane. It is the number that the
// names and the texts of messages need, at most maxGap for each text.
func (p *plan) gaps() []int {
	gaps := make([]int, max(0, len(p.Lanes)-1))
	for i := range gaps {
		gaps[i] = max(minGap+p.depth(i), min(ansi.StringWidth(p.Lanes[i])+len("  "), maxGap))
	}
	for _, m := range p.Messages {
		want := len("├─ ") + max(ansi.StringWidth(m.asks()), ansi.StringWidth(m.Reply)) + len(" -> ")
		for i := m.From; i < m.To-1; i++ {
			want -= gaps[i]
		}
		gaps[m.To-1] = max(gaps[m.To-1], min(want, maxGap))
	}
	return gaps
}

// least returns the minimum of each gap. If there are several gaps, the first one has the smallest minimum,
// because no message goes to the first lane.
func (p *plan) least() []int {
	least := make([]int, max(0, len(p.Lanes)-1))
	for i := range least {
		least[i] = minGap + p.depth(i)
		if i == 0 && len(least) > 1 {
			least[i] = firstGap
		}
	}
	return least
}

// squeeze reduces gaps until they fit into room cells: first the first gap, then the widest ones. It reports whether
// the gaps fit.
func squeeze(gaps, least []int, room int) bool {
	sum := 0
	for _, g := range gaps {
		sum += g
	}
	for ; sum > room; sum-- {
		at := -1
		for i, g := range gaps {
			if g > least[i] && (at < 0 || at > 0 && g > gaps[at]) {
				at = i
			}
		}
		if at < 0 {
			return false
		}
		gaps[at]--
	}
	return true
}

// asks returns the verb and the text of a message, preceded by doubt if the message is loose.
func (m Message) asks() string {
	text := strings.TrimSpace(m.Verb + " " + m.Text)
	if m.Loose {
		return doubt + text
	}
	return text
}

// head returns the title of the time column, and the names of the lanes above their lines.
func (p *plan) head() draw.Line {
	line := draw.TextLine(strings.Repeat(" ", p.clock-len("ms"))+"ms", theme.Dim)
	for i, name := range p.Lanes {
		from := line.Width() + 1
		room := p.width - from
		if i+1 < len(p.x) {
			room = p.x[i+1] - before - 2 - from
		}
		name = draw.CutMiddle(name, min(room, maxGap))
		w := ansi.StringWidth(name)
		line = line.At(max(from, min(p.x[i]-min(w/2, before), p.width-w)), draw.Span{Text: name, Style: theme.Strong})
	}
	return line.Cut(p.width)
}

// before is the maximum number of cells of a lane's name to the left of the lane.
const before = (minGap - 2) / 2
