package netsim

import (
	"net"
	"net/netip"

	"sonde/model"
)

// answer notes a datagram from an address, and sends the answer of a stub, if any.
func (h *hostSocket) answer(from netip.AddrPort, data []byte) {
	n := h.n
	n.mu.Lock()
	defer n.mu.Unlock()
	d, ok := h.choose(data)
	n.quiet.active()
	if !ok {
		n.process.unanswered(from, h.endpoint.addr)
		return
	}
	n.quiet.beginSend()
	go func() {
		h.reply(from, d)
		n.quiet.endSend()
	}()
}

// choose takes the next answer of the first stub that matches the datagram, and notes the contact.
// It returns false if there is no answer. The caller must hold the mutex.
func (h *hostSocket) choose(data []byte) (dueAnswer, bool) {
	t, hosts := h.n.test, h.n.names.hosts(h.endpoint.addr)
	m := model.Contact{
		Kind: model.ContactMessage, Protocol: model.UDP, Host: hosts[0], Data: data, Stub: -1, Answer: -1, Outcome: "nothing",
	}
	nth := t.count(model.UDP, hosts[0])
	for _, i := range t.stubsFor(model.UDP, hosts) {
		if !MatchesBytes(t.stubs[i].Match, data, nth) {
			continue
		}
		if a, index, ok := t.take(i); ok {
			m.Stub, m.Answer, m.Outcome = i, index, a.Label(model.UDP)
			return dueAnswer{Answer: a, test: t, contact: t.note(m)}, true
		}
		break
	}
	t.note(m)
	return dueAnswer{}, false
}

// reply sends an answer. With the fault NetMute it sends nothing and waits; see stayMute. With any other fault except
// NetSlow it does nothing.
func (h *hostSocket) reply(to netip.AddrPort, d dueAnswer) {
	switch d.Fault {
	case model.NetMute:
		h.n.stayMute(d, nil)
	case "", model.NetSlow:
		if data := d.Content(); len(data) > 0 && d.pause(d.delay(), nil) {
			h.n.mu.Lock()
			h.n.listeners.endDatagramWaits(to)
			h.n.mu.Unlock()
			_, _ = h.socket.(*net.UDPConn).WriteToUDPAddrPort(data, to)
		}
	}
}
