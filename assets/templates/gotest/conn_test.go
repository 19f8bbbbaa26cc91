package gotest

import (
	"crypto/tls"
	"net"
	"strconv"
	"sync"
	"time"
)

// countedConn is a connection with the service. It counts the bytes that it reads and writes. When the service
// reports a wait, the report has the service's own counts. If these are equal to the counts here, no data is in
// transit.
type countedConn struct {
	net.Conn
	h            *hosts
	host         string
	reportedAddr string // the name of the connection in the waits of the service
	ordinal      int    // the number of the connection among the test's connections to the host, from 1
	permanent    bool   // the connection was opened before the first test
	openedAt     time.Time
	closed       chan struct{} // closed with the connection
	closeOnce    sync.Once

	// The mutex of the hosts guards the fields below.
	bytesRead, bytesHandled, bytesWritten int // bytesHandled are the bytes that were read before the current Read
	lastActivity                          time.Time
	testEnded                             bool        // the test that used the connection has ended
	session                               *tcpSession // the answers on a connection of raw TCP; nil for other protocols
	isDatabase                            bool        // the host is a database: several tests may use the connection
}

// addConn adds a connection to a host.
func (h *hosts) addConn(host string, c net.Conn, reportedAddr string) *countedConn {
	h.awaitEarlierDatagrams()
	openedAt := time.Now()
	if h.syncReports != nil {
		h.syncReports()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	conn := &countedConn{
		Conn:         c,
		h:            h,
		host:         host,
		reportedAddr: reportedAddr,
		ordinal:      h.countMessage("connection", host),
		permanent:    h.t == nil,
		openedAt:     openedAt,
		closed:       make(chan struct{}),
		lastActivity: time.Now(),
	}
	if h.conns == nil {
		h.conns = map[*countedConn]bool{}
	}
	h.conns[conn], h.lastActivity = true, conn.lastActivity
	return conn
}

func (c *countedConn) update(f func()) {
	c.h.mu.Lock()
	defer c.h.mu.Unlock()
	f()
	c.lastActivity = time.Now()
	c.h.lastActivity = c.lastActivity
}

func (c *countedConn) Read(b []byte) (int, error) {
	c.h.mu.Lock()
	c.bytesHandled = c.bytesRead
	c.h.mu.Unlock()
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.update(func() { c.bytesRead += n })
	}
	return n, err
}

// Write removes the report of the service's wait, because the wait ends. It counts the bytes before it writes them,
// because the service may read all of them and wait again before Write returns.
func (c *countedConn) Write(b []byte) (int, error) {
	c.update(func() {
		c.bytesWritten += len(b)
		if w := c.waitReport(); w != nil {
			delete(c.h.sockets, "wait "+w[1])
		}
	})
	return c.Conn.Write(b)
}

func (c *countedConn) Close() error {
	c.closeOnce.Do(func() {
		c.update(func() { delete(c.h.conns, c) })
		close(c.closed)
	})
	return c.Conn.Close()
}

// waitReport returns the service's report of its current wait on the connection, nil if it does not wait. It ignores
// waits for datagrams, because a socket for datagrams may have the same port.
func (c *countedConn) waitReport() []string {
	for _, w := range c.h.sockets {
		if w[0] == "wait" && w[2] == "read" && (w[3] == c.reportedAddr || w[4] == c.reportedAddr) {
			return w
		}
	}
	return nil
}

// isWaiting reports whether the service waits and no data is in transit. If the service does not report its waits,
// isWaiting assumes a wait when the service has sent nothing for a while.
func (c *countedConn) isWaiting(hasReceived bool) bool {
	if c.h.sockets == nil {
		quiet := time.Since(c.lastActivity)
		return quiet > waitThreshold && hasReceived || quiet > 10*waitThreshold
	}
	w := c.waitReport()
	return w != nil && w[5] == strconv.Itoa(c.bytesHandled) && w[6] == strconv.Itoa(c.bytesWritten)
}

// drain closes the connections that the next test must not use. It waits until the service has noticed, because the
// service might otherwise send on a closed connection.
func (h *hosts) drain() {
	h.mu.Lock()
	var conns []*countedConn
	for c := range h.conns {
		if c.session == nil && !c.isDatabase && !h.isOnlyBackground(c.host) ||
			c.session != nil && !c.permanent && !c.session.isShared() {
			conns = append(conns, c)
			c.testEnded = true
		}
	}
	h.mu.Unlock()
	for _, c := range conns {
		c.h.mu.Lock()
		notices := c.session == nil || c.waitReport() != nil
		c.h.mu.Unlock()
		if tcp, ok := c.Conn.(*net.TCPConn); ok && notices {
			tcp.CloseWrite()
		} else {
			resetConn(c)
		}
	}
	for deadline, i := time.Now().Add(50*time.Millisecond), 0; i < len(conns); i++ {
		if !waitFor(conns[i].closed, time.Until(deadline)) {
			resetConn(conns[i])
		}
	}
}

// resetConn resets a connection, so that the other end gets an error.
func resetConn(c net.Conn) {
	for inner := c; inner != nil; {
		switch conn := inner.(type) {
		case *tls.Conn:
			inner = conn.NetConn()
		case *prefixedConn:
			inner = conn.Conn
		case *countedConn:
			inner, c = conn.Conn, conn
		case *net.TCPConn:
			conn.SetLinger(0)
			inner = nil
		default:
			inner = nil
		}
	}
	c.Close()
}

// prefixedConn is a connection of which some data has been read already.
type prefixedConn struct {
	net.Conn
	prefix []byte
}

func (p *prefixedConn) Read(b []byte) (int, error) {
	if len(p.prefix) > 0 {
		n := copy(b, p.prefix)
		p.prefix = p.prefix[n:]
		return n, nil
	}
	return p.Conn.Read(b)
}
