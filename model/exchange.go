package model

import "time"

// Request is a message to a service.
type Request struct {
	Op     OpID
	Method string
	// URL is the path and query, without scheme and host.
	URL    string
	Header map[string][]string
	Body   []byte
}

// Reply is a service's answer.
type Reply struct {
	Status int
	Header map[string][]string
	Body   []byte
	// Truncated tells that the body went on after the limit.
	Truncated bool
}

// Exchange is one pair of messages with a service. Err says why there is no
// reply.
type Exchange struct {
	Request Request
	Reply   Reply
	Took    time.Duration
	Err     error
}
