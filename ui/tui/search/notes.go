package search

import (
	"fmt"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// hint says how a run is steered.
func hint() string {
	return fmt.Sprintf("Nothing is steered yet. Arrows turn knobs; on an answer or a fault %s mutes, %s boosts and %s seeks only that operation; "+
		"on Seqs s lets it try seqs.", pane.Key(keyMute), pane.Key(keyBoost), pane.Key(keyOnly))
}

// notes are what was done to the run, and what there is to mend.
func (m Model) notes(width int) []string {
	var rows []string
	say := func(style theme.Style, glyph, text string) {
		rows = append(rows, hung(style, glyph, pane.Clean(text), width)...)
	}
	for _, s := range m.watch.waiting() {
		say(theme.Warn, "…", "asked: "+wish(s, m.names))
	}
	for _, text := range m.watch.facts.steered {
		say(theme.Accent, "┆", text)
	}
	for _, n := range m.watch.snap.Refused {
		say(theme.Bad, theme.Failed, fmt.Sprintf("at call %s: %s", words.Count(n.Call), n.Text))
	}
	if len(rows) == 0 && m.watch.active() {
		say(theme.Dim, theme.Untried, hint())
	}
	for _, text := range m.toMend() {
		say(theme.Warn, theme.Refused, text)
	}
	if len(rows) == 0 {
		say(theme.Dim, theme.Untried, "Nothing was steered, and there is nothing to mend.")
	}
	return rows
}

// toMend is what a person should mend before the next run.
func (m Model) toMend() (texts []string) {
	s := m.watch.snap.Summary
	if s.Restarts > 0 {
		texts = append(texts, fmt.Sprintf("the service died or hung, and was started again %s", times(s.Restarts)))
	}
	for _, w := range s.Warnings {
		texts = append(texts, w.Text)
	}
	return texts
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return words.Plural(n, "time")
}

// mendSummary is toMend without the many lines about single operations.
func (m Model) mendSummary(width int) []string {
	all, never := m.toMend(), 0
	for _, w := range m.watch.snap.Summary.Warnings {
		if w.Kind == model.WarnNever {
			never++
		}
	}
	const most = 3
	more := max(0, never-most)
	var rows []string
	for _, text := range all[:len(all)-more] {
		rows = append(rows, hung(theme.Warn, theme.Refused, pane.Clean(text), width)...)
	}
	if more > 0 {
		rows = append(rows, hung(theme.Warn, theme.Refused, words.Plural(more, "more operation")+" never answered 2xx: Notes list them ("+pane.Key(keyPane)+")", width)...)
	}
	return rows
}

// notesTitle counts what is in the notes.
func (m Model) notesTitle() string {
	if n := len(m.toMend()); n > 0 {
		return fmt.Sprintf("Notes %s%d to mend", theme.Warn.Render(theme.Refused), n)
	}
	return "Notes"
}

// hung is a text with a glyph before its first line.
func hung(style theme.Style, glyph, text string, width int) []string {
	rows := words.Wrap(text, width-2)
	for i, r := range rows {
		if i == 0 {
			rows[i] = style.Render(glyph) + " " + r
		} else {
			rows[i] = "  " + r
		}
	}
	return rows
}
