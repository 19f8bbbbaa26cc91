package search

import (
	"context"
	"errors"
	"io"
	"strings"
	"syscall"

	"sonde/runner/target/client"
)

// isUnreachedService reports whether a call failed because the service accepted no connection: it had ended before
// the call. The result is false if the request was sent on a connection that was then lost, because the call itself
// may have ended the service.
func isUnreachedService(err error) bool {
	_, lost := errors.AsType[*client.ConnectionLostError](err)
	return client.IsDialError(err) && !lost
}

// neverSent reports whether the request of a call was not sent, so that the error says nothing about the service.
// There are two such cases: the request cannot be sent, or the user's log-in got no answer.
func neverSent(err error) bool {
	_, unsendable := errors.AsType[*client.UnsendableError](err)
	_, before := errors.AsType[*client.LoginUnansweredError](err)
	return unsendable || before
}

// silenceText describes how a running service left a call without an answer. ok is false in these cases: the service
// accepted no connection, the request was not sent, or the error has another cause. An idle connection that the
// service has closed is no such cause, because the client then tries a new connection.
func silenceText(err error) (text string, ok bool) {
	switch {
	case client.IsDialError(err), neverSent(err):
		return "", false
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time", true
	case isClosedConnection(err), client.IsStreamReset(err):
		return "the server closed the connection without answering", true
	}
	text = err.Error()
	malformed := strings.Contains(text, "malformed") || strings.Contains(text, "HTTP/1.x transport connection broken")
	return "the answer is not HTTP: " + text, malformed
}

// isClosedConnection reports whether the service closed the connection of a call without answering.
func isClosedConnection(err error) bool {
	for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE} {
		if errors.Is(err, end) {
			return true
		}
	}
	return strings.Contains(err.Error(), "server closed idle connection") // a new connection, before the request was written
}
