package vnet

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"time"

	"sonde/model"
)

// door keeps a listener for as long as there is a service.
func (s *space) door(l net.Listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.ended:
		_ = l.Close()
		return false
	default:
		s.doors = append(s.doors, l)
		return true
	}
}

// knock is how often it is looked whether the service listens.
const knock = 2 * time.Millisecond

// admit lets those outside reach a port of the service by another, once it listens.
func (s *space) admit(port, real int) {
	at, ok := s.await(port)
	if !ok {
		return
	}
	l, err := net.Listen("tcp", netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(real)).String())
	if err != nil || !s.door(l) {
		return // it will be said that nobody listens
	}
	forward(l, func() (net.Conn, error) { return s.Dial(netip.Addr{}, at.String()) })
}

// await waits until the service listens on a port, or has ended.
func (s *space) await(port int) (at netip.AddrPort, ok bool) {
	again := time.NewTicker(knock)
	defer again.Stop()
	for {
		all, _ := s.Listening() // none, when it has ended
		for _, l := range all {
			if l.Network == "tcp" && int(l.Address.Port()) == port {
				return reached(l.Address), true
			}
		}
		select {
		case <-s.ended:
			return at, false
		case <-again.C:
		}
	}
}

// reached is where somebody is reached who listens on an address.
func reached(at netip.AddrPort) netip.AddrPort {
	if at.Addr().IsUnspecified() {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port())
	}
	return at
}

// allow lets the service reach a real host.
func (s *space) allow(place string) error {
	name, port := split(place)
	if port == 0 {
		return fmt.Errorf("%q is no one port: in a namespace each that is real needs its number", place)
	}
	at := own(name)
	if addr, err := netip.ParseAddr(name); err == nil {
		at = addr.Unmap()
	}
	if name == "localhost" {
		at = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	l, err := s.Listen("tcp", netip.AddrPortFrom(at, port).String())
	if err != nil {
		return fmt.Errorf("%q cannot be let through: %w", place, err)
	}
	s.n.mu.Lock()
	s.real[netip.AddrPortFrom(at, port)] = true
	s.n.mu.Unlock()
	if s.door(l) {
		go forward(l, func() (net.Conn, error) {
			s.n.mu.Lock()
			s.n.note(model.Dial, "tcp", same(place), "real", nil)
			s.n.mu.Unlock()
			return net.Dial("tcp", place)
		})
	}
	return nil
}

// forward passes on what is said between those who come to a listener and whoever is
// dialed for them, until the listener is closed.
func forward(l net.Listener, dial func() (net.Conn, error)) {
	for {
		c, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(knock) // no descriptor is free
			continue
		}
		go join(c.(*net.TCPConn), dial)
	}
}

func join(c *net.TCPConn, dial func() (net.Conn, error)) {
	to, err := dial()
	if err != nil {
		_ = c.SetLinger(0)
		_ = c.Close()
		return
	}
	t, said := to.(*net.TCPConn), make(chan struct{})
	go func() {
		pass(c, t)
		close(said)
	}()
	pass(t, c)
	<-said
	_ = c.Close()
	_ = t.Close()
}

// pass passes on what one end says, and how it ends.
func pass(from, to *net.TCPConn) {
	if _, err := io.Copy(to, from); err == nil {
		_ = to.CloseWrite()
		return
	}
	for _, c := range []*net.TCPConn{from, to} {
		_ = c.SetLinger(0)
		_ = c.Close()
	}
}
