package gotest

import (
	"fmt"
	"io"
	"net"
	"strconv"
	"testing"
	"time"
)

// silence is after how long something is taken to wait that says nothing.
const silence = 20 * time.Millisecond

// tcp has a host speak TCP. Each connection has the script for itself, of which an
// answer is given when the service waits for one, or has said what it is for.
func (h *hosts) tcp(host string, rules ...rule) {
	h.followCalls()
	h.rawly = func(c net.Conn, host string) { h.newTalk(c, host, c.RemoteAddr().String()).hold() }
	h.add(&stub{protocol: "tcp", host: host, open: (*hosts).talks}, rules)
}

// talks opens a host's port.
func (h *hosts) talks(host string) (addr string, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go h.rawly(c, host)
		}
	}()
	return l.Addr().String(), nil
}

// talk is a connection on which TCP is spoken.
type talk struct {
	h     *hosts
	raw   net.Conn
	host  string
	end   string     // the address by which the service's waits name it
	nth   int        // of the test's connections to the host
	test  *testing.T // nil before the first, which such a connection outlives
	stays bool       // it began before the first test
	stubs []*stub
	given map[*stub]int
	gone  chan struct{} // closed when the service says no more
	rests func()        // is called when there is nothing to say for now, where that matters
	lasts bool          // to a port that was open before: nobody in a call waits for what is said

	// The mutex of the hosts guards these.
	out                net.Conn // without TLS
	taken, heard, sent int      // bytes that were read, that somebody is done with, that were written
	said               []byte   // since the last answer
	first              bool     // the host speaks without being waited for
	moved              time.Time
	stuck              time.Time // since when nobody goes on
	ended              time.Time // when the service said no more
	broken             bool
}

func (h *hosts) newTalk(c net.Conn, host, end string) *talk {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := &talk{h: h, raw: c, host: host, end: end, nth: h.count("tcp", host), test: h.t, stays: h.t == nil, gone: make(chan struct{}), moved: time.Now()}
	t.out = &counted{c, t}
	t.begin()
	return t
}

// begin begins the script.
func (t *talk) begin() { t.stubs, t.given = t.h.of("tcp", t.host), map[*stub]int{} }

// hold answers as long as the connection lasts, and the test.
func (t *talk) hold() {
	go t.listen()
	for {
		a, due, goesOn := t.next()
		if due {
			a.say(&line{Writer: t, left: t.gone, hangUp: t.hangUp, breakOff: func() { cutOff(t.raw) }}, a.body)
		} else if goesOn {
			time.Sleep(time.Millisecond)
		} else {
			break
		}
	}
	cutOff(t.raw)
}

// next is the answer that is due, and whether one may be later where none is.
func (t *talk) next() (a answer, due, goesOn bool) {
	t.h.mu.Lock()
	defer t.h.mu.Unlock()
	if t.test != t.h.t && t.stays {
		t.test = t.h.t
		t.begin()
	}
	if t.broken || t.test != t.h.t {
		return a, false, false
	}
	waits := t.waits()
	if a, due = t.due(waits); due {
		return a, true, true
	}
	if (waits || !t.ended.IsZero()) && t.rests != nil {
		t.rests()
		t.rests = nil
	}
	return a, false, t.goesOn(waits)
}

// goesOn tells whether there may be something to say later.
func (t *talk) goesOn(waits bool) bool {
	if !waits || t.stuck.IsZero() {
		t.stuck = time.Now()
	}
	switch {
	case !t.ended.IsZero() && !waits:
		return time.Since(t.ended) < 2*silence
	case time.Since(t.stuck) < silence || t.lasts && (len(t.said) == 0 || t.h.calls == 0):
		return true
	case len(t.said) > 0:
		t.h.vain = append(t.h.vain, fmt.Sprintf("tcp %s %q", t.host, t.said))
		return false
	}
	return t.h.told == nil || t.h.calls == 0
}

// waits tells whether the service waits for an answer, with nothing on its way.
func (t *talk) waits() bool {
	if t.h.told == nil {
		quiet := time.Since(t.moved)
		return quiet > silence && len(t.said) > 0 || quiet > 10*silence
	}
	for _, w := range t.h.told {
		if w[0] == "wait" && (w[3] == t.end || w[4] == t.end) {
			return w[5] == strconv.Itoa(t.heard) && w[6] == strconv.Itoa(t.sent)
		}
	}
	return false
}

// due takes the answer of the first stub whose turn it is.
func (t *talk) due(waits bool) (answer, bool) {
	for _, s := range t.stubs {
		a, ok := s.turn(t.given[s])
		if ok && t.meant(s, waits) {
			t.given[s]++
			t.said, t.first, t.stuck = nil, false, time.Time{}
			return a, true
		}
	}
	return answer{}, false
}

func (t *talk) meant(s *stub, waits bool) bool {
	switch {
	case s.nth != 0 && s.nth != t.nth:
		return false
	case len(s.wants) > 0:
		return len(t.said) > 0 && s.fits(message{said: t.said}, t.nth)
	}
	return t.first || waits
}

// listen takes what the service says.
func (t *talk) listen() {
	defer close(t.gone)
	part := make([]byte, 32<<10)
	in := t.out
	for {
		n, err := in.Read(part)
		if n > 1 && part[0] == 0x16 && part[1] == 3 && t.taken == n && t.h.secure != nil { // TLS
			in = t.h.secure("tcp", t.host, &ahead{in, append([]byte(nil), part[:n]...)})
			n = 0
		}
		t.h.mu.Lock()
		t.out, t.said = in, append(t.said, part[:n]...)
		if err != nil {
			t.ended, t.broken = time.Now(), err != io.EOF
		}
		t.h.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (t *talk) Write(b []byte) (int, error) {
	t.h.mu.Lock()
	out := t.out
	t.h.mu.Unlock()
	return out.Write(b)
}

// hangUp ends the connection. Who spoke first waits until the service has noticed.
func (t *talk) hangUp() {
	t.h.mu.Lock()
	out, inward := t.out, t.rests != nil
	t.broken = true
	t.h.mu.Unlock()
	if half, ok := t.raw.(*net.TCPConn); ok && inward {
		half.CloseWrite()
		happens(t.gone, 50*time.Millisecond)
	}
	out.Close()
}

// counted counts what passes, as the service does.
type counted struct {
	net.Conn
	t *talk
}

func (c *counted) Read(b []byte) (int, error) {
	c.count(func() { c.t.heard = c.t.taken })
	n, err := c.Conn.Read(b)
	c.count(func() { c.t.taken += n })
	return n, err
}

func (c *counted) Write(b []byte) (int, error) {
	c.count(func() { c.t.sent += len(b) }) // the service may have it before Write is back
	return c.Conn.Write(b)
}

func (c *counted) count(what func()) {
	c.t.h.mu.Lock()
	defer c.t.h.mu.Unlock()
	what()
	c.t.moved = time.Now()
}
