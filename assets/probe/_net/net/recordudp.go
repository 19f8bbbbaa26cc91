//go:build unix

package net

import (
	"errors"
	"internal/poll"
	"net/netip"
	"syscall"
)

// Datagrams of a service that is recorded are sent to their real destination, or to the address to
// which the table redirects them. They are reported with their content.

// openUDP opens a datagram socket that is connected.
func (o *sondeSocketArgs) openUDP(to netip.AddrPort) (*netFD, error) {
	requested := o.raddr
	o.raddr = sondeAddr(requested, o.redirected(to))
	fd, err := o.real()
	if err != nil {
		sondeReport("failed", "0", to.String(), sondeCauseOf(o.ctx), err.Error())
		return nil, err
	}
	fd.raddr = requested
	fd.sondeRecorded = &sondeRecorded{id: sondeIDs.Add(1)}
	return fd, nil
}

// redirected returns the address to which the table redirects an address, or else the address itself.
func (t *sondeTable) redirected(to netip.AddrPort) netip.AddrPort {
	if r := t.routes[sondePlace{"udp", to}]; r != nil {
		return r.outcomes[0].to
	}
	return to
}

// writeDatagram writes and reports a datagram on a connected socket.
func (r *sondeRecorded) writeDatagram(fd *netFD, p []byte) (int, error) {
	to := sondeTarget(sondeAddrPort(fd.raddr))
	r.reportSent(to, p)
	n, err := fd.sondeRealWrite(p)
	r.reportFailure(to, err)
	return n, err
}

// reportSent reports a datagram that the service sends, unless it is an answer to a host that sent first, or the host
// is not recorded.
func (r *sondeRecorded) reportSent(to netip.AddrPort, p []byte) {
	r.mu.Lock()
	isAnswer := r.senders[to] && !r.destinations[to]
	if !isAnswer {
		sondeAddAddr(&r.destinations, to)
	}
	r.mu.Unlock()
	if !isAnswer && sondeIsRecorded(to) {
		sondeReportData("said", r.id, to, poll.SondeCause(), p)
	}
}

func (r *sondeRecorded) reportFailure(to netip.AddrPort, err error) {
	if err != nil && sondeIsRecorded(to) {
		sondeReport("failed", sondeFormatUint(r.id), to.String(), poll.SondeCause(), err.Error())
	}
}

// reportReceived reports a datagram that the socket receives, if the socket has sent a datagram before and the sender
// is recorded. The sender need not be an address to which the socket has sent: members of a multicast group answer
// from their own addresses.
func (r *sondeRecorded) reportReceived(from netip.AddrPort, p []byte) {
	r.mu.Lock()
	isKnown, hasSent := r.destinations[from], len(r.destinations) > 0
	if !isKnown {
		sondeAddAddr(&r.senders, from)
	}
	r.mu.Unlock()
	if hasSent && sondeIsRecorded(from) {
		sondeReportData("came", r.id, from, "", p)
	}
}

// sondeAddAddr adds an address to a set of at most sondeMaxAddrs. It empties a full set first.
func sondeAddAddr(all *map[netip.AddrPort]bool, a netip.AddrPort) {
	if *all == nil || len(*all) >= sondeMaxAddrs {
		*all = map[netip.AddrPort]bool{}
	}
	(*all)[a] = true
}

// sondeIsRecorded reports whether datagrams to and from an address are recorded.
func sondeIsRecorded(at netip.AddrPort) bool {
	t := sondeRecordingTable.Load()
	return t != nil && at.Port() != 53 && !t.allows(sondePlace{"udp", at})
}

// sondeReportData reports a datagram with its content.
func sondeReportData(kind string, id uint64, at netip.AddrPort, cause string, p []byte) {
	line := make([]byte, 0, 128+2*len(p))
	line = append(sondeAppendUint(append(line, kind+" "...), id), ' ')
	line = append(at.AppendTo(line), ' ')
	line = append(sondeEscape(line, cause), ' ')
	for _, c := range p {
		line = append(line, sondeHex[c>>4], sondeHex[c&15])
	}
	sondeSend(append(line, '\n'))
}

// The wrappers below write to sockets that are not connected.

func (fd *netFD) writeToInet4(p []byte, sa *syscall.SockaddrInet4) (int, error) {
	to := netip.AddrPortFrom(netip.AddrFrom4(sa.Addr), uint16(sa.Port))
	if !fd.sondeReportSend(to, p) {
		return fd.sondeRealWriteToInet4(p, sa)
	}
	n, err := fd.sondeRealWriteToInet4(p, sondeRealInet4(to, sa))
	fd.sondeRecorded.reportFailure(to, err)
	return n, err
}

func (fd *netFD) writeToInet6(p []byte, sa *syscall.SockaddrInet6) (int, error) {
	to := sondeAddrPort6(sa)
	if !fd.sondeReportSend(to, p) {
		return fd.sondeRealWriteToInet6(p, sa)
	}
	n, err := fd.sondeRealWriteToInet6(p, sondeRealInet6(to, sa))
	fd.sondeRecorded.reportFailure(to, err)
	return n, err
}

func (fd *netFD) writeMsgInet4(p, oob []byte, sa *syscall.SockaddrInet4) (n, oobn int, err error) {
	if sa == nil {
		return fd.sondeRealWriteMsgInet4(p, oob, sa)
	}
	to := netip.AddrPortFrom(netip.AddrFrom4(sa.Addr), uint16(sa.Port))
	if !fd.sondeReportSend(to, p) {
		return fd.sondeRealWriteMsgInet4(p, oob, sa)
	}
	n, oobn, err = fd.sondeRealWriteMsgInet4(p, oob, sondeRealInet4(to, sa))
	fd.sondeRecorded.reportFailure(to, err)
	return n, oobn, err
}

func (fd *netFD) writeMsgInet6(p, oob []byte, sa *syscall.SockaddrInet6) (n, oobn int, err error) {
	if sa == nil {
		return fd.sondeRealWriteMsgInet6(p, oob, sa)
	}
	to := sondeAddrPort6(sa)
	if !fd.sondeReportSend(to, p) {
		return fd.sondeRealWriteMsgInet6(p, oob, sa)
	}
	n, oobn, err = fd.sondeRealWriteMsgInet6(p, oob, sondeRealInet6(to, sa))
	fd.sondeRecorded.reportFailure(to, err)
	return n, oobn, err
}

func (fd *netFD) writeMsg(p, oob []byte, sa syscall.Sockaddr) (n, oobn int, err error) {
	switch sa := sa.(type) {
	case *syscall.SockaddrInet4:
		return fd.writeMsgInet4(p, oob, sa)
	case *syscall.SockaddrInet6:
		return fd.writeMsgInet6(p, oob, sa)
	}
	return fd.sondeRealWriteMsg(p, oob, sa)
}

// sondeReportSend reports a datagram that is about to be sent. It returns false if the socket is not
// recorded.
func (fd *netFD) sondeReportSend(to netip.AddrPort, p []byte) bool {
	if fd.sondeRecorded == nil {
		return false
	}
	fd.sondeRecorded.reportSent(to, p)
	return true
}

func sondeAddrPort6(sa *syscall.SockaddrInet6) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16(sa.Addr).Unmap(), uint16(sa.Port))
}

// sondeRealInet4 returns the real destination of a datagram. It returns sa if the datagram is not redirected to an
// IPv4 address.
func sondeRealInet4(to netip.AddrPort, sa *syscall.SockaddrInet4) *syscall.SockaddrInet4 {
	real := sondeRedirect(to)
	if real == to || !real.Addr().Is4() {
		return sa
	}
	return &syscall.SockaddrInet4{Addr: real.Addr().As4(), Port: int(real.Port())}
}

func sondeRealInet6(to netip.AddrPort, sa *syscall.SockaddrInet6) *syscall.SockaddrInet6 {
	real := sondeRedirect(to)
	if real == to {
		return sa
	}
	return &syscall.SockaddrInet6{Addr: real.Addr().As16(), Port: int(real.Port())}
}

// sondeRedirect returns the address to which datagrams for an address are redirected, or the same address if
// they are not redirected. It also notes a redirection in sondeDestinations, so that an answer seems to come
// from the original address.
func sondeRedirect(to netip.AddrPort) netip.AddrPort {
	t := sondeRecordingTable.Load()
	if t == nil {
		return to
	}
	real := t.redirected(to)
	if real != to {
		sondeDestinations.set(real, to)
	}
	return real
}

func (fd *netFD) Read(p []byte) (int, error) {
	n, err := fd.sondeRealRead(p)
	if r := fd.sondeRecorded; r != nil && fd.net[:3] == "udp" {
		to := sondeTarget(sondeAddrPort(fd.raddr))
		if err == nil {
			r.reportReceived(to, p[:n])
		}
		r.reportFailure(to, sondeDestinationError(err))
	}
	return n, err
}

// sondeDestinationError returns err if it means that the destination refused a datagram or is unreachable.
// Otherwise it returns nil.
func sondeDestinationError(err error) error {
	if errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.EHOSTUNREACH) {
		return err
	}
	return nil
}

func (fd *netFD) readFromInet4(p []byte, from *syscall.SockaddrInet4) (int, error) {
	n, err := fd.sondeRealReadFromInet4(p, from)
	if fd.sondeRecorded != nil && err == nil {
		at := fd.sondeReportReceived(netip.AddrPortFrom(netip.AddrFrom4(from.Addr), uint16(from.Port)), p[:n])
		from.Addr, from.Port = at.Addr().As4(), int(at.Port())
	}
	return n, err
}

func (fd *netFD) readFromInet6(p []byte, from *syscall.SockaddrInet6) (int, error) {
	n, err := fd.sondeRealReadFromInet6(p, from)
	if fd.sondeRecorded != nil && err == nil {
		at := fd.sondeReportReceived(sondeAddrPort6(from), p[:n])
		from.Addr, from.Port = at.Addr().As16(), int(at.Port())
	}
	return n, err
}

func (fd *netFD) readMsgInet4(p, oob []byte, flags int, from *syscall.SockaddrInet4) (n, oobn, retflags int, err error) {
	n, oobn, retflags, err = fd.sondeRealReadMsgInet4(p, oob, flags, from)
	if fd.sondeRecorded != nil && err == nil {
		at := fd.sondeReportReceived(netip.AddrPortFrom(netip.AddrFrom4(from.Addr), uint16(from.Port)), p[:n])
		from.Addr, from.Port = at.Addr().As4(), int(at.Port())
	}
	return n, oobn, retflags, err
}

func (fd *netFD) readMsgInet6(p, oob []byte, flags int, from *syscall.SockaddrInet6) (n, oobn, retflags int, err error) {
	n, oobn, retflags, err = fd.sondeRealReadMsgInet6(p, oob, flags, from)
	if fd.sondeRecorded != nil && err == nil {
		at := fd.sondeReportReceived(sondeAddrPort6(from), p[:n])
		from.Addr, from.Port = at.Addr().As16(), int(at.Port())
	}
	return n, oobn, retflags, err
}

// sondeReportReceived reports a datagram from a real address. It returns the address that the service sees.
func (fd *netFD) sondeReportReceived(real netip.AddrPort, p []byte) netip.AddrPort {
	from, isRedirected := sondeDestinations.get(real)
	if !isRedirected {
		from = real
	}
	if fd.isConnected {
		from = sondeTarget(sondeAddrPort(fd.raddr))
	}
	fd.sondeRecorded.reportReceived(from, p)
	return from
}
