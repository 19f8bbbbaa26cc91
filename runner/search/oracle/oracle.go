// Package oracle says what must hold of an answer, and of the answers to one
// test after the other; and what to assert of an answer that is as it should be.
package oracle

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
)

// Oracle is one thing that must hold.
type Oracle struct {
	Name     string         `json:"name"`
	Severity model.Severity `json:"severity"`
	About    string         `json:"about"` // what breaks it, in a few words
}

// The names of the oracles.
const (
	serverError     = model.ServerError
	declaredError   = "declared-server-error"
	schemaBroken    = "schema"
	undeclared      = "undeclared-status"
	undeclaredMedia = "undeclared-content-type"
	creationLost    = "creation-without-location"
	locationBroken  = "location-not-a-uri"
	readableAfter   = "readable-after-delete"
	refusedApplied  = "write-refused-but-applied"
	othersResource  = "other-users-resource"
	authIgnored     = AuthIgnored
	stackTrace      = "stack-trace"
	dependency      = model.DependencyError
	noTimeout       = "no-time-out"
	endlessRetries  = "retries-without-bound"
	leakedError     = "leaked-dependency-error"
	cutShort        = "answer-cut-short"
	wrongEncoding   = "wrong-encoding"

	danglingLocation = "dangling-location"
	nonIdempotentPut = "non-idempotent-put"
	sideEffects      = "get-with-side-effects"
	invalidAccepted  = "invalid-request-accepted"
)

// AuthIgnored is the name of the oracle of calls without credentials.
const AuthIgnored = "auth-ignored"

// ConnectionLeak is the name of the oracle of what no answer tells: connections to
// other hosts that stay open.
const ConnectionLeak = "connection-leak"

var all = []Oracle{
	{Name: serverError, Severity: model.SeverityError, About: "an answer of 500 or more that the operation does not declare"},
	{Name: string(model.ServiceDied), Severity: model.SeverityError, About: "a call after which the service has ended"},
	{Name: string(model.ServiceHangs), Severity: model.SeverityError, About: "a call after which the service answers nobody"},
	{Name: string(model.NoAnswer), Severity: model.SeverityError, About: "a call that a living service leaves without an answer"},
	{Name: cutShort, Severity: model.SeverityError, About: "an answer of 2xx that ends before its length or its last chunk"},
	{
		Name:     authIgnored,
		Severity: model.SeverityError,
		About:    "a call without credentials that is answered 2xx where the spec asks for them",
	},
	{Name: othersResource, Severity: model.SeverityError, About: "a thing that somebody other than its owner can use"},
	{Name: readableAfter, Severity: model.SeverityError, About: "a thing that can be read after it was deleted"},
	{Name: refusedApplied, Severity: model.SeverityError, About: "a write that is refused with 4xx and done all the same"},
	{
		Name:     dependency,
		Severity: model.SeverityError,
		About:    "an answer of 500 or more, but for 502 to 504, while a host outside misbehaves",
	},
	{Name: noTimeout, Severity: model.SeverityError, About: "a call during which the service waits for a mute host until that gives up"},
	{Name: endlessRetries, Severity: model.SeverityError, About: "a call during which the service turns to one host again and again"},
	{
		Name:     ConnectionLeak,
		Severity: model.SeverityError,
		About:    "connections to a host outside that are opened and neither closed nor used again",
	},
	{Name: schemaBroken, Severity: model.SeverityWarning, About: "an answer that is not as its schema says"},
	{Name: danglingLocation, Severity: model.SeverityWarning, About: "a 201 whose Location answers 404 or 410"},
	{Name: nonIdempotentPut, Severity: model.SeverityWarning, About: "a PUT that, sent twice, leaves another state than sent once"},
	{
		Name:     leakedError,
		Severity: model.SeverityWarning,
		About:    "an error that tells of a host which only the service knows, or repeats its answer",
	},
	{
		Name:     wrongEncoding,
		Severity: model.SeverityWarning,
		About:    "a body that is not in the encoding which its header names, or JSON that is not UTF-8",
	},
	{Name: stackTrace, Severity: model.SeverityWarning, About: "a stack trace in an answer"},
	{Name: locationBroken, Severity: model.SeverityWarning, About: "a Location that is no URI"},
	{Name: declaredError, Severity: model.SeverityNote, About: "an answer of 500 or more that the operation declares, except 502 to 504"},
	{Name: sideEffects, Severity: model.SeverityNote, About: "a GET after which another GET answers otherwise"},
	{
		Name:     invalidAccepted,
		Severity: model.SeverityNote,
		About:    "a request that lacks what is required, or has a wrong type, and is answered 2xx",
	},
	{Name: undeclared, Severity: model.SeverityNote, About: "a status that the spec does not declare"},
	{Name: undeclaredMedia, Severity: model.SeverityNote, About: "a content type that the spec does not declare"},
	{Name: creationLost, Severity: model.SeverityNote, About: "a 201 with neither a Location nor an id of what was made"},
}

// All returns every oracle, the worst first.
func All() []Oracle { return slices.Clone(all) }

// Switches are the oracles that are on.
type Switches map[string]bool

// everything is the name that stands for each oracle.
const everything = "all"

// ParseSwitches reads what is switched off, as "-NAME", and on, as "NAME", in this
// order. At first all are on. The error names what is no oracle.
func ParseSwitches(turns []string) (Switches, error) {
	on := Switches{}
	on.set(everything, true)
	for _, turn := range turns {
		name, off := strings.CutPrefix(turn, "-")
		if !on.set(name, !off) {
			return nil, fmt.Errorf("there is no oracle %q: sonde search --oracles lists them", name)
		}
	}
	return on, nil
}

func (s Switches) set(name string, to bool) (known bool) {
	for _, o := range all {
		if name == everything || name == o.Name {
			s[o.Name], known = to, true
		}
	}
	return known
}

// SeverityOf returns how bad it is to break an oracle.
func SeverityOf(name string) model.Severity {
	for _, o := range all {
		if o.Name == name {
			return o.Severity
		}
	}
	return model.SeverityError
}
