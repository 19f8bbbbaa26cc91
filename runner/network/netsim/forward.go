package netsim

import (
	"errors"
	"io"
	"net"
	"time"
)

// forward connects each connection to a listener with one that is dialed for it, until the
// listener is closed.
func forward(l net.Listener, dial func() (net.Conn, error)) {
	for {
		c, err := l.Accept()
		switch {
		case err == nil:
			go join(c.(*net.TCPConn), dial)
		case errors.Is(err, net.ErrClosed):
			return
		default:
			time.Sleep(acceptRetry)
		}
	}
}

// join passes on data both ways between a connection and the one that is dialed for it.
func join(c *net.TCPConn, dial func() (net.Conn, error)) {
	dialed, err := dial()
	if err != nil {
		reset(c)
		return
	}
	to, done := dialed.(*net.TCPConn), make(chan struct{})
	go func() {
		copyHalf(c, to)
		close(done)
	}()
	copyHalf(to, c)
	<-done
	_ = c.Close()
	_ = to.Close()
}

// copyHalf passes on the data of one end, and how it ends.
func copyHalf(from, to *net.TCPConn) {
	if _, err := io.Copy(to, from); err == nil {
		_ = to.CloseWrite()
		return
	}
	reset(from)
	reset(to)
}

func reset(c *net.TCPConn) {
	_ = c.SetLinger(0)
	_ = c.Close()
}
