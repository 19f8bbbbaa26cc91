package runner

import (
	"fmt"

	"sonde/model"
)

// A run whose first calls are nearly all refused is not worth its budget: so many
// calls are looked at, or a share of the budget if that is less.
const (
	firstCalls      = 50
	firstShare      = 0.2
	leastFirstCalls = 10 // fewer tell nothing, and so small a budget is soon used up
)

// Denied is the error of a run that ended because its first calls were nearly all
// answered 401 or 403.
type Denied struct{ model.Denied }

func (d *Denied) Error() string {
	if d.Ended != nil {
		return d.String() + " (--keep-going searches on)"
	}
	return fmt.Sprintf("%s: %s; give --header or --user, or write a log-in with sonde init (--keep-going searches on)", d.Denied, d.Cause())
}

// aboutDenied reports whether a warning follows from the refusals by which a run ended.
func aboutDenied(w model.Warning) bool {
	return w.Kind == model.WarnAuth || w.Kind == model.WarnUser || w.Kind == model.WarnNone || w.Kind == model.WarnNever
}

// doorkeeper looks at the first calls of a run: those of tests that were answered.
// Where users are configured, anonymous calls don't count.
type doorkeeper struct {
	users  []string
	first  int // how many calls it looks at, 0 for none any more
	calls  int
	denied int
	byUser map[string]tally
}

type tally struct{ calls, denied int }

func newDoorkeeper(p model.Plan) doorkeeper {
	d := doorkeeper{first: firstCalls, byUser: map[string]tally{}}
	if n := p.Limits.Calls; n > 0 {
		d.first = max(leastFirstCalls, min(d.first, int(firstShare*float64(n))))
	}
	if p.OnDenied == model.AllowDenied || p.Replay != nil {
		d.first = 0
	}
	for _, u := range p.Users {
		d.users = append(d.users, u.Name)
	}
	return d
}

// see takes the answers to a test, and returns what was seen of the first calls once
// these are nearly all refused; else nil.
func (d *doorkeeper) see(t model.Test) *model.Denied {
	for _, c := range t.Calls {
		if c.Status == 0 || d.calls >= d.first || c.User == "" && len(d.users) > 0 {
			continue
		}
		u := d.byUser[c.User]
		d.calls, u.calls = d.calls+1, u.calls+1
		if forbidden(c.Status) {
			d.denied, u.denied = d.denied+1, u.denied+1
		}
		d.byUser[c.User] = u
	}
	if d.first == 0 || d.calls < d.first {
		return nil
	}
	d.first = 0
	if float64(d.denied) < mostly*float64(d.calls) || d.works() {
		return nil
	}
	return &model.Denied{Refused: d.denied, Calls: d.calls, Users: d.users}
}

// works reports whether some user is mostly accepted. With many users, most calls may
// be refused for all that.
func (d *doorkeeper) works() bool {
	for _, u := range d.byUser {
		if 2*u.denied < u.calls {
			return true
		}
	}
	return false
}

// letOn takes note that a person lets a run go on that is paused because its first
// calls were refused.
func (e *engine) letOn() {
	if e.err == nil {
		e.denied = nil
	}
}

// keepDoor ends or pauses the run where its first calls are nearly all refused.
func (e *engine) keepDoor(t model.Test) {
	if d := e.door.see(t); d != nil {
		e.keepOut(d)
	}
}

// keepOut ends or pauses a run whose users are refused.
func (e *engine) keepOut(d *model.Denied) {
	switch {
	case e.plan.OnDenied == model.PauseDenied:
		e.denied = d
		e.emit(model.Note{Call: e.budget.calls, Text: "paused: " + d.String()})
		e.run.Pause()
	case e.err == nil:
		e.denied = d
		e.err = &Denied{*d}
	}
}
