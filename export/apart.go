package export

import (
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// What segments of a path are called: ends where an operation ends a session, holds where it is
// about what users log in with, and people where it is about users.
var (
	ends  = regexp.MustCompile(`(?i)log[-_]?(out|off)|sign[-_]?(out|off)|revoke|invalidate|expire|deactivate`)
	holds = regexp.MustCompile(
		`(?i)(^|[-_.])(profile|me|self|sessions?|tokens?|auth|login|signin|passwords?|passwd|credentials?)($|[-_.])`,
	)
	people = regexp.MustCompile(`(?i)(^|[-_.])(users?|accounts?|members?|admins?)($|[-_.])`)
)

// changesLogin reports whether a call of a test may end what log-ins gave, or change what users log in
// with: where in doubt it does, which costs a log-in.
func (s Suite) changesLogin(t model.Test) bool {
	if !slices.ContainsFunc(s.callersOf(t), opens) {
		return false
	}
	return slices.ContainsFunc(t.Calls, func(c model.Call) bool {
		return c.Status != 0 && mayChangeLogin(c)
	})
}

func mayChangeLogin(c model.Call) bool {
	method, path, _ := strings.Cut(string(c.Op), " ")
	segments := strings.Split(path, "/")
	if slices.ContainsFunc(segments, ends.MatchString) {
		return true
	}
	if c.User == "" || slices.Contains([]string{"GET", "HEAD", "OPTIONS"}, method) {
		return false
	}
	if method == "POST" && people.MatchString(segments[len(segments)-1]) { // it makes another one
		return false
	}
	return slices.ContainsFunc(segments, holds.MatchString) || slices.ContainsFunc(segments, people.MatchString)
}

// callersOf returns the users who make calls of a test.
func (s Suite) callersOf(t model.Test) []model.User {
	s.Tests = []model.Test{t}
	return s.callers()
}
