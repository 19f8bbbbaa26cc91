//go:build unix

package net

import (
	"net/netip"
	"os"
	"syscall"
)

// listen opens a listener, or a datagram socket that is not connected, on a port of the loopback.
// The service sees the address that it asked for.
func (o *sondeSocketArgs) listen() (*netFD, error) {
	s := o.listener()
	if errno := o.listenError(s); errno != 0 {
		return nil, os.NewSyscallError("bind", errno)
	}
	at, err := o.realAddr(s)
	if err != nil {
		return nil, err
	}
	fd, err := o.loopback(sondeAddr(o.laddr, at), nil, o.laddr)
	if err != nil {
		s.unregister()
		return nil, err
	}
	s.setReal(sondeAddrPort(fd.laddr))
	fd.sonde, fd.laddr, s.reported = s, sondeAddr(o.laddr, s.virtual), true
	sondeReport("listen", sondeFormatUint(s.id), s.proto, s.virtual.String(), s.real.String())
	fd.sondeWatch(s.real, "")
	return fd, nil
}

// listenError reports that the service is about to listen on a port. It returns the error that the table has
// for this use, or 0. It does not report a port of the service's API, which is not part of the environment. Go
// opens a multipath TCP socket first, and then an ordinary one if that fails. The failure of a multipath socket
// is not counted as a use.
func (o *sondeSocketArgs) listenError(s *sondeSocket) syscall.Errno {
	if o.binds[s.port()] != 0 {
		return 0
	}
	port := sondeFormatUint(uint64(s.virtual.Port())) + "/" + s.proto
	isMultipath := o.number != 0
	if errno := o.nextError(port); errno != 0 && isMultipath {
		return errno
	}
	met := o.use(port)
	met.Report(port, "listen", met.Errno != 0)
	return met.Errno
}

// listener returns the sondeSocket for the address that the service asked for.
func (o *sondeSocketArgs) listener() *sondeSocket {
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

// realAddr returns the real address to bind to. If another socket already has the virtual address, realAddr returns
// the real address of that socket: the kernel then decides whether both may be bound to it. If that socket is still
// being opened, the error is EADDRINUSE. Multicast groups are different, because several sockets may join one.
func (o *sondeSocketArgs) realAddr(s *sondeSocket) (at netip.AddrPort, err error) {
	isTaken, other := s.register()
	group := sondeAddrPort(o.laddr).Addr().IsMulticast()
	switch {
	case isTaken && !group && !other.IsValid(): // the other socket is being opened
		s.unregister()
		return at, os.NewSyscallError("bind", syscall.EADDRINUSE)
	case isTaken && !group:
		return other, nil
	case isTaken || s.sharesPort():
		return netip.AddrPortFrom(sondeLoopback(false), 0), nil
	}
	return netip.AddrPortFrom(sondeLoopback(false), o.binds[s.port()]), nil
}

// sharesPort reports whether another socket has the same port at another address.
func (s *sondeSocket) sharesPort() bool {
	sondeSockets.Lock()
	defer sondeSockets.Unlock()
	return len(sondeSockets.byPort[s.port()]) > 1
}

func (fd *netFD) accept() (*netFD, error) {
	n, err := fd.sondeRealAccept()
	t := sondeCurrentTable.Load()
	if err != nil || fd.sonde == nil || t == nil {
		return n, err
	}
	from := sondeAddrPort(n.raddr)
	sender := t.sender(fd.sonde.proto, from)
	n.laddr = TCPAddrFromAddrPort(fd.sonde.visibleAddr())
	n.raddr = TCPAddrFromAddrPort(fd.sonde.inFamily(sender.virtual))
	if sender.watch || t.watched[fd.sonde.port()] || t.watched[sondePortOf("tcp", 0)] {
		n.sonde = &sondeSocket{id: sondeIDs.Add(1), proto: fd.sonde.proto, virtual: fd.sonde.virtual}
		n.sondeWatch(fd.sonde.real, from.String())
	}
	return n, nil
}

// inFamily returns the address of a peer. The loopback of IPv4 becomes that of IPv6 if the socket has only
// IPv6.
func (s *sondeSocket) inFamily(a netip.AddrPort) netip.AddrPort {
	if !s.v4 && a.Addr() == sondeLoopback(false) {
		return netip.AddrPortFrom(netip.IPv6Loopback(), a.Port())
	}
	return a
}

func (fd *netFD) Close() error {
	if s := fd.sonde; s != nil {
		s.remove()
	}
	if r := fd.sondeRecorded; r != nil {
		r.recordClose(fd.net)
	}
	return fd.sondeRealClose()
}

// remove removes a socket that is about to be closed, and reports its end to Sonde. The end of a connection is not
// urgent, because only the number of open connections matters. So it is reported by sondeReportLater.
func (s *sondeSocket) remove() {
	watched := sondeUnwatch(s.id)
	switch isRegistered := s.unregister(); {
	case isRegistered && (s.reported || watched):
		sondeReport("closed", sondeFormatUint(s.id))
	case watched:
		sondeReportLater("closed", sondeFormatUint(s.id))
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
