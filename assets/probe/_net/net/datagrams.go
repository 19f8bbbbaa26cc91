//go:build unix

package net

import (
	"net/netip"
	"os"
	"sync"
	"syscall"
)

// This file redirects the datagrams of UDP sockets that are not connected. A datagram of the service
// goes to the real address that belongs to its virtual destination. A datagram for the service seems to
// come from the virtual address of its sender.

// sondeRealDestination returns the real address to which a datagram is sent. If sent is false, the datagram is not
// sent. It then fails with err or, if err is nil, is lost without an error. A datagram that fails or is lost is
// reported.
func (c *UDPConn) sondeRealDestination(b []byte, to netip.AddrPort) (real netip.AddrPort, sent bool, err error) {
	t := sondeCurrentTable.Load()
	if t == nil {
		return to, true, nil
	}
	at := sondeTarget(to)
	w := t.outcome("udp", at)
	if w.errno == syscall.ECONNREFUSED && sondeLoopbackSenders.has(at) {
		return netip.AddrPortFrom(sondeLoopback(false), at.Port()), true, nil
	}
	switch w.errno {
	case syscall.ENETUNREACH, syscall.EHOSTUNREACH:
		sondeReport("refused", "udp", at.String(), sondeErrnoName(w.errno))
		return at, false, os.NewSyscallError("sendto", w.errno)
	case 0:
		if !w.lost {
			sondeDestinations.set(w.to, at)
			return w.to, true, nil
		}
	}
	sondeReport("lost", "udp", at.String(), sondeHexString(b))
	return at, false, nil
}

// sondeMaxLostBytes is how many bytes of a lost datagram are reported.
const sondeMaxLostBytes = 512

func sondeHexString(b []byte) string {
	text := make([]byte, 0, 2*sondeMaxLostBytes)
	for _, c := range b[:min(len(b), sondeMaxLostBytes)] {
		text = append(text, sondeHex[c>>4], sondeHex[c&15])
	}
	return string(text)
}

// sondeVirtualSender returns the address that the service sees instead of the real address of a sender.
// sondeVirtualSender counts the n bytes that the service received from the sender.
func (c *UDPConn) sondeVirtualSender(n int, real netip.AddrPort) netip.AddrPort {
	c.fd.pfd.SondeRead(n)
	t := sondeCurrentTable.Load()
	if t == nil || !real.IsValid() {
		return real
	}
	real = sondePlain(real)
	from, sent := sondeDestinations.get(real)
	if !sent {
		from = c.fd.sonde.inFamily(t.sender("udp", real).virtual)
	}
	if from.Addr().IsLoopback() {
		sondeLoopbackSenders.add(real)
	}
	if s := c.fd.sonde; s.any() && s.v4 && s.v6 { // such a socket sees IPv4 addresses in IPv6 form
		return netip.AddrPortFrom(netip.AddrFrom16(from.Addr().As16()), from.Port())
	}
	return from
}

// sondeDestinations has, for each real address, the virtual destination of the last datagram that was sent
// there. The service sees an answer from the real address as an answer from that destination. Several virtual
// addresses may have the same real address.
var sondeDestinations = sondeAddrMap{all: map[netip.AddrPort]netip.AddrPort{}}

type sondeAddrMap struct {
	sync.Mutex
	all map[netip.AddrPort]netip.AddrPort
}

func (e *sondeAddrMap) set(real, virtual netip.AddrPort) {
	e.Lock()
	defer e.Unlock()
	if len(e.all) >= sondeMaxAddrs {
		clear(e.all)
	}
	e.all[real] = virtual
}

func (e *sondeAddrMap) reset() {
	e.Lock()
	defer e.Unlock()
	clear(e.all)
}

func (e *sondeAddrMap) get(real netip.AddrPort) (virtual netip.AddrPort, ok bool) {
	e.Lock()
	defer e.Unlock()
	virtual, ok = e.all[real]
	return virtual, ok
}

// sondeLoopbackSenders has the real addresses of senders that the service sees on the loopback. The service may
// answer these senders, even if they are not in the table.
var sondeLoopbackSenders = sondeAddrSet{all: map[netip.AddrPort]bool{}}

type sondeAddrSet struct {
	sync.Mutex
	all map[netip.AddrPort]bool
}

// sondeMaxAddrs is the maximum number of entries in sondeDestinations, in sondeLoopbackSenders and in a set of
// sondeAddAddr. A full map is emptied before another entry is added.
const sondeMaxAddrs = 10000

func (s *sondeAddrSet) has(a netip.AddrPort) bool {
	s.Lock()
	defer s.Unlock()
	return s.all[netip.AddrPortFrom(sondeLoopback(false), a.Port())] && a.Addr().IsLoopback()
}

func (s *sondeAddrSet) add(a netip.AddrPort) {
	s.Lock()
	defer s.Unlock()
	if len(s.all) >= sondeMaxAddrs {
		clear(s.all)
	}
	s.all[a] = true
}

// sondeRedirects reports whether a datagram must be redirected. Datagrams on connected sockets are not
// redirected, and neither are those to an address family that the socket does not have: the kernel refuses
// them.
func (c *UDPConn) sondeRedirects(to netip.AddrPort) bool {
	return c.fd.sonde != nil && !c.fd.isConnected && to.IsValid() && (c.fd.net != "udp4" || to.Addr().Unmap().Is4())
}

func (c *UDPConn) writeTo(b []byte, addr *UDPAddr) (int, error) {
	to := sondeAddrPortOf(addr)
	if !c.sondeRedirects(to) {
		return c.sondeRealWriteTo(b, addr)
	}
	return c.writeToAddrPort(b, to)
}

// sondeAddrPortOf returns an address as a value. An address without an IP means the loopback.
func sondeAddrPortOf(a *UDPAddr) netip.AddrPort {
	if a != nil && len(a.IP) == 0 {
		return netip.AddrPortFrom(sondeLoopback(false), uint16(a.Port))
	}
	return sondeAddrPort(a)
}

func (c *UDPConn) writeToAddrPort(b []byte, to netip.AddrPort) (int, error) {
	if !c.sondeRedirects(to) {
		return c.sondeRealWriteToAddrPort(b, to)
	}
	real, sent, err := c.sondeRealDestination(b, to)
	if !sent || err != nil {
		return sondeLostLen(b, err), err
	}
	n, err := c.sondeRealWriteToAddrPort(b, real)
	c.fd.pfd.SondeWrote(int64(n))
	return n, err
}

// sondeLostLen returns how many bytes of a lost datagram were written: all, or 0 if there is an
// error.
func sondeLostLen(b []byte, err error) int {
	if err != nil {
		return 0
	}
	return len(b)
}

func (c *UDPConn) writeMsg(b, oob []byte, addr *UDPAddr) (n, oobn int, err error) {
	to := sondeAddrPortOf(addr)
	if !c.sondeRedirects(to) {
		return c.sondeRealWriteMsg(b, oob, addr)
	}
	return c.writeMsgAddrPort(b, oob, to)
}

func (c *UDPConn) writeMsgAddrPort(b, oob []byte, to netip.AddrPort) (n, oobn int, err error) {
	if !c.sondeRedirects(to) {
		return c.sondeRealWriteMsgAddrPort(b, oob, to)
	}
	real, sent, err := c.sondeRealDestination(b, to)
	if !sent || err != nil {
		return sondeLostLen(b, err), sondeLostLen(oob, err), err
	}
	n, oobn, err = c.sondeRealWriteMsgAddrPort(b, oob, real)
	c.fd.pfd.SondeWrote(int64(n))
	return n, oobn, err
}

func (c *UDPConn) readFrom(b []byte, addr *UDPAddr) (int, *UDPAddr, error) {
	if c.fd.sonde == nil {
		return c.sondeRealReadFrom(b, addr)
	}
	n, from, err := c.sondeRealReadFrom(b, addr)
	if err == nil {
		*from = *UDPAddrFromAddrPort(c.sondeVirtualSender(n, from.AddrPort()))
	}
	return n, from, err
}

func (c *UDPConn) readFromAddrPort(b []byte) (n int, from netip.AddrPort, err error) {
	n, from, err = c.sondeRealReadFromAddrPort(b)
	if err == nil && c.fd.sonde != nil {
		from = c.sondeVirtualSender(n, from)
	}
	return n, from, err
}

func (c *UDPConn) readMsg(b, oob []byte) (n, oobn, flags int, from netip.AddrPort, err error) {
	n, oobn, flags, from, err = c.sondeRealReadMsg(b, oob)
	if err == nil && c.fd.sonde != nil {
		from = c.sondeVirtualSender(n, from)
	}
	return n, oobn, flags, from, err
}
