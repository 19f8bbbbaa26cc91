//go:build unix

package net

import (
	"context"
	"net/netip"
	"os"
	"syscall"
)

// sondeControl is the type of Dialer.ControlContext and similar functions of the service. Package net calls
// them for each socket before the socket is bound or connected.
type sondeControl = func(context.Context, string, string, syscall.RawConn) error

// sondeRealKey is a key in contexts. If a context has a value for this key, calls with the context use the real
// network.
type sondeRealKey struct{}

func socket(
	ctx context.Context, net string, family, sotype, proto int, ipv6only bool, laddr, raddr sockaddr, ctrl sondeControl,
) (*netFD, error) {
	t, records := sondeCurrentTable.Load(), sondeRecordingTable.Load()
	if t == nil && records == nil || ctx.Value(sondeRealKey{}) != nil {
		return sondeRealSocket(ctx, net, family, sotype, proto, ipv6only, laddr, raddr, ctrl)
	}
	d := &sondeSocketArgs{t, ctx, net, family, sotype, proto, ipv6only, laddr, raddr, ctrl}
	if t == nil {
		d.sondeTable = records
		return d.openRecorded()
	}
	switch end := raddr; {
	case sondeIsUnix(laddr) || sondeIsUnix(raddr):
		return d.real()
	case !sondeIsInternet(laddr) && !sondeIsInternet(raddr):
		return d.raw()
	case end == nil:
		return d.listen()
	}
	return d.dial()
}

func sondeIsUnix(a sockaddr) bool {
	_, ok := a.(*UnixAddr)
	return ok
}

func sondeIsInternet(a sockaddr) bool {
	switch a.(type) {
	case *TCPAddr, *UDPAddr:
		return true
	}
	return false
}

// sondeSocketArgs has the arguments of a call of the function socket.
type sondeSocketArgs struct {
	*sondeTable
	ctx            context.Context
	net            string
	family, sotype int
	number         int // the number of the protocol
	ipv6only       bool
	laddr, raddr   sockaddr
	ctrl           sondeControl
}

// real opens the socket unchanged.
func (o *sondeSocketArgs) real() (*netFD, error) {
	return sondeRealSocket(o.ctx, o.net, o.family, o.sotype, o.number, o.ipv6only, o.laddr, o.raddr, o.ctrl)
}

// loopback opens the socket between laddr and raddr, which are real addresses on the loopback. The control function of
// the service gets the virtual address instead.
func (o *sondeSocketArgs) loopback(laddr, raddr sockaddr, virtual sockaddr) (*netFD, error) {
	ctrl := o.ctrl
	if ctrl != nil {
		ctrl = func(ctx context.Context, net, _ string, c syscall.RawConn) error {
			return o.ctrl(ctx, net, virtual.String(), c)
		}
	}
	return sondeRealSocket(o.ctx, o.net, syscall.AF_INET, o.sotype, o.number, false, laddr, raddr, ctrl)
}

func (o *sondeSocketArgs) proto() string { return o.net[:3] }

// raw refuses protocols other than TCP and UDP.
func (o *sondeSocketArgs) raw() (*netFD, error) {
	a := o.raddr
	if a == nil {
		a = o.laddr
	}
	at := ""
	if a != nil {
		at = a.String()
	}
	sondeReport("refused", "ip", at, "EPERM")
	return nil, os.NewSyscallError("socket", syscall.EPERM)
}

func (o *sondeSocketArgs) dial() (*netFD, error) {
	to := sondeTarget(sondeAddrPort(o.raddr))
	w := o.outcome(o.proto(), to)
	if w.real {
		sondeReport("real", o.proto(), to.String())
		return o.real()
	}
	if w.errno != 0 {
		sondeReport("refused", o.proto(), to.String(), sondeErrnoName(w.errno))
	}
	if o.proto() == "udp" {
		w = w.forConnectedUDP()
	}
	if w.errno != 0 {
		return nil, os.NewSyscallError("connect", w.errno)
	}
	if w.lost {
		return o.connect(to, sondeOutcome{to: sondeSink()})
	}
	return o.connect(to, w)
}

// sondeTarget returns the destination of a dial. A destination without an IP address, such as ":80", is
// on the loopback.
func sondeTarget(a netip.AddrPort) netip.AddrPort {
	a = sondePlain(a)
	if !a.Addr().IsValid() || a.Addr().IsUnspecified() {
		return netip.AddrPortFrom(sondeLoopback(a.Addr().Is6()), a.Port())
	}
	return a
}

// connect opens a connection to a virtual address.
func (o *sondeSocketArgs) connect(virtual netip.AddrPort, w sondeOutcome) (*netFD, error) {
	o.raddr = sondeAddr(o.raddr, virtual)
	fd, err := o.loopback(sondeNilAddr(o.raddr), sondeAddr(o.raddr, w.to), o.raddr)
	if err != nil {
		return nil, err
	}
	local, remote := sondeAddrPort(fd.laddr), virtual.String()
	fd.sonde = &sondeSocket{id: sondeIDs.Add(1), proto: o.proto(), virtual: o.from(virtual.Addr(), local)}
	fd.laddr, fd.raddr = sondeAddr(o.raddr, fd.sonde.virtual), o.raddr
	if o.proto() == "udp" {
		fd.sonde.register()
		fd.sonde.setReal(local)
	}
	switch {
	case o.proto() == "udp":
		fd.sondeWatch(local, remote)
	case w.watch:
		sondeReportLater("dialed", sondeFormatUint(fd.sonde.id), local.String(), remote)
		fd.sondeUseSlot(local, w.to, remote)
	}
	return fd, nil
}

// from returns the local address that the service sees on a connection. If the service asked for a
// local address, that is the result. Otherwise the result is the loopback for a connection to the
// loopback, and the address of a network interface for any other connection.
func (o *sondeSocketArgs) from(to netip.Addr, local netip.AddrPort) netip.AddrPort {
	requested := sondeAddrPort(o.laddr)
	port := local.Port()
	if requested.Port() != 0 {
		port = requested.Port()
	}
	if requested.Addr().IsValid() && !requested.Addr().IsUnspecified() {
		return netip.AddrPortFrom(requested.Addr().Unmap(), port)
	}
	if to.IsLoopback() {
		return netip.AddrPortFrom(sondeLoopback(to.Is6()), port)
	}
	return netip.AddrPortFrom(o.externalAddr(to.Is6()), port)
}

// sondeAddrPort returns a TCP or UDP address as a value. It returns the zero value for other
// addresses and nil.
func sondeAddrPort(a Addr) netip.AddrPort {
	switch a := a.(type) {
	case *TCPAddr:
		if a != nil {
			return a.AddrPort()
		}
	case *UDPAddr:
		if a != nil {
			return a.AddrPort()
		}
	}
	return netip.AddrPort{}
}

// sondeAddr returns an address with the type of its first argument: *UDPAddr or, for all other types, *TCPAddr.
func sondeAddr(like sockaddr, a netip.AddrPort) sockaddr {
	if _, ok := like.(*UDPAddr); ok {
		return UDPAddrFromAddrPort(a)
	}
	return TCPAddrFromAddrPort(a)
}

// sondeNilAddr returns a nil pointer with the type of its argument: *UDPAddr or, for all other types, *TCPAddr.
func sondeNilAddr(like sockaddr) sockaddr {
	if _, ok := like.(*UDPAddr); ok {
		return (*UDPAddr)(nil)
	}
	return (*TCPAddr)(nil)
}
