package netsim

import (
	"strconv"
	"time"

	"sonde/model"
)

// maxInwardStart bounds the duration of StartInward.
const maxInwardStart = 100 * time.Millisecond

// inwardCalls lets hosts call the service's own ports, as the inward stubs of a test say. A host
// may call as soon as its stub is admitted and the service waits on the port.
type inwardCalls struct {
	n        *Network
	progress chan struct{} // receives when a host has nothing more to send, or the service waits on a port or closes it
}

// start admits the inward stubs of a test, one after the other. It admits the next stub when the previous stub's host
// has nothing more to send, or when the service does not listen on the port that this host calls. At the end, or
// after maxInwardStart, start admits all stubs.
func (i *inwardCalls) start(t *testState) {
	late := time.NewTimer(maxInwardStart)
	defer late.Stop()
	defer i.admit(t, len(t.stubs))
	for stub, s := range t.stubs {
		for s.Inward && !i.finished(t, stub) {
			select {
			case <-i.progress:
			case <-late.C:
				return
			}
		}
	}
}

// admit admits the stubs of a test whose index is less than first.
func (i *inwardCalls) admit(t *testState, first int) {
	i.n.mu.Lock()
	defer i.n.mu.Unlock()
	t.admitted = first
	for _, l := range i.n.listeners.open {
		i.invite(l)
	}
}

// finished admits a stub and all stubs before it. It reports whether the host of the stub has
// nothing more to send for now, or the service does not listen on the port that the host calls.
func (i *inwardCalls) finished(t *testState, stub int) bool {
	i.admit(t, stub+1)
	i.n.mu.Lock()
	defer i.n.mu.Unlock()
	for _, l := range i.n.listeners.open {
		if l.isCalledBy(t.stubs[stub]) {
			return i.isSilent(l, t, stub)
		}
	}
	return true
}

// isSilent reports whether the host of a stub has nothing more to send to a port. With TCP, that
// means that the host has called and no answer is due. With UDP, the host has sent all datagrams,
// and the service has read the last one and waits again. The caller must hold the mutex.
func (i *inwardCalls) isSilent(l *listener, t *testState, stub int) bool {
	if l.network == "tcp" {
		return t.called[stub] && !l.callerBusy()
	}
	w := i.n.listeners.waits[l.id]
	return !t.hasMore(stub) && w != nil && l.tookLast(w)
}

// progressed wakes start.
func (i *inwardCalls) progressed() {
	select {
	case i.progress <- struct{}{}:
	default:
	}
}

// invite lets the next host call port l if the service waits on the port, the previous host has nothing more to send,
// and the service has read the last datagram. The caller must hold the mutex.
func (i *inwardCalls) invite(l *listener) {
	n := i.n
	w, t := n.listeners.waits[l.id], n.test
	if w == nil || l.callerBusy() || l.network == "udp" && !l.tookLast(w) {
		return
	}
	stub, ok := t.nextCaller(l)
	if !ok {
		return
	}
	if l.network == "tcp" {
		t.called[stub] = true
		i.call(l, stub)
	} else {
		i.send(l, stub, w)
	}
	if !n.process.infersWaits() {
		delete(n.listeners.waits, l.id) // the wait ends
	}
}

// nextCaller returns the first admitted stub whose host calls port l and is not finished: with
// TCP the host has not called yet, with UDP it has another datagram. It returns -1, false if
// there is none.
func (t *testState) nextCaller(l *listener) (stub int, ok bool) {
	for stub, s := range t.stubs[:t.admitted] {
		if l.isCalledBy(s) && !t.called[stub] && (l.network == "tcp" || t.hasMore(stub)) {
			return stub, true
		}
	}
	return -1, false
}

// call opens a connection from the host of a stub to port l. The host speaks first. The caller must
// hold the mutex.
func (i *inwardCalls) call(l *listener, stub int) {
	n := i.n
	c := &conn{
		n:          n,
		hosts:      []string{":" + strconv.Itoa(l.port)},
		test:       n.test,
		stub:       stub,
		inward:     true,
		persistent: n.listeners.firstSeen[l.id] != n.test,
		nth:        1,
		changed:    make(chan struct{}, 1),
		done:       make(chan struct{}),
		state:      connTCP,
	}
	p := newTCPPlayer(c, &stream{Conn: c, c: c})
	p.speaksFirst, p.port = true, l
	c.player = p
	p.begin(n.test)
	l.caller = p
	to := n.process
	go func() {
		socket, err := to.dial(l.real)
		if err != nil { // the service stopped listening
			n.mu.Lock()
			defer n.mu.Unlock()
			p.markIdle()
			return
		}
		c.TCPConn, c.peer = socket, addrPort(socket.LocalAddr())
		c.change(func() { n.register(c) })
		p.run()
	}()
}

// send sends the next datagram of a stub to port l, on which the service waits. The caller must
// hold the mutex.
func (i *inwardCalls) send(l *listener, stub int, w *wait) {
	n := i.n
	t := n.test
	a, index, _ := t.take(stub)
	m := l.contact(model.ContactMessage, model.UDP)
	m.Stub, m.Answer, m.Outcome = stub, index, a.Label(model.UDP)
	t.note(m)
	l.mark = w.read + uint64(min(len(a.Content()), 1))
	n.quiet.beginSend()
	to := n.process
	go func() {
		d := dueAnswer{Answer: a, test: t, contact: -1}
		if d.pause(d.delay(), nil) && a.Fault != model.NetMute {
			to.sendDatagram(a.Content(), l.real)
		}
		n.quiet.endSend()
		to.findListeners()
	}()
}
