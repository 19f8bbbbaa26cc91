package search

import (
	"fmt"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// hint returns a text that tells the user how to steer a run.
func hint() string {
	return fmt.Sprintf("Nothing is steered yet. Arrows turn knobs; on an answer or a fault %s mutes, %s boosts and %s seeks "+
		"only that operation; on Seqs s has it try seqs.", widget.KeyName(keyMute), widget.KeyName(keyBoost), widget.KeyName(keyOnly))
}

// notes returns the lines of the commands and of the problems to fix.
func (v runView) notes(width int) []string {
	var rows []string
	say := func(style theme.Style, glyph, text string) {
		rows = append(rows, hangingIndent(style, glyph, draw.Clean(text), width)...)
	}
	for _, s := range v.run.waiting() {
		say(theme.Warn, "…", "asked: "+commandText(s, v.names))
	}
	for _, text := range v.run.facts.applied {
		say(theme.Accent, "┆", text)
	}
	for _, n := range v.run.snap.Refused {
		say(theme.Bad, theme.Failed, fmt.Sprintf("at call %s: %s", words.Count(n.Call), n.Text))
	}
	if len(rows) == 0 && v.run.active() {
		say(theme.Dim, theme.Untried, hint())
	}
	for _, text := range v.run.problems() {
		say(theme.Warn, theme.Refused, text)
	}
	if len(rows) == 0 {
		say(theme.Dim, theme.Untried, "Nothing was steered, and there is nothing to fix.")
	}
	return rows
}

// problemSummary returns the problems to fix. It names at most three operations without a 2xx, and counts the other
// ones.
func (v runView) problemSummary(width int) []string {
	all, never := v.run.problems(), 0
	for _, w := range v.run.snap.Summary.Warnings {
		if w.Kind == model.WarnNever2xx {
			never++
		}
	}
	const shown = 3
	more := max(0, never-shown)
	var rows []string
	for _, text := range all[:len(all)-more] {
		rows = append(rows, hangingIndent(theme.Warn, theme.Refused, draw.Clean(text), width)...)
	}
	if more > 0 {
		rows = append(rows, hangingIndent(
			theme.Warn, theme.Refused,
			words.Plural(more, "more operation")+" never answered 2xx: Notes list them ("+widget.KeyName(keyPane)+")",
			width,
		)...)
	}
	return rows
}

// notesTitle counts the problems in the notes.
func (v runView) notesTitle() string {
	if n := len(v.run.problems()); n > 0 {
		return fmt.Sprintf("Notes %s%d to fix", theme.Warn.Render(theme.Refused), n)
	}
	return "Notes"
}
