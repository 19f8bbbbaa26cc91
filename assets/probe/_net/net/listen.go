//go:build unix

package net

import (
	"net/netip"
	"os"
	"syscall"
)

// listen opens a listener, or a datagram socket that is not connected, on a port of the loopback.
// The service sees the address that it asked for.
func (o *sondeOpening) listen() (*netFD, error) {
	s := o.listener()
	at, err := o.place(s)
	if err != nil {
		return nil, err
	}
	fd, err := o.loopback(sondeAddr(o.laddr, at), nil, o.laddr)
	if err != nil {
		s.leave()
		return nil, err
	}
	s.found(sondeAddrPort(fd.laddr))
	fd.sonde, fd.laddr, s.reported = s, sondeAddr(o.laddr, s.virtual), true
	sondeTell("listen", sondeText(s.id), s.proto, s.virtual.String(), s.real.String())
	fd.sondeWatch(s.real, "")
	return fd, nil
}

// listener returns the sondeSocket for the address that the service asked for.
func (o *sondeOpening) listener() *sondeSocket {
	at := sondePlain(sondeAddrPort(o.laddr))
	s := &sondeSocket{id: sondeIDs.Add(1), proto: o.proto()}
	last := o.net[len(o.net)-1]
	switch addr := at.Addr(); {
	case !addr.IsValid() || addr.IsUnspecified() || addr.IsMulticast():
		s.v4, s.v6 = last != '6', last != '4'
		at = netip.AddrPortFrom(sondeUnspecified(s.v6), at.Port())
	default:
		s.v4, s.v6 = addr.Is4(), addr.Is6()
	}
	s.virtual = at
	return s
}

func sondeUnspecified(v6 bool) netip.Addr {
	if v6 {
		return netip.IPv6Unspecified()
	}
	return netip.IPv4Unspecified()
}

// place returns the real address to bind to. If another socket has the virtual address, that is the
// real address of the other socket, so that the kernel decides whether both may have it. Multicast
// groups are an exception, which several sockets may join.
func (o *sondeOpening) place(s *sondeSocket) (at netip.AddrPort, err error) {
	taken, by := s.enter()
	group := sondeAddrPort(o.laddr).Addr().IsMulticast()
	switch {
	case taken && !group && !by.IsValid(): // the other socket is being opened
		s.leave()
		return at, os.NewSyscallError("bind", syscall.EADDRINUSE)
	case taken && !group:
		return by, nil
	case taken || s.shares():
		return netip.AddrPortFrom(sondeLoopback(false), 0), nil
	}
	return netip.AddrPortFrom(sondeLoopback(false), o.binds[s.port()]), nil
}

// shares reports whether another socket has the same port at another address.
func (s *sondeSocket) shares() bool {
	sondeSockets.Lock()
	defer sondeSockets.Unlock()
	return len(sondeSockets.byPort[s.port()]) > 1
}

func (fd *netFD) accept() (*netFD, error) {
	n, err := fd.sondeRealAccept()
	t := sondeNow.Load()
	if err != nil || fd.sonde == nil || t == nil {
		return n, err
	}
	from := sondeAddrPort(n.raddr)
	sender := t.sender(fd.sonde.proto, from)
	n.laddr = TCPAddrFromAddrPort(fd.sonde.shown())
	n.raddr = TCPAddrFromAddrPort(fd.sonde.facing(sender.virtual))
	if sender.watch || t.watched[fd.sonde.port()] || t.watched[sondePortOf("tcp", 0)] {
		n.sonde = &sondeSocket{id: sondeIDs.Add(1), proto: fd.sonde.proto, virtual: fd.sonde.virtual}
		n.sondeWatch(fd.sonde.real, from.String())
	}
	return n, nil
}

// facing returns the address of a peer in the address family of the socket.
func (s *sondeSocket) facing(a netip.AddrPort) netip.AddrPort {
	if !s.v4 && a.Addr() == sondeLoopback(false) {
		return netip.AddrPortFrom(netip.IPv6Loopback(), a.Port())
	}
	return a
}

func (fd *netFD) Close() error {
	if s := fd.sonde; s != nil {
		s.forget()
	}
	if r := fd.sondeRecorded; r != nil {
		r.shut(fd.net)
	}
	return fd.sondeRealClose()
}

// forget removes a socket that is about to be closed. It reports the closing of a connection by
// sondeTellLater, because only the number of open connections matters.
func (s *sondeSocket) forget() {
	watched := sondeUnwatch(s.id)
	switch known := s.leave(); {
	case known && (s.reported || watched):
		sondeTell("closed", sondeText(s.id))
	case watched:
		sondeTellLater("closed", sondeText(s.id))
	}
}

// The service's sockets do not really join multicast groups, because the table redirects datagrams
// to a group.

func listenIPv4MulticastUDP(c *UDPConn, ifi *Interface, ip IP) error {
	if c.fd.sonde != nil {
		return nil
	}
	return sondeRealListenIPv4MulticastUDP(c, ifi, ip)
}

func listenIPv6MulticastUDP(c *UDPConn, ifi *Interface, ip IP) error {
	if c.fd.sonde != nil {
		return nil
	}
	return sondeRealListenIPv6MulticastUDP(c, ifi, ip)
}
