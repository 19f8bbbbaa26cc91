package search

import (
	"fmt"

	"sonde/model"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// glyph returns the sign for the state of the run.
func (r *trackedRun) glyph() string {
	switch {
	case r.starting:
		return "…"
	case r.ended() && r.failure() != nil:
		return theme.Failed
	case r.ended():
		return theme.Ok
	case r.halted():
		return theme.Paused
	}
	return theme.Running
}

// word returns the state of the run in words.
func (r *trackedRun) word() string {
	switch {
	case r.starting && r.stopping:
		return "stopping …"
	case r.starting && r.builds:
		return "building the service with probes"
	case r.starting:
		return "starting"
	case r.ended() && r.failure() != nil:
		return "failed"
	case r.ended() && r.snap.Summary.Cancelled:
		return "stopped"
	case r.ended():
		return "done"
	case r.stopping:
		return "stopping …"
	case r.paused && !r.halted():
		return "pausing …"
	case r.halted():
		return "paused"
	}
	if left := words.Left(r.snap.TimeLeft()); left != "" {
		return "running, " + left
	}
	return "running"
}

func (r *trackedRun) style() theme.Style {
	switch {
	case r.ended() && r.failure() != nil:
		return theme.Bad
	case r.ended():
		return theme.Good
	case r.halted():
		return theme.Warn
	}
	return theme.Accent
}

// live returns the glyph and the used share of the budget or, after the run, the glyph and the number of
// covered targets. If the run is starting or has failed, it returns only the glyph. Without a run it
// returns "".
func (r *trackedRun) live() string {
	switch {
	case r.starting:
		return "…"
	case !r.hasSnapshot:
		return ""
	case r.ended() && r.failure() != nil:
		return r.glyph()
	case r.ended():
		return r.glyph() + " " + words.Count(r.snap.Summary.Covered)
	}
	return fmt.Sprintf("%s %.0f%%", r.glyph(), 100*r.share())
}

// denied reports whether the run is paused because its calls were refused.
func (r *trackedRun) denied() bool { return r.snap.Denied != nil && r.halted() && r.active() }

// remedy returns what the user can do about a run whose calls are refused.
func (r *trackedRun) remedy() string {
	if end := r.snap.Denied.Ended; end != nil && end.EndedBy != "" {
		return "Restore the user in the service and resume: that request is not sent again. Or stop, and exclude the operation."
	}
	if r.usersChanged {
		return "The users have changed: stop this search and start a new one."
	}
	return "Add a user here, start again with --header or --user, or write a log-in into sonde.yaml with sonde init."
}

// problems returns the problems that the user should fix before the next run.
func (r *trackedRun) problems() (texts []string) {
	s := r.snap.Summary
	if s.Restarts > 0 {
		texts = append(texts, "the service died or hung, and was restarted "+times(s.Restarts))
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

// weighted reports whether one of the operations has another weight than the default.
func (r *trackedRun) weighted(ops []model.OpID) bool {
	for _, op := range ops {
		if r.snap.Weights.WeightOf(op) != 1 {
			return true
		}
	}
	return false
}

// weight returns the sign for the weight of an operation, "" for the default weight.
func (r *trackedRun) weight(op model.OpID) string {
	if w := r.snap.Weights.WeightOf(op); w != 1 {
		return fmt.Sprintf("×%g", w)
	}
	return ""
}
