package netsim

import (
	"errors"
	"io"
	"net"
	"time"
)

// forward accepts connections on l until l is closed. For each accepted connection, it dials another connection and
// copies data between the two.
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

// join dials a connection and copies data between it and c until both directions have ended.
// It resets c if the dial fails.
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

// copyHalf copies data one way. At the end of the data it closes the write side of the destination.
// After an error it resets both connections.
func copyHalf(source, destination *net.TCPConn) {
	if _, err := io.Copy(destination, source); err == nil {
		_ = destination.CloseWrite()
		return
	}
	reset(source)
	reset(destination)
}

// reset closes a connection so that the peer gets ECONNRESET.
func reset(c *net.TCPConn) {
	_ = c.SetLinger(0)
	_ = c.Close()
}
