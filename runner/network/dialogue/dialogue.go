// Package dialogue divides the recorded data of a connection with a database into requests with their replies. It
// leaves out the messages that only set up the connection.
package dialogue

import (
	"cmp"
	"errors"
	"time"

	"sonde/model"
)

// Detect returns the protocol of a connection on which the service speaks first. data is the beginning of what the
// service sent. Detect returns "" if data is not of a protocol in which the client of a database speaks first. more
// reports whether further data may change this result.
func Detect(data []byte) (p model.Protocol, more bool) {
	for _, detect := range []func([]byte) (model.Protocol, bool){detectRedis, detectPostgres} {
		p, undecided := detect(data)
		if p != "" {
			return p, false
		}
		more = more || undecided
	}
	return "", more
}

// DetectGreeting returns the protocol of a connection on which the host speaks first. data is the beginning of what
// the host sent. DetectGreeting returns "" if data is not of a protocol in which the host of a database speaks first.
// more reports whether further data may change this result.
func DetectGreeting(data []byte) (p model.Protocol, more bool) { return detectMySQL(data) }

// Call is a recorded request to a database, with its reply.
type Call[C any] struct {
	Cause   C
	At      time.Time // when the service sent the request
	Took    time.Duration
	Request string // JSON; see wire.DatabaseRequest
	Reply   string // JSON; see wire.ReadRedisReply, wire.PostgresResult and wire.MySQLResult
}

// Recorder divides the data of one connection into requests with their replies. Each part of the data has a cause,
// such as the request to the service for which the service sent the data. If the parts of one request have different
// causes, the request has the cause of its last part. A Recorder must not be used concurrently.
type Recorder[C any] struct {
	parser  parser
	pending []Call[C] // requests without a reply, the oldest first; Request is "" if the request sets up the connection
	err     error
}

// parser splits the data of a connection in one protocol into requests and replies.
type parser interface {
	// sent takes data of the service, and returns the requests that the data completes. The text of a request that sets
	// up the connection is "".
	sent(data []byte) (requests []string, err error)
	// answered takes data of the host, and returns the replies that the data completes, in the order of their requests.
	answered(data []byte) (replies []answer, err error)
}

// answer is the reply to the first request that has no reply yet.
type answer struct {
	reply   string
	request string // replaces the request, if it is not ""
	leftOut bool   // the request is not recorded: the host did not perform it, or it sets up the connection
}

// NewRecorder returns the Recorder of a connection in a protocol that Detect or DetectGreeting returned.
func NewRecorder[C any](p model.Protocol) *Recorder[C] {
	switch p {
	case model.Postgres:
		return &Recorder[C]{parser: newPostgresParser()}
	case model.MySQL:
		return &Recorder[C]{parser: newMySQLParser()}
	}
	return &Recorder[C]{parser: &redisParser{}}
}

// ErrUnreadable reports that the rest of a connection cannot be divided into requests with replies.
var ErrUnreadable = errors.New("it is too large, encrypted, compressed, or not of requests with replies (a subscription, a copy)")

// maxReply is the maximum size of the rows of a reply, in bytes.
const maxReply = 8 << 20

// maxPending is the number of requests that may wait for replies.
const maxPending = 10_000

// Sent takes data of the service, before the host gets it. After Sent or Answered has returned an error, both ignore
// all further data and return nil.
func (r *Recorder[C]) Sent(data []byte, cause C, now time.Time) error {
	if r.err != nil {
		return nil
	}
	requests, err := r.parser.sent(data)
	for _, request := range requests {
		r.pending = append(r.pending, Call[C]{Cause: cause, At: now, Request: request})
	}
	if err == nil && len(r.pending) > maxPending {
		err = ErrUnreadable
	}
	return r.fail(err)
}

// Answered takes data of the host, and returns the calls that the data completes. It may return calls together with an
// error.
func (r *Recorder[C]) Answered(data []byte, now time.Time) (all []Call[C], err error) {
	if r.err != nil {
		return nil, nil
	}
	replies, err := r.parser.answered(data)
	for _, reply := range replies {
		if len(r.pending) == 0 {
			return all, r.fail(ErrUnreadable)
		}
		call := r.pending[0]
		r.pending = r.pending[1:]
		call.Request = cmp.Or(reply.request, call.Request)
		if call.Request != "" && !reply.leftOut {
			call.Reply, call.Took = reply.reply, now.Sub(call.At)
			all = append(all, call)
		}
	}
	return all, r.fail(err)
}

// Unanswered returns the requests that got no reply, except those that set up the connection. It returns nil after an
// error of Sent or Answered.
func (r *Recorder[C]) Unanswered(now time.Time) (all []Call[C]) {
	for _, call := range r.pending {
		if call.Request != "" && r.err == nil {
			call.Took = now.Sub(call.At)
			all = append(all, call)
		}
	}
	r.pending = nil
	return all
}

// OutwardCall converts the call to a model.OutwardCall with the protocol p. It does not set the host and the cause.
func (c Call[C]) OutwardCall(p model.Protocol) model.OutwardCall {
	o := model.OutwardCall{Protocol: p, Messages: []model.MessagePair{{Request: []byte(c.Request), Answer: []byte(c.Reply)}}}
	o.At, o.Took = c.At, c.Took
	return o
}

// fail records err and returns it. If err is not nil, the Recorder ignores all further data.
func (r *Recorder[C]) fail(err error) error {
	r.err = err
	return err
}
