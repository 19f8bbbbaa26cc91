package model

// Warning is something about a whole run that is hardly as anybody meant it.
type Warning struct {
	Kind WarningKind `json:"kind"`
	Op   OpID        `json:"op,omitempty"` // "" where it is about all of them
	// Text is one line that is safe to print, with the way out.
	Text string `json:"text"`
}

// WarningKind tells warnings apart.
type WarningKind string

// The kinds of warnings.
const (
	// WarnAccessDenied: nearly all answers are 401 or 403.
	WarnAccessDenied WarningKind = "auth"
	// WarnLogin: a user who could log in cannot any more.
	WarnLogin WarningKind = "login"
	// WarnUser: a call ended a user.
	WarnUser WarningKind = "user"
	// WarnRate: the service often asks for fewer calls.
	WarnRate WarningKind = "rate"
	// WarnPath: nearly all answers are 404.
	WarnPath WarningKind = "path"
	// WarnProbes: the service was built with probes and does not use them.
	WarnProbes WarningKind = "probes"
	// WarnDriver: the service's driver does not tell all that it should.
	WarnDriver WarningKind = "driver"
	// WarnNetwork: the service goes around its virtual network.
	WarnNetwork WarningKind = "network"
	// WarnNo2xx: not one answer is 2xx.
	WarnNo2xx WarningKind = "no-2xx"
	// WarnNever2xx: an operation never answered 2xx, though others did.
	WarnNever2xx WarningKind = "never-2xx"
)
