package vnet

import (
	"io"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"sonde/model"
)

// mostConns bounds the connections that are open at once; more are broken at once.
const mostConns = 2000

// conn is a connection with the service. It counts what passes, so that a wait of
// the service can be compared with it.
type conn struct {
	*net.TCPConn
	n     *Network
	way   way            // the virtual address that the service dialed
	end   netip.AddrPort // by which the service's waits name it
	hosts []string       // what stubs may call it, the one to speak of first
	turn  chan struct{}  // told when something below changes
	looks atomic.Bool    // whoever reads next only looks whether the service is there
	real  uint16         // the port of our end

	// The mutex of the network guards these.
	test    *test // in which it came about, or was used last
	nth     int   // of the test's connections to the host
	stub    int   // that let it come about
	since   time.Time
	startup bool // it is older than the first test
	gone    bool // the service says no more
	taken   uint64
	heard   uint64 // bytes of taken that whoever reads is done with
	sent    uint64
	wait    *wait // the service's, nil where it does not
	seats   *seats
	turns   uint64 // of the wait that was seen last
	shown   uint64 // how much was written by then
	owed    int    // answers that are on their way
	state   state
	tls     bool
	shakes  bool          // TLS is about to begin
	inward  bool          // who speaks first is the host, and called the service
	lasts   bool          // to a port that was open before the call: nobody in it waits for what is said
	asked   int           // requests of the test
	done    chan struct{} // closed when it is
	closing sync.Once
	player  *player       // of raw TCP
	news    bool          // which the player has not looked at
	proxied map[way]*test // of one to the proxy: to which hosts requests came, and when last; nil else
}

// state is how far a connection is.
type state uint8

const (
	fresh    state = iota // nothing was said
	asking                // HTTP
	speaking              // raw TCP
)

// welcome begins with a connection that the service opened.
func (n *Network) welcome(e *endpoint, socket *net.TCPConn) {
	n.pump()
	c := newConn(n, socket, e.way)
	if !n.admitted(c, func() { n.connects(c) }) {
		c.kill()
		return
	}
	c.sniff(&stream{Conn: c, c: c})
}

func newConn(n *Network, socket *net.TCPConn, to way) *conn {
	return &conn{TCPConn: socket, n: n, way: to, end: place(socket.RemoteAddr()), real: place(socket.LocalAddr()).Port(), turn: make(chan struct{}, 1), done: make(chan struct{})}
}

// admitted makes a connection known, as what it is by then, if there is room for it.
func (n *Network) admitted(c *conn, as func()) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed || len(n.conns) >= mostConns {
		return false
	}
	c.since = time.Now()
	as()
	n.enter(c)
	return true
}

// connects makes a connection one to its host, in the test that goes on. The mutex is
// held.
func (n *Network) connects(c *conn) {
	t := n.test
	c.hosts, c.stub, c.startup = n.book.hosts(c.way.to), -1, n.startup == nil
	if d := t.dials[c.way]; d != nil {
		c.stub = d.next(false).stub
		_ = n.admits(c.way, d) // it is refused else, and that is told
	}
	c.test, c.nth = t, t.count("connection", c.hosts[0])
	t.note(model.Contact{Kind: model.Dial, Protocol: model.TCP, Host: c.hosts[0], Stub: c.stub, Answer: -1, Outcome: "connected"})
}

// enter makes a connection known, with the wait that came before it.
func (n *Network) enter(c *conn) {
	n.conns[c.end] = c
	c.seated()
	if w := n.early[c.end]; w != nil { // of a socket that is closed there is none
		c.hears(w)
	}
	delete(n.early, c.end)
	n.moves()
	n.arm()
}

// Read tells that whoever comes for more is done with what it had, but for a server of
// HTTP that looks whether its client leaves while a request is worked on.
func (c *conn) Read(b []byte) (int, error) {
	if !c.looks.Load() {
		c.change(func() { c.heard = c.taken })
	}
	n, err := c.receive(b)
	c.tell()
	return n, err
}

// Write ends the service's wait. It counts beforehand: the service may have read all
// and wait again before it returns.
func (c *conn) Write(b []byte) (int, error) {
	c.change(func() { c.sent, c.wait = c.sent+uint64(len(b)), nil })
	n, err := c.TCPConn.Write(b)
	c.change(func() { c.sent -= uint64(len(b) - n) })
	return n, err
}

// ReadFrom keeps copies from going around Write.
func (c *conn) ReadFrom(r io.Reader) (int64, error) { return io.Copy(struct{ io.Writer }{c}, r) }

// WriteTo keeps copies from going around Read.
func (c *conn) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, struct{ io.Reader }{c}) }

// Close forgets the connection, but not another one that has its port by now.
func (c *conn) Close() error {
	c.change(func() {
		if c.n.conns[c.end] == c {
			delete(c.n.conns, c.end)
		}
		c.closing.Do(func() { close(c.done) })
	})
	return c.TCPConn.Close()
}

// kill breaks the connection: the service gets ECONNRESET.
func (c *conn) kill() {
	_ = c.SetLinger(0)
	_ = c.Close()
}

// change does something under the mutex, and tells whoever waits for the service's
// turn.
func (c *conn) change(what func()) {
	c.n.mu.Lock()
	what()
	c.news = true
	c.n.moves()
	c.n.mu.Unlock()
	c.tell()
}

func (c *conn) tell() {
	select {
	case c.turn <- struct{}{}:
	default:
	}
}

// still tells that the service waits, and that nothing is on its way in between. The
// mutex is held.
func (c *conn) still() bool {
	return c.wait != nil && c.owed == 0 && c.wait.written == c.heard && c.heard == c.taken && c.wait.read == c.sent
}

// ended reports whether the service says no more on the connection. The mutex is held.
func (c *conn) ended() bool { return c.player != nil && !c.player.gone.IsZero() }

// stubs are those of a protocol that the test of the moment has for the connection.
func (c *conn) stubs(p model.Protocol) []int {
	if c.inward {
		return []int{c.stub}
	}
	return c.n.test.of(p, c.hosts)
}

// contact is one of a message on the connection.
func (c *conn) contact(p model.Protocol) model.Contact {
	return model.Contact{Kind: model.Message, Protocol: p, Host: c.hosts[0], TLS: c.tls, Inward: c.inward, Stub: -1, Answer: -1}
}
