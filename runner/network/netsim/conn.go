package netsim

import (
	"io"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sonde/model"
)

// connState is the state of a connection; see the package comment.
type connState uint8

const (
	connFresh    connState = iota // the protocol is not known yet
	connRequests                  // HTTP, or requests to a database
	connTCP                       // raw TCP
)

// conn is a connection of the service; the other end is a host or the proxy. A conn counts the bytes that it received
// and sent. A wait has the numbers of bytes that the service had written and read when the wait began. If these
// numbers equal those of the conn, no data is on its way; see isQuiet.
type conn struct {
	*net.TCPConn
	n         *Network
	to        endpoint       // the endpoint that the service dialed
	peer      netip.AddrPort // the service's end, as in its reports of waits
	localPort uint16
	changed   chan struct{} // wakes the player when a field below has changed
	probing   atomic.Bool   // the next Read only checks that the service has not left
	closing   sync.Once
	done      chan struct{} // closed when the connection is closed

	// The mutex of the network guards the fields below.

	hosts         []string   // the names that stubs may use for the host, the preferred name first
	test          *testState // the test that opened the connection, or used it last
	nth           int        // the number of the connection in the test, per host, from 1
	stub          int        // the stub that made the dial succeed or that calls the service; -1 for none
	since         time.Time
	duringStartup bool // opened before the first test
	state         connState
	tls           bool
	handshaking   bool
	inward        bool // the host called the service; the host speaks first
	persistent    bool // inward, to a port that no call of the test opened; no call waits for the connection to end
	peerClosed    bool // the service sends no more
	received      uint64
	processed     uint64 // bytes of received that the reader has handled
	sent          uint64
	unfinished    int   // answers that are being written
	requests      int   // HTTP requests in the test
	wait          *wait // the service's current wait, nil if it does not wait
	slots         *slots
	slotToggles   uint64                  // slot.toggles at the wait that inspect saw last
	slotWritten   uint64                  // slot.written at that wait
	player        *tcpPlayer              // nil unless state is connTCP
	dirty         bool                    // the player has not seen the latest change
	proxied       map[endpoint]*testState // for a connection to the proxy, the last test that requested each host; otherwise nil
}

// serveConn serves a connection that the service opened to a host.
func (n *Network) serveConn(h *hostSocket, socket *net.TCPConn) {
	n.pump()
	c := newConn(n, socket, h.endpoint)
	if !n.accept(c, func() { n.connect(c) }) {
		c.kill()
		return
	}
	c.dispatch(&stream{Conn: c, c: c})
}

func newConn(n *Network, socket *net.TCPConn, to endpoint) *conn {
	return &conn{
		TCPConn:   socket,
		n:         n,
		to:        to,
		peer:      addrPort(socket.RemoteAddr()),
		localPort: addrPort(socket.LocalAddr()).Port(),
		changed:   make(chan struct{}, 1),
		done:      make(chan struct{}),
	}
}

// accept calls the function init to complete a connection, and then registers the connection. It returns false if the
// network is closed or has maxConns connections.
func (n *Network) accept(c *conn, init func()) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed || n.conns.isFull() {
		return false
	}
	c.since = time.Now()
	init()
	n.register(c)
	return true
}

// connect assigns a connection to the host c.to and to the current test, and notes the dial. The
// caller must hold the mutex.
func (n *Network) connect(c *conn) {
	t := n.test
	c.hosts, c.stub, c.duringStartup = n.names.hosts(c.to.addr), -1, n.startup == nil
	if d := t.dials[c.to]; d != nil {
		c.stub = d.next(false).stub
		_ = n.openHost(c.to, d) // if this fails, the next dial is refused and noted
	}
	c.test, c.nth = t, t.count("connection", c.hosts[0])
	t.note(model.Contact{
		Kind: model.ContactDial, Protocol: model.TCP, Host: c.hosts[0], Stub: c.stub, Answer: -1, Outcome: "connected",
	})
}

// register adds a connection to n.conns. If a wait was reported before the connection was accepted,
// register applies the wait. The caller must hold the mutex.
func (n *Network) register(c *conn) {
	early := n.conns.add(c)
	c.attachSlots()
	if early != nil {
		c.reportWait(early)
	}
	n.quiet.active()
	n.quiet.arm()
}

// Read first counts all received bytes as processed, because its caller asks for more. If c.probing is set, Read does
// not count them: the caller is then an HTTP server that is still handling a request, and only checks whether its
// client has left.
func (c *conn) Read(b []byte) (int, error) {
	if !c.probing.Load() {
		c.change(func() { c.processed = c.received })
	}
	n, err := c.receive(b)
	c.wake()
	return n, err
}

// Write ends the service's wait. It counts the bytes before it writes them, because the
// service may read them and wait again before Write returns.
func (c *conn) Write(b []byte) (int, error) {
	c.change(func() { c.sent, c.wait = c.sent+uint64(len(b)), nil })
	n, err := c.TCPConn.Write(b)
	c.change(func() { c.sent -= uint64(len(b) - n) })
	return n, err
}

// ReadFrom makes io.Copy use Write, which counts the bytes.
func (c *conn) ReadFrom(r io.Reader) (int64, error) { return io.Copy(struct{ io.Writer }{c}, r) }

// WriteTo makes io.Copy use Read, which counts the bytes.
func (c *conn) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, struct{ io.Reader }{c}) }

// Close closes and removes the connection.
func (c *conn) Close() error {
	c.change(func() {
		c.n.conns.remove(c)
		c.closing.Do(func() { close(c.done) })
	})
	return c.TCPConn.Close()
}

// kill resets the connection. The service gets ECONNRESET.
func (c *conn) kill() {
	_ = c.SetLinger(0)
	_ = c.Close()
}

// hangUp ends a connection. If the service waits on the connection or sends requests, the
// service reads the end of the data. Otherwise hangUp resets the connection.
func (c *conn) hangUp() {
	c.n.mu.Lock()
	c.inspect()
	waits := c.wait != nil || c.state == connRequests
	c.n.mu.Unlock()
	if waits {
		_ = c.CloseWrite()
	} else {
		c.kill()
	}
}

// change calls the function f with the mutex held, and then wakes the player.
func (c *conn) change(f func()) {
	c.n.mu.Lock()
	f()
	c.dirty = true
	c.n.quiet.active()
	c.n.mu.Unlock()
	c.wake()
}

func (c *conn) wake() {
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// isQuiet reports whether the service waits and no data is on its way in either direction. The
// caller must hold the mutex.
func (c *conn) isQuiet() bool {
	return c.wait != nil && c.unfinished == 0 && c.wait.written == c.processed && c.processed == c.received &&
		c.wait.read == c.sent
}

// hasEnded reports whether the player has read the end of the service's data. It returns false for
// a connection without a player. The caller must hold the mutex.
func (c *conn) hasEnded() bool { return c.player != nil && !c.player.ended.IsZero() }

// interrupt makes stream.peek stop waiting for the first bytes. The caller must hold the mutex.
func (c *conn) interrupt() { _ = c.SetReadDeadline(time.Unix(1, 0)) }

// setState sets the state, and cancels an earlier interrupt. The caller must hold the mutex.
func (c *conn) setState(s connState) {
	c.state = s
	_ = c.SetReadDeadline(time.Time{})
}

// stubs returns the indexes of the current test's stubs that may answer on the connection in a
// protocol. The caller must hold the mutex.
func (c *conn) stubs(p model.Protocol) []int {
	if c.inward {
		return []int{c.stub}
	}
	return c.n.test.stubsFor(p, c.hosts)
}

// prologue returns the prologue of the host, from the first of its stubs that has a prologue. It returns nil if no stub
// has one, and for inward connections. The caller must hold the mutex.
func (c *conn) prologue() []model.PrologueStep {
	if c.inward {
		return nil
	}
	for _, i := range c.stubs(model.TCP) {
		if steps := c.n.test.stubs[i].Prologue; len(steps) > 0 {
			return steps
		}
	}
	return nil
}

// isShared reports whether the service may use the connection in several tests: the host has a stub with a prologue or
// with AnyConnection. It returns false for inward connections. The caller must hold the mutex.
func (c *conn) isShared() bool {
	return !c.inward && slices.ContainsFunc(c.stubs(model.TCP), func(i int) bool {
		s := c.n.test.stubs[i]
		return s.AnyConnection || len(s.Prologue) > 0
	})
}

// isIdle reports whether the service may use the connection in several tests, and all data that it has sent is
// answered. quiescence must not end the wait of the service on such a connection. The caller must hold the mutex.
func (c *conn) isIdle() bool { return c.player != nil && len(c.player.received) == 0 && c.isShared() }

// contact returns a contact for a message on the connection, without a stub. The caller must hold
// the mutex.
func (c *conn) contact(p model.Protocol) model.Contact {
	return model.Contact{
		Kind: model.ContactMessage, Protocol: p, Host: c.hosts[0], TLS: c.tls, Inward: c.inward, Stub: -1, Answer: -1,
	}
}

// requestHosts returns the names that stubs may use for the host of a request. If the name in the
// request is a name of the connection's address, only that name and the address match. Otherwise
// all names of the connection match. The caller must hold the mutex.
func (c *conn) requestHosts(host string) []string {
	host = canonicalHost(withPort(host, c.to.addr.Port()))
	if slices.Contains(c.hosts, host) {
		return []string{host, c.to.addr.String()}
	}
	return c.hosts
}

// keepsFor reports whether a new test may use a connection that is already open. The caller must hold the mutex. The
// result depends on the connection:
//
//   - Inward: false.
//   - To the proxy: true.
//   - Raw TCP: true if isShared is true. Also true if the service opened the connection during its startup and the
//     host has a TCP stub in the test. Otherwise false, because scripts of raw TCP begin with the connection.
//   - HTTP, a database, or a protocol that is not known yet: false if the host has no stub of HTTP or a database in the
//     test, or if the test's first dial to the host fails. Also false if the first answer of a stub of HTTP has the
//     fault NetReset, NetMute or a fault of the certificate: a client repeats a request by itself if a connection that
//     it has used before breaks. Otherwise true.
func (c *conn) keepsFor(t *testState) bool {
	switch {
	case c.inward:
		return false
	case c.proxied != nil:
		return true // the proxy has no script
	case c.state == connTCP:
		return c.isShared() || c.duringStartup && len(c.stubs(model.TCP)) > 0
	}
	d, stubs := t.dials[c.to], c.stubs(model.HTTP)
	if len(stubs) == 0 && databaseOf(c) == "" || d == nil || d.steps[0].fault != "" {
		return false
	}
	return !slices.ContainsFunc(stubs, func(i int) bool {
		first, _, _ := t.peek(i)
		return first.Fault == model.NetReset || first.Fault == model.NetMute || first.Fault.IsOfCertificate()
	})
}

// attachSlots lets the connection use the slots of the process, if the process has any. Slots are shared memory in
// which the process shows its waits. If the protocol is not known yet and the host may greet, attachSlots schedules
// checkGreeting. The caller must hold the mutex.
func (c *conn) attachSlots() {
	s := c.n.process.waitSlots()
	if c.inward || s == nil {
		return
	}
	c.slots = s
	c.slots.setWanted(c, false)
	if c.state == connFresh && c.hostMayGreet() {
		time.AfterFunc(silence, c.checkGreeting)
	}
}

// hostMayGreet reports whether the host may speak first if the service stays silent. A host with stubs of HTTP or of
// a database may not. The caller must hold the mutex.
func (c *conn) hostMayGreet() bool { return len(c.stubs(model.HTTP)) == 0 && databaseOf(c) == "" }

// checkGreeting lets the host speak first if the service waits and has sent nothing. If the
// service does not wait yet, checkGreeting makes the service report its next wait.
func (c *conn) checkGreeting() {
	c.n.mu.Lock()
	c.inspect()
	if c.wait == nil && c.state == connFresh && c.received == 0 {
		c.wantReport(true)
	}
	w := c.wait
	c.n.mu.Unlock()
	c.greet(w)
}

// inspect reads the service's wait from the connection's slot in shared memory, and wakes the player if the wait is
// new. The caller must hold the mutex.
func (c *conn) inspect() {
	if c.inspectQuietly() {
		c.wake()
	}
}

// inspectQuietly reads the service's wait from the connection's slot in shared memory. It reports whether the slot
// shows a wait that was not seen before. The caller must hold the mutex.
func (c *conn) inspectQuietly() (isNew bool) {
	w, toggles := c.slots.wait(c)
	if w == nil || toggles == c.slotToggles && w.written == c.slotWritten {
		return false
	}
	c.slotToggles, c.slotWritten = toggles, w.written
	c.setWait(w)
	c.n.quiet.arm()
	return true
}

// wantReport sets whether the service reports its next wait. If wanted is true, wantReport also inspects the slot,
// because the service may be waiting already. The service does not report its next wait if it sends more data first.
// That wait is not missed, because the player inspects the slot whenever data comes. The caller must hold the mutex.
func (c *conn) wantReport(wanted bool) {
	c.slots.setWanted(c, wanted)
	if wanted {
		c.inspect()
	}
}

// reportWait handles a wait that the service reported or that is inferred. If the connection has a slot in shared
// memory, reportWait uses the wait in the slot, which is newer. The caller must hold the mutex.
func (c *conn) reportWait(w *wait) {
	if c.slots.shows(c) {
		c.inspect()
		return
	}
	c.setWait(w)
	c.wake()
}

// setWait records that the service waits. If the service has sent nothing, and the host may
// greet, the host speaks first after some silence. The silence is needed because an HTTP client may
// start to read before it writes. The caller must hold the mutex.
func (c *conn) setWait(w *wait) {
	c.wait, c.dirty = w, true
	if c.state == connFresh && w.written == 0 && c.hostMayGreet() {
		time.AfterFunc(silence, func() { c.greet(w) })
	}
}

// greet lets the host speak first, if w is still the service's wait and the service has sent
// nothing.
func (c *conn) greet(w *wait) {
	c.n.mu.Lock()
	defer c.n.mu.Unlock()
	if w != nil && c.wait == w && c.state == connFresh && c.received == 0 {
		c.interrupt()
	}
}
