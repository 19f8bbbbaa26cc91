package record

import (
	"errors"
	"net"
)

// handedListener is a listener for connections that the method hand gives it.
type handedListener struct {
	conns  chan net.Conn
	closed chan struct{}
}

// Accept returns the next connection that was handed over, or net.ErrClosed if the listener is closed.
func (h *handedListener) Accept() (net.Conn, error) {
	select {
	case c := <-h.conns:
		return c, nil
	case <-h.closed:
		return nil, net.ErrClosed
	}
}

// hand hands a connection to Accept, or closes it if the listener is closed.
func (h *handedListener) hand(c net.Conn) {
	select {
	case h.conns <- c:
	case <-h.closed:
		c.Close()
	}
}

// Close makes Accept return an error. It returns an error if the listener is already closed. Only one goroutine may
// call it at a time.
func (h *handedListener) Close() error {
	select {
	case <-h.closed:
		return errors.New("it is closed")
	default:
		close(h.closed)
		return nil
	}
}

// Addr returns an empty address.
func (h *handedListener) Addr() net.Addr { return &net.TCPAddr{} }
