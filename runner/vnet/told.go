package vnet

import (
	"net"
	"net/netip"
	"strconv"
	"strings"

	"sonde/model"
)

// listening is a port on which the service waits.
type listening struct {
	id      string
	network string
	port    int
	real    netip.AddrPort
	mark    uint64  // how much it has read when it has taken the last datagram
	passing bool    // it was opened during a call
	chosen  bool    // by the system: the next time it is another
	caller  *player // who called last in this test by TCP
	visited bool    // somebody came and left, as nobody else did
}

// event takes in what the service tells.
func (n *Network) event(e event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch e.kind {
	case "hello":
		n.met = true
	case "lookup":
		n.looked(e)
	case "refused":
		n.refused(e)
	case "real":
		n.note(model.Dial, e.field(0), n.book.hosts(e.place(1))[0], "real", nil)
	case "lost":
		n.note(model.Message, e.field(0), n.book.hosts(e.place(1))[0], "lost", e.bytes(2))
	case "listen":
		n.listen(e)
	case "closed":
		n.closes(e.field(0))
		n.hungUp(e.field(0))
	case "dialed":
		n.dials(e)
		return // it moved when it did
	case "exec", "raw":
		n.escaped(e)
	case "wait":
		n.waiting(e)
		return
	}
	n.moves()
}

// note writes down a contact that no stub answered.
func (n *Network) note(kind model.ContactKind, network, host, outcome string, said []byte) {
	n.test.note(model.Contact{Kind: kind, Protocol: model.Protocol(network), Host: host, Said: said, Stub: -1, Answer: -1, Outcome: outcome})
}

// looked takes in that the service looked up a name.
func (n *Network) looked(e event) {
	kind, name, result := e.field(0), clean(e.field(1)), e.field(2)
	for _, addr := range e.addresses(2) {
		n.book.add(name, addr)
	}
	m := model.Contact{Kind: model.Lookup, Protocol: model.DNS, Host: name, Said: []byte(kind), Stub: -1, Answer: -1, Outcome: "answer"}
	switch result {
	case "-", "":
		m.Outcome = "nxdomain"
	case "real":
		m.Outcome = "real"
	}
	n.answered(&m, n.test.names[name])
	n.test.names[name]++
	n.test.note(m)
}

// answered says which stub it was that answered the nth lookup of a name.
func (n *Network) answered(m *model.Contact, nth int) {
	t := n.test
	i, has := newZone(t.stubs).scripts[m.Host]
	if !has || m.Outcome == "real" {
		return
	}
	if a, index, ok := Turn(t.stubs[i], nth); ok {
		m.Stub, m.Answer = i, index
		if a.Fault != "" {
			m.Outcome = string(a.Fault)
		}
	}
}

// refused takes in a dial that failed.
func (n *Network) refused(e event) { n.refusedAt(e.field(0), e.place(1)) }

func (n *Network) refusedAt(network string, at netip.AddrPort) {
	t := n.test
	m := model.Contact{Kind: model.Dial, Protocol: model.Protocol(network), Host: n.book.hosts(at)[0], Stub: -1, Answer: -1, Outcome: "refused"}
	t.count("connection", m.Host)
	if d := t.dials[way{network, at}]; d != nil {
		if s := d.next(true); s.stub >= 0 {
			m.Stub, m.Answer, m.Outcome = s.stub, s.answer, n.comes(s.fault)
			t.given[s.stub]++
		}
		_ = n.admits(way{network, at}, d) // else it is refused again, and that is told
	}
	t.note(m)
}

// comes is what the service sees of a fault of a dial: a namespace has no other than
// that nobody is there.
func (n *Network) comes(fault model.NetFault) string {
	if n.options.Ground == model.Namespace {
		fault = model.NetRefuse
	}
	return string(fault)
}

// listen takes in that the service waits on a port.
func (n *Network) listen(e event) {
	_, text, _ := net.SplitHostPort(e.field(2))
	port, _ := strconv.Atoi(text)
	real := e.place(3)
	if n.bound[port] == 0 {
		n.listenAt(&listening{id: e.field(0), network: strings.ToLower(e.field(1)), port: port, real: real, passing: n.test.busy, chosen: int(real.Port()) == port})
	}
}

func (n *Network) listenAt(l *listening) {
	n.listens[l.id] = l
	n.first(l.id)
	if l.chosen {
		return
	}
	n.test.note(model.Contact{
		Kind: model.Listen, Protocol: model.Protocol(l.network), Host: ":" + strconv.Itoa(l.port), Inward: true, Stub: -1, Answer: -1, Outcome: "listens",
	})
}

// closes takes in that the service waits on a port no more.
func (n *Network) closes(id string) {
	delete(n.listens, id)
	delete(n.waits, id)
	delete(n.sockets, id)
	n.hear()
}
