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

// speaks opens a datagram socket that is connected.
func (o *sondeOpening) speaks(to netip.AddrPort) (*netFD, error) {
	asked := o.raddr
	o.raddr = sondeAddr(asked, o.moved(to))
	fd, err := o.real()
	if err != nil {
		sondeTell("failed", "0", to.String(), sondeCauseOf(o.ctx), err.Error())
		return nil, err
	}
	fd.raddr = asked
	fd.sondeRecorded = &sondeRecorded{id: sondeIDs.Add(1)}
	return fd, nil
}

// moved returns the address to which the table redirects an address, or else the address itself.
func (t *sondeTable) moved(to netip.AddrPort) netip.AddrPort {
	if r := t.routes[sondePlace{"udp", to}]; r != nil {
		return r.ways[0].to
	}
	return to
}

// sends writes and reports a datagram on a connected socket.
func (r *sondeRecorded) sends(fd *netFD, p []byte) (int, error) {
	to := sondeTarget(sondeAddrPort(fd.raddr))
	r.says(to, p)
	n, err := fd.sondeRealWrite(p)
	r.failed(to, err)
	return n, err
}

// says reports a datagram that the service sends, unless it is an answer to a host that sent first.
func (r *sondeRecorded) says(to netip.AddrPort, p []byte) {
	r.mu.Lock()
	answers := r.heard[to] && !r.spoken[to]
	if !answers {
		sondeNote(&r.spoken, to)
	}
	r.mu.Unlock()
	if !answers && sondeMatters(to) {
		sondeSayData("said", r.id, to, poll.SondeCause(), p)
	}
}

func (r *sondeRecorded) failed(to netip.AddrPort, err error) {
	if err != nil && sondeMatters(to) {
		sondeTell("failed", sondeText(r.id), to.String(), poll.SondeCause(), err.Error())
	}
}

// hears reports a datagram that the service receives, if the socket has sent any. The sender may be
// unknown, as the members of a multicast group are.
func (r *sondeRecorded) hears(from netip.AddrPort, p []byte) {
	r.mu.Lock()
	known, any := r.spoken[from], len(r.spoken) > 0
	if !known {
		sondeNote(&r.heard, from)
	}
	r.mu.Unlock()
	if any && sondeMatters(from) {
		sondeSayData("came", r.id, from, "", p)
	}
}

// sondeNote adds an address to a set of at most sondeMany.
func sondeNote(all *map[netip.AddrPort]bool, a netip.AddrPort) {
	if *all == nil || len(*all) >= sondeMany {
		*all = map[netip.AddrPort]bool{}
	}
	(*all)[a] = true
}

// sondeMatters reports whether datagrams to and from an address are recorded.
func sondeMatters(at netip.AddrPort) bool {
	t := sondeRecords.Load()
	return t != nil && at.Port() != 53 && !t.allows(sondePlace{"udp", at})
}

// sondeSayData reports a datagram with its content.
func sondeSayData(kind string, id uint64, at netip.AddrPort, cause string, p []byte) {
	line := make([]byte, 0, 128+2*len(p))
	line = append(sondeNumber(append(line, kind+" "...), id), ' ')
	line = append(at.AppendTo(line), ' ')
	line = append(sondeEscape(line, cause), ' ')
	for _, c := range p {
		line = append(line, sondeHex[c>>4], sondeHex[c&15])
	}
	sondeSay(append(line, '\n'))
}

// The functions below wrap those for sockets that are not connected.

func (fd *netFD) writeToInet4(p []byte, sa *syscall.SockaddrInet4) (int, error) {
	to := netip.AddrPortFrom(netip.AddrFrom4(sa.Addr), uint16(sa.Port))
	if !fd.sondeSends(to, p) {
		return fd.sondeRealWriteToInet4(p, sa)
	}
	n, err := fd.sondeRealWriteToInet4(p, sondeInet4(to, sa))
	fd.sondeRecorded.failed(to, err)
	return n, err
}

func (fd *netFD) writeToInet6(p []byte, sa *syscall.SockaddrInet6) (int, error) {
	to := sondePlace6(sa)
	if !fd.sondeSends(to, p) {
		return fd.sondeRealWriteToInet6(p, sa)
	}
	n, err := fd.sondeRealWriteToInet6(p, sondeInet6(to, sa))
	fd.sondeRecorded.failed(to, err)
	return n, err
}

func (fd *netFD) writeMsgInet4(p, oob []byte, sa *syscall.SockaddrInet4) (n, oobn int, err error) {
	if sa == nil {
		return fd.sondeRealWriteMsgInet4(p, oob, sa)
	}
	to := netip.AddrPortFrom(netip.AddrFrom4(sa.Addr), uint16(sa.Port))
	if !fd.sondeSends(to, p) {
		return fd.sondeRealWriteMsgInet4(p, oob, sa)
	}
	n, oobn, err = fd.sondeRealWriteMsgInet4(p, oob, sondeInet4(to, sa))
	fd.sondeRecorded.failed(to, err)
	return n, oobn, err
}

func (fd *netFD) writeMsgInet6(p, oob []byte, sa *syscall.SockaddrInet6) (n, oobn int, err error) {
	if sa == nil {
		return fd.sondeRealWriteMsgInet6(p, oob, sa)
	}
	to := sondePlace6(sa)
	if !fd.sondeSends(to, p) {
		return fd.sondeRealWriteMsgInet6(p, oob, sa)
	}
	n, oobn, err = fd.sondeRealWriteMsgInet6(p, oob, sondeInet6(to, sa))
	fd.sondeRecorded.failed(to, err)
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

// sondeSends reports a datagram that is about to be sent. It returns false if the socket is not
// recorded.
func (fd *netFD) sondeSends(to netip.AddrPort, p []byte) bool {
	if fd.sondeRecorded == nil {
		return false
	}
	fd.sondeRecorded.says(to, p)
	return true
}

func sondePlace6(sa *syscall.SockaddrInet6) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16(sa.Addr).Unmap(), uint16(sa.Port))
}

// sondeInet4 returns the real destination of a datagram.
func sondeInet4(to netip.AddrPort, sa *syscall.SockaddrInet4) *syscall.SockaddrInet4 {
	real := sondeReally(to)
	if real == to || !real.Addr().Is4() {
		return sa
	}
	return &syscall.SockaddrInet4{Addr: real.Addr().As4(), Port: int(real.Port())}
}

func sondeInet6(to netip.AddrPort, sa *syscall.SockaddrInet6) *syscall.SockaddrInet6 {
	real := sondeReally(to)
	if real == to {
		return sa
	}
	return &syscall.SockaddrInet6{Addr: real.Addr().As16(), Port: int(real.Port())}
}

// sondeReally returns the address to which a datagram is redirected, or the original address. It records
// a redirection, so that the service sees the original address as the sender of an answer.
func sondeReally(to netip.AddrPort) netip.AddrPort {
	t := sondeRecords.Load()
	if t == nil {
		return to
	}
	real := t.moved(to)
	if real != to {
		sondeSent.note(real, to)
	}
	return real
}

func (fd *netFD) Read(p []byte) (int, error) {
	n, err := fd.sondeRealRead(p)
	if r := fd.sondeRecorded; r != nil && fd.net[:3] == "udp" {
		to := sondeTarget(sondeAddrPort(fd.raddr))
		if err == nil {
			r.hears(to, p[:n])
		}
		r.failed(to, sondeBroke(err))
	}
	return n, err
}

// sondeBroke returns err if it is an error of the destination, and nil otherwise.
func sondeBroke(err error) error {
	if errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.EHOSTUNREACH) {
		return err
	}
	return nil
}

func (fd *netFD) readFromInet4(p []byte, from *syscall.SockaddrInet4) (int, error) {
	n, err := fd.sondeRealReadFromInet4(p, from)
	if fd.sondeRecorded != nil && err == nil {
		at := fd.sondeHears(netip.AddrPortFrom(netip.AddrFrom4(from.Addr), uint16(from.Port)), p[:n])
		from.Addr, from.Port = at.Addr().As4(), int(at.Port())
	}
	return n, err
}

func (fd *netFD) readFromInet6(p []byte, from *syscall.SockaddrInet6) (int, error) {
	n, err := fd.sondeRealReadFromInet6(p, from)
	if fd.sondeRecorded != nil && err == nil {
		at := fd.sondeHears(sondePlace6(from), p[:n])
		from.Addr, from.Port = at.Addr().As16(), int(at.Port())
	}
	return n, err
}

func (fd *netFD) readMsgInet4(p, oob []byte, flags int, from *syscall.SockaddrInet4) (n, oobn, retflags int, err error) {
	n, oobn, retflags, err = fd.sondeRealReadMsgInet4(p, oob, flags, from)
	if fd.sondeRecorded != nil && err == nil {
		at := fd.sondeHears(netip.AddrPortFrom(netip.AddrFrom4(from.Addr), uint16(from.Port)), p[:n])
		from.Addr, from.Port = at.Addr().As4(), int(at.Port())
	}
	return n, oobn, retflags, err
}

func (fd *netFD) readMsgInet6(p, oob []byte, flags int, from *syscall.SockaddrInet6) (n, oobn, retflags int, err error) {
	n, oobn, retflags, err = fd.sondeRealReadMsgInet6(p, oob, flags, from)
	if fd.sondeRecorded != nil && err == nil {
		at := fd.sondeHears(sondePlace6(from), p[:n])
		from.Addr, from.Port = at.Addr().As16(), int(at.Port())
	}
	return n, oobn, retflags, err
}

// sondeHears reports a datagram from a real address. It returns the address that the service sees.
func (fd *netFD) sondeHears(real netip.AddrPort, p []byte) netip.AddrPort {
	from, moved := sondeSent.find(real)
	if !moved {
		from = real
	}
	if fd.isConnected {
		from = sondeTarget(sondeAddrPort(fd.raddr))
	}
	fd.sondeRecorded.hears(from, p)
	return from
}
