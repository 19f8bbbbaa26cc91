// Package oracle finds violations of oracles, which are rules for the answers to a test. It also proposes the checks
// that a test should make of correct answers. It sends nothing. Between tests it keeps only caches, the error messages
// seen so far, the paths of resources that exist in the service's first state, and whether a call without credentials
// was refused. The signature of a finding says which error messages are alike. Package search makes one fault of all
// findings with the same operation, oracle and signature, and finds out whether a fault is reproducible.
//
// Each file has the oracles of one kind, such as schema.go and auth.go. The error messages are compared in
// four steps: signature.go finds the message in an answer, sentvalues.go masks values of the requests,
// messageshape.go replaces numbers, ids and the like, and wording.go compares the words that are left.
package oracle

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
)

// Oracle is a rule that answers must keep.
type Oracle struct {
	Name     string         `json:"name"`
	Severity model.Severity `json:"severity"`
	About    string         `json:"about"` // what violates the rule, in a few words
	// Security reports whether the oracle judges only runs with security tests.
	Security bool `json:"security,omitempty"`
}

// The names of the oracles.
const (
	serverError     = model.ServerErrorOracle
	declaredError   = model.DeclaredErrorOracle
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
	dependency      = model.DependencyErrorOracle
	noTimeout       = "no-time-out"
	endlessRetries  = "retries-without-bound"
	leakedError     = "leaked-dependency-error"
	cutShort        = "answer-cut-short"
	wrongEncoding   = "wrong-encoding"

	danglingLocation = "dangling-location"
	nonIdempotentPut = "non-idempotent-put"
	sideEffects      = "get-with-side-effects"
	invalidAccepted  = "invalid-request-accepted"

	inconsistentFilter = "inconsistent-filter"
	inconsistentSort   = "inconsistent-sort"
	inconsistentPages  = "inconsistent-pages"
	createdUnlisted    = "created-not-listed"
)

// The names of the oracles that judge only the answers of a run with security tests. They are off in other runs.
const (
	sqlInjection      = SQLInjection
	reflectedScript   = "reflected-script"
	serverSideRequest = "server-side-request"
	pathTraversal     = "path-traversal"
	massAssignment    = "mass-assignment"
	methodOverride    = "method-override"
	roleIgnored       = "role-ignored"
	leakedSecret      = "leaked-secret"
)

// AuthIgnored is the name of the oracle for calls that succeed without the required credentials.
const AuthIgnored = "auth-ignored"

// SQLInjection is the name of the oracle for values that become part of a query.
const SQLInjection = "sql-injection"

// JudgesSecurity reports whether an oracle judges security tests.
func JudgesSecurity(name string) bool {
	return name == othersResource || slices.ContainsFunc(all, func(o Oracle) bool { return o.Name == name && o.Security })
}

// ConnectionLeak is the name of the oracle for connections to other hosts that stay open. Answers do not show
// such connections, so package search reports them.
const ConnectionLeak = "connection-leak"

var all = []Oracle{
	{Name: serverError, Severity: model.SeverityError, About: "an answer of 500 or more that the operation does not declare"},
	{Name: string(model.ServiceDied), Severity: model.SeverityError, About: "a call after which the service has ended"},
	{Name: string(model.ServiceHangs), Severity: model.SeverityError, About: "a call after which the service no longer answers"},
	{Name: string(model.NoAnswer), Severity: model.SeverityError, About: "a call that a running service leaves without an answer"},
	{Name: cutShort, Severity: model.SeverityError, About: "an answer of 2xx that ends before its length or its last chunk"},
	{
		Name:     authIgnored,
		Severity: model.SeverityError,
		About:    "a call without credentials that is answered 2xx although the spec requires them",
	},
	{Name: othersResource, Severity: model.SeverityError, About: "a resource that a user other than its owner can use"},
	{Name: readableAfter, Severity: model.SeverityError, About: "a resource that can be read after it was deleted"},
	{Name: refusedApplied, Severity: model.SeverityError, About: "a write that is refused with 4xx and takes effect nevertheless"},
	{
		Name:     dependency,
		Severity: model.SeverityError,
		About:    "an answer of 500 or more, except 502 to 504, while another host misbehaves",
	},
	{Name: noTimeout, Severity: model.SeverityError, About: "a call during which the service waits for a mute host until that gives up"},
	{Name: endlessRetries, Severity: model.SeverityError, About: "a call during which the service contacts one host again and again"},
	{
		Name:     ConnectionLeak,
		Severity: model.SeverityError,
		About:    "connections to another host that are neither closed nor reused",
	},
	{Name: sqlInjection, Severity: model.SeverityError, About: "a value that becomes part of a query", Security: true},
	{Name: reflectedScript, Severity: model.SeverityError, About: "a script in a value that runs in an HTML page", Security: true},
	{Name: pathTraversal, Severity: model.SeverityError, About: "a path in a value that leads to any file", Security: true},
	{Name: massAssignment, Severity: model.SeverityError, About: "a write that sets a property which it must not set", Security: true},
	{Name: methodOverride, Severity: model.SeverityError, About: "a refused write that another method makes in its name", Security: true},
	{Name: roleIgnored, Severity: model.SeverityError, About: "an operation that a user uses who must not call it", Security: true},
	{
		Name:     serverSideRequest,
		Severity: model.SeverityWarning,
		About:    "a call of the service to a host that only the request names",
		Security: true,
	},
	{Name: leakedSecret, Severity: model.SeverityWarning, About: "an answer with a password or a private key", Security: true},
	{Name: schemaBroken, Severity: model.SeverityWarning, About: "an answer that does not match its schema"},
	{Name: danglingLocation, Severity: model.SeverityWarning, About: "a 201 whose Location answers 404 or 410"},
	{Name: nonIdempotentPut, Severity: model.SeverityWarning, About: "a PUT that, sent twice, leaves a different state than sent once"},
	{Name: inconsistentFilter, Severity: model.SeverityWarning, About: "a filtered list with an element that the list lacks"},
	{
		Name:     inconsistentSort,
		Severity: model.SeverityWarning,
		About:    "a sorted list with other elements than the list, or in another order than asked for",
	},
	{Name: inconsistentPages, Severity: model.SeverityWarning, About: "pages that share elements, or lack elements of the list"},
	{Name: createdUnlisted, Severity: model.SeverityWarning, About: "a list without an element that was created and can be read"},
	{
		Name:     leakedError,
		Severity: model.SeverityWarning,
		About:    "an error that names a host which only the service knows, or repeats its answer",
	},
	{
		Name:     wrongEncoding,
		Severity: model.SeverityWarning,
		About:    "a body that is not in the encoding that its header names, or JSON that is not UTF-8",
	},
	{Name: stackTrace, Severity: model.SeverityWarning, About: "a stack trace in an answer"},
	{Name: locationBroken, Severity: model.SeverityWarning, About: "a Location that is not a URI"},
	{Name: declaredError, Severity: model.SeverityNote, About: "an answer of 500 or more that the operation declares, except 502 to 504"},
	{Name: sideEffects, Severity: model.SeverityNote, About: "a GET after which another GET answers differently"},
	{
		Name:     invalidAccepted,
		Severity: model.SeverityNote,
		About:    "a request that lacks a required value, or has a wrong type, and is answered 2xx",
	},
	{Name: undeclared, Severity: model.SeverityNote, About: "a status that the spec does not declare"},
	{Name: undeclaredMedia, Severity: model.SeverityNote, About: "a content type that the spec does not declare"},
	{Name: creationLost, Severity: model.SeverityNote, About: "a 201 without a Location or an id of what was created"},
}

// AllOracles returns all oracles, sorted by severity, the worst first.
func AllOracles() []Oracle { return slices.Clone(all) }

// Switches has true for the name of each enabled oracle.
type Switches map[string]bool

// everything is the name that means all oracles.
const everything = "all"

// ParseSwitches enables all oracles and then applies switches in order: "-NAME" disables an oracle and "NAME"
// enables it. NAME may be "all". It returns an error for an unknown name.
func ParseSwitches(switches []string) (Switches, error) {
	on := Switches{}
	on.set(everything, true)
	for _, s := range switches {
		name, off := strings.CutPrefix(s, "-")
		if !on.set(name, !off) {
			return nil, fmt.Errorf("there is no oracle %q: sonde search --oracles lists them", name)
		}
	}
	return on, nil
}

// set enables or disables an oracle, or all of them, and reports whether the name is known.
func (s Switches) set(name string, to bool) (known bool) {
	for _, o := range all {
		if name == everything || name == o.Name {
			s[o.Name], known = to, true
		}
	}
	return known
}

// SeverityOf returns the severity of the oracle with a name, model.SeverityError if there is none.
func SeverityOf(name string) model.Severity {
	for _, o := range all {
		if o.Name == name {
			return o.Severity
		}
	}
	return model.SeverityError
}
