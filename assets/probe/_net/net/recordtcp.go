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

// A service that is recorded uses the real network: names, addresses and ports are real. But the
// other end dials its TCP connections and relays them.

// sondeRecordingTable is the table of a service that is recorded: the names and places that are redirected,
// and the hosts that are not recorded. It is nil if the service is not recorded.
var sondeRecordingTable atomic.Pointer[sondeTable]

// sondeRecorded is the state of a socket that is recorded.
type sondeRecorded struct {
	id   uint64
	port uint16 // of a listener; 0 for other sockets

	mu       sync.Mutex // guards the fields below
	reported bool       // cause was reported
	cause    string     // the request that caused the last write
	written  uint64     // bytes

	senders      map[netip.AddrPort]bool // hosts that sent a datagram before the service sent one to them
	destinations map[netip.AddrPort]bool // hosts to which the service sent datagrams, except answers
}

//sonde:field netFD sondeRecorded *sondeRecorded

// SondeRecorded reports whether a connection is recorded. For a type of another package, which may
// wrap a recorded connection, it is true if the network is TCP.
func SondeRecorded(c Conn) bool {
	if t, ok := c.(*TCPConn); ok {
		return t.ok() && t.fd.sondeRecorded != nil
	}
	return c.RemoteAddr() != nil && c.RemoteAddr().Network() == "tcp"
}

// sondeCauseOf returns the request that caused a call with a context, "" if it is not known.
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

// dialOwn dials a port of the service itself.
func (o *sondeSocketArgs) dialOwn(to netip.AddrPort) (*netFD, error) {
	if bound := o.binds[sondePortOf("tcp", to.Port())]; bound != 0 {
		o.raddr = sondeAddr(o.raddr, netip.AddrPortFrom(to.Addr(), bound))
	}
	return o.real()
}

// recordClose handles the closing of the socket: it no longer counts a listener, and reports a
// datagram socket.
func (r *sondeRecorded) recordClose(network string) {
	switch {
	case r.port != 0:
		sondeListenPorts.add(r.port, -1)
		r.port = 0
	case network[:3] == "udp":
		sondeReport("shut", sondeFormatUint(r.id))
	}
}

// sondeListenPorts counts the listeners of the service by port. Connections to them are not recorded.
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

// has reports whether the service itself listens at an address.
func (p *sondePortCounts) has(at netip.AddrPort) bool {
	p.Lock()
	defer p.Unlock()
	return at.Addr().IsLoopback() && p.all[at.Port()] > 0
}

// dialRecorded makes the other end dial, waits for the result, and connects to the other end.
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

// connectRecorded connects to the other end after its dial.
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

// sondeDialResult is the result of a dial of the other end.
type sondeDialResult struct {
	at     netip.AddrPort // where the other end listens for the service
	from   netip.AddrPort // the local address of the connection that it dialed
	errno  syscall.Errno  // the error of the dial, or 0
	closed bool           // the other end has closed the channel
}

// sondePendingDials has the dials that wait for the other end, by ID.
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

// deliver delivers the result of a dial.
func (m *sondeDialMap) deliver(id uint64, at, from string) bool {
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
	return true
}

// closeAll ends all dials that wait, because the channel is closed.
func (m *sondeDialMap) closeAll() {
	m.Lock()
	defer m.Unlock()
	for id, c := range m.all {
		delete(m.all, id)
		c <- sondeDialResult{closed: true}
	}
}
