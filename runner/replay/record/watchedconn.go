package record

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync/atomic"
)

// watchedConn is a connection to a host that remembers how it ended. The error of a request may
// only say that the request could not be sent.
type watchedConn struct {
	*net.TCPConn
	ended atomic.Pointer[error]
}

// dial connects to a host by TCP and returns a watchedConn.
func dial(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &watchedConn{TCPConn: c.(*net.TCPConn)}, nil
}

// Read reads from the connection and remembers the error that ended it.
func (w *watchedConn) Read(p []byte) (int, error) {
	n, err := w.TCPConn.Read(p)
	if err != nil {
		w.ended.CompareAndSwap(nil, &err)
	}
	return n, err
}

// endError returns the error that ended the connection, or err if that is unknown.
func (w *watchedConn) endError(err error) error {
	if ended := w.ended.Load(); ended != nil && !errors.Is(*ended, net.ErrClosed) {
		return *ended
	}
	return err
}

// watchedConnIn returns the watchedConn inside a connection, which may be TLS; nil if there is
// none.
func watchedConnIn(c net.Conn) *watchedConn {
	if s, ok := c.(*tls.Conn); ok {
		c = s.NetConn()
	}
	w, _ := c.(*watchedConn)
	return w
}
