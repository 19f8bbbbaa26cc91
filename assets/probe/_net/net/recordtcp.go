//go:build unix

package net

import (
	"context"
	"internal/poll"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
)

// A service that is recorded uses the real network: names, addresses and ports are real. Only the TCP
// connections of the service lead to Sonde, which dials the real hosts and relays the data.

// sondeRecordingTable is the table of a service that is recorded: the names and places that are redirected,
// and the hosts that are not recorded. It is nil if the service is not recorded.
var sondeRecordingTable atomic.Pointer[sondeTable]

// sondeRecorded is the state of a socket that is recorded.
type sondeRecorded struct {
	id   uint64
	port uint16 // the port of a listener; 0 for other sockets

	mu       sync.Mutex // guards the fields below
	reported bool       // cause was reported
	cause    string     // the request that caused the last write
	written  uint64     // number of bytes that were written

	senders      map[netip.AddrPort]bool // hosts that sent a datagram before the service sent one to them
	destinations map[netip.AddrPort]bool // hosts to which the service sent datagrams, except answers
}

//sonde:field netFD sondeRecorded *sondeRecorded

// SondeRecorded reports whether a connection is recorded. The types of other packages may wrap a
// recorded connection. For a connection of such a type, SondeRecorded reports whether the network is
// TCP.
func SondeRecorded(c Conn) bool {
	if t, ok := c.(*TCPConn); ok {
		return t.ok() && t.fd.sondeRecorded != nil
	}
	return c.RemoteAddr() != nil && c.RemoteAddr().Network() == "tcp"
}

// sondeCauseOf returns the ID of the request that caused a call. It is the ID in the context or, if
// there is none, that of the request for which the goroutine works. It is "" if the request is not
// known.
func sondeCauseOf(ctx context.Context) string {
	if id, ok := ctx.Value(poll.SondeRequest{}).(string); ok {
		return id
	}
	return poll.SondeCause()
}

// openRecorded opens a socket of a service that is recorded.
func (o *sondeSocketArgs) openRecorded() (*netFD, error) {
	switch {
	case !sondeIsInternet(o.laddr) && !sondeIsInternet(o.raddr) || !sondeHasChannel():
		return o.real()
	case o.raddr == nil:
		return o.listenRecorded()
	}
	to := sondeTarget(sondeAddrPort(o.raddr))
	switch {
	case o.proto() == "tcp" && sondeListenPorts.has(to):
		return o.dialOwn(to)
	case to.Port() == 53 || o.allows(sondePlace{o.proto(), to}):
		return o.real()
	case o.proto() == "udp":
		return o.openUDP(to)
	}
	return o.dialRecorded(to)
}

// listenRecorded opens a listener, or a datagram socket that is not connected.
func (o *sondeSocketArgs) listenRecorded() (*netFD, error) {
	requested := o.laddr
	at := sondeAddrPort(requested)
	bound := o.binds[sondePortOf(o.proto(), at.Port())]
	if bound != 0 {
		o.laddr = sondeAddr(requested, netip.AddrPortFrom(at.Addr(), bound))
	}
	fd, err := o.real()
	if err != nil {
		return nil, err
	}
	if bound != 0 {
		fd.laddr = sondeAddr(requested, netip.AddrPortFrom(sondeAddrPort(fd.laddr).Addr(), at.Port()))
	}
	fd.sondeRecorded = &sondeRecorded{id: sondeIDs.Add(1)}
	if o.proto() == "tcp" {
		fd.sondeRecorded.port = sondeAddrPort(fd.laddr).Port()
		sondeListenPorts.add(fd.sondeRecorded.port, 1)
	}
	return fd, nil
}

// dialOwn dials a port at which the service itself listens.
func (o *sondeSocketArgs) dialOwn(to netip.AddrPort) (*netFD, error) {
	if bound := o.binds[sondePortOf("tcp", to.Port())]; bound != 0 {
		o.raddr = sondeAddr(o.raddr, netip.AddrPortFrom(to.Addr(), bound))
	}
	return o.real()
}

// recordClose is called when the socket is closed. It removes a listener from sondeListenPorts, and
// reports that a datagram socket is closed.
func (r *sondeRecorded) recordClose(network string) {
	switch {
	case r.port != 0:
		sondeListenPorts.add(r.port, -1)
		r.port = 0
	case network[:3] == "udp":
		sondeReport("shut", sondeFormatUint(r.id))
	}
}

// sondeListenPorts counts the listeners of the service by port. Connections to these ports of the loopback are not
// recorded.
var sondeListenPorts = sondePortCounts{all: map[uint16]int{}}

type sondePortCounts struct {
	sync.Mutex
	all map[uint16]int
}

func (p *sondePortCounts) add(port uint16, n int) {
	p.Lock()
	defer p.Unlock()
	p.all[port] += n
}

// has reports whether the service itself listens at an address of the loopback. It returns false for other addresses.
func (p *sondePortCounts) has(at netip.AddrPort) bool {
	p.Lock()
	defer p.Unlock()
	return at.Addr().IsLoopback() && p.all[at.Port()] > 0
}

// dialRecorded asks Sonde to dial an address, waits for the result, and connects to Sonde, which relays the
// data.
func (o *sondeSocketArgs) dialRecorded(to netip.AddrPort) (*netFD, error) {
	id := sondeIDs.Add(1)
	result := sondePendingDials.add(id)
	defer sondePendingDials.remove(id)
	sondeReport("ask", sondeFormatUint(id), to.String(), sondeCauseOf(o.ctx))
	select {
	case d := <-result:
		return o.connectRecorded(id, d)
	case <-o.ctx.Done():
		sondeReport("drop", sondeFormatUint(id), o.ctx.Err().Error())
		return nil, mapErr(o.ctx.Err())
	}
}

// connectRecorded connects to Sonde after Sonde has dialed the host. If Sonde has closed the channel, the
// connection is a real one.
func (o *sondeSocketArgs) connectRecorded(id uint64, d sondeDialResult) (*netFD, error) {
	switch {
	case d.closed:
		return o.real()
	case d.errno != 0:
		return nil, os.NewSyscallError("connect", d.errno)
	}
	fd, err := o.loopback(sondeNilAddr(o.raddr), sondeAddr(o.raddr, d.at), o.raddr)
	if err != nil {
		sondeReport("drop", sondeFormatUint(id), err.Error())
		return nil, err
	}
	sondeReport("opened", sondeFormatUint(id), sondeAddrPort(fd.laddr).String())
	fd.laddr, fd.raddr = sondeAddr(o.raddr, d.from), o.raddr
	fd.sondeRecorded = &sondeRecorded{id: id}
	return fd, nil
}

// sondeDialResult is the result of a dial that Sonde made for the service.
type sondeDialResult struct {
	at     netip.AddrPort // the address at which Sonde listens for the service
	from   netip.AddrPort // the local address of the connection that Sonde dialed
	errno  syscall.Errno  // the error of the dial, or 0
	closed bool           // Sonde has closed the channel
}

// sondePendingDials has the dials that wait for a result from Sonde, by ID.
var sondePendingDials = sondeDialMap{all: map[uint64]chan sondeDialResult{}}

type sondeDialMap struct {
	sync.Mutex
	all map[uint64]chan sondeDialResult
}

func (m *sondeDialMap) add(id uint64) <-chan sondeDialResult {
	c := make(chan sondeDialResult, 1)
	m.Lock()
	defer m.Unlock()
	m.all[id] = c
	return c
}

func (m *sondeDialMap) remove(id uint64) {
	m.Lock()
	defer m.Unlock()
	delete(m.all, id)
}

// deliver passes the result of a dial to the goroutine that waits for it. at is the address at which Sonde
// listens, or "!" and the name of an error.
func (m *sondeDialMap) deliver(id uint64, at, from string) {
	var d sondeDialResult
	var err error
	if at != "" && at[0] == '!' {
		d.errno = sondeErrnos[at[1:]]
	} else {
		d.at, err = netip.ParseAddrPort(at)
		d.from, _ = netip.ParseAddrPort(from)
	}
	m.Lock()
	defer m.Unlock()
	if c := m.all[id]; c != nil && err == nil {
		delete(m.all, id)
		c <- d
	}
}

// closeAll ends all dials that wait for Sonde, because the channel is closed.
func (m *sondeDialMap) closeAll() {
	m.Lock()
	defer m.Unlock()
	for id, c := range m.all {
		delete(m.all, id)
		c <- sondeDialResult{closed: true}
	}
}
