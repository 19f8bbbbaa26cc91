package search

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// viewOpen lists what the search works at: how near tests came to each target, how often
// it was sampled for since, and since when no test came nearer.
func (m Model) viewOpen(width int) string {
	if len(m.watch.snap.Open) == 0 {
		return strings.Join(wrapped(m.noneOpen(), width-2, theme.Dim), "\n")
	}
	rows := []string{theme.Dim.Render(ansi.Truncate("   near tests tries since  target", width, ""))}
	from, to := m.lists[partOpen].Visible()
	for i := from; i < to; i++ {
		line := append(pane.Line{m.cursor(partOpen, i)}, openLine(m.watch.snap.Open[i], width)...)
		rows = append(rows, line.Render(width, m.marked(partOpen, i)))
	}
	return strings.Join(rows, "\n")
}

// target is the open target that the cursor is on, "" where it is on the first: that is
// another whenever the search turns to another.
func (m Model) target() string {
	if at := m.lists[partOpen].At; at > 0 && at < len(m.watch.snap.Open) {
		return m.watch.snap.Open[at].Target
	}
	return ""
}

// stayOn keeps the cursor on its target when they come in another order.
func (m *Model) stayOn(target string) {
	l := &m.lists[partOpen]
	if i := slices.IndexFunc(m.watch.snap.Open, func(o model.Open) bool { return o.Target == target }); i >= 0 {
		l.Top, l.At = l.Top+i-l.At, i
	}
}

// noneOpen says why nothing is.
func (m Model) noneOpen() string {
	if !m.watch.seen {
		return "Nothing was reached yet."
	}
	return "All targets that a test came near to are covered."
}

// openLine is a target that is open, its name from the right where there is no room for
// all of it: what tells it from others stands there.
func openLine(o model.Open, width int) pane.Line {
	facts := fmt.Sprintf(" %s %5s %5s %4.0f%%  ", words.Share(o.Near), words.Count(o.Tests), words.Count(o.Counter), 100*o.Since)
	name := pane.Clean(o.Target)
	if room := width - len(facts) - 2; ansi.StringWidth(name) > room {
		name = "…" + ansi.TruncateLeft(name, ansi.StringWidth(name)-max(0, room-1), "")
	}
	return pane.Line{{Text: facts, Style: theme.Dim}, {Text: name}}
}
