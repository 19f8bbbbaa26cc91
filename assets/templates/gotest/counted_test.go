package gotest

import (
	"crypto/tls"
	"net"
	"strconv"
	"sync"
	"time"
)

// counted is a connection with the service. It counts bytes, so that a wait of the service
// can be compared with them.
type counted struct {
	net.Conn
	h       *hosts
	end     string // the name of the connection in the waits of the service
	nth     int    // its number among the test's connections to the host
	stays   bool   // the connection was opened before the first test
	began   time.Time
	done    chan struct{} // closed with the connection
	closing sync.Once

	// The mutex of the hosts guards these.
	taken, heard, sent int // bytes read, bytes handled and bytes written
	moved              time.Time
	shut               bool  // its test has ended
	talk               *talk // of raw TCP
}

// counted adds a connection to a host.
func (h *hosts) counted(host string, c net.Conn, end string) *counted {
	h.arrives()
	began := time.Now()
	if h.settle != nil {
		h.settle()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	k := &counted{
		Conn:  c,
		h:     h,
		end:   end,
		nth:   h.count("connection", host),
		stays: h.t == nil,
		began: began,
		done:  make(chan struct{}),
		moved: time.Now(),
	}
	if h.conns == nil {
		h.conns = map[*counted]bool{}
	}
	h.conns[k], h.moved = true, k.moved
	return k
}

func (c *counted) change(what func()) {
	c.h.mu.Lock()
	defer c.h.mu.Unlock()
	what()
	c.moved = time.Now()
	c.h.moved = c.moved
}

func (c *counted) Read(b []byte) (int, error) {
	c.h.mu.Lock()
	c.heard = c.taken
	c.h.mu.Unlock()
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.change(func() { c.taken += n })
	}
	return n, err
}

// Write ends the service's wait. It counts the bytes before it writes them, because the service may read all
// of them and wait again before Write returns.
func (c *counted) Write(b []byte) (int, error) {
	c.change(func() {
		c.sent += len(b)
		if w := c.wait(); w != nil {
			delete(c.h.sockets, "wait "+w[1])
		}
	})
	return c.Conn.Write(b)
}

func (c *counted) Close() error {
	c.closing.Do(func() {
		c.change(func() { delete(c.h.conns, c) })
		close(c.done)
	})
	return c.Conn.Close()
}

// wait returns the service's report of its current wait, nil if it does not wait. A socket
// for datagrams may have a port of the same number.
func (c *counted) wait() []string {
	for _, w := range c.h.sockets {
		if w[0] == "wait" && w[2] == "read" && (w[3] == c.end || w[4] == c.end) {
			return w
		}
	}
	return nil
}

// waits reports whether the service waits and no data is on its way. If a service does not report its waits,
// it counts as waiting when it sends nothing for a while.
func (c *counted) waits(received bool) bool {
	if c.h.sockets == nil {
		quiet := time.Since(c.moved)
		return quiet > silence && received || quiet > 10*silence
	}
	w := c.wait()
	return w != nil && w[5] == strconv.Itoa(c.heard) && w[6] == strconv.Itoa(c.sent)
}

// shed closes the connections that the next test must not use, and waits until the service has noticed.
// Otherwise the service might send on a closed connection.
func (h *hosts) shed() {
	h.mu.Lock()
	var all []*counted
	for c := range h.conns {
		if c.talk == nil || !c.stays {
			all = append(all, c)
			c.shut = true
		}
	}
	h.mu.Unlock()
	for _, c := range all {
		c.h.mu.Lock()
		notices := c.talk == nil || c.wait() != nil
		c.h.mu.Unlock()
		if half, ok := c.Conn.(*net.TCPConn); ok && notices {
			half.CloseWrite()
		} else {
			cutOff(c)
		}
	}
	for late, i := time.Now().Add(50*time.Millisecond), 0; i < len(all); i++ {
		if !happens(all[i].done, time.Until(late)) {
			cutOff(all[i])
		}
	}
}

// cutOff resets a connection, so that the other end gets an error.
func cutOff(c net.Conn) {
	for in := c; in != nil; {
		switch conn := in.(type) {
		case *tls.Conn:
			in = conn.NetConn()
		case *ahead:
			in = conn.Conn
		case *counted:
			in, c = conn.Conn, conn
		case *net.TCPConn:
			conn.SetLinger(0)
			in = nil
		default:
			in = nil
		}
	}
	c.Close()
}

// ahead is a connection of which some data has been read already.
type ahead struct {
	net.Conn
	first []byte
}

func (a *ahead) Read(b []byte) (int, error) {
	if len(a.first) > 0 {
		n := copy(b, a.first)
		a.first = a.first[n:]
		return n, nil
	}
	return a.Conn.Read(b)
}
