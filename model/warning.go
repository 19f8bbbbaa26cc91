package model

// Warning is a sign that a run as a whole did not work as intended.
type Warning struct {
	Kind WarningKind `json:"kind"`
	Op   OpID        `json:"op,omitempty"` // "" for a warning about all operations
	// Text is one line that is safe to print and says what to do.
	Text string `json:"text"`
}

// WarningKind is the kind of a warning.
type WarningKind string

// The kinds of warnings.
const (
	// WarnAccessDenied: nearly all answers are 401 or 403.
	WarnAccessDenied WarningKind = "auth"
	// WarnLogin: a user can no longer log in.
	WarnLogin WarningKind = "login"
	// WarnUser: a call removed a user or revoked its credential; see EndedUser.
	WarnUser WarningKind = "user"
	// WarnRate: the service often limits the rate of calls.
	WarnRate WarningKind = "rate"
	// WarnPath: nearly all answers are 404.
	WarnPath WarningKind = "path"
	// WarnProbes: the service was built with probes and reports no coverage.
	WarnProbes WarningKind = "probes"
	// WarnDriver: the service's driver does not report all that it should.
	WarnDriver WarningKind = "driver"
	// WarnNetwork: the service bypasses its virtual network.
	WarnNetwork WarningKind = "network"
	// WarnReset: a reset by clean leaves rows.
	WarnReset WarningKind = "reset"
	// WarnNo2xx: no answer is 2xx.
	WarnNo2xx WarningKind = "no-2xx"
	// WarnNever2xx: an operation never answered 2xx, though other operations did.
	WarnNever2xx WarningKind = "never-2xx"
)
