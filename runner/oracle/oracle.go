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
	{serverError, model.SeverityError, "an answer of 500 or more that the operation does not declare"},
	{string(model.ServiceDied), model.SeverityError, "a call after which the service has ended"},
	{string(model.ServiceHangs), model.SeverityError, "a call after which the service answers nobody"},
	{string(model.NoAnswer), model.SeverityError, "a call that a living service leaves without an answer"},
	{cutShort, model.SeverityError, "an answer of 2xx that ends before its length or its last chunk"},
	{authIgnored, model.SeverityError, "a call without credentials that is answered 2xx where the spec asks for them"},
	{othersResource, model.SeverityError, "a thing that somebody other than its owner can use"},
	{readableAfter, model.SeverityError, "a thing that can be read after it was deleted"},
	{refusedApplied, model.SeverityError, "a write that is refused with 4xx and done all the same"},
	{dependency, model.SeverityError, "an answer of 500 or more, but for 502 to 504, while a host outside misbehaves"},
	{noTimeout, model.SeverityError, "a call during which the service waits for a mute host until that gives up"},
	{endlessRetries, model.SeverityError, "a call during which the service turns to one host again and again"},
	{ConnectionLeak, model.SeverityError, "connections to a host outside that are opened and neither closed nor used again"},
	{schemaBroken, model.SeverityWarning, "an answer that is not as its schema says"},
	{danglingLocation, model.SeverityWarning, "a 201 whose Location answers 404 or 410"},
	{nonIdempotentPut, model.SeverityWarning, "a PUT that, sent twice, leaves another state than sent once"},
	{leakedError, model.SeverityWarning, "an error that tells of a host which only the service knows, or repeats its answer"},
	{wrongEncoding, model.SeverityWarning, "a body that is not in the encoding which its header names, or JSON that is not UTF-8"},
	{stackTrace, model.SeverityWarning, "a stack trace in an answer"},
	{locationBroken, model.SeverityWarning, "a Location that is no URI"},
	{declaredError, model.SeverityNote, "an answer of 500 or more that the operation declares, except 502 to 504"},
	{sideEffects, model.SeverityNote, "a GET after which another GET answers otherwise"},
	{invalidAccepted, model.SeverityNote, "a request that lacks what is required, or has a wrong type, and is answered 2xx"},
	{undeclared, model.SeverityNote, "a status that the spec does not declare"},
	{undeclaredMedia, model.SeverityNote, "a content type that the spec does not declare"},
	{creationLost, model.SeverityNote, "a 201 with neither a Location nor an id of what was made"},
}

// All returns every oracle, the worst first.
func All() []Oracle { return slices.Clone(all) }

// Switches are the oracles that are on.
type Switches map[string]bool

// everything is the name that stands for each oracle.
const everything = "all"

// Switch reads what is switched off, as "-NAME", and on, as "NAME", in this
// order. At first all are on. The error names what is no oracle.
func Switch(turns []string) (Switches, error) {
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
