package runner

import "sonde/model"

// log tells when an event came, and keeps it unless it only says how far the run is.
func (e *engine) log(ev model.Event) model.Logged {
	at := e.budget.before
	if !e.budget.start.IsZero() {
		at = e.budget.elapsed()
	}
	l := model.Logged{At: at, Call: e.budget.calls, Event: ev}
	if l.Tells() {
		e.journal.Add(l)
	}
	return l
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
