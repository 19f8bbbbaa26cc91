package vnet

import (
	"net"
	"net/netip"

	"sonde/model"
)

// answer answers one datagram.
func (e *endpoint) answer(from netip.AddrPort, said []byte) {
	e.n.mu.Lock()
	defer e.n.mu.Unlock()
	d, ok := e.pick(said)
	e.n.moves()
	if !ok {
		e.n.ignores(from, e.way.to)
		return
	}
	e.n.late++
	go func() {
		e.reply(from, d)
		e.n.mu.Lock()
		defer e.n.mu.Unlock()
		e.n.late--
		e.n.moves()
	}()
}

// pick takes the next answer of the first stub that a datagram fits.
func (e *endpoint) pick(said []byte) (due, bool) {
	t, hosts := e.n.test, e.n.book.hosts(e.way.to)
	m := model.Contact{Kind: model.Message, Protocol: model.UDP, Host: hosts[0], Said: said, Stub: -1, Answer: -1, Outcome: "nothing"}
	nth := t.count(model.UDP, hosts[0])
	for _, i := range t.of(model.UDP, hosts) {
		if !FitsBytes(t.stubs[i].Match, said, nth) {
			continue
		}
		if a, index, ok := t.turn(i); ok {
			m.Stub, m.Answer, m.Outcome = i, index, a.Label(model.UDP)
			return due{Answer: a, test: t, contact: t.note(m)}, true
		}
		break
	}
	t.note(m)
	return due{}, false
}

// reply sends an answer, if it is one.
func (e *endpoint) reply(to netip.AddrPort, d due) {
	switch d.Fault {
	case model.NetMute:
		e.n.mute(d, nil)
	case "", model.NetSlow:
		if says := d.Said(); len(says) > 0 && d.pause(d.late(), nil) {
			e.n.served(to)
			_, _ = e.socket.(*net.UDPConn).WriteToUDPAddrPort(says, to)
		}
	}
}

// mostUnheard bounds what is kept of a service that asks those who do not answer.
const mostUnheard = 100

// ignores remembers, in a namespace, who may wait for an answer. The mutex is held.
func (n *Network) ignores(from, to netip.AddrPort) {
	if n.space != nil && len(n.unheard) < mostUnheard {
		n.unheard[from] = to
		n.arm()
	}
}

// served ends the wait of the service's socket that gets a datagram.
func (n *Network) served(local netip.AddrPort) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for id, w := range n.waits {
		if w.kind == "recv" && w.local == local {
			delete(n.waits, id)
		}
	}
}
