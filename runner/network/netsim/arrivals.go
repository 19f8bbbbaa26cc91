package netsim

import (
	"errors"
	"net"
	"net/netip"
	"time"
)

// maxArrival bounds how long the service may take to connect after it asked for it.
const maxArrival = 10 * time.Second

// arrivals match connections of the service with what it reports about them. Both come in any
// order. The mutex of the recorder guards it.
type arrivals struct {
	accepted map[netip.AddrPort]*net.TCPConn // that the service has not reported
	reported map[netip.AddrPort]*relayConn   // that are not accepted
}

func newArrivals() arrivals {
	return arrivals{accepted: map[netip.AddrPort]*net.TCPConn{}, reported: map[netip.AddrPort]*relayConn{}}
}

// accept records a connection from an address, and returns what it is for, nil if the
// service has not reported that yet.
func (a arrivals) accept(from netip.AddrPort, c *net.TCPConn) *relayConn {
	l := a.reported[from]
	if l == nil {
		a.accepted[from] = c
		return nil
	}
	delete(a.reported, from)
	return l
}

// report records what a connection from an address is for, and returns the connection, nil
// if it is not accepted yet.
func (a arrivals) report(from netip.AddrPort, l *relayConn) *net.TCPConn {
	c := a.accepted[from]
	if c == nil {
		a.reported[from] = l
		return nil
	}
	delete(a.accepted, from)
	return c
}

// expire closes a connection that was not reported.
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

// opened records what a connection of the service is for.
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
