package format

import (
	"slices"

	"sonde/export"
	"sonde/model"
)

// once logs users in once for all cases, and named has helpers do so.
func once(export.Suite) export.Logins  { return export.LoginsOnce }
func named(export.Suite) export.Logins { return export.LoginsNamed }

// plainly logs users in in each case whose log-in is a request of the service that gives a token.
func plainly(export.Suite) export.Logins { return export.LoginsPlain }

// onceWithoutReset logs users in once, unless requests reset the service between the cases, which
// may end what a log-in gave.
func onceWithoutReset(s export.Suite) export.Logins {
	if s.Reset != nil && s.Reset.Path != "" {
		return export.LoginsEach
	}
	return export.LoginsOnce
}

// onceInHurl returns that, unless log-ins give cookies: Hurl would send those with all calls.
func onceInHurl(s export.Suite) export.Logins {
	if slices.ContainsFunc(s.Users, func(u model.User) bool { return u.Login != nil && u.Login.Cookies }) {
		return export.LoginsEach
	}
	return onceWithoutReset(s)
}

// openings returns the steps with which the sessions are opened that cases of a script use.
func openings(s export.Script) []export.Step {
	used := map[*export.Session]bool{}
	for _, c := range s.Cases {
		for _, session := range c.Uses() {
			used[session] = true
		}
	}
	var all []export.Step
	for _, session := range s.Sessions {
		if used[session] {
			all = append(all, session.Steps...)
		}
	}
	return all
}

// opener returns a case that opens all sessions of a script, for all cases: they are its later steps.
func opener(s export.Script) export.Case {
	c := export.Case{Name: "LogIn", Steps: openings(s)}
	for _, other := range s.Cases {
		c.Steps = append(c.Steps, other.Steps...)
	}
	return c
}

// reopened returns for each case of a script the steps that open its sessions anew: those of a
// case that shares none, and of the one after it.
func reopened(s export.Script) [][]export.Step {
	all := make([][]export.Step, len(s.Cases))
	for i, c := range s.Cases {
		if len(s.Sessions) > 0 && (c.Apart || i > 0 && s.Cases[i-1].Apart) {
			all[i] = again(openings(s))
		}
	}
	return all
}

// again are steps that were done before: users whom they make may be there.
func again(steps []export.Step) []export.Step {
	for i := range steps {
		if steps[i].Makes {
			steps[i].Wants = []export.Want{{Kind: export.WantStatus, Values: []string{"200-299", "400-499"}}}
		}
	}
	return steps
}
