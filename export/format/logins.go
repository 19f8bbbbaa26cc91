package format

import (
	"slices"

	"sonde/export"
	"sonde/model"
)

// once logs users in once for all cases, and named has helpers do so.
func once(export.Suite) export.LoginMode  { return export.LoginShared }
func named(export.Suite) export.LoginMode { return export.LoginSharedByName }

// plainly logs users in in each case whose log-in is a request of the service that gives a token.
func plainly(export.Suite) export.LoginMode { return export.LoginSimple }

// onceWithoutReset logs users in once, unless requests reset the service between the cases, which
// may end what a log-in gave.
func onceWithoutReset(s export.Suite) export.LoginMode {
	if s.Reset != nil && s.Reset.Path != "" {
		return export.LoginPerCase
	}
	return export.LoginShared
}

// onceInHurl returns that, unless log-ins give cookies: Hurl would send those with all calls.
func onceInHurl(s export.Suite) export.LoginMode {
	if slices.ContainsFunc(s.Users, func(u model.User) bool { return u.Login != nil && u.Login.Cookies }) {
		return export.LoginPerCase
	}
	return onceWithoutReset(s)
}

// openings returns the steps with which the sessions are opened that cases of a script use.
func openings(s export.Script) []export.TestStep {
	used := map[*export.Session]bool{}
	for _, c := range s.Cases {
		for _, session := range c.UsedSessions() {
			used[session] = true
		}
	}
	var all []export.TestStep
	for _, session := range s.Sessions {
		if used[session] {
			all = append(all, session.Steps...)
		}
	}
	return all
}

// opener returns a case that opens all sessions of a script, for all cases: they are its later steps.
func opener(s export.Script) export.TestCase {
	c := export.TestCase{Name: "LogIn", Steps: openings(s)}
	for _, other := range s.Cases {
		c.Steps = append(c.Steps, other.Steps...)
	}
	return c
}

// reopened returns for each case of a script the steps that open its sessions anew: those of a
// case that shares none, and of the one after it.
func reopened(s export.Script) [][]export.TestStep {
	all := make([][]export.TestStep, len(s.Cases))
	for i, c := range s.Cases {
		if len(s.Sessions) > 0 && (c.OwnSessions || i > 0 && s.Cases[i-1].OwnSessions) {
			all[i] = again(openings(s))
		}
	}
	return all
}

// again are steps that were done before: users whom they make may be there.
func again(steps []export.TestStep) []export.TestStep {
	for i := range steps {
		if steps[i].CreatesUser {
			steps[i].Assertions = []export.Assertion{{Kind: export.AssertStatus, Values: []string{"200-299", "400-499"}}}
		}
	}
	return steps
}
