package vnet

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"syscall"
	"time"

	"sonde/model"
)

// endpoint is what a virtual address really leads to: a socket on loopback, which
// stays for the run, so that connections that the service keeps do, too.
type endpoint struct {
	n      *Network
	way    way
	real   netip.AddrPort
	socket socket

	mu  sync.Mutex // of taking a datagram
	buf []byte
}

// socket is a listener, or what takes datagrams.
type socket interface {
	io.Closer
	syscall.Conn
}

// serve sees to it that all hosts of a test are there, and works out what comes of
// dials to them.
func (n *Network) serve(t *test) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	z, stubs := newZone(t.stubs), map[way][]int{}
	for i, s := range t.stubs {
		if s.Protocol == model.DNS || s.Inward {
			continue
		}
		for _, w := range z.ways(s) {
			stubs[w] = append(stubs[w], i)
			n.known(s, w)
		}
	}
	n.spare(stubs)
	for w, which := range stubs {
		t.dials[w] = t.dialed(which)
		if err := n.admits(w, t.dials[w]); err != nil {
			return err
		}
	}
	return nil
}

// admits sees to it that a host is there. In a namespace it is not, where the next dial is
// to be refused. The mutex is held.
func (n *Network) admits(w way, d *dials) error {
	if n.options.Ground == model.Proxied {
		return nil
	}
	if n.options.Ground != model.Namespace || d.steps[d.at].fault == "" {
		return n.endpoint(w)
	}
	n.drop(w)
	return nil
}

// drop closes the socket of a virtual address, if there is one. The mutex is held.
func (n *Network) drop(w way) {
	if e := n.endpoints[w]; e != nil {
		e.close()
		delete(n.endpoints, w)
		n.opened++
	}
}

// known remembers by which name a stub's host goes.
func (n *Network) known(s model.Stub, w way) {
	if name, _ := split(s.Host); !isAddress(name) {
		n.book.add(name, w.to.Addr())
	}
}

// mostEndpoints is how many sockets stay open though no stub of the test needs them.
const mostEndpoints = 400

// spare closes the sockets that a test does not need, where there are too many; in a
// namespace all, as who is not there is to refuse.
func (n *Network) spare(needed map[way][]int) {
	if len(n.endpoints) <= mostEndpoints && n.options.Ground != model.Namespace {
		return
	}
	for w := range n.endpoints {
		if needed[w] == nil {
			n.drop(w)
		}
	}
}

// endpoint opens the socket of a virtual address, if there is none.
func (n *Network) endpoint(w way) error {
	if n.endpoints[w] != nil {
		return nil
	}
	e := &endpoint{n: n, way: w}
	switch err := e.open(); {
	case err == nil:
		n.endpoints[w] = e
		n.opened++
	case n.options.Ground != model.Namespace:
		return fmt.Errorf("no port on loopback for %s: %w", w, err)
	case !without(err):
		return fmt.Errorf("no socket in the namespace for %s: %w", w, err)
	}
	return nil
}

var loopback = net.IPv4(127, 0, 0, 1)

func (e *endpoint) open() error {
	socket, err := e.n.bind(e.way)
	if err != nil {
		return err
	}
	e.socket = socket
	switch s := socket.(type) {
	case *net.UDPConn:
		e.real, e.buf = place(s.LocalAddr()), make([]byte, 64<<10)
		go e.receive()
	case *net.TCPListener:
		e.real = place(s.Addr())
		go e.accept(s)
	}
	return nil
}

// bind opens a socket for a virtual address: there, if the service is in a namespace,
// or else on some port of loopback.
func (n *Network) bind(w way) (socket, error) {
	switch {
	case n.options.Ground == model.Namespace:
		return n.space.bind(w)
	case w.network == "udp":
		return net.ListenUDP("udp4", &net.UDPAddr{IP: loopback})
	}
	return net.ListenTCP("tcp4", &net.TCPAddr{IP: loopback})
}

// place is an address with its port, of IPv4 where it is one.
func place(a net.Addr) netip.AddrPort {
	at, _ := netip.ParseAddrPort(a.String())
	return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
}

func (e *endpoint) close() { _ = e.socket.Close() }

func (e *endpoint) accept(l *net.TCPListener) {
	for {
		c, err := l.AcceptTCP()
		if err == nil {
			go e.n.welcome(e, c)
		} else if errors.Is(err, net.ErrClosed) {
			return
		} else {
			time.Sleep(5 * time.Millisecond) // no descriptor is free
		}
	}
}
