package record

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
)

// connKey is the key of the client's connection in the context of a request.
type connKey struct{}

// withConn adds a connection of the client to the context of the requests that come over it.
func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// breakOff ends the client's connection in the way in which the connection to the host ended. If that connection was
// reset, refused or already broken, it resets the client's connection: a client that is already connected cannot be
// refused. breakOff always panics with http.ErrAbortHandler.
func breakOff(ctx context.Context, err error) {
	if c, ok := ctx.Value(connKey{}).(net.Conn); ok && wasReset(err) {
		reset(c)
	}
	panic(http.ErrAbortHandler)
}

// wasReset reports whether err means that a connection was reset, refused or already broken.
func wasReset(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.EPIPE)
}

// reset makes a connection end with a reset when it is closed.
func reset(c net.Conn) {
	if s, ok := c.(*tls.Conn); ok {
		c = s.NetConn()
	}
	if l, ok := c.(interface{ SetLinger(int) error }); ok {
		_ = l.SetLinger(0) // fails if the connection is already closed, which is no problem
	}
}

// withoutAddresses returns a short form of a network error, without addresses, which differ in each run. It returns
// other errors as they are.
func withoutAddresses(err error) error {
	switch op := new(net.OpError); {
	case errors.Is(err, syscall.ECONNREFUSED):
		return errors.New("connection refused")
	case errors.Is(err, syscall.ECONNRESET):
		return errors.New("connection reset")
	case errors.Is(err, context.Canceled):
		return errors.New("the client left before the answer")
	case errors.As(err, &op) && op.Op == "dial" && op.Timeout():
		return errors.New("the connection was not established in time")
	case errors.As(err, &op):
		return withoutAddresses(op.Err)
	}
	return err
}

// untrustedWarning returns the warning about a host whose certificate is not trusted, with the
// remedy.
func untrustedWarning(base string, err error) string {
	return fmt.Sprintf(
		"%s was not called: its certificate is not trusted (%v): "+
			"set SSL_CERT_FILE to the file of its authority, or use --insecure",
		base, err,
	)
}
