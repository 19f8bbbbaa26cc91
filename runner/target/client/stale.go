package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"sonde/model"
)

// ConnectionLostError is the error of a request that got no answer because its reused connection was closed. The
// request could not be sent again, because the service accepted no new connection.
type ConnectionLostError struct{ cause error }

func (e *ConnectionLostError) Error() string {
	return "the connection was closed, and no new one accepted: " + e.cause.Error()
}
func (e *ConnectionLostError) Unwrap() error { return e.cause }

// UnsendableError is the error of a request that cannot be sent, for example because its method
// contains a space. The request counts against the budget, so that a search with only unsendable
// requests ends.
type UnsendableError struct{ cause error }

func (e *UnsendableError) Error() string { return "the request cannot be sent: " + e.cause.Error() }
func (e *UnsendableError) Unwrap() error { return e.cause }

// LoginUnansweredError is the error of a call whose user could not log in, because the log-in got no answer. The call
// was not sent, or was not sent again with a new session.
type LoginUnansweredError struct {
	User  string
	cause error
}

func (e *LoginUnansweredError) Error() string {
	return fmt.Sprintf("the log-in of user %q got no answer: %v", e.User, e.cause)
}
func (e *LoginUnansweredError) Unwrap() error { return e.cause }

// unanswered returns the error of a user's log-in that got no answer: a LoginUnansweredError, or err
// itself if the budget is used up or the run has ended.
func (s *sender) unanswered(user string, err error) error {
	if errors.Is(err, ErrBudget) || s.parent.Err() != nil {
		return err
	}
	return &LoginUnansweredError{user, err}
}

// stale reports whether to send a request again on a new connection. The request may have failed only because its
// connection was reused. Many services close a connection after an answer without announcing it. RFC 9112, section
// 9.3.1, then allows the client to send the request again.
//
// If an answer has begun, the reused connection is not the reason for the failure. An exception is an
// answer that is not HTTP: it may be the end of the previous answer on the connection.
//
// A request that timed out on a reused connection is also sent again. If it times out on the new connection, too,
// later requests to the same route are not sent again after a time-out, because each time-out takes long.
func (s *sender) stale(o outgoing, err error) bool {
	switch {
	case err == nil, !s.used, s.parent.Err() != nil, errors.Is(err, ErrBudget):
		return false
	case errors.Is(err, context.DeadlineExceeded):
		return !s.begun.Load() && !s.timedOut.has(o.route())
	case IsStreamReset(err):
		return false // the service ended only the stream of this request
	}
	return !s.begun.Load() || strings.Contains(err.Error(), "malformed HTTP")
}

// retire closes the idle connections after a server error over HTTP/1, because many services then
// close the connection without announcing it. HTTP/2 announces the end.
func (s *sender) retire(r model.Reply) {
	if r.Status >= 500 && strings.HasPrefix(r.Proto, "HTTP/1") {
		s.transport.CloseIdleConnections()
	}
}

// IsStreamReset reports whether err says that the service reset an HTTP/2 stream.
func IsStreamReset(err error) bool {
	text := err.Error()
	return strings.Contains(text, "stream error: ") && strings.Contains(text, "received from peer")
}

// IsDialError reports whether a call failed because the service accepted no connection.
func IsDialError(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}
