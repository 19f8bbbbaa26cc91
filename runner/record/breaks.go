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

// withConn lets requests know their connection.
func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// breakOff ends a connection as the one behind it ended: by a reset where that was one,
// or where nobody listens, which cannot be told to somebody who is connected already.
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

// reset has a connection end by a reset when it is closed.
func reset(c net.Conn) {
	if s, ok := c.(*tls.Conn); ok {
		c = s.NetConn()
	}
	if l, ok := c.(interface{ SetLinger(int) error }); ok {
		_ = l.SetLinger(0) // it may be closed already
	}
}

// plain is an error of the network without addresses, which are another one each time.
func plain(err error) error {
	switch op := new(net.OpError); {
	case errors.Is(err, syscall.ECONNREFUSED):
		return errors.New("connection refused")
	case errors.Is(err, syscall.ECONNRESET):
		return errors.New("connection reset")
	case errors.Is(err, context.Canceled):
		return errors.New("who asked went away before there was an answer")
	case errors.As(err, &op) && op.Op == "dial" && op.Timeout():
		return errors.New("the connection did not come about in time")
	case errors.As(err, &op):
		return plain(op.Err)
	}
	return err
}

// distrusted says of what is behind that its certificate is not trusted, and what helps.
func distrusted(base string, err error) string {
	return fmt.Sprintf("%s was not asked: it has a certificate that nobody here vouches for (%v): name the file of its authority in SSL_CERT_FILE, or say --insecure", base, err)
}

// watched is a connection to what is behind, which knows how it ended: an error of a
// request may only say that it could not be sent.
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

// Read notes how the reading ended.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.TCPConn.Read(p)
	if err != nil {
		w.ended.CompareAndSwap(nil, &err)
	}
	return n, err
}

// why is why the connection ended, or the error where that is not known.
func (w *watched) why(err error) error {
	if ended := w.ended.Load(); ended != nil && !errors.Is(*ended, net.ErrClosed) {
		return *ended
	}
	return err
}

// watchedIn finds the connection that another one, as of TLS, goes through.
func watchedIn(c net.Conn) *watched {
	if s, ok := c.(*tls.Conn); ok {
		c = s.NetConn()
	}
	w, _ := c.(*watched)
	return w
}
