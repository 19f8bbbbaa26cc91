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

// sondeRecords is the table of a service that is recorded: the names and places that are redirected,
// and the hosts that are not recorded. It is nil if the service is not recorded.
var sondeRecords atomic.Pointer[sondeTable]

// sondeRecorded is the state of a socket that is recorded.
type sondeRecorded struct {
	id   uint64
	port uint16 // of a listener; 0 for other sockets

	mu       sync.Mutex // guards the fields below
	reported bool       // cause was reported
	cause    string     // the request that caused the last write
	written  uint64     // bytes

	heard  map[netip.AddrPort]bool // hosts that sent a datagram before the service sent one to them
	spoken map[netip.AddrPort]bool // hosts to which the service sent datagrams, except answers
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

// recorded opens a socket of a service that is recorded.
func (o *sondeOpening) recorded() (*netFD, error) {
	switch {
	case !sondeIsInternet(o.laddr) && !sondeIsInternet(o.raddr) || !sondeHasChannel():
		return o.real()
	case o.raddr == nil:
		return o.waits()
	}
	to := sondeTarget(sondeAddrPort(o.raddr))
	switch {
	case o.proto() == "tcp" && sondePorts.has(to):
		return o.calls(to)
	case to.Port() == 53 || o.allows(sondePlace{o.proto(), to}):
		return o.real()
	case o.proto() == "udp":
		return o.speaks(to)
	}
	return o.asks(to)
}

// waits opens a listener, or a datagram socket that is not connected.
func (o *sondeOpening) waits() (*netFD, error) {
	asked := o.laddr
	at := sondeAddrPort(asked)
	bound := o.binds[sondePortOf(o.proto(), at.Port())]
	if bound != 0 {
		o.laddr = sondeAddr(asked, netip.AddrPortFrom(at.Addr(), bound))
	}
	fd, err := o.real()
	if err != nil {
		return nil, err
	}
	if bound != 0 {
		fd.laddr = sondeAddr(asked, netip.AddrPortFrom(sondeAddrPort(fd.laddr).Addr(), at.Port()))
	}
	fd.sondeRecorded = &sondeRecorded{id: sondeIDs.Add(1)}
	if o.proto() == "tcp" {
		fd.sondeRecorded.port = sondeAddrPort(fd.laddr).Port()
		sondePorts.add(fd.sondeRecorded.port, 1)
	}
	return fd, nil
}

// calls dials a port of the service itself.
func (o *sondeOpening) calls(to netip.AddrPort) (*netFD, error) {
	if bound := o.binds[sondePortOf("tcp", to.Port())]; bound != 0 {
		o.raddr = sondeAddr(o.raddr, netip.AddrPortFrom(to.Addr(), bound))
	}
	return o.real()
}

// shut records that the socket is closed. It reports that for a datagram socket.
func (r *sondeRecorded) shut(network string) {
	switch {
	case r.port != 0:
		sondePorts.add(r.port, -1)
		r.port = 0
	case network[:3] == "udp":
		sondeTell("shut", sondeText(r.id))
	}
}

// sondePorts counts the listeners of the service by port. Connections to them are not recorded.
var sondePorts = sondeOpen{all: map[uint16]int{}}

type sondeOpen struct {
	sync.Mutex
	all map[uint16]int
}

func (p *sondeOpen) add(port uint16, n int) {
	p.Lock()
	defer p.Unlock()
	p.all[port] += n
}

// has reports whether the service itself listens at an address.
func (p *sondeOpen) has(at netip.AddrPort) bool {
	p.Lock()
	defer p.Unlock()
	return at.Addr().IsLoopback() && p.all[at.Port()] > 0
}

// asks makes the other end dial, waits for the result, and connects to the other end.
func (o *sondeOpening) asks(to netip.AddrPort) (*netFD, error) {
	id := sondeIDs.Add(1)
	door := sondeDoors.wait(id)
	defer sondeDoors.forget(id)
	sondeTell("ask", sondeText(id), to.String(), sondeCauseOf(o.ctx))
	select {
	case d := <-door:
		return o.enters(id, d)
	case <-o.ctx.Done():
		sondeTell("drop", sondeText(id), o.ctx.Err().Error())
		return nil, mapErr(o.ctx.Err())
	}
}

// enters connects to the other end after its dial.
func (o *sondeOpening) enters(id uint64, d sondeDoor) (*netFD, error) {
	switch {
	case d.closed:
		return o.real()
	case d.errno != 0:
		return nil, os.NewSyscallError("connect", d.errno)
	}
	fd, err := o.loopback(sondeNone(o.raddr), sondeAddr(o.raddr, d.at), o.raddr)
	if err != nil {
		sondeTell("drop", sondeText(id), err.Error())
		return nil, err
	}
	sondeTell("opened", sondeText(id), sondeAddrPort(fd.laddr).String())
	fd.laddr, fd.raddr = sondeAddr(o.raddr, d.from), o.raddr
	fd.sondeRecorded = &sondeRecorded{id: id}
	return fd, nil
}

// sondeDoor is the result of a dial of the other end.
type sondeDoor struct {
	at     netip.AddrPort // where the other end listens for the service
	from   netip.AddrPort // the local address of the connection that it dialed
	errno  syscall.Errno  // the error of the dial, or 0
	closed bool           // the other end has closed the channel
}

// sondeDoors has the dials that wait for the other end, by ID.
var sondeDoors = sondeAsked{all: map[uint64]chan sondeDoor{}}

type sondeAsked struct {
	sync.Mutex
	all map[uint64]chan sondeDoor
}

func (a *sondeAsked) wait(id uint64) <-chan sondeDoor {
	c := make(chan sondeDoor, 1)
	a.Lock()
	defer a.Unlock()
	a.all[id] = c
	return c
}

func (a *sondeAsked) forget(id uint64) {
	a.Lock()
	defer a.Unlock()
	delete(a.all, id)
}

// open delivers the result of a dial.
func (a *sondeAsked) open(id uint64, at, from string) bool {
	var d sondeDoor
	var err error
	if at != "" && at[0] == '!' {
		d.errno = sondeErrnos[at[1:]]
	} else {
		d.at, err = netip.ParseAddrPort(at)
		d.from, _ = netip.ParseAddrPort(from)
	}
	a.Lock()
	defer a.Unlock()
	if c := a.all[id]; c != nil && err == nil {
		delete(a.all, id)
		c <- d
	}
	return true
}

// end ends all dials that wait, because the channel is closed.
func (a *sondeAsked) end() {
	a.Lock()
	defer a.Unlock()
	for id, c := range a.all {
		delete(a.all, id)
		c <- sondeDoor{closed: true}
	}
}
