package search

import (
	"fmt"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"

	"github.com/charmbracelet/x/ansi"
)

// knobsPane lists the knobs of a run above a line for the latest command.
type knobsPane struct{ list widget.List }

// fit sets the number of knobs that fit into a pane of height lines.
func (p *knobsPane) fit(height int) { p.list.Fit(len(knobs), visibleKnobs(height-2)) }

// visibleKnobs returns the number of knobs that fit above the last line.
func visibleKnobs(height int) int { return max(1, min(len(knobs), height-1)) }

// chosen returns the knob under the cursor. The arrow keys change this knob even if another pane has the
// focus.
func (p *knobsPane) chosen() knob { return knobs[p.list.At] }

func (p *knobsPane) view(v runView, width, height int, focused bool) string {
	var rows []string
	from, to := p.list.Visible()
	for i := from; i < to; i++ {
		rows = append(rows, v.viewKnob(knobs[i], width, p.mark(i, focused)))
	}
	if height > len(knobs)+2 {
		rows = append(rows, "")
	}
	if height > len(knobs)+1 {
		rows = append(rows, theme.Dim.Render(" "+p.chosen().meaning))
	}
	return strings.Join(append(rows, v.newestCommand(width-1)), "\n")
}

// mark returns the sign before the knob that the arrow keys change, "" for other knobs.
func (p *knobsPane) mark(row int, focused bool) string {
	switch {
	case row != p.list.At:
		return ""
	case focused:
		return theme.Cursor
	}
	return "›"
}

// viewKnob draws a knob with its current value. If a command for the knob has not taken effect yet, it also
// draws the value in the command. If the run itself changes the value over time, the value that the user
// set is at the right.
func (v runView) viewKnob(k knob, width int, mark string) string {
	value := k.get(v.run.snap.Applied)
	if !v.run.hasSnapshot {
		value = k.get(v.run.tuning)
	}
	style := theme.Plain
	if mark != "" {
		style = theme.Active
	}
	label := style.Render(fmt.Sprintf("%-2s%-7s%-4s", mark, k.name, k.symbol)) + theme.Value.Render(k.show(value)) + " "
	if v.run.pending(k) {
		return label + theme.Warn.Render("asked "+strings.TrimSpace(k.show(k.get(v.run.tuning))))
	}
	set := ""
	if s := k.get(v.run.snap.Tuning); v.run.hasSnapshot && !equal(s, value) {
		set = k.short(s)
	}
	slider := draw.Slider(k.share(value), min(27, width-5-ansi.StringWidth(label)), mark != "")
	return label + slider + theme.Dim.Render(fmt.Sprintf("%4s", set))
}

// newestCommand describes the first command that has not taken effect yet. It skips commands that change knobs,
// because the knobs show these. If no command is left, it describes the command that took effect last.
func (v runView) newestCommand(width int) string {
	for _, s := range v.run.waiting() {
		if s.Change == nil { // changes of knobs are shown at the knobs
			return " " + theme.Warn.Render(ansi.Truncate("asked: "+commandText(s, v.names), width, "…"))
		}
	}
	text := "not steered yet"
	if all := v.run.facts.applied; len(all) > 0 {
		text = all[0]
	}
	return " " + theme.Dim.Render(shorten(text, width))
}

// shorten cuts the text of a command to width cells. It keeps the end of the text: the number of the call
// at which the command took effect.
func shorten(text string, width int) string {
	what, since, found := strings.Cut(text, ": from")
	if !found || ansi.StringWidth(text) <= width {
		return ansi.Truncate(text, width, "…")
	}
	since = ": from" + since
	return ansi.Truncate(what, max(0, width-len(since)), "…") + since
}
