package search

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// maxLabel is the width of a mark's label in the chart, in cells.
const maxLabel = 28

// marks are the vertical lines of a chart, one for each time the run was steered. Lines that are too
// close together for labels of their own share one, at the first.
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

// tuningAtStart is the tuning that a run began with, or the first that is known.
func tuningAtStart(s model.Snapshot, first *model.Tuning) model.Tuning {
	switch {
	case first != nil:
		return *first
	case len(s.Marks) > 0:
		return s.Marks[0].Tuning
	}
	return s.Tuning
}

// change names what was steered: the knobs that were turned, such as "P .60→.80", or "P .60" for one
// that was turned back, and the rest in its order.
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
	return strings.TrimSpace(strings.Join(parts, " ") + " " + strings.Join(others(done), ", "))
}

// others names what was steered besides knobs.
func others(done []model.AppliedCommand) (parts []string) {
	seqs := 0
	for _, d := range done {
		switch {
		case d.Priority != nil:
			parts = append(parts, stressed(*d.Priority))
		case d.Try != nil:
			seqs++
		case d.Stub != nil:
			parts = append(parts, stubbed(*d.Stub))
		}
	}
	if seqs > 0 {
		parts = append(parts, "try "+words.Plural(seqs, "seq"))
	}
	return parts
}

func short(f float64) string { return strings.TrimPrefix(words.Share(f), "0") }

// stressed names a stress, such as "mute tag orders".
func stressed(s model.Priority) string { return draw.Clean(string(s.Kind) + " " + s.Label) }

// stubbed names what a host does instead, such as "payments.example:443 reset".
func stubbed(s model.Stub) string { return draw.Clean(s.Host + " " + s.Summary()) }

// steerText names a request to a run.
func steerText(s model.Command, names draw.SeqNames) string {
	switch {
	case s.Priority != nil:
		return stressed(*s.Priority)
	case s.Try != nil:
		return tried(*s.Try, names)
	case s.Stub != nil:
		return stubbed(*s.Stub)
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

// tried names the seq of a template.
func tried(t model.Template, names draw.SeqNames) string {
	seq := make(model.Seq, len(t.Steps))
	for i, s := range t.Steps {
		seq[i] = s.Op
	}
	return "try " + names.Text(seq)
}

// steeredText names a request that took effect; before is the tuning until then.
func steeredText(before model.Tuning, m model.AppliedCommand, names draw.SeqNames) string {
	text := change(before, []model.AppliedCommand{m})
	if m.Try != nil || text == "" { // a knob was turned to where it was
		return steerText(m.Command, names)
	}
	return text
}

// history says of each request from which call on it is in force, the newest first.
func history(s model.Snapshot, first *model.Tuning, names draw.SeqNames) []string {
	before := tuningAtStart(s, first)
	var out []string
	for _, m := range s.Marks {
		text := steeredText(before, m, names)
		out = append(out, strings.TrimPrefix(text+": ", ": ")+"from call "+words.Count(m.Call))
		before = m.Tuning
	}
	slices.Reverse(out)
	return out
}
