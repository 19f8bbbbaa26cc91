package vnet

import (
	"net"
	"strconv"
	"time"

	"sonde/model"
)

// mostSpeech bounds how long a test's begin waits for the hosts that speak first.
const mostSpeech = 100 * time.Millisecond

// speak lets the hosts of a test speak that speak first, as far as the service waits
// for them: one behind the other, in the order of the stubs. It returns when the
// service has taken what they have to say. To whom it waits for later, they then
// speak when it does.
func (n *Network) speak(t *test) {
	late := time.NewTimer(mostSpeech)
	defer late.Stop()
	for i, s := range t.stubs {
		for s.Inward && !n.spoken(t, i) {
			select {
			case <-n.heard:
				continue
			case <-late.C:
			}
			n.admit(t, len(t.stubs))
			return
		}
	}
	n.admit(t, len(t.stubs))
}

// admit lets the first stubs of a test speak.
func (n *Network) admit(t *test, first int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	t.admitted = first
	for _, l := range n.listens {
		n.invite(l)
	}
}

// spoken admits a stub, and reports whether it has said what it can for now.
func (n *Network) spoken(t *test, stub int) bool {
	n.admit(t, stub+1)
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, l := range n.listens {
		if l.is(t.stubs[stub]) {
			return n.silent(l, t, stub)
		}
	}
	return true
}

// silent reports whether a stub has said what it can to a port: all datagrams, and the
// service waits again; or the connection is open, and nothing is due on it.
func (n *Network) silent(l *listening, t *test, stub int) bool {
	if l.network == "tcp" {
		return t.begun[stub] && !l.speaks()
	}
	w := n.waits[l.id]
	return !t.more(stub) && w != nil && l.took(w)
}

// more reports whether a stub has another datagram.
func (t *test) more(stub int) bool {
	_, _, ok := t.next(stub)
	return ok && t.given[stub] < mostAnswers
}

// hear tells whoever waits for the hosts that speak first that one has, or that the
// service waits for another.
func (n *Network) hear() {
	select {
	case n.heard <- struct{}{}:
	default:
	}
}

// is reports whether a stub's host speaks to the port.
func (l *listening) is(s model.Stub) bool {
	_, port := split(s.Host)
	return s.Inward && string(s.Protocol) == l.network && (int(port) == l.port || port == 0 && l.passing)
}

// speaks reports whether the one who called last has something to say.
func (l *listening) speaks() bool { return l.caller != nil && !l.caller.rested }

// invite lets the next host speak to a port on which the service waits, when the one
// before has said what it can. The mutex is held.
func (n *Network) invite(l *listening) {
	w, t := n.waits[l.id], n.test
	if w == nil || l.speaks() || l.network == "udp" && !l.took(w) {
		return
	}
	for i, s := range t.stubs[:t.admitted] {
		switch {
		case !l.is(s) || t.begun[i]:
			continue
		case l.network == "tcp":
			t.begun[i] = true
			n.call(l, i)
		case t.more(i):
			n.send(l, i, w)
		default:
			continue
		}
		if n.space == nil {
			delete(n.waits, l.id) // it has somebody
		}
		return
	}
}

// call opens a connection to the service, on which a stub's host speaks first.
func (n *Network) call(l *listening, stub int) {
	p := newPlayer()
	p.greets, p.port = true, l
	c := &conn{
		n: n, hosts: []string{":" + strconv.Itoa(l.port)}, test: n.test, stub: stub, inward: true, lasts: n.sockets[l.id] != n.test, nth: 1,
		turn: make(chan struct{}, 1), done: make(chan struct{}), state: speaking, player: p,
	}
	p.c, p.s = c, &stream{Conn: c, c: c}
	p.begin(n.test)
	l.caller = p
	go func() {
		socket, err := n.dial(l)
		if err != nil { // the service listens no more
			n.mu.Lock()
			defer n.mu.Unlock()
			p.rest()
			return
		}
		c.TCPConn, c.end = socket, place(socket.LocalAddr())
		c.change(func() { n.enter(c) })
		p.run()
	}()
}

// dial connects to a port of the service.
func (n *Network) dial(l *listening) (*net.TCPConn, error) {
	n.mu.Lock()
	s := n.space
	n.mu.Unlock()
	if s == nil {
		return net.DialTCP("tcp4", nil, net.TCPAddrFromAddrPort(l.real))
	}
	c, err := s.call(l.real)
	if err != nil {
		return nil, err
	}
	return c.(*net.TCPConn), nil
}

// took reports whether the service has read the datagram that was sent last: as much as
// that, or what it takes of it at once.
func (l *listening) took(w *wait) bool { return w.read >= l.mark }

// send sends the next datagram of a stub to the service, which waits.
func (n *Network) send(l *listening, stub int, w *wait) {
	t := n.test
	a, index, _ := t.turn(stub)
	t.note(model.Contact{
		Kind: model.Message, Protocol: model.UDP, Host: ":" + strconv.Itoa(l.port), Inward: true, Stub: stub, Answer: index, Outcome: a.Label(model.UDP),
	})
	l.mark = w.read + uint64(min(len(a.Said()), 1))
	n.late++
	from, inside := n.dns.udp, n.space
	go func() {
		d := due{Answer: a, test: t, contact: -1}
		if d.pause(d.late(), nil) && a.Fault != model.NetMute {
			_, _ = from.WriteToUDPAddrPort(a.Said(), l.real)
		}
		n.mu.Lock()
		n.late--
		n.moves()
		n.mu.Unlock()
		inside.look()
	}()
}
