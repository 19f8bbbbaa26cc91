package netsim

import (
	"errors"
	"net"
	"net/netip"
	"time"
)

// maxArrival bounds two waits of the recorder. After the recorder has dialed a host, it waits for the service to
// connect. After it has accepted a connection, it waits for the service to report the connection.
const maxArrival = 10 * time.Second

// arrivals matches each accepted connection of the service with the service's report of the connection. The
// connection or the report may come first. The mutex of the recorder guards arrivals.
type arrivals struct {
	accepted map[netip.AddrPort]*net.TCPConn // connections that the service has not reported yet
	reported map[netip.AddrPort]*relayConn   // reports of connections that are not accepted yet
}

func newArrivals() arrivals {
	return arrivals{accepted: map[netip.AddrPort]*net.TCPConn{}, reported: map[netip.AddrPort]*relayConn{}}
}

// accept records a connection from an address. It returns the relay that the connection
// belongs to, or nil if the service has not reported the connection yet.
func (a arrivals) accept(from netip.AddrPort, c *net.TCPConn) *relayConn {
	l := a.reported[from]
	if l == nil {
		a.accepted[from] = c
		return nil
	}
	delete(a.reported, from)
	return l
}

// report records the relay that a connection from an address belongs to. It returns the
// connection, or nil if the connection is not accepted yet.
func (a arrivals) report(from netip.AddrPort, l *relayConn) *net.TCPConn {
	c := a.accepted[from]
	if c == nil {
		a.reported[from] = l
		return nil
	}
	delete(a.accepted, from)
	return c
}

// expire closes a connection if the service has still not reported it.
func (a arrivals) expire(from netip.AddrPort, c *net.TCPConn) {
	if a.accepted[from] == c {
		delete(a.accepted, from)
		_ = c.Close()
	}
}

func (a arrivals) close() {
	for _, c := range a.accepted {
		_ = c.Close()
	}
}

// accept accepts the connections of the service.
func (r *Recorder) accept() {
	for {
		c, err := r.listener.AcceptTCP()
		switch {
		case err == nil:
			r.arrived(c)
		case errors.Is(err, net.ErrClosed):
			return
		default:
			time.Sleep(acceptRetry)
		}
	}
}

// arrived records that a connection of the service was accepted.
func (r *Recorder) arrived(c *net.TCPConn) {
	from := addrPort(c.RemoteAddr())
	r.mu.Lock()
	defer r.mu.Unlock()
	if l := r.arrivals.accept(from, c); l != nil {
		l.begin(c)
		return
	}
	time.AfterFunc(maxArrival, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.arrivals.expire(from, c)
	})
}

// opened handles the report that the service has opened a connection.
func (r *Recorder) opened(e openedEvent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.relays[e.id]
	if l == nil {
		return
	}
	l.opened = true
	if c := r.arrivals.report(e.from, l); c != nil {
		l.begin(c)
	}
}
