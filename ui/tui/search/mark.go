package search

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// maxLabel is the maximum width of a mark's label in the chart, in cells.
const maxLabel = 28

// marks returns the vertical lines of the chart, one for each command that took effect. If lines are too close
// together for separate labels, the first of these lines has a label for all of them.
func marks(s model.Snapshot, first *model.Tuning) []draw.ChartMark {
	steered, before := s.Marks, tuningAtStart(s, first)
	near := max(s.Summary.Budget, s.Summary.Calls) / 50
	var out []draw.ChartMark
	for len(steered) > 0 {
		at, n := len(out), 0
		for n < len(steered) && steered[n].Call-steered[0].Call <= near {
			out = append(out, draw.ChartMark{Call: steered[n].Call})
			n++
		}
		out[at].Label = ansi.Truncate(change(before, steered[:n]), maxLabel, "…")
		before, steered = steered[n-1].Tuning, steered[n:]
	}
	return out
}

// tuningAtStart returns the tuning with which the run began, or the first tuning that is known.
func tuningAtStart(s model.Snapshot, first *model.Tuning) model.Tuning {
	switch {
	case first != nil:
		return *first
	case len(s.Marks) > 0:
		return s.Marks[0].Tuning
	}
	return s.Tuning
}

// change describes the changes by some commands: first the knobs, such as "P .60→.80", then priorities and
// stubs in the order of the commands, and last the number of seqs to try. A knob that is back at its first
// value is written "P .60".
func change(from model.Tuning, done []model.AppliedCommand) string {
	var parts []string
	for _, k := range knobs {
		a, b := k.get(from), k.get(done[len(done)-1].Tuning)
		switch {
		case !equal(a, b):
			parts = append(parts, k.symbol+" "+k.short(a)+"→"+k.short(b))
		case slices.ContainsFunc(done, func(t model.AppliedCommand) bool { return !equal(a, k.get(t.Tuning)) }):
			parts = append(parts, k.symbol+" "+k.short(b))
		}
	}
	return strings.TrimSpace(strings.Join(parts, " ") + " " + strings.Join(commandTexts(done), ", "))
}

// commandTexts describes the commands that do not change knobs: priorities, stubs and seqs to try.
func commandTexts(done []model.AppliedCommand) (parts []string) {
	seqs := 0
	for _, d := range done {
		switch {
		case d.Priority != nil:
			parts = append(parts, priorityText(*d.Priority))
		case d.Try != nil:
			seqs++
		case d.Stub != nil:
			parts = append(parts, stubText(*d.Stub))
		}
	}
	if seqs > 0 {
		parts = append(parts, "try "+words.Plural(seqs, "seq"))
	}
	return parts
}

func short(f float64) string { return strings.TrimPrefix(words.Share(f), "0") }

// priorityText returns a text for a priority, such as "mute tag orders".
func priorityText(s model.Priority) string { return draw.Clean(string(s.Kind) + " " + s.Label) }

// stubText returns a host and its stub, such as "payments.example:443 reset".
func stubText(s model.Stub) string { return draw.Clean(s.Host + " " + s.Summary()) }

// commandText returns a text for a command.
func commandText(s model.Command, names draw.SeqNames) string {
	switch {
	case s.Priority != nil:
		return priorityText(*s.Priority)
	case s.Try != nil:
		return templateText(*s.Try, names)
	case s.Stub != nil:
		return stubText(*s.Stub)
	case s.Change == nil:
		return ""
	}
	for _, k := range knobs {
		if k.id == s.Change.Knob {
			return k.symbol + " " + k.short(s.Change.Value)
		}
	}
	return draw.Clean(string(s.Change.Knob))
}

// templateText returns a text for a seq that the run should try.
func templateText(t model.Template, names draw.SeqNames) string {
	seq := make(model.Seq, len(t.Steps))
	for i, s := range t.Steps {
		seq[i] = s.Op
	}
	return "try " + names.Text(seq)
}

// appliedText returns a text for a command that took effect. before is the tuning before the command.
func appliedText(before model.Tuning, m model.AppliedCommand, names draw.SeqNames) string {
	text := change(before, []model.AppliedCommand{m})
	if m.Try != nil || text == "" { // the value of the knob did not change
		return commandText(m.Command, names)
	}
	return text
}

// history describes the commands that took effect, the newest first. Each text has the number of the call at which
// the command took effect.
func history(s model.Snapshot, first *model.Tuning, names draw.SeqNames) []string {
	before := tuningAtStart(s, first)
	var out []string
	for _, m := range s.Marks {
		text := appliedText(before, m, names)
		out = append(out, strings.TrimPrefix(text+": ", ": ")+"from call "+words.Count(m.Call))
		before = m.Tuning
	}
	slices.Reverse(out)
	return out
}
