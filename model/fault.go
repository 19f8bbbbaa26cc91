package model

import "strconv"

// Severity says how bad a fault is.
type Severity string

// The severities. A run that found an error or a warning ends with exit code
// 1; notes are only told.
const (
	SeverityError   Severity = "error"   // the service does what it must not
	SeverityWarning Severity = "warning" // it does not keep to its spec, or tells too much
	SeverityNote    Severity = "note"    // its spec does not tell all
)

// Verdict is what came of repeating the calls that showed a fault; "" where
// they were not repeated.
type Verdict string

// The verdicts.
const (
	VerdictReproducible Verdict = "reproducible" // it came each time
	VerdictFlaky        Verdict = "flaky"        // it did not
	// VerdictEarlierState is the verdict of a run without a reset: the fault shows only
	// on what earlier tests left in the service.
	VerdictEarlierState Verdict = "depends on earlier state"
)

// Fault is a wrong answer of the service, or none. One fault stands for all
// that have its operation, oracle and signature.
type Fault struct {
	// ID is what a person calls the fault: f1, f2 and so on in the order of the run.
	ID       string   `json:"id,omitempty"`
	Op       OpID     `json:"op"`
	Oracle   string   `json:"oracle"` // the name of what must hold and does not
	Severity Severity `json:"severity"`
	Status   int      `json:"status,omitempty"` // of the answer, 0 where none came
	Expected string   `json:"expected"`
	// Text is what came: the first words of the answer, or what happened. It is
	// safe to print.
	Text string `json:"came"`
	// Signature is the status, where it matters, and the message without what differs
	// from time to time.
	Signature string  `json:"signature"`
	Verdict   Verdict `json:"verdict,omitempty"`
	// Unrepeated says why a finished run has no verdict.
	Unrepeated string `json:"unrepeated,omitempty"`
	Count      int    `json:"count"` // how often it came, repetitions left out
	// Merged is how often the operation broke the oracle with yet other messages
	// than those of its faults, of which there may only be a few: this is the first.
	Merged int `json:"merged,omitempty"`
	Calls  int `json:"calls"` // how many calls lead to it, itself among them
	At     int `json:"at"`    // the number of the call that found it
	// Test is the shortest that showed it: its last call is the faulty one. It
	// is never changed.
	Test *Test `json:"test,omitempty"`
	// Exchanges is what was sent and answered in the calls of Test; nil where an older Sonde
	// did not keep that.
	Exchanges []ExchangeExcerpt `json:"seen,omitempty"`
	// Run is the folder of the run that found it, as in a test's Provenance.
	Run string `json:"-"`
}

// ExchangeExcerpt is one call as it was sent and answered. What it holds is safe to keep:
// secrets are masked, and of the headers only those are there that say what came.
type ExchangeExcerpt struct {
	URL    string              `json:"url"` // path and query
	Header map[string][]string `json:"header,omitempty"`
	Status int                 `json:"status,omitempty"`
	Body   string              `json:"body,omitempty"`
	Cut    bool                `json:"cut,omitempty"` // more came than Body has
	Err    string              `json:"err,omitempty"` // why no answer came
}

// Repeated says what came of repeating a fault, or why there is no verdict.
func (f Fault) Repeated() string {
	switch {
	case f.Verdict != "":
		return string(f.Verdict)
	case f.Unrepeated != "":
		return "not repeated: " + f.Unrepeated
	}
	return "not repeated"
}

// NumberFaults gives those faults an ID that have none: those of older runs.
func NumberFaults(all []Fault) {
	for i := range all {
		if all[i].ID == "" {
			all[i].ID = FaultID(i)
		}
	}
}

// FaultID is the ID of the fault at a place of the run's list.
func FaultID(at int) string { return "f" + strconv.Itoa(at+1) }

// The names of the oracles that judge a status alone.
const (
	ServerErrorOracle     = "server-error"
	DependencyErrorOracle = "dependency-error"
)

// Label is what went wrong in a word: the answer's status where that is the
// fault, else the oracle.
func (f Fault) Label() string {
	if f.IsStatusFault() {
		return strconv.Itoa(f.Status)
	}
	return f.Oracle
}

// IsStatusFault reports whether the status of the answer is what is wrong with it.
func (f Fault) IsStatusFault() bool {
	return f.Status >= 500 && (f.Oracle == ServerErrorOracle || f.Oracle == DependencyErrorOracle)
}

// CountsAsFailure reports whether a run with the fault has failed.
func (f Fault) CountsAsFailure() bool { return f.Severity != SeverityNote && f.Verdict != VerdictFlaky }

// OwnedResource says that what is created at a path belongs to the user who creates
// it, and so does all that is below.
type OwnedResource struct {
	// Path is the template of one such thing, such as "/orders/{orderId}". It is
	// created by POST on the path without its last segment, or PUT on itself.
	Path string `json:"path"`
	// Shared are the names of users who may see everybody's.
	Shared []string `json:"shared,omitempty"`
}
