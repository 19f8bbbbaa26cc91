package model

import (
	"fmt"
	"strings"
)

// AccessDeniedPolicy says what a run does whose first calls are nearly all answered 401 or 403.
type AccessDeniedPolicy string

// What a run may do then.
const (
	StopWhenDenied     AccessDeniedPolicy = ""      // it ends
	PauseWhenDenied    AccessDeniedPolicy = "pause" // it waits for a person
	ContinueWhenDenied AccessDeniedPolicy = "allow" // it goes on
)

// AccessDenied are the answers to the first calls of a run that is nearly always refused.
type AccessDenied struct {
	Refused int // by 401 or 403,
	Calls   int // of these
	// Users are the names of those who are configured.
	Users []string
	// Ended is the user whom a call ended and who was the last to be accepted, nil where
	// the run is refused for another reason.
	Ended *EndedUser
}

// String says how many calls were refused, or why they are now.
func (d AccessDenied) String() string {
	if d.Ended != nil {
		return d.Ended.String()
	}
	return fmt.Sprintf("%d of the first %d calls were answered 401 or 403", d.Refused, d.Calls)
}

// LikelyCause is the likely reason.
func (d AccessDenied) LikelyCause() string {
	if len(d.Users) == 0 {
		return "no user is configured"
	}
	return "are the credentials of " + strings.Join(d.Users, ", ") + " right?"
}
