package netsim

import (
	"context"
	"slices"
	"time"

	"sonde/model"
)

// BeginTest begins a test with its stubs, whose scripts start over. It returns once they
// hold. No host calls the service before StartInward. A service that never reported to its
// network is an error; one that has ended is none, as its calls will show.
func (n *Network) BeginTest(stubs []model.Stub) error {
	if err := checkStubs(stubs); err != nil {
		return err
	}
	t := newTest(append(slices.Clip(stubs), n.options.Stubs...))
	if err := n.openHosts(t); err != nil {
		return err
	}
	before := n.swap(t)
	before.finish()
	if err := n.current().update(t); err != nil {
		return err
	}
	n.drain(func(c *conn) bool { return !c.keepsFor(t) })
	return nil
}

// StartInward lets the hosts call the service that do so by themselves. It comes after
// BeginTest and before the first call.
func (n *Network) StartInward() { n.inward.start(n.test) }

// swap makes a test the current one.
func (n *Network) swap(t *test) (before *test) {
	n.pump()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.conns.inspect() // what the service waits for by now belongs to the test before
	before, n.test = n.test, t
	n.listeners.startTest()
	if n.startup == nil {
		n.startup = append([]model.Contact{}, before.log.contacts...)
	}
	before.log.ended = true
	return before
}

// openHosts opens the sockets of all hosts of a test, and works out the results of dials to
// them.
func (n *Network) openHosts(t *test) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	zone, stubs := newZone(t.stubs), map[endpoint][]int{}
	for i, s := range t.stubs {
		if s.Protocol == model.DNS || s.Inward {
			continue
		}
		for _, e := range zone.endpoints(s) {
			stubs[e] = append(stubs[e], i)
			n.names.addStub(s.Host, e.addr.Addr())
		}
	}
	n.sockets.closeSpare(stubs)
	for e, which := range stubs {
		t.dials[e] = t.dialScriptFor(which)
		if err := n.openHost(e, t.dials[e]); err != nil {
			return err
		}
	}
	return nil
}

// openHost opens the socket of a host, or closes it if the next dial is to fail by that. The
// mutex is held.
func (n *Network) openHost(e endpoint, d *dialScript) error {
	if n.ground.hasSocket(d.current()) {
		return n.sockets.ensure(e)
	}
	n.sockets.close(e)
	return nil
}

// refused notes that a dial of the service failed. The mutex is held.
func (n *Network) refused(e endpoint) {
	t := n.test
	m := model.Contact{
		Kind:     model.ContactDial,
		Protocol: model.Protocol(e.network),
		Host:     n.names.hosts(e.addr)[0],
		Stub:     -1,
		Answer:   -1,
		Outcome:  "refused",
	}
	t.count("connection", m.Host)
	if d := t.dials[e]; d != nil {
		if s := d.next(true); s.stub >= 0 {
			m.Stub, m.Answer, m.Outcome = s.stub, s.answer, string(n.ground.visibleFault(s.fault))
			t.given[s.stub]++
		}
		_ = n.openHost(e, d) // if this fails, the next dial is refused, too, and noted
	}
	t.note(m)
}

// BeginCall says that a call of the test is sent: number call, from 0. What the service did
// until then belongs to the call before.
func (n *Network) BeginCall(call int) {
	if call > 0 {
		n.quiet.settle()
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.test.call, n.test.busy = call, true
	n.quiet.active()
	if n.quiet.mayOpenPort() || n.process.waitSlots() != nil && len(n.conns.open) > 0 {
		n.quiet.arm()
	}
}

// EndCall says that the call is answered.
func (n *Network) EndCall() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.test.busy = false
}

// EndTest says that the test is over, and returns what the service did since it began, in
// order. What the service does from now on belongs to no test.
func (n *Network) EndTest() []model.Contact {
	n.quiet.settle()
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.conns.open {
		n.test.noteUnanswered(c)
	}
	n.test.close()
	return n.test.log.contacts
}

// Contacts returns what the service did since the test began, as far as it is known. It
// returns nil once the test is over.
func (n *Network) Contacts() []model.Contact {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.test.log.ended {
		return nil
	}
	return slices.Clone(n.test.log.contacts)
}

// StartupContacts returns what the service did before the first test began.
func (n *Network) StartupContacts() []model.Contact {
	n.pump()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.startup == nil {
		return slices.Clone(n.test.log.contacts)
	}
	return n.startup
}

// maxDrain bounds how long a service may take to notice that a connection ended.
const maxDrain = 50 * time.Millisecond

// CloseStreams ends the connections of raw TCP of a test that is over. It comes before the
// service is reset, so that what the service does about the end, such as with an unfinished
// line, does not belong to the next test.
func (n *Network) CloseStreams() {
	n.drain(func(c *conn) bool {
		return c.inward || c.proxied == nil && c.state == connTCP && !c.duringStartup
	})
}

// drain ends connections. It waits until the service has noticed, as it would otherwise
// send on a connection that has ended.
func (n *Network) drain(ends func(*conn) bool) {
	n.mu.Lock()
	all := n.conns.selected(ends)
	n.mu.Unlock()
	for _, c := range all {
		c.hangUp()
	}
	late, cancel := context.WithTimeout(context.Background(), maxDrain)
	defer cancel()
	for _, c := range all {
		select {
		case <-c.done:
		case <-late.Done():
			c.kill()
		}
	}
}

// addListener records that the service listens on a port. The mutex is held.
func (n *Network) addListener(l *listener) {
	if n.listeners.add(l, n.test) {
		m := l.contact(model.ContactListen, model.Protocol(l.network))
		m.Outcome = "listens"
		n.test.note(m)
	}
}

// stopsListening records that the service closed a port, if the socket was one. The mutex is
// held.
func (n *Network) stopsListening(id string) {
	n.listeners.remove(id)
	n.inward.progressed()
}
