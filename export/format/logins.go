package format

import (
	"slices"

	"sonde/export"
	"sonde/model"
)

// sharedLogins lets cases share sessions.
func sharedLogins(export.Suite) export.LoginMode { return export.LoginShared }

// sharedLoginsByName lets cases share sessions that the helpers open.
func sharedLoginsByName(export.Suite) export.LoginMode { return export.LoginSharedByName }

// simpleLogins makes each case log in its users, if the log-in is a single request that returns a token.
// Environment variables replace other log-ins.
func simpleLogins(export.Suite) export.LoginMode { return export.LoginSimple }

// sharedLoginsUnlessReset lets cases share sessions. If a request resets the service between cases, each case logs in
// by itself, because the reset may end sessions.
func sharedLoginsUnlessReset(s export.Suite) export.LoginMode {
	if s.Reset != nil && s.Reset.Path != "" {
		return export.LoginPerCase
	}
	return export.LoginShared
}

// hurlLogins makes each case log in by itself if log-ins return cookies, because Hurl would send the
// cookies of shared sessions with all calls. Without cookies it returns the result of
// sharedLoginsUnlessReset.
func hurlLogins(s export.Suite) export.LoginMode {
	if slices.ContainsFunc(s.Users, func(u model.User) bool { return u.Login != nil && u.Login.Cookies }) {
		return export.LoginPerCase
	}
	return sharedLoginsUnlessReset(s)
}

// openingSteps returns the steps that open the sessions which the cases of a script use.
func openingSteps(s export.Script) []export.TestStep {
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

// openingCase returns a case that opens the sessions of a script. It also has the steps of all cases, so
// that captures finds the uses of the values.
func openingCase(s export.Script) export.TestCase {
	c := export.TestCase{Name: "LogIn", Steps: openingSteps(s)}
	for _, other := range s.Cases {
		c.Steps = append(c.Steps, other.Steps...)
	}
	return c
}

// reopeningSteps returns for each case the steps that open the sessions again. Only a case with OwnSessions
// and the case after it need such steps.
func reopeningSteps(s export.Script) [][]export.TestStep {
	all := make([][]export.TestStep, len(s.Cases))
	for i, c := range s.Cases {
		if len(s.Sessions) > 0 && (c.OwnSessions || i > 0 && s.Cases[i-1].OwnSessions) {
			all[i] = repeated(openingSteps(s))
		}
	}
	return all
}

// repeated changes steps that run a second time. A step that creates a user then also accepts a 4xx status, because
// the user may exist already. repeated returns the same steps.
func repeated(steps []export.TestStep) []export.TestStep {
	for i := range steps {
		if steps[i].CreatesUser {
			steps[i].Assertions = []export.Assertion{{Kind: export.AssertStatus, Values: []string{"200-299", "400-499"}}}
		}
	}
	return steps
}
