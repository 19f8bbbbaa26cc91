package vnet

import (
	"net"
	"net/netip"

	"sonde/model"
	"sonde/runner/netns"
)

// event takes in what the keeper tells.
func (s *space) event(e netns.Event) {
	if e.Kind == netns.Ended {
		s.close()
		return
	}
	n, at := s.n, netip.AddrPortFrom(e.Address.Addr().Unmap(), e.Address.Port())
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.space != s && n.space != nil || n.isOurs(e):
		return
	case e.Kind == netns.Spread && n.endpoints[way{"udp", at}] != nil:
		return // it hears that
	case e.Network == "udp":
		n.lostTo(at, e.Data)
	case !n.ownPort(at):
		n.refusedAt("tcp", at)
	}
	n.moves()
}

// outsider is from where hosts speak first: no name has it of itself.
var outsider = netip.AddrFrom4([4]byte{198, 18, 0, 1})

// isOurs reports whether it was a host of ours that turned to a port of the service, which
// is closed by now. The mutex is held.
func (n *Network) isOurs(e netns.Event) bool {
	from := netip.AddrPortFrom(e.From.Addr().Unmap(), e.From.Port())
	if from.Addr() == outsider || e.Network == "udp" && (from.Port() == 53 || n.endpoints[way{"udp", from}] != nil) {
		return true
	}
	for w := range n.endpoints { // who hears all, or a group, answers from another address
		if e.Network == "udp" && w.network == "udp" && w.to.Port() == from.Port() && !single(w.to.Addr()) {
			return true
		}
	}
	return false
}

// single reports whether datagrams to an address are for one.
func single(at netip.Addr) bool {
	return !at.IsMulticast() && at != netip.AddrFrom4([4]byte{255, 255, 255, 255})
}

// lostTo takes in a datagram to nobody.
func (n *Network) lostTo(at netip.AddrPort, said []byte) {
	n.note(model.Message, "udp", n.book.hosts(at)[0], "lost", said)
}

// ownPort reports whether an address is a port of the service itself, which others than
// it may have found closed. The mutex is held.
func (n *Network) ownPort(at netip.AddrPort) bool {
	if at.Addr().IsLoopback() && n.bound[int(at.Port())] != 0 {
		return true
	}
	for _, l := range n.listens {
		if l.real == at {
			return true
		}
	}
	return false
}

// sync waits until what the service did is known.
func (s *space) sync() {
	_ = s.Namespace.Sync() // a service that is gone does nothing any more
	s.look()
}

// look finds out on which ports the service waits. A nil one has no ports.
func (s *space) look() {
	for range mostLooks {
		if s == nil || s.looked() {
			return
		}
	}
}

// mostLooks is how often it is looked, if hosts come and go meanwhile.
const mostLooks = 3

// looked reports whether what it found out is of use: whose the sockets are is only known
// while the hosts stay the same.
func (s *space) looked() bool {
	s.n.mu.Lock()
	before := s.n.opened
	s.n.mu.Unlock()
	all, err := s.Listening()
	s.n.mu.Lock()
	defer s.n.mu.Unlock()
	if err != nil || s.n.space != s {
		return true
	}
	if s.n.opened == before {
		s.n.found(all)
	}
	return s.n.opened == before
}

// found takes in which sockets wait. The mutex is held.
func (n *Network) found(all []netns.Listening) {
	open := map[string]bool{}
	for _, l := range all {
		if id := l.Network + " " + l.Address.String(); !n.ours(l) && !n.space.lets(l) {
			open[id] = true
			n.waitsAt(id, l)
		}
	}
	for id := range n.listens {
		if !open[id] {
			n.closes(id)
		}
	}
}

// ours reports whether a socket is a host's, the resolver's, or that of the service's
// API.
func (n *Network) ours(l netns.Listening) bool {
	at := netip.AddrPortFrom(l.Address.Addr().Unmap(), l.Address.Port())
	return n.endpoints[way{l.Network, at}] != nil || at.Port() == 53 && at.Addr().IsUnspecified() || l.Network == "tcp" && n.bound[int(at.Port())] != 0
}

// lets reports whether a socket is one by which the service reaches what is allowed. The
// mutex of the network is held.
func (s *space) lets(l netns.Listening) bool { return l.Network == "tcp" && s.real[l.Address] }

// waitsAt takes in that the service waits at a port: always, as far as anybody knows.
func (n *Network) waitsAt(id string, l netns.Listening) {
	if n.listens[id] == nil {
		passing := n.test.busy
		n.listenAt(&listening{
			id: id, network: l.Network, port: int(l.Address.Port()), real: reached(l.Address), passing: passing,
			chosen: l.Address.Port() >= firstChosen && !(passing && l.Network == "tcp"),
		})
	}
	w := n.waits[id]
	if w == nil {
		w = &wait{id: id, kind: "listen"}
		n.waits[id] = w
	}
	if own := n.listens[id]; l.Unread == 0 && n.late == 0 {
		w.read = own.mark
		n.invite(own)
		n.hear()
	}
}

// firstChosen is the first of the ports that Linux gives to those who ask for any: to
// who sends datagrams, too.
const firstChosen = 32768

// call connects to a port of the service as a host does.
func (s *space) call(at netip.AddrPort) (net.Conn, error) {
	from := outsider
	if at.Addr().Is6() {
		from = netip.Addr{}
	}
	return s.Dial(from, at.String())
}

// visit comes to a port and leaves at once.
func (s *space) visit(l *listening) {
	if c, err := s.call(l.real); err == nil {
		_ = c.(*net.TCPConn).SetLinger(0)
		_ = c.Close()
	}
}

// presume takes silence for waiting: where the service said nothing for a while, and
// nothing is on its way to it. The mutex is held.
func (n *Network) presume() {
	for _, c := range n.conns {
		leaves := c.gone && (c.player == nil || len(c.player.said) == 0)
		if c.wait == nil && c.owed == 0 && c.heard == c.taken && !leaves {
			c.hears(&wait{written: c.taken, read: c.sent})
		}
	}
}
