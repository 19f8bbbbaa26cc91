package netsim

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"syscall"
	"time"
)

var loopback = net.IPv4(127, 0, 0, 1)

// acceptRetry is the pause after an accept that failed, usually because no descriptor is
// free.
const acceptRetry = 5 * time.Millisecond

// socket is a TCP listener or a UDP socket.
type socket interface {
	io.Closer
	syscall.Conn
}

// hostSocket is the socket of an endpoint. It may serve many tests.
type hostSocket struct {
	n        *Network
	endpoint endpoint
	real     netip.AddrPort // the address of the socket
	socket   socket

	reading sync.Mutex // guards buf and the reading of a datagram
	buf     []byte
}

// start serves the connections or datagrams that the socket receives.
func (h *hostSocket) start() {
	switch s := h.socket.(type) {
	case *net.UDPConn:
		h.buf = make([]byte, 64<<10)
		go h.receive()
	case *net.TCPListener:
		go h.accept(s)
	}
}

func (h *hostSocket) accept(l *net.TCPListener) {
	for {
		c, err := l.AcceptTCP()
		switch {
		case err == nil:
			go h.n.serveConn(h, c)
		case errors.Is(err, net.ErrClosed):
			return
		default:
			time.Sleep(acceptRetry)
		}
	}
}

// localAddr returns the address of a socket.
func localAddr(s socket) netip.AddrPort {
	switch s := s.(type) {
	case *net.UDPConn:
		return addrPort(s.LocalAddr())
	case *net.TCPListener:
		return addrPort(s.Addr())
	}
	return netip.AddrPort{}
}

// hostSockets owns the sockets of the hosts. The mutex of the network guards it.
type hostSockets struct {
	open     map[endpoint]*hostSocket
	changes  int                            // how many times a socket was opened or closed
	listen   func(endpoint) (socket, error) // ground.listen
	serve    func(*hostSocket)              // is called with each opened socket
	maxSpare int                            // ground.maxSpareSockets
}

// ensure opens the socket of an endpoint, unless the socket is open or not needed.
func (s *hostSockets) ensure(e endpoint) error {
	if s.open[e] != nil {
		return nil
	}
	opened, err := s.listen(e)
	if err != nil || opened == nil {
		return err
	}
	h := &hostSocket{endpoint: e, socket: opened, real: localAddr(opened)}
	s.open[e] = h
	s.changes++
	s.serve(h)
	return nil
}

// close closes the socket of an endpoint, if it is open.
func (s *hostSockets) close(e endpoint) {
	if h := s.open[e]; h != nil {
		_ = h.socket.Close()
		delete(s.open, e)
		s.changes++
	}
}

func (s *hostSockets) closeAll() {
	for e := range s.open {
		s.close(e)
	}
}

// closeSpare closes the sockets that a test does not need, if more than maxSpare are open.
func (s *hostSockets) closeSpare(needed map[endpoint][]int) {
	if len(s.open) <= s.maxSpare {
		return
	}
	for e := range s.open {
		if needed[e] == nil {
			s.close(e)
		}
	}
}

// real returns the real address of an endpoint, the zero value if it has no socket.
func (s *hostSockets) real(e endpoint) netip.AddrPort {
	if h := s.open[e]; h != nil {
		return h.real
	}
	return netip.AddrPort{}
}

func (s *hostSockets) has(e endpoint) bool { return s.open[e] != nil }

// datagramSockets returns the UDP sockets.
func (s *hostSockets) datagramSockets() (all []*hostSocket) {
	for e, h := range s.open {
		if e.network == "udp" {
			all = append(all, h)
		}
	}
	return all
}

// sendsFrom reports whether a host may be the sender of a datagram that comes from an address. A host with a
// broadcast or multicast address sends from another address, with the same port.
func (s *hostSockets) sendsFrom(from netip.AddrPort) bool {
	if s.has(endpoint{network: "udp", addr: from}) {
		return true
	}
	for e := range s.open {
		if e.network == "udp" && e.addr.Port() == from.Port() && !isUnicast(e.addr.Addr()) {
			return true
		}
	}
	return false
}

// isUnicast reports whether datagrams to an address have one receiver.
func isUnicast(at netip.Addr) bool {
	return !at.IsMulticast() && at != netip.AddrFrom4([4]byte{255, 255, 255, 255})
}
