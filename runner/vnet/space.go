package vnet

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os/exec"
	"sync"
	"syscall"

	"sonde/runner/authority"
	"sonde/runner/netns"
)

// space is the namespace around one process of a service. There the hosts' sockets are
// at their virtual addresses. What the service does is known from what reaches them,
// from what the kernel refuses, and from its list of open ports; that the service waits
// is taken from silence.
type space struct {
	*netns.Namespace
	n   *Network
	dns *resolver

	real map[netip.AddrPort]bool // where the service reaches what is allowed; the mutex of the network guards it

	mu    sync.Mutex
	doors []io.Closer // between inside and outside
	ended chan struct{}
}

// enterSpace is Enter for a namespace.
func (n *Network) enterSpace(c *exec.Cmd) (entered func(started error) error, err error) {
	n.Leave()
	inside, err := netns.New()
	if err != nil {
		return nil, err
	}
	n.trusted(c)
	done, err := inside.Enter(c)
	if err != nil {
		inside.Close()
		return nil, err
	}
	return func(started error) error {
		done()
		s := &space{Namespace: inside, n: n, real: map[netip.AddrPort]bool{}, ended: make(chan struct{})}
		if started == nil {
			started = s.open()
		}
		if started != nil {
			s.close()
		}
		return started
	}, nil
}

// hostsName is the name of the authority that vouches for the hosts.
const hostsName = "Sonde's virtual hosts"

// trusted lets a program trust the hosts.
func (n *Network) trusted(c *exec.Cmd) {
	c.Env = append(c.Environ(), authority.Env(n.caFile())...)
}

// open makes the hosts of the test be there, and has the service started.
func (s *space) open() error {
	go s.Events(s.event)
	if err := s.resolve(); err != nil {
		return err
	}
	for _, allowed := range s.n.options.Allow {
		if err := s.allow(allowed); err != nil {
			return err
		}
	}
	s.n.mu.Lock()
	s.n.space, s.n.dns = s, s.dns
	for port, real := range s.n.bound {
		go s.admit(port, real)
	}
	t := s.n.test
	s.n.mu.Unlock()
	if err := s.n.serve(t); err != nil {
		return err
	}
	if err := s.Start(s.n.options.Hostname); err != nil {
		return fmt.Errorf("the service cannot be started in its network: %w", err)
	}
	return nil
}

// resolve answers questions for names, whoever is asked.
func (s *space) resolve() error {
	u, err := s.ListenPacket("udp4", "0.0.0.0:53")
	if err != nil {
		return err
	}
	l, err := s.Listen("tcp4", "0.0.0.0:53")
	if err != nil {
		u.Close()
		return err
	}
	s.dns = &resolver{n: s.n, udp: u.(*net.UDPConn), tcp: l}
	s.dns.serve()
	return nil
}

// close lets nobody in or out any more. A nil one has nobody.
func (s *space) close() {
	if s == nil {
		return
	}
	_ = s.Namespace.Close()
	s.dns.close()
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.ended:
		return
	default:
		close(s.ended)
	}
	for _, d := range s.doors {
		_ = d.Close()
	}
	s.n.mu.Lock()
	defer s.n.mu.Unlock()
	for w := range s.n.endpoints {
		s.n.drop(w)
	}
}

// bind opens the socket of a virtual address.
func (s *space) bind(w way) (socket, error) {
	switch {
	case s == nil:
		return nil, netns.ErrGone
	case w.to.Addr().Is6() && ours6.Contains(w.to.Addr()):
		return nil, syscall.EAFNOSUPPORT // nobody is told that a name has it
	case w.network == "udp":
		u, err := s.ListenPacket(family(w), w.to.String())
		if err != nil {
			return nil, err
		}
		return u.(*net.UDPConn), nil
	}
	l, err := s.Listen(family(w), w.to.String())
	if err != nil {
		return nil, err
	}
	return l.(*net.TCPListener), nil
}

// family is the network of a way as net has it.
func family(w way) string {
	if w.to.Addr().Is4() {
		return w.network + "4"
	}
	return w.network + "6"
}

// without reports whether a namespace can do without the socket that it could not have:
// nobody is in it any more, it has no IPv6, or the port is the service's own, at all
// addresses.
func without(err error) bool {
	for _, e := range []error{netns.ErrGone, syscall.EADDRINUSE, syscall.EAFNOSUPPORT, syscall.EADDRNOTAVAIL} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
