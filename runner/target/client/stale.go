package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"sonde/model"
)

// ConnectionLostError is the error of a request whose connection had been used before and ended
// without an answer, while the service accepted no new one.
type ConnectionLostError struct{ cause error }

func (e *ConnectionLostError) Error() string {
	return "the connection was closed, and no new one accepted: " + e.cause.Error()
}
func (e *ConnectionLostError) Unwrap() error { return e.cause }

// UnsendableError is the error of a request that no connection can carry, such as one
// whose method has a blank in it. Nothing of it has left, but it counts as sent:
// a search that has only such requests must end, too.
type UnsendableError struct{ cause error }

func (e *UnsendableError) Error() string { return "the request cannot be sent: " + e.cause.Error() }
func (e *UnsendableError) Unwrap() error { return e.cause }

// LoginUnansweredError is the error of a call that was not sent, because the log-in before
// it got no answer.
type LoginUnansweredError struct {
	User  string
	cause error
}

func (e *LoginUnansweredError) Error() string {
	return fmt.Sprintf("the log-in of user %q got no answer: %v", e.User, e.cause)
}
func (e *LoginUnansweredError) Unwrap() error { return e.cause }

// unanswered is the error of a user's log-in that got no answer: the service's
// doing, or else the end of the budget or of the run.
func (w *way) unanswered(user string, err error) error {
	if errors.Is(err, ErrBudget) || w.parent.Err() != nil {
		return err
	}
	return &LoginUnansweredError{user, err}
}

// stale reports whether a request failed in a way for which its connection may be
// to blame rather than the service's handling of it: many services close a
// connection after an answer and do not say so (RFC 9112, section 9.3.1, lets a
// client send again then). Where an answer has begun, it is the request's own,
// unless it is no HTTP: then it may be what is left of the answer before.
//
// That no answer came in time is also tried on a new connection, once for each
// place, because of what it costs.
func (w *way) stale(l leaving, err error) bool {
	switch {
	case err == nil, !w.used, w.parent.Err() != nil, errors.Is(err, ErrBudget):
		return false
	case errors.Is(err, context.DeadlineExceeded):
		return !w.begun.Load() && !w.silent.has(l.place())
	case IsStreamReset(err):
		return false // it stands for a connection of its own
	}
	return !w.begun.Load() || strings.Contains(err.Error(), "malformed HTTP")
}

// retire lets no request follow a server error on its connection: many services
// close that then and do not say so. HTTP/2 says so.
func (w *way) retire(r model.Reply) {
	if r.Status >= 500 && strings.HasPrefix(r.Proto, "HTTP/1") {
		w.transport.CloseIdleConnections()
	}
}

// IsStreamReset reports whether the service ended an HTTP/2 stream.
func IsStreamReset(err error) bool {
	text := err.Error()
	return strings.Contains(text, "stream error: ") && strings.Contains(text, "received from peer")
}

// IsDialError reports whether a call failed because no connection was accepted.
func IsDialError(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}
