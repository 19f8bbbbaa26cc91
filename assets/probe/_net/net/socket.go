//go:build unix

package net

import (
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
)

// sondeSocket is a socket of the service with a virtual address.
type sondeSocket struct {
	id       uint64
	proto    string
	virtual  netip.AddrPort // the address that the service sees
	real     netip.AddrPort
	v4, v6   bool // the address families from which the socket can be reached
	reported bool // a "listen" event was sent
}

//sonde:field netFD sonde *sondeSocket

var sondeIDs atomic.Uint64

// sondeSockets has the sockets that can be reached at an address: listeners and UDP sockets.
var sondeSockets = struct {
	sync.Mutex
	byPort map[sondePlace][]*sondeSocket // key: the result of sondeSocket.port
	byReal map[sondePlace]*sondeSocket
}{byPort: map[sondePlace][]*sondeSocket{}, byReal: map[sondePlace]*sondeSocket{}}

func (s *sondeSocket) port() sondePlace { return sondePortOf(s.proto, s.virtual.Port()) }

// register adds a socket if its port is known already. It reports whether the socket conflicts with an earlier one,
// and returns the real address of that one.
func (s *sondeSocket) register() (isTaken bool, realAddr netip.AddrPort) {
	if s.virtual.Port() == 0 {
		return false, realAddr
	}
	sondeSockets.Lock()
	defer sondeSockets.Unlock()
	p := s.port()
	for _, other := range sondeSockets.byPort[p] {
		if other.conflicts(s) {
			isTaken, realAddr = true, other.real
		}
	}
	sondeSockets.byPort[p] = append(sondeSockets.byPort[p], s)
	return isTaken, realAddr
}

// conflicts reports whether two sockets with the same port could receive the same data.
func (s *sondeSocket) conflicts(o *sondeSocket) bool {
	if s.any() || o.any() {
		return s.v4 && o.v4 || s.v6 && o.v6
	}
	return s.virtual.Addr() == o.virtual.Addr()
}

func (s *sondeSocket) any() bool { return s.virtual.Addr().IsUnspecified() }

// setReal sets the real address of a socket. If the service asked for port 0, the real port becomes
// the virtual port.
func (s *sondeSocket) setReal(real netip.AddrPort) {
	if s.virtual.Port() == 0 {
		s.virtual = netip.AddrPortFrom(s.virtual.Addr(), real.Port())
		s.register()
	}
	sondeSockets.Lock()
	defer sondeSockets.Unlock()
	s.real = real
	sondeSockets.byReal[sondePlace{s.proto, real}] = s
}

// unregister removes a socket. It returns false if the socket is not in sondeSockets.
func (s *sondeSocket) unregister() bool {
	sondeSockets.Lock()
	defer sondeSockets.Unlock()
	p := s.port()
	all := sondeSockets.byPort[p]
	i := slices.Index(all, s)
	if i < 0 {
		return false
	}
	if sondeSockets.byPort[p] = slices.Delete(all, i, i+1); len(all) == 1 {
		delete(sondeSockets.byPort, p)
	}
	if real := (sondePlace{s.proto, s.real}); sondeSockets.byReal[real] == s {
		delete(sondeSockets.byReal, real)
	}
	return true
}

// ownSocket returns the outcome of a dial to the service's own socket at a place. It returns false if there is none.
func (t *sondeTable) ownSocket(p sondePlace) (sondeOutcome, bool) {
	addr := p.at.Addr()
	sondeSockets.Lock()
	defer sondeSockets.Unlock()
	for _, s := range sondeSockets.byPort[sondePortOf(p.proto, p.at.Port())] {
		reached := s.virtual.Addr() == addr || s.any() && (addr.Is4() && s.v4 || addr.Is6() && s.v6) && t.isLocal(addr)
		if reached && s.real.IsValid() {
			return sondeOutcome{to: s.real}, true
		}
	}
	return sondeOutcome{}, false
}

// isLocal reports whether an address belongs to the service's own machine, or is a multicast or
// broadcast address.
func (t *sondeTable) isLocal(a netip.Addr) bool {
	if a.IsLoopback() || sondeIsGroup(a) {
		return true
	}
	for _, l := range t.interfaces() {
		if slices.ContainsFunc(l.addrs, func(p netip.Prefix) bool { return p.Addr() == a }) {
			return true
		}
	}
	return false
}

// sender returns the virtual address of the sender at a real address.
func (t *sondeTable) sender(proto string, real netip.AddrPort) sondeSender {
	p := sondePlace{proto, real}
	if s, ok := t.back[p]; ok {
		return s
	}
	sondeSockets.Lock()
	defer sondeSockets.Unlock()
	if s := sondeSockets.byReal[p]; s != nil {
		return sondeSender{virtual: s.visibleAddr()}
	}
	return sondeSender{virtual: real}
}

// visibleAddr returns the address of a socket as its peers see it. For a socket that listens on all
// addresses, that is an address of the loopback.
func (s *sondeSocket) visibleAddr() netip.AddrPort {
	a := s.virtual.Addr()
	if s.any() {
		a = sondeLoopback(!s.v4)
	}
	return netip.AddrPortFrom(a, s.virtual.Port())
}

func sondeLoopback(v6 bool) netip.Addr {
	if v6 {
		return netip.IPv6Loopback()
	}
	return netip.AddrFrom4([4]byte{127, 0, 0, 1})
}
