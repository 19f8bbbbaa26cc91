package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"sonde/model"
)

// ConnectionLostError is the error of a request whose reused connection ended without an answer,
// while the service accepted no new connection.
type ConnectionLostError struct{ cause error }

func (e *ConnectionLostError) Error() string {
	return "the connection was closed, and no new one accepted: " + e.cause.Error()
}
func (e *ConnectionLostError) Unwrap() error { return e.cause }

// UnsendableError is the error of a request that cannot be sent, such as one whose method has a
// space. It counts against the budget, so that a search with only such requests ends.
type UnsendableError struct{ cause error }

func (e *UnsendableError) Error() string { return "the request cannot be sent: " + e.cause.Error() }
func (e *UnsendableError) Unwrap() error { return e.cause }

// LoginUnansweredError is the error of a call that was not sent because the log-in before it got
// no answer.
type LoginUnansweredError struct {
	User  string
	cause error
}

func (e *LoginUnansweredError) Error() string {
	return fmt.Sprintf("the log-in of user %q got no answer: %v", e.User, e.cause)
}
func (e *LoginUnansweredError) Unwrap() error { return e.cause }

// unanswered wraps the error of a user's log-in that got no answer, unless the cause is the end of
// the budget or of the run.
func (w *sender) unanswered(user string, err error) error {
	if errors.Is(err, ErrBudget) || w.parent.Err() != nil {
		return err
	}
	return &LoginUnansweredError{user, err}
}

// stale reports whether a failure may come from a reused connection rather than from the request:
// many services close a connection after an answer without announcing it (RFC 9112, section
// 9.3.1, allows the client to send again then). Once an answer has begun, the failure belongs to
// the request, unless the answer is not HTTP: then it may be the rest of the answer before.
//
// A time-out is also retried on a new connection, but only once for each place because of its
// cost.
func (w *sender) stale(l outgoing, err error) bool {
	switch {
	case err == nil, !w.used, w.parent.Err() != nil, errors.Is(err, ErrBudget):
		return false
	case errors.Is(err, context.DeadlineExceeded):
		return !w.begun.Load() && !w.timedOut.has(l.place())
	case IsStreamReset(err):
		return false // it had a connection of its own
	}
	return !w.begun.Load() || strings.Contains(err.Error(), "malformed HTTP")
}

// retire closes the connection after a server error over HTTP/1: many services close it then
// without announcing it. HTTP/2 announces it.
func (w *sender) retire(r model.Reply) {
	if r.Status >= 500 && strings.HasPrefix(r.Proto, "HTTP/1") {
		w.transport.CloseIdleConnections()
	}
}

// IsStreamReset reports whether the service ended an HTTP/2 stream.
func IsStreamReset(err error) bool {
	text := err.Error()
	return strings.Contains(text, "stream error: ") && strings.Contains(text, "received from peer")
}

// IsDialError reports whether a call failed because the service accepted no connection.
func IsDialError(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}
