package model

import (
	"fmt"
	"time"
)

// Recording is real traffic of a service: the requests that it answered, and its own calls
// to other hosts. It holds no secrets: masked values are replaced by pseudonyms of the same
// form, equal values by equal pseudonyms.
type Recording struct {
	// Title and SpecHash are the title and hash of the spec with which the traffic was recorded.
	Title    string
	SpecHash string
	// Spec is the source of that spec: an absolute path, a URL, "-" for standard input, or
	// "demo".
	Spec string
	// Service is how to start the service with the hosts that it called while it was
	// recorded, nil if unknown.
	Service *Service
	// BaseURL is the URL of the service itself, not of the proxy that Sonde puts before it.
	BaseURL string
	Users   []User
	Reset   *Reset
	// Served are the answered requests, in the order in which they arrived.
	Served []ServedRequest
	// Unattributed are outward calls of the service that belong to no known request.
	Unattributed []OutwardCall
	// Warnings list what was not recorded or was lost, a line each.
	Warnings []string
}

// SpecMismatch returns a line of warning if the recording was made with another version of
// the spec, else "".
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
	// User is the name of the configured user whose credential was sent, "" for an anonymous
	// or unknown one.
	User string
	// Session identifies the client as well as possible: a pseudonym of the credential, of
	// the cookie or, without these, of the connection.
	Session string
	// OutwardCalls are the service's calls to other hosts for this request, in the order in
	// which they started.
	OutwardCalls []OutwardCall
}

// OutwardCall is a call of the service to another host, with its answer.
type OutwardCall struct {
	ID string
	// Host is the address that the service called, written as in a Stub. Name is the name of
	// the real host at that address.
	Host string
	Name string
	// Protocol is HTTP, TCP or UDP.
	Protocol Protocol
	TLS      bool
	// Exchange is the HTTP request and reply. For other protocols it has only the times and
	// the error.
	Exchange
	// Messages are the data of a TCP connection, or a UDP datagram with its answers.
	Messages []MessagePair
	// CauseID is the ID of the request for which the call was made, "" if unknown.
	CauseID     string
	Attribution Attribution
}

// EndTime returns when the exchange ended.
func (x Exchange) EndTime() time.Time { return x.At.Add(x.Took) }

// MessagePair is what the service sent and what it received before it sent again.
type MessagePair struct {
	Request []byte `json:"words,omitempty"`
	Answer  []byte `json:"answer,omitempty"`
}

// Attribution is how Sonde found the request for which an outward call was made.
type Attribution string

// The attributions, the most reliable first.
const (
	AttributedByTrace   Attribution = "trace"   // the service forwarded the request's trace context
	AttributedByContext Attribution = "context" // reported by the runtime that Sonde compiled into the service
	AttributedBySerial  Attribution = "serial"  // the service was processing no other request
	AttributedByTime    Attribution = "time"    // the only request in progress that fits; not certain
)

// Certain reports whether no other request can be the cause.
func (c Attribution) Certain() bool { return c != "" && c != AttributedByTime }
