package model

import (
	"fmt"
	"time"
)

// Recording is what was seen of a running service: the requests that it answered,
// and what it sent to the outside while it did. It holds no secret: what rules mask
// is a pseudonym of the same form, the same one wherever the same value stood.
type Recording struct {
	// Title and SpecHash are the document's by which operations were told apart.
	Title    string
	SpecHash string
	// Spec is where that document was read from: a path from the root, a URL, "-" for
	// standard input, or "demo".
	Spec string
	// Service is how the service is started with its hosts where it turned to them
	// while it was recorded, nil where nobody knows.
	Service *Service
	// BaseURL is where the service was, without what stood in front of it.
	BaseURL string
	Users   []User
	Reset   *Reset
	// Served are in the order in which they began.
	Served []ServedRequest
	// Unattributed are what the service sent while nobody is known to have asked it.
	Unattributed []OutwardCall
	// Warnings say what was not recorded, or is lost, a line each.
	Warnings []string
}

// SpecMismatch says in a line that a recording tells operations apart by another document,
// "" where it is the same. What it holds then may mean other operations.
func (r Recording) SpecMismatch(s *Spec) string {
	if r.SpecHash == "" || r.SpecHash == s.Hash {
		return ""
	}
	return fmt.Sprintf(
		"the recording was made with another version of the spec (%.60q): its operations are found anew in %.60q, and what is in neither is left out",
		r.Title, s.Title,
	)
}

// ServedRequest is a request that the service answered.
type ServedRequest struct {
	// ID is its own among all of the recording: 32 hex digits, which are its trace's.
	ID string
	Exchange
	// User is the name of a user whose credential was sent, "" for nobody or nobody who
	// is known.
	User string
	// Session tells whose request it was, as far as can be seen: a pseudonym of the
	// credential, the cookie or, without these, the connection.
	Session string
	// OutwardCalls is what the service sent to the outside for it, in the order in which it
	// began.
	OutwardCalls []OutwardCall
}

// OutwardCall is what the service sent to a host, and what came back.
type OutwardCall struct {
	ID string
	// Host is where the service turned to, as a stub has it, and Name what people call
	// it: the host that was really behind that.
	Host string
	Name string
	// Protocol is HTTP, TCP or UDP.
	Protocol Protocol
	TLS      bool
	// Exchange is the request and the reply of HTTP; of others it has times and an error
	// alone.
	Exchange
	// Messages are what was said on a TCP connection, or the one datagram with its answers.
	Messages []MessagePair
	// CauseID is the ID of the request for which it was sent, "" where that is not known.
	CauseID     string
	Attribution Attribution
}

// EndTime is when a message pair was over.
func (x Exchange) EndTime() time.Time { return x.At.Add(x.Took) }

// MessagePair is what the service said and what it was answered, until it spoke again.
type MessagePair struct {
	Request []byte `json:"words,omitempty"`
	Answer  []byte `json:"answer,omitempty"`
}

// Attribution says how it is known for which request something was sent.
type Attribution string

// The ways in which causes are known, the surest first.
const (
	AttributedByTrace   Attribution = "trace"   // the service passed the request's trace context on
	AttributedByContext Attribution = "context" // the runtime that Sonde built in saw it
	AttributedBySerial  Attribution = "serial"  // no other request was in the service
	AttributedByTime    Attribution = "time"    // it was the only request under way that fits: not certain
)

// Certain tells that no other request can be the cause.
func (c Attribution) Certain() bool { return c != "" && c != AttributedByTime }
