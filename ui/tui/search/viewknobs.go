package search

import (
	"fmt"
	"strings"

	"sonde/ui/gauge"
	"sonde/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// viewSteer draws the knobs, or the result of a run that has ended.
func (m Model) viewSteer(width, height int) (title, note, body string) {
	if m.watch.ended() {
		note, body = m.viewText(partSteer, width, height)
		return "Result", note, body
	}
	return "Knobs", "", m.viewKnobs(width, height)
}

// knobRows is how many knobs there is room for over what is said of them.
func knobRows(height int) int { return max(1, min(len(knobs), height-1)) }

func (m Model) viewKnobs(width, height int) string {
	var rows []string
	at := m.lists[partSteer].At
	from, to := m.lists[partSteer].Visible()
	for i := from; i < to; i++ {
		rows = append(rows, m.viewKnob(knobs[i], width, i == at))
	}
	if height > len(knobs)+2 {
		rows = append(rows, "")
	}
	if height > len(knobs)+1 {
		rows = append(rows, theme.Dim.Render(" "+knobs[at].what))
	}
	return strings.Join(append(rows, m.newest(width-1)), "\n")
}

// viewKnob shows the value that is in force, and what was asked for where that
// is not so yet. At the right is what a value that moves was set to.
func (m Model) viewKnob(k knob, width int, chosen bool) string {
	v := k.get(m.watch.snap.Applied)
	if !m.watch.seen {
		v = k.get(m.watch.asked)
	}
	mark, style := "  ", theme.Plain
	switch {
	case chosen && m.focus == partSteer:
		mark, style = theme.Cursor+" ", theme.Active
	case chosen: // ← and → turn it all the same
		mark, style = "› ", theme.Active
	}
	label := style.Render(mark+fmt.Sprintf("%-7s%-4s", k.name, k.symbol)) + theme.Value.Render(k.show(v)) + " "
	if m.watch.pending(k) {
		return label + theme.Warn.Render("asked "+strings.TrimSpace(k.show(k.get(m.watch.asked))))
	}
	set := ""
	if s := k.get(m.watch.snap.Tuning); m.watch.seen && !equal(s, v) {
		set = k.short(s)
	}
	slider := gauge.Slider(k.share(v), min(27, width-5-ansi.StringWidth(label)), chosen)
	return label + slider + theme.Dim.Render(fmt.Sprintf("%4s", set))
}

// newest says what was asked for and is not in force yet, or else since when
// what was done last is.
func (m Model) newest(width int) string {
	for _, s := range m.watch.waiting() {
		if s.Turn == nil { // those stand beside their knobs
			return " " + theme.Warn.Render(ansi.Truncate("asked: "+wish(s, m.names), width, "…"))
		}
	}
	text := "not steered yet"
	if all := m.watch.facts.steered; len(all) > 0 {
		text = all[0]
	}
	return " " + theme.Dim.Render(shorten(text, width))
}

// shorten cuts the middle of a text, because its end tells since when it holds.
func shorten(text string, width int) string {
	what, since, found := strings.Cut(text, ": from")
	if !found || ansi.StringWidth(text) <= width {
		return ansi.Truncate(text, width, "…")
	}
	since = ": from" + since
	return ansi.Truncate(what, max(0, width-len(since)), "…") + since
}
