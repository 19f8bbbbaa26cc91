package format

import (
	"slices"

	"sonde/export"
	"sonde/model"
)

// once: cases share sessions.
func once(export.Suite) export.LoginMode { return export.LoginShared }

// named: cases share sessions, which the helpers open.
func named(export.Suite) export.LoginMode { return export.LoginSharedByName }

// plainly: each case logs in the users whose log-in is a single request that gives a token.
func plainly(export.Suite) export.LoginMode { return export.LoginSimple }

// onceWithoutReset: cases share sessions, unless a request resets the service between them, which may end
// sessions.
func onceWithoutReset(s export.Suite) export.LoginMode {
	if s.Reset != nil && s.Reset.Path != "" {
		return export.LoginPerCase
	}
	return export.LoginShared
}

// onceInHurl is onceWithoutReset, unless log-ins give cookies: Hurl would send these with all calls.
func onceInHurl(s export.Suite) export.LoginMode {
	if slices.ContainsFunc(s.Users, func(u model.User) bool { return u.Login != nil && u.Login.Cookies }) {
		return export.LoginPerCase
	}
	return onceWithoutReset(s)
}

// openings returns the steps that open the sessions which the cases of a script use.
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

// opener returns a case that opens the sessions of a script. The steps of all cases follow, because they
// use the values that it captures.
func opener(s export.Script) export.TestCase {
	c := export.TestCase{Name: "LogIn", Steps: openings(s)}
	for _, other := range s.Cases {
		c.Steps = append(c.Steps, other.Steps...)
	}
	return c
}

// reopened returns for each case the steps that open the sessions again. Only a case that shares no
// sessions has any, and the case after it.
func reopened(s export.Script) [][]export.TestStep {
	all := make([][]export.TestStep, len(s.Cases))
	for i, c := range s.Cases {
		if len(s.Sessions) > 0 && (c.OwnSessions || i > 0 && s.Cases[i-1].OwnSessions) {
			all[i] = again(openings(s))
		}
	}
	return all
}

// again returns steps that are repeated: the users that they create may exist already.
func again(steps []export.TestStep) []export.TestStep {
	for i := range steps {
		if steps[i].CreatesUser {
			steps[i].Assertions = []export.Assertion{{Kind: export.AssertStatus, Values: []string{"200-299", "400-499"}}}
		}
	}
	return steps
}
