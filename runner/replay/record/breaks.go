package record

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
)

// connKey is the key of a connection in the contexts of its requests.
type connKey struct{}

// withConn stores a connection in the contexts of its requests.
func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// breakOff ends a connection in the same way as the connection to the host ended: by a reset if that
// was reset or refused, since a client that is already connected cannot be refused.
func breakOff(ctx context.Context, err error) {
	if c, ok := ctx.Value(connKey{}).(net.Conn); ok && abrupt(err) {
		reset(c)
	}
	panic(http.ErrAbortHandler)
}

// abrupt reports whether an error is of a connection that was reset or refused.
func abrupt(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.EPIPE)
}

// reset makes a connection end by a reset when it is closed.
func reset(c net.Conn) {
	if s, ok := c.(*tls.Conn); ok {
		c = s.NetConn()
	}
	if l, ok := c.(interface{ SetLinger(int) error }); ok {
		_ = l.SetLinger(0) // it may be closed already
	}
}

// plain returns an error of the network without addresses, which differ each time.
func plain(err error) error {
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
		return plain(op.Err)
	}
	return err
}

// distrusted returns the note about a host whose certificate is not trusted, with the remedy.
func distrusted(base string, err error) string {
	return fmt.Sprintf(
		"%s was not called: its certificate is not trusted (%v): "+
			"set SSL_CERT_FILE to the file of its authority, or use --insecure",
		base, err,
	)
}

// watched is a connection to a host that remembers how it ended: the error of a request may only
// say that it could not be sent.
type watched struct {
	*net.TCPConn
	ended atomic.Pointer[error]
}

func dial(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &watched{TCPConn: c.(*net.TCPConn)}, nil
}

// Read records how reading ended.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.TCPConn.Read(p)
	if err != nil {
		w.ended.CompareAndSwap(nil, &err)
	}
	return n, err
}

// why returns why the connection ended, or the given error if that is unknown.
func (w *watched) why(err error) error {
	if ended := w.ended.Load(); ended != nil && !errors.Is(*ended, net.ErrClosed) {
		return *ended
	}
	return err
}

// watchedIn finds the watched connection inside of another one, such as TLS.
func watchedIn(c net.Conn) *watched {
	if s, ok := c.(*tls.Conn); ok {
		c = s.NetConn()
	}
	w, _ := c.(*watched)
	return w
}
