package model

import (
	"fmt"
	"strings"
)

// AccessDeniedPolicy says what a run does in two cases: the service answers nearly all of its first calls with 401 or
// 403, or a call removed the last user of the run (see EndedUser).
type AccessDeniedPolicy string

// The policies for a run to which the service denies access.
const (
	StopWhenDenied     AccessDeniedPolicy = ""      // the run ends
	PauseWhenDenied    AccessDeniedPolicy = "pause" // the run waits for the user
	ContinueWhenDenied AccessDeniedPolicy = "allow" // the run continues
)

// AccessDenied says that the service refused nearly all of a run's first calls, or that a call removed the last user
// of the run.
type AccessDenied struct {
	Refused int // number of first calls that were answered 401 or 403
	Calls   int // number of first calls; 0 if a call removed the last user
	// Users are the names of the configured users.
	Users []string
	// Ended is the last user with a valid credential, whom a call removed. It is nil if the calls were refused for
	// another reason.
	Ended *EndedUser
}

// String returns the number of refused calls. If a call removed the last user, it returns what happened to this user.
func (d AccessDenied) String() string {
	if d.Ended != nil {
		return d.Ended.String()
	}
	return fmt.Sprintf("%d of the first %d calls were answered 401 or 403", d.Refused, d.Calls)
}

// LikelyCause returns a short guess at why the calls were refused.
func (d AccessDenied) LikelyCause() string {
	if len(d.Users) == 0 {
		return "no user is configured"
	}
	return "are the credentials of " + strings.Join(d.Users, ", ") + " right?"
}
