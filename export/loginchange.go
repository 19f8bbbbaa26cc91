package export

import (
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// Patterns for segments of a path.
var (
	// endingSegments match segments of operations that end a session.
	endingSegments = regexp.MustCompile(`(?i)log[-_]?(out|off)|sign[-_]?(out|off)|revoke|invalidate|expire|deactivate`)
	// loginSegments match segments of operations on credentials.
	loginSegments = regexp.MustCompile(
		`(?i)(^|[-_.])(profile|me|self|sessions?|tokens?|auth|login|signin|passwords?|passwd|credentials?)($|[-_.])`,
	)
	// userSegments match segments for users.
	userSegments = regexp.MustCompile(`(?i)(^|[-_.])(users?|accounts?|members?|admins?)($|[-_.])`)
)

// ownSessions reports whether a test must not share sessions with other tests.
func (l userList) ownSessions(t model.Test) bool {
	return t.Mock != nil && t.Mock.OwnSessions || l.changedBy(t)
}

// changedBy reports whether a call of a test may end the session of a user who logs in, or may change the
// user's credentials. In doubt it returns true, which costs one more log-in.
func (l userList) changedBy(t model.Test) bool {
	if !slices.ContainsFunc(l.callersIn(t), hasLogin) {
		return false
	}
	return slices.ContainsFunc(t.Calls, func(c model.Call) bool {
		return c.Status != 0 && mayChangeLogin(c)
	})
}

// mayChangeLogin reports whether a call may end a session or change credentials, judging by its method and
// path.
func mayChangeLogin(c model.Call) bool {
	method, path, _ := strings.Cut(string(c.Op), " ")
	segments := strings.Split(path, "/")
	if slices.ContainsFunc(segments, endingSegments.MatchString) {
		return true
	}
	if c.User == "" || model.IsSafeMethod(method) {
		return false
	}
	if method == "POST" && userSegments.MatchString(segments[len(segments)-1]) { // the call creates another user
		return false
	}
	return slices.ContainsFunc(segments, loginSegments.MatchString) || slices.ContainsFunc(segments, userSegments.MatchString)
}
