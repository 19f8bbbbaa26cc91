package runner

import (
	"slices"

	"sonde/model"
)

// mostLogged is how many events a snapshot has at most: a run may go on for days.
const mostLogged = 2000

// journal keeps the newest events that a person looks back at. What it has shown
// never changes.
type journal struct {
	all  []model.Logged
	gone int // that came before those
}

func (j *journal) add(l model.Logged) {
	if len(j.all) == 2*mostLogged {
		j.all, j.gone = slices.Clone(j.all[mostLogged:]), j.gone+mostLogged
	}
	j.all = append(j.all, l)
}

// shown are the newest events, and how many came before them.
func (j *journal) shown() (all []model.Logged, gone int) {
	old := max(0, len(j.all)-mostLogged)
	return slices.Clip(j.all[old:]), j.gone + old
}

// log keeps an event, unless it only says how far the run is.
func (e *engine) log(ev model.Event) {
	switch ev.(type) {
	case model.Progress, model.CoveredCode:
		return
	}
	at := e.budget.before
	if !e.budget.start.IsZero() {
		at = e.budget.elapsed()
	}
	e.journal.add(model.Logged{At: at, Call: e.budget.calls, Event: ev})
}

// hold says when a person has the run held, and when it goes on. A step is part
// of the pause.
func (e *engine) hold(paused bool) {
	switch {
	case paused && !e.held:
		e.emit(model.Held{Call: e.budget.calls})
	case !paused && e.held:
		e.emit(model.WentOn{Call: e.budget.calls})
	}
	e.held = paused
}

// restarted says how often the service was started again for a test.
func (e *engine) restarted(p played) {
	if p.restarts > 0 {
		e.emit(model.Restarted{Call: e.budget.calls, Times: p.restarts})
	}
}
