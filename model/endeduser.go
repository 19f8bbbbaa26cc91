package model

import "fmt"

// EndedUser is a user whose requests the service accepted at first and then answered 401,
// even after a new log-in.
type EndedUser struct {
	User string `json:"user"`
	// EndedBy is the operation that most likely removed the user or revoked its credential, "" if it is
	// unknown. Request is the request, such as "DELETE /users/1".
	EndedBy OpID   `json:"by,omitempty"`
	Request string `json:"request,omitempty"`
	// Likely reports whether the order of the calls is the only evidence against EndedBy.
	Likely bool `json:"likely,omitempty"`
	// LockedOut reports whether new log-ins are refused while earlier log-ins are still valid.
	LockedOut bool `json:"locked_out,omitempty"`
	// Back reports whether the service accepts the user again after a reset.
	Back bool `json:"back,omitempty"`
}

// String describes in one line what happened and what to do about it.
func (e EndedUser) String() string {
	if e.EndedBy == "" {
		if e.Back {
			return fmt.Sprintf("the service refused the user %q by 401 and accepts it again after a reset", e.User)
		}
		return fmt.Sprintf("the service accepted the user %q and now answers 401 to it: has the credential expired?", e.User)
	}
	by, verb := string(e.EndedBy), "ended"
	if e.Request != by {
		by += fmt.Sprintf(" (sent as %s)", e.Request)
	}
	if e.Likely {
		verb = "most likely ended"
	}
	if e.LockedOut {
		return fmt.Sprintf(
			"%s %s the log-in of the user %q, which continues with an earlier one; this request is not sent again, "+
				"and tests with it are not exported: exclude it in sonde.yaml",
			by, verb, e.User,
		)
	}
	if e.Back {
		return fmt.Sprintf(
			"%s %s the user %q, which was restored; this request is not sent again: exclude it in sonde.yaml",
			by, verb, e.User,
		)
	}
	return fmt.Sprintf(
		"%s %s the user %q: every later call of it is answered 401; exclude it in sonde.yaml, or configure a reset",
		by, verb, e.User,
	)
}
