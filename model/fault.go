package model

import "strconv"

// Severity is how serious a fault is.
type Severity string

// The severities. A run that found an error or a warning which is not flaky ends with exit code 1. Notes
// are only reported.
const (
	SeverityError   Severity = "error"   // a fault of the service itself, such as a crash
	SeverityWarning Severity = "warning" // the answer violates the spec, or reveals too much
	SeverityNote    Severity = "note"    // the spec is incomplete
)

// Verdict is the result of repeating the calls that showed a fault, "" if they were not
// repeated.
type Verdict string

// The verdicts after a fault's calls were repeated.
const (
	VerdictReproducible Verdict = "reproducible" // the fault was reproduced each time
	VerdictFlaky        Verdict = "flaky"        // the fault was not reproduced each time
	// VerdictEarlierState means that the fault needs state that earlier tests left in the service. It is
	// only given if the service cannot be reset.
	VerdictEarlierState Verdict = "depends on earlier state"
)

// Fault is a wrong answer of the service, or a missing one. All occurrences with the same
// operation, oracle and signature are one Fault.
type Fault struct {
	// ID is f1, f2 and so on, in the order of the run.
	ID       string   `json:"id,omitempty"`
	Op       OpID     `json:"op"`
	Oracle   string   `json:"oracle"` // the name of the violated rule
	Severity Severity `json:"severity"`
	Status   int      `json:"status,omitempty"` // of the answer, 0 if there was none
	// Input is the class of the faulty call's request in Test.
	Input    Input  `json:"input,omitzero"`
	Expected string `json:"expected"`
	// Text is the beginning of the answer, or a description of the observed behaviour. It is safe to print.
	Text string `json:"came"`
	// Signature is the message without its variable parts, preceded by the status if the status matters.
	Signature string  `json:"signature"`
	Verdict   Verdict `json:"verdict,omitempty"`
	// Unrepeated is the reason why a fault of a finished run has no verdict.
	Unrepeated string `json:"unrepeated,omitempty"`
	Count      int    `json:"count"` // number of occurrences, not counting repetitions
	// Merged is the number of violations that were not reported as faults of their own, because the number of faults
	// for each operation and oracle is limited. Only the first of these faults has the number. If no operation of the
	// service requires credentials, the first fault of the oracle auth-ignored also counts the violations of all other
	// operations.
	Merged int `json:"merged,omitempty"`
	Calls  int `json:"calls"` // number of calls that reproduce the fault, including the faulty one
	At     int `json:"at"`    // number of the call that found the fault
	// Test is the shortest test that showed the fault with an Input of the most severe class. Its last call is the
	// faulty one. It must not be changed.
	Test *Test `json:"test,omitempty"`
	// Compared has the indexes of the earlier calls of Test without which the last answer would be no violation, as far as
	// the oracle names them. It is not stored.
	Compared []int `json:"-"`
	// Exchanges are the exchanges of Test's calls; nil in runs of older versions of Sonde.
	Exchanges []ExchangeExcerpt `json:"seen,omitempty"`
	// Run is the folder of the run that found the fault, as in a test's Provenance.
	Run string `json:"-"`
}

// ExchangeExcerpt is a request with its answer that can be stored safely: secrets are masked, and only
// headers that describe the content of the answer are kept.
type ExchangeExcerpt struct {
	URL    string              `json:"url"` // path and query
	Header map[string][]string `json:"header,omitempty"`
	Status int                 `json:"status,omitempty"`
	Body   string              `json:"body,omitempty"`
	Cut    bool                `json:"cut,omitempty"` // Body is only the beginning of the answer
	Err    string              `json:"err,omitempty"` // why there was no answer
}

// Repeated returns the verdict, or the reason why there is none.
func (f Fault) Repeated() string {
	switch {
	case f.Verdict != "":
		return string(f.Verdict)
	case f.Unrepeated != "":
		return "not repeated: " + f.Unrepeated
	}
	return "not repeated"
}

// NumberFaults sets IDs of faults that lack one, as in runs of older versions.
func NumberFaults(all []Fault) {
	for i := range all {
		if all[i].ID == "" {
			all[i].ID = FaultID(i)
		}
	}
}

// FaultID returns the ID of the fault at an index of the run's list of faults. The ID of the first fault is "f1".
func FaultID(at int) string { return "f" + strconv.Itoa(at+1) }

// The names of the oracles for server errors, which judge only the status.
const (
	ServerErrorOracle     = "server-error"
	DeclaredErrorOracle   = "declared-server-error"
	DependencyErrorOracle = "dependency-error"
)

// Label returns the fault in a word: the status if the status is the fault, else the oracle.
func (f Fault) Label() string {
	if f.IsStatusFault() {
		return strconv.Itoa(f.Status)
	}
	return f.Oracle
}

// IsStatusFault reports whether the fault is the status of the answer.
func (f Fault) IsStatusFault() bool {
	return f.Status >= 500 && (f.Oracle == ServerErrorOracle || f.Oracle == DependencyErrorOracle)
}

// IsBetterShown reports whether the test of f shows the fault better than the test of kept, where both are the same
// fault. The better test has an input of a class with more severe faults; see InputClasses. Of two tests with inputs
// of the same class, the shorter one is better. If the class of kept's input is unknown, as in runs of earlier
// versions, a shorter test is better unless it would lower the severity.
func (f Fault) IsBetterShown(kept Fault) bool {
	if kept.Input.Class == "" {
		return f.Calls < kept.Calls && (f.Severity == kept.Severity || f.Severity == SeverityError)
	}
	if d := f.Input.Rank() - kept.Input.Rank(); d != 0 {
		return d < 0
	}
	return f.Calls < kept.Calls
}

// CountsAsFailure reports whether the fault makes a run fail.
func (f Fault) CountsAsFailure() bool { return f.Severity != SeverityNote && f.Verdict != VerdictFlaky }

// OwnedResource declares that the resources at a path, and all resources below them, belong to the user who
// created them.
type OwnedResource struct {
	// Path is the template of such a resource, such as "/orders/{orderId}". The resource is created by POST
	// on the path without its last segment, or by PUT on the path itself.
	Path string `json:"path"`
	// Shared are the names of users who may see the resources of all users.
	Shared []string `json:"shared,omitempty"`
}

// RestrictedOperations are operations that only the named users may call.
type RestrictedOperations struct {
	Operations []OpID   `json:"operations"`
	Users      []string `json:"users"`
}
