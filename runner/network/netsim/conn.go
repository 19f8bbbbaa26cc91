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

// connState is how far a connection is; see the package comment.
type connState uint8

const (
	connFresh connState = iota // nothing was sent
	connHTTP
	connTCP // raw
)

// conn is a connection with the service. It counts the bytes that pass, so that they can be
// compared with a wait of the service.
type conn struct {
	*net.TCPConn
	n         *Network
	to        endpoint       // that the service dialed
	peer      netip.AddrPort // the end that the service's waits name
	localPort uint16
	changed   chan struct{} // receives when something below changes
	probing   atomic.Bool   // the next read only checks whether the service is still there
	closing   sync.Once
	done      chan struct{} // closed when the connection is

	// The mutex of the network guards what follows.

	hosts         []string // what stubs may call it, the preferred name first
	test          *test    // in which it was opened, or used last
	nth           int      // among the test's connections to the host
	stub          int      // that let it open, or -1
	since         time.Time
	duringStartup bool // it is older than the first test
	state         connState
	tls           bool
	handshaking   bool
	inward        bool // the host called the service, and speaks first
	persistent    bool // inward, to a port that was open before the call: no caller waits for an answer
	peerClosed    bool // the service sends no more
	received      uint64
	processed     uint64 // bytes of received that their reader has dealt with
	sent          uint64
	owed          int // answers that are on their way
	requests      int // of HTTP, in the test
	wait          *wait
	slots         *slots
	slotToggles   uint64 // of the wait that was seen last
	slotWritten   uint64 // bytes that were written by then
	player        *tcpPlayer
	dirty         bool               // the player has not looked at a change
	proxied       map[endpoint]*test // of one to the proxy: the hosts of its requests, and when last; nil else
}

// welcome begins with a connection that the service opened.
func (n *Network) welcome(h *hostSocket, socket *net.TCPConn) {
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

// accept registers a connection, after init has completed it, if there is room for it.
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

// connect makes a connection one to its host, in the current test. The mutex is held.
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

// register adds a connection, with the wait that was reported before. The mutex is held.
func (n *Network) register(c *conn) {
	early := n.conns.add(c)
	c.attachSlots()
	if early != nil {
		c.reportWait(early)
	}
	n.quiet.active()
	n.quiet.arm()
}

// Read records that its caller has dealt with what it read before, unless it is a server of
// HTTP that checks whether its client leaves while it works on a request.
func (c *conn) Read(b []byte) (int, error) {
	if !c.probing.Load() {
		c.change(func() { c.processed = c.received })
	}
	n, err := c.receive(b)
	c.wake()
	return n, err
}

// Write ends the service's wait. It counts the bytes beforehand: the service may have read
// them, and wait again, before Write returns.
func (c *conn) Write(b []byte) (int, error) {
	c.change(func() { c.sent, c.wait = c.sent+uint64(len(b)), nil })
	n, err := c.TCPConn.Write(b)
	c.change(func() { c.sent -= uint64(len(b) - n) })
	return n, err
}

// ReadFrom makes copies use Write.
func (c *conn) ReadFrom(r io.Reader) (int64, error) { return io.Copy(struct{ io.Writer }{c}, r) }

// WriteTo makes copies use Read.
func (c *conn) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, struct{ io.Reader }{c}) }

// Close closes and removes the connection.
func (c *conn) Close() error {
	c.change(func() {
		c.n.conns.remove(c)
		c.closing.Do(func() { close(c.done) })
	})
	return c.TCPConn.Close()
}

// kill breaks the connection: the service gets ECONNRESET.
func (c *conn) kill() {
	_ = c.SetLinger(0)
	_ = c.Close()
}

// hangUp ends a connection. If the service waits on it, it sees the end of data.
func (c *conn) hangUp() {
	c.n.mu.Lock()
	c.inspect()
	waits := c.wait != nil || c.state == connHTTP
	c.n.mu.Unlock()
	if waits {
		_ = c.CloseWrite()
	} else {
		c.kill()
	}
}

// change does something under the mutex, and wakes the player.
func (c *conn) change(what func()) {
	c.n.mu.Lock()
	what()
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

// isQuiet reports whether the service waits, and nothing is on its way in between. The mutex
// is held.
func (c *conn) isQuiet() bool {
	return c.wait != nil && c.owed == 0 && c.wait.written == c.processed && c.processed == c.received &&
		c.wait.read == c.sent
}

// hasEnded reports whether the service sends no more on the connection. The mutex is held.
func (c *conn) hasEnded() bool { return c.player != nil && !c.player.ended.IsZero() }

// interrupt ends the reading of first bytes. The mutex is held.
func (c *conn) interrupt() { _ = c.SetReadDeadline(time.Unix(1, 0)) }

// setState sets how far the connection is. An interrupt before is without effect. The mutex
// is held.
func (c *conn) setState(s connState) {
	c.state = s
	_ = c.SetReadDeadline(time.Time{})
}

// stubs are those of a protocol that the current test has for the connection. The mutex is
// held.
func (c *conn) stubs(p model.Protocol) []int {
	if c.inward {
		return []int{c.stub}
	}
	return c.n.test.stubsFor(p, c.hosts)
}

// contact is a message on the connection that no stub answered.
func (c *conn) contact(p model.Protocol) model.Contact {
	return model.Contact{
		Kind: model.ContactMessage, Protocol: p, Host: c.hosts[0], TLS: c.tls, Inward: c.inward, Stub: -1, Answer: -1,
	}
}

// requestHosts are the names that stubs may use for the host of a request: the one in the
// request, if it is a name of the connection's address.
func (c *conn) requestHosts(host string) []string {
	host = canonicalHost(withPort(host, c.to.addr.Port()))
	if slices.Contains(c.hosts, host) {
		return []string{host, c.to.addr.String()}
	}
	return c.hosts
}

// keepsFor reports whether a test may go on with a connection. It may not with those of raw
// TCP, whose scripts begin with the connection, nor with those to hosts that the test does
// not have, whose first dial fails, or on which the service would be asked twice: clients ask
// again by themselves if a connection breaks that they have used before. The mutex is held.
func (c *conn) keepsFor(t *test) bool {
	switch {
	case c.inward:
		return false
	case c.proxied != nil:
		return true // it is to no host
	case c.state == connTCP:
		return c.duringStartup && len(c.stubs(model.TCP)) > 0
	}
	d, stubs := t.dials[c.to], c.stubs(model.HTTP)
	if len(stubs) == 0 || d == nil || d.steps[0].fault != "" {
		return false
	}
	return !slices.ContainsFunc(stubs, func(i int) bool {
		first, _, _ := t.peek(i)
		return first.Fault == model.NetReset || first.Fault == model.NetMute || first.Fault == model.NetWrongTLS
	})
}

// attachSlots makes the connection one that shows its waits, if the process does. It checks
// whether the service waits for the host to speak first. The mutex is held.
func (c *conn) attachSlots() {
	s := c.n.process.waitSlots()
	if c.inward || s == nil {
		return
	}
	c.slots = s
	c.slots.setWanted(c, false)
	if c.state == connFresh && len(c.stubs(model.HTTP)) == 0 {
		time.AfterFunc(silence, c.checkGreeting)
	}
}

// checkGreeting lets the host speak first to a service that waits for that, or has the
// service report when it does.
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

// inspect looks whether the service waits, and wakes the player if it does. The mutex is
// held.
func (c *conn) inspect() {
	if c.inspectQuietly() {
		c.wake()
	}
}

// inspectQuietly looks whether the service waits, and reports whether that is new. The mutex
// is held.
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

// wantReport has the service report as soon as it waits, unless it sends more before: then
// the wait is inspected anyway. The mutex is held.
func (c *conn) wantReport(wanted bool) {
	c.slots.setWanted(c, wanted)
	if wanted {
		c.inspect()
	}
}

// reportWait takes a wait that the service reported, or that is inferred. If the connection
// shows its waits, what is shown counts: much may have happened since. The mutex is held.
func (c *conn) reportWait(w *wait) {
	if c.slots.shows(c) {
		c.inspect()
		return
	}
	c.setWait(w)
	c.wake()
}

// setWait records that the service waits. If it has sent nothing, to a host that does not
// speak HTTP, the host is to speak first, unless the service soon sends something: a client
// of HTTP reads before it has written. The mutex is held.
func (c *conn) setWait(w *wait) {
	c.wait, c.dirty = w, true
	if c.state == connFresh && w.written == 0 && len(c.stubs(model.HTTP)) == 0 {
		time.AfterFunc(silence, func() { c.greet(w) })
	}
}

// greet lets the host speak first, if the service still waits for that.
func (c *conn) greet(w *wait) {
	c.n.mu.Lock()
	defer c.n.mu.Unlock()
	if w != nil && c.wait == w && c.state == connFresh && c.received == 0 {
		c.interrupt()
	}
}
