package model

import (
	"fmt"
	"time"
)

// Recording is real traffic of a service: the requests that it answered, and its own calls to other hosts.
// It contains no secrets: they are replaced by pseudonyms of the same form. Equal secrets have equal
// pseudonyms.
type Recording struct {
	// Title and SpecHash are the title and hash of the spec with which the traffic was recorded.
	Title    string
	SpecHash string
	// Spec is the source of the spec: an absolute path, a URL, "-" for standard input, or "demo".
	Spec string
	// Service says how to start the service as in the recording, so that it uses the same hosts. It is nil if
	// unknown.
	Service *Service
	// BaseURL is the URL of the service itself, not of the proxy that Sonde puts before it.
	BaseURL string
	Users   []User
	Reset   *Reset
	// Masks are the rules by which values were replaced by pseudonyms, such as "email".
	Masks []string
	// Ready is when the service was ready for requests, the zero time if unknown. Outward calls before this time
	// belong to the start of the service.
	Ready time.Time
	// StateSnapshots are the snapshots of the service's state, in the order in which they were taken. SnapshotFolder
	// contains one folder for each snapshot.
	StateSnapshots []StateSnapshot
	SnapshotFolder string
	// StateFiles are the absolute paths of the files and folders that the snapshots copy. It is nil if a command took
	// the snapshots.
	StateFiles []string
	// Served are the requests that the service answered, in the order in which they arrived.
	Served []ServedRequest
	// CodeStatements has the number of statements of each code target of the service, 0 for a branch. The index is
	// the number of the target. CodeStatements is nil if the recording does not say which code the service ran.
	CodeStatements []int
	// Unattributed are outward calls of the service that belong to no known request.
	Unattributed []OutwardCall
	// Warnings are lines about data that was lost or not recorded.
	Warnings []string
}

// StateSnapshot is a snapshot of the service's state. It was taken while the service was processing no request.
type StateSnapshot struct {
	Name string    `json:"name"` // the name of its folder
	At   time.Time `json:"at"`
}

// SpecMismatch returns a warning of one line if the recording was made with another version of the spec,
// otherwise "".
func (r Recording) SpecMismatch(s *Spec) string {
	if r.SpecHash == "" || s.SameContract(r.SpecHash) {
		return ""
	}
	return fmt.Sprintf(
		"the recording was made with another version of the spec (%.60q): its operations are found anew in %.60q, "+
			"and what is in neither is left out",
		r.Title, s.Title,
	)
}

// ServedRequest is a request that the service answered.
type ServedRequest struct {
	// ID is unique in the recording: the 32 hex digits of the request's trace ID.
	ID string
	Exchange
	// User is the name of the configured user whose credential was sent, "" for an anonymous or unknown
	// user.
	User string
	// Session identifies the client as well as possible. It is a pseudonym of the credential, of the cookie
	// or, if there are neither, of the connection.
	Session string
	// OutwardCalls are the service's calls to other hosts that this request caused, in the order in which
	// they started.
	OutwardCalls []OutwardCall
	// Covered are the code targets that the service covered while it processed this request, nil if unknown. If
	// several requests that overlap cover a target, the Covered of only one of them may have it. CoveredByOthers
	// reports whether some of the targets may have been covered by other requests instead.
	Covered         TargetSet
	CoveredByOthers bool
}

// OutwardCall is a call of the service to another host, with its answer.
type OutwardCall struct {
	ID string
	// Host is the address that the service called, in the form of Stub.Host. Name is the name of the real
	// host at that address.
	Host string
	Name string
	// Protocol is HTTP, TCP, UDP or a database's.
	Protocol Protocol
	TLS      bool
	// Exchange is the HTTP request and reply. For other protocols it has only times and the error.
	Exchange
	// Messages are the data that the service sent and received in the call. For TCP, these are the messages of the
	// call, not of the whole connection. For UDP, they are a datagram with its answers. For a database, they are a
	// request with its reply, both as JSON.
	Messages []MessagePair
	// Connection identifies the TCP connection of the messages. Several calls may use the same connection one after
	// another. Connection is "" if it is unknown, and for protocols other than TCP.
	Connection string
	// CauseID is the ID of the request that caused the call, "" if unknown.
	CauseID     string
	Attribution Attribution
}

// EndTime returns the time when the exchange ended.
func (x Exchange) EndTime() time.Time { return x.At.Add(x.Took) }

// MessagePair is data that the service sent, with the answer: all data that the service received until it sent again.
type MessagePair struct {
	Request []byte `json:"words,omitempty"`
	Answer  []byte `json:"answer,omitempty"`
}

// Attribution is the method by which Sonde found the request that caused an outward call.
type Attribution string

// The attributions, the most reliable first.
const (
	AttributedByTrace   Attribution = "trace"   // the service forwarded the request's trace context
	AttributedByContext Attribution = "context" // the runtime that Sonde compiled into the service reported the request
	AttributedBySerial  Attribution = "serial"  // the service was processing no other request
	AttributedByTime    Attribution = "time"    // the request was the only one in progress that fits; not certain
)

// Certain reports whether the attribution excludes all other requests.
func (c Attribution) Certain() bool { return c != "" && c != AttributedByTime }
