package netsim

import (
	"context"
	"slices"
	"time"

	"sonde/model"
)

// BeginStart prepares for another process of the service. The permanent stubs replace Options.Stubs and those of an
// earlier call of BeginStart, and all scripts start over. BeginStart detaches the previous process, and forgets the
// contacts so far. It fails if a stub is invalid or needs another ground, or if a host cannot be opened.
func (n *Network) BeginStart(permanent []model.Stub) error {
	if err := n.options.check(permanent); err != nil {
		return err
	}
	n.ProcessEnded()
	t := newTest(permanent, n.options.Observe)
	t.admitted = len(permanent)
	if err := n.openHosts(t); err != nil {
		return err
	}
	n.swap(t, 0).finish()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.permanent, n.startup = permanent, nil
	return nil
}

// BeginTest begins a test with its own stubs and the permanent stubs. All scripts start over, except those of permanent
// background stubs, which continue until the process ends. When BeginTest returns, the stubs are in effect. No host
// calls the service before StartInward. BeginTest fails if
//
//   - a stub is invalid or needs another ground
//   - a host cannot be opened
//   - the table of the network cannot be written
//   - the service needs a new table, but has never reported to its network
//
// BeginTest does not fail if the service reported before but has ended: the calls of the test will show this.
func (n *Network) BeginTest(stubs []model.Stub) error {
	if err := n.options.check(stubs); err != nil {
		return err
	}
	if n.options.Ground == model.GroundBuiltIn {
		n.current().sync() // what the service used since the last test belongs to no test
	}
	t := newTest(append(slices.Clip(stubs), n.permanent...), n.options.Observe)
	t.own = len(stubs)
	if err := n.openHosts(t); err != nil {
		return err
	}
	before := n.swap(t, len(n.permanent))
	before.finish()
	if err := n.current().update(t); err != nil {
		return err
	}
	n.drain(func(c *conn) bool { return !c.keepsFor(t) })
	return nil
}

// StartInward lets the hosts of inward stubs call the service. It is called after BeginTest
// and before the first call.
func (n *Network) StartInward() { n.inward.start(n.test) }

// swap makes t the current test, and returns the previous test. The last stubs of both tests are the permanent stubs;
// same is their number. The scripts of permanent background stubs continue in t.
func (n *Network) swap(t *testState, same int) (before *testState) {
	n.pump()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.conns.inspect() // the current waits belong to the previous test
	before, n.test = n.test, t
	t.continueBackground(before, same)
	n.listeners.startTest()
	if n.startup == nil {
		n.startup = append([]model.Contact{}, before.log.contacts...)
	}
	before.log.ended = true
	return before
}

// openHosts opens the sockets of all hosts of a test, and sets t.dials.
func (n *Network) openHosts(t *testState) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	zone, stubs := newZone(t.stubs), map[endpoint][]int{}
	for i, s := range t.stubs {
		if s.Protocol == model.DNS || s.Protocol == model.Environment || s.Inward {
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

// openHost opens the socket of a host if the ground needs one for the next dial. Otherwise it closes the socket, if it
// is open. In a namespace, the kernel then refuses the dial. The caller must hold the mutex.
func (n *Network) openHost(e endpoint, d *dialScript) error {
	if n.ground.hasSocket(d.current()) {
		return n.sockets.ensure(e)
	}
	n.sockets.close(e)
	return nil
}

// refused notes that a dial of the service failed. The caller must hold the mutex.
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
			t.answered[s.stub]++
		}
		_ = n.openHost(e, d) // if this fails, the next dial is refused, too, and noted
	}
	t.note(m)
}

// BeginCall records that the test's call with the given index is about to be sent. It first waits until the contacts of
// the previous call, if there is one, are known.
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

// EndCall records that the service has answered the call.
func (n *Network) EndCall() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.test.busy = false
}

// EndTest ends the test, and returns the contacts of the service since BeginTest, in order. Later contacts belong to no
// test. Of the stubs of the environment, only the permanent ones are in effect after EndTest, because a reset of the
// service must not meet the faults of the test.
func (n *Network) EndTest() []model.Contact {
	n.quiet.settle()
	n.mu.Lock()
	for _, c := range n.conns.open {
		n.test.noteUnanswered(c)
	}
	n.test.close()
	t, isChanged := n.test, n.test.endEnvironment()
	n.mu.Unlock()
	if isChanged {
		_ = n.current().update(t) // if this fails, the service has ended, or BeginTest fails, too
	}
	return t.log.contacts
}

// Contacts returns the contacts of the service since BeginTest that are known so far. It
// returns nil after EndTest.
func (n *Network) Contacts() []model.Contact {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.test.log.ended {
		return nil
	}
	return slices.Clone(n.test.log.contacts)
}

// StartupContacts returns the contacts of the service before the first BeginTest since the last BeginStart.
func (n *Network) StartupContacts() []model.Contact {
	n.pump()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.startup == nil {
		return slices.Clone(n.test.log.contacts)
	}
	return n.startup
}

// maxDrain bounds how long drain waits until the service has closed its ends.
const maxDrain = 50 * time.Millisecond

// CloseStreams ends the inward connections and the raw TCP connections, except those that the service opened during
// its startup or may use in several tests. It is called after a test, before the service is reset. The service may
// react to the end of a connection, for example because a line is incomplete. CloseStreams makes it react now, and
// not during the next test.
func (n *Network) CloseStreams() {
	n.drain(func(c *conn) bool {
		return c.inward || c.proxied == nil && c.state == connTCP && !c.duringStartup && !c.isShared()
	})
}

// drain ends the connections for which ends is true. It waits until the service has closed its ends, because the
// service could otherwise still send on these connections. After maxDrain it resets the remaining connections.
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

// addListener records that the service listens on a port. It notes a contact, unless the port is
// ephemeral. The caller must hold the mutex.
func (n *Network) addListener(l *listener) {
	if n.listeners.add(l, n.test) {
		m := l.contact(model.ContactListen, model.Protocol(l.network))
		m.Outcome = "listens"
		n.test.note(m)
	}
}

// stopsListening records that the service closed the socket with an ID, which may be a listener.
// The caller must hold the mutex.
func (n *Network) stopsListening(id string) {
	n.listeners.remove(id)
	n.inward.progressed()
}
