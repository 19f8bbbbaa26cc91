package search

import (
	"fmt"

	"sonde/model"
)

// A run stops early if nearly all of its first calls are refused. The number of first calls is the smaller of
// firstCalls and firstShare of the budget, but at least minFirstCalls.
const (
	firstCalls    = 50
	firstShare    = 0.2
	minFirstCalls = 10 // fewer calls show nothing
)

// DeniedError is the error of a run that ended because nearly all of its first calls were answered 401 or 403, or
// because a call ended the last user of the run (see model.EndedUser).
type DeniedError struct{ model.AccessDenied }

func (d *DeniedError) Error() string {
	if d.Ended != nil {
		return d.String() + " (--keep-going searches on)"
	}
	return fmt.Sprintf(
		"%s: %s; give --header or --user, or write a log-in with sonde init (--keep-going searches on)",
		d.AccessDenied, d.LikelyCause(),
	)
}

// followsFromDenial reports whether a warning is superfluous after a DeniedError, because the error already explains
// it.
func followsFromDenial(w model.Warning) bool {
	return w.Kind == model.WarnAccessDenied || w.Kind == model.WarnUser || w.Kind == model.WarnNo2xx || w.Kind == model.WarnNever2xx
}

// accessCheck counts how many of the first answered calls of a run are refused. It does not count anonymous
// calls if users are configured.
type accessCheck struct {
	users  []string
	first  int // number of first calls; 0 if the check is over or not wanted
	calls  int
	denied int
	byUser map[string]accessCount
}

type accessCount struct{ calls, denied int }

func newAccessCheck(p model.Plan) accessCheck {
	a := accessCheck{first: firstCalls, byUser: map[string]accessCount{}}
	if n := p.Limits.Calls; n > 0 {
		a.first = max(minFirstCalls, min(a.first, int(firstShare*float64(n))))
	}
	if p.OnDenied == model.ContinueWhenDenied || p.Replay != nil {
		a.first = 0
	}
	for _, u := range p.Users {
		a.users = append(a.users, u.Name)
	}
	return a
}

// observe counts the answers to a test. It returns a description of the refusals if all of these conditions hold,
// otherwise nil:
//   - The test completes the first calls.
//   - Nearly all of the first calls were refused.
//   - No user was accepted more often than refused.
func (a *accessCheck) observe(t model.Test) *model.AccessDenied {
	for _, c := range t.Calls {
		if c.Status == 0 || a.calls >= a.first || c.User == "" && len(a.users) > 0 {
			continue
		}
		u := a.byUser[c.User]
		a.calls, u.calls = a.calls+1, u.calls+1
		if isForbidden(c.Status) {
			a.denied, u.denied = a.denied+1, u.denied+1
		}
		a.byUser[c.User] = u
	}
	if a.first == 0 || a.calls < a.first {
		return nil
	}
	a.first = 0
	if float64(a.denied) < mostlyShare*float64(a.calls) || a.anyUserAccepted() {
		return nil
	}
	return &model.AccessDenied{Refused: a.denied, Calls: a.calls, Users: a.users}
}

// anyUserAccepted reports whether the service refused fewer than half of the first calls of at least one user. One
// such user is enough for a search.
func (a *accessCheck) anyUserAccepted() bool {
	for _, u := range a.byUser {
		if 2*u.denied < u.calls {
			return true
		}
	}
	return false
}
