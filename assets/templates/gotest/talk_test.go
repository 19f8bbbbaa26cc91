package gotest

import (
	"fmt"
	"io"
	"net"
	"testing"
	"time"
)

const (
	// silence is how long a client sends nothing before it is taken to wait.
	silence = 20 * time.Millisecond
	// half is the maximum time between the end of a service's message and its wait.
	half = 50 * time.Millisecond
)

// tcp declares how a host speaks TCP. Each connection has the whole script. An answer is sent
// when the service waits for one, or has sent a message that it matches.
func (h *hosts) tcp(host string, rules ...rule) {
	h.followCalls()
	h.rawly = func(host string, c *counted, out net.Conn) { h.newTalk(c, out, host).hold() }
	h.add(&stub{protocol: "tcp", host: host, open: (*hosts).talks}, rules)
}

// talks opens the port of a host.
func (h *hosts) talks(host string) (addr string, err error) {
	l, err := net.Listen("tcp", h.place(host))
	if err != nil {
		return "", err
	}
	enter := h.enter
	if enter == nil {
		enter = func(host string, c *counted) { h.rawly(host, c, c) }
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go enter(host, h.counted(host, c, c.RemoteAddr().String()))
		}
	}()
	return l.Addr().String(), nil
}

// talk is a TCP connection.
type talk struct {
	c     *counted
	h     *hosts
	out   net.Conn // c, or the content of its TLS
	host  string
	test  *testing.T // nil before the first test
	stubs []*stub
	given map[*stub]int
	turns int           // answers so far
	done  chan struct{} // closed when the service sends no more
	rests func()        // called when there is nothing to send for now; may be nil
	lasts bool          // to a port that was open before the test: no call waits for it

	// The mutex of the hosts guards these.
	received []byte // bytes since the last answer
	asked    int    // the call in which the service sent last
	first    bool   // the host sends without a wait of the service
	ended    time.Time
	broken   bool
	hushed   bool // nothing more will be sent
}

func (h *hosts) newTalk(c *counted, out net.Conn, host string) *talk {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := &talk{c: c, h: h, out: out, host: host, test: h.t, done: make(chan struct{})}
	if c.stays {
		t.test = nil
	}
	c.talk = t
	t.begin()
	t.tells(nil)
	return t
}

// tells passes a message of the service on to the ledger.
func (t *talk) tells(data []byte) {
	if t.h.heard != nil {
		t.h.heard("tcp", t.host, t, message{data: data})
	}
}

// begin starts the script.
func (t *talk) begin() { t.stubs, t.given, t.received = t.h.of("tcp", t.host), map[*stub]int{}, nil }

// hold answers until the connection or the test ends.
func (t *talk) hold() {
	go t.listen()
	for goesOn := true; goesOn; {
		a, over, due, more := t.next()
		if goesOn = more; due {
			if a.late {
				t.rest()
			}
			a.say(&line{Writer: t.says(a), left: t.done, over: over, hangUp: t.hangUp, breakOff: t.breakOff}, a.body)
			t.h.given()
		} else if more {
			time.Sleep(time.Millisecond)
		}
	}
	cutOff(t.out)
}

// says returns the writer for an answer. An empty answer ends a wait of the service. If the service
// does not wait, nothing is sent.
func (t *talk) says(a answer) io.Writer {
	if a.unasked && a.body == "" {
		return io.Discard
	}
	return t.out
}

// rest notes that there is nothing to send for now.
func (t *talk) rest() {
	if t.rests != nil {
		t.rests()
	}
}

// next returns the answer that is due, and whether one may be due later.
func (t *talk) next() (a answer, over <-chan struct{}, due, more bool) {
	t.h.mu.Lock()
	defer t.h.mu.Unlock()
	if t.test != t.h.t && t.c.stays {
		t.test = t.h.t
		t.begin()
	}
	if t.test != t.h.t || t.c.shut {
		return a, nil, false, !t.leaves()
	}
	waits := t.c.waits(len(t.received) > 0)
	if a, due = t.due(waits); due {
		t.h.owed++
		return a, t.h.over, true, true
	}
	if waits || !t.ended.IsZero() {
		t.rest()
	}
	return a, nil, false, !t.leaves() && !t.ends(waits)
}

// leaves reports whether the service has closed the connection. If it closed only its half,
// it soon waits for an answer.
func (t *talk) leaves() bool {
	return t.broken || !t.ended.IsZero() && (t.c.shut || t.c.wait() == nil && time.Since(t.ended) > half)
}

// ends reports whether no answer will come: the service sent a message that no stub answers.
func (t *talk) ends(waits bool) bool {
	if !t.hushed && (!waits || len(t.received) == 0 || t.h.sockets != nil && t.hopes() || t.lasts) {
		return false
	}
	if len(t.received) > 0 {
		t.h.vain = append(t.h.vain, fmt.Sprintf("tcp %s %q", t.host, t.received))
	}
	return true
}

// hopes reports whether a stub may answer when the service sends more.
func (t *talk) hopes() bool {
	for _, s := range t.stubs {
		if _, ok := s.turn(t.given[s]); ok && len(s.wants) > 0 && (s.nth == 0 || s.nth == t.c.nth) {
			return true
		}
	}
	return false
}

// due takes the next answer of the first stub that matches.
func (t *talk) due(waits bool) (answer, bool) {
	s := t.turn(waits)
	var a answer
	if s != nil {
		a, _ = s.turn(t.given[s])
		t.given[s]++
	} else if given := t.missed(waits); given != nil {
		a = *given
	} else {
		return a, false
	}
	t.turns++
	a.unasked = t.first
	t.received, t.first = nil, false
	return a, true
}

// missed returns the answer to a message that no stub matches, nil for none.
func (t *talk) missed(waits bool) *answer {
	if t.h.missed == nil || !waits || len(t.received) == 0 || t.hushed {
		return nil
	}
	a, ok := t.h.missed("tcp", t.host, t, message{data: t.received})
	if !ok {
		t.hushed = true
		return nil
	}
	return &a
}

// turn returns the first stub that matches, nil for none.
func (t *talk) turn(waits bool) *stub {
	for _, s := range t.stubs {
		if _, ok := s.turn(t.given[s]); ok && t.meant(s, waits) {
			return s
		}
	}
	return nil
}

func (t *talk) meant(s *stub, waits bool) bool {
	switch {
	case s.nth != 0 && s.nth != t.c.nth:
		return false
	case len(s.wants) > 0:
		return len(t.received) > 0 && s.fits(message{data: t.received}, t.c.nth)
	}
	return t.first || waits
}

// listen reads the messages of the service.
func (t *talk) listen() {
	defer close(t.done)
	for part := make([]byte, 32<<10); ; {
		n, err := t.out.Read(part)
		t.c.change(func() {
			if t.received = append(t.received, part[:n]...); n > 0 {
				t.asked = t.h.called
				t.tells(part[:n])
			}
			if err != nil {
				t.ended, t.broken = time.Now(), err != io.EOF
			}
		})
		if err != nil {
			return
		}
	}
}

// hangUp closes the connection. A host that sends first waits until the service has noticed.
func (t *talk) hangUp() {
	t.c.change(func() { t.broken = true })
	if half, ok := t.c.Conn.(*net.TCPConn); ok && t.rests != nil {
		half.CloseWrite()
		happens(t.done, 50*time.Millisecond)
	}
	t.out.Close()
}

// breakOff resets the connection.
func (t *talk) breakOff() {
	t.c.change(func() { t.broken = true })
	cutOff(t.out)
}
