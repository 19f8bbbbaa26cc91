package model

import (
	"fmt"
	"strings"
)

// AccessDeniedPolicy is what a run does when nearly all of its first calls are answered 401 or 403, or when
// a call ended its last user.
type AccessDeniedPolicy string

// The policies.
const (
	StopWhenDenied     AccessDeniedPolicy = ""      // the run ends
	PauseWhenDenied    AccessDeniedPolicy = "pause" // the run waits for the user
	ContinueWhenDenied AccessDeniedPolicy = "allow" // the run continues
)

// AccessDenied reports that nearly all of a run's first calls were refused, or that a call ended the last
// user of the run.
type AccessDenied struct {
	Refused int // first calls answered 401 or 403
	Calls   int // first calls that were counted, 0 if a call ended the user
	// Users are the names of the configured users.
	Users []string
	// Ended is the last user that was accepted before a call made its credential invalid;
	// nil if the run is refused for another reason.
	Ended *EndedUser
}

// String returns how many calls were refused or, if a call ended the user, what happened.
func (d AccessDenied) String() string {
	if d.Ended != nil {
		return d.Ended.String()
	}
	return fmt.Sprintf("%d of the first %d calls were answered 401 or 403", d.Refused, d.Calls)
}

// LikelyCause returns a short guess at the reason.
func (d AccessDenied) LikelyCause() string {
	if len(d.Users) == 0 {
		return "no user is configured"
	}
	return "are the credentials of " + strings.Join(d.Users, ", ") + " right?"
}
