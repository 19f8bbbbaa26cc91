package search

import (
	"fmt"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/textinput"
	"github.com/charmbracelet/x/ansi"
)

// knobsPane lists the knobs of a run above a line for the latest command.
type knobsPane struct {
	list  widget.List
	input *textinput.Model // the text field for the value of the knob under the cursor, nil while none is typed
	err   error            // the error of the typed value
	drag  *float64         // the value of the knob under the cursor while its slider is dragged, nil for none
}

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
		mark := p.mark(i, focused)
		switch {
		case p.input != nil && i == p.list.At:
			rows = append(rows, knobLabel(knobs[i], width, mark)+p.input.View())
		case p.drag != nil && i == p.list.At:
			rows = append(rows, v.drawKnob(knobs[i], *p.drag, "", width, mark))
		default:
			rows = append(rows, v.viewKnob(knobs[i], width, mark))
		}
	}
	if height > len(knobs)+2 {
		rows = append(rows, "")
	}
	if height > len(knobs)+1 {
		rows = append(rows, theme.Dim.Render(" "+p.chosen().meaning))
	}
	last := v.newestCommand(width - 1)
	if p.err != nil {
		last = " " + theme.Bad.Render(ansi.Truncate(draw.Clean(p.err.Error()), width-1, "…"))
	}
	return strings.Join(append(rows, last), "\n")
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
	if v.run.pending(k) {
		asked := theme.Warn.Render("asked " + strings.TrimSpace(k.show(k.get(v.run.tuning))))
		return knobLabel(k, width, mark) + theme.Value.Render(k.show(value)) + " " + asked
	}
	set := ""
	if s := k.get(v.run.snap.Tuning); v.run.hasSnapshot && !equal(s, value) {
		set = k.short(s)
	}
	return v.drawKnob(k, value, set, width, mark)
}

// knobValueColumn returns the first cell of the values in a pane with width cells inside its border. A narrow pane has
// short names.
func knobValueColumn(width int) int {
	if width < 36 {
		return 13
	}
	return 17
}

// knobSliderColumn returns the first cell of the sliders.
func knobSliderColumn(width int) int { return knobValueColumn(width) + 5 }

// knobSliderWidth returns the width of the sliders.
func knobSliderWidth(width int) int { return min(27, width-5-knobSliderColumn(width)) }

// knobLabel draws the name and the symbol of a knob.
func knobLabel(k knob, width int, mark string) string {
	style := theme.Plain
	if mark != "" {
		style = theme.Active
	}
	column := knobValueColumn(width)
	name := k.name
	if len(name) > column-7 {
		name = k.brief
	}
	return style.Render(fmt.Sprintf("%-2s%-*s%-4s", mark, column-6, name, k.symbol))
}

// drawKnob draws a knob with a value, its slider, and the value that the user set, "" for none.
func (v runView) drawKnob(k knob, value float64, set string, width int, mark string) string {
	slider := draw.Slider(k.share(value), knobSliderWidth(width), mark != "")
	return knobLabel(k, width, mark) + theme.Value.Render(k.show(value)) + " " + slider + theme.Dim.Render(fmt.Sprintf("%4s", set))
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
