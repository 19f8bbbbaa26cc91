package search

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// openPane lists the targets that the search is trying to cover. A row has four numbers:
//   - the best score of a test for the target
//   - the number of tests in the target's population
//   - how often the target was sampled since the best score last improved
//   - the share of the budget that was used when the best score last improved
type openPane struct{ list widget.List }

// fit sets the number of rows, and how many of them fit into a pane of height lines.
func (p *openPane) fit(v runView, height int) { p.list.Fit(len(v.run.snap.Open), max(1, height-3)) }

// chosen returns the target under the cursor, nil if there is none.
func (p *openPane) chosen(v runView) *model.OpenTarget {
	if p.list.At < len(v.run.snap.Open) {
		return &v.run.snap.Open[p.list.At]
	}
	return nil
}

// target returns the name of the target under the cursor, to be passed to restore. It returns "" if the
// cursor is in the first row.
func (p *openPane) target(v runView) string {
	if at := p.chosen(v); at != nil && p.list.At > 0 {
		return at.Target
	}
	return ""
}

// restore moves the cursor to the target, whose row may have changed. If target is "", the cursor stays in
// the first row.
func (p *openPane) restore(v runView, target string) {
	l := &p.list
	if i := slices.IndexFunc(v.run.snap.Open, func(o model.OpenTarget) bool { return o.Target == target }); i >= 0 {
		l.Top, l.At = l.Top+i-l.At, i
	}
}

func (p *openPane) view(v runView, width int, focused bool) string {
	if len(v.run.snap.Open) == 0 {
		return strings.Join(wrapped(v.noneOpen(), width-2, theme.Dim), "\n")
	}
	rows := []string{theme.Dim.Render(ansi.Truncate("   near tests tries since  target", width, ""))}
	from, to := p.list.Visible()
	for i := from; i < to; i++ {
		marked := focused && i == p.list.At
		line := append(draw.Line{rowCursor(marked)}, openLine(v.run.snap.Open[i], width)...)
		rows = append(rows, line.Render(width, marked))
	}
	return strings.Join(rows, "\n")
}

// openTitle returns the title of the pane. The title has the number of targets. It has no number for a run that was
// read from its folder, because open targets are not stored.
func (v runView) openTitle() string {
	if v.run.past != nil {
		return "Open"
	}
	return "Open " + words.Count(len(v.run.snap.Open))
}

// noneOpen returns the reason why no target is open.
func (v runView) noneOpen() string {
	if !v.run.hasSnapshot {
		return "Nothing was reached yet."
	}
	if v.run.past != nil {
		return "The folder of a run does not have the targets that its search was trying to cover."
	}
	return "All targets that a test came near to are covered."
}

// openLine draws an open target. If the name does not fit, it cuts the beginning, because names differ at
// the end.
func openLine(o model.OpenTarget, width int) draw.Line {
	facts := fmt.Sprintf(" %s %5s %5s %4.0f%%  ", words.Share(o.Near), words.Count(o.Tests), words.Count(o.Counter), 100*o.Since)
	name := draw.Clean(o.Target)
	if room := width - len(facts) - 2; ansi.StringWidth(name) > room {
		name = "…" + ansi.TruncateLeft(name, ansi.StringWidth(name)-max(0, room-1), "")
	}
	return draw.Line{{Text: facts, Style: theme.Dim}, {Text: name}}
}
