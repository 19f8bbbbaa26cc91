package gotest

import (
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// hosts are those around the service, as the test that runs has them.
type hosts struct {
	reach  func(s *stub) error                            // lets the service reach a stub's host
	door   func(host string, l net.Listener) net.Listener // lets those in who speak HTTP; nil for all
	enter  func(host string, c *counted)                  // finds out what is spoken; nil where that is no question
	rawly  func(host string, c *counted, out net.Conn)    // answers who speaks no HTTP
	at     func(host string) string                       // where a host's socket is to be, "" for anywhere; nil for all of them
	settle func()                                         // waits until all that the service did is known; nil where it does not tell

	marks sync.Mutex               // guards these two
	ports []net.Addr               // that take datagrams
	sift  func(from net.Addr) bool // takes what is no datagram of the service; nil where there is none

	mu     sync.Mutex
	t      *testing.T          // the test that runs, nil before the first
	over   chan struct{}       // closed when it ends
	own    []*stub             // of the test
	usual  []*stub             // of all tests, behind its own
	asked  map[string]int      // how often each host was
	vain   []string            // what was asked and not answered
	spoke  chan struct{}       // closed when those have who speak first so far
	called int                 // calls of the service so far
	calls  int                 // those that are not answered yet
	owed   int                 // answers that are on their way
	moved  time.Time           // when something happened
	conns  map[*counted]bool   // that are open
	told   map[string][]string // sockets that wait or listen, by "wait ID"; nil where the service does not tell
	old    map[string]bool     // those that did so before the test

	// Where a test wants to know what the service says: what waits for datagrams on
	// their way, takes notice, and answers what no stub fits. By is who answers TCP.
	catchUp func()
	heard   func(protocol, host string, by any, m message)
	missed  func(protocol, host string, by any, m message) (answer, bool)
}

// stub is what one host answers.
type stub struct {
	protocol string // http, tcp, udp or dns
	host     string // with its port, but for dns
	request  string // of HTTP, as "POST /charges/{id}"
	open     opener
	lines    func() []string // of the network's table, nil for the usual ones
	speak    func()          // of a host that speaks first; it returns when that has
	wants    []func(m message) bool
	terms    []term // of wants, for people
	nth      int    // of the messages to the host that it answers, from 1; 0 is all
	script   []answer
	repeats  bool
	rest     *answer // behind the script's end
	given    int     // answers of the script
}

// term is what a message must have in a place.
type term struct{ in, name, want string }

// opener opens a socket for a host, and says where.
type opener func(h *hosts, host string) (addr string, err error)

// message is what a service says to a host: a request with its body, or bytes.
type message struct {
	request *http.Request
	said    []byte
}

// answer is what a host does once.
type answer struct {
	fate     string // why a dial or a lookup fails
	status   int    // of HTTP, with header and trailer as "Name: value"
	header   []string
	trailer  []string
	body     string
	say      func(c *line, body string)
	late     bool     // it is sent without waiting for it
	unasked  bool     // the service did not wait for it
	stranger bool     // has the certificate of another host
	records  []string // of DNS
}

// line is where a host answers.
type line struct {
	io.Writer                 // sends at once
	left      <-chan struct{} // closed when the service is gone
	over      <-chan struct{} // closed when the test ends
	hangUp    func()
	breakOff  func()
}

// rule is a part of what a stub does.
type rule func(s *stub)

// begin begins a test, which has only the hosts that are there in all tests.
func (h *hosts) begin(t *testing.T) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over != nil {
		close(h.over)
	}
	h.t, h.over, h.own, h.asked, h.vain, h.spoke = t, make(chan struct{}), nil, nil, nil, nil
	h.heard, h.missed = nil, nil
	for _, s := range h.usual {
		s.given = 0
	}
	t.Cleanup(func() {
		if vain := h.inVain(""); t.Failed() && len(vain) > 0 {
			t.Logf("the service asked in vain, where a stub would answer:\n\t%s", strings.Join(vain, "\n\t"))
		}
	})
}

// test is the one that runs.
func (h *hosts) test() *testing.T {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.t
}

// inVain records a message that no host answered, and returns all of them.
func (h *hosts) inVain(what string) []string {
	const most = 20
	h.mu.Lock()
	defer h.mu.Unlock()
	if what != "" && len(h.vain) < most {
		h.vain = append(h.vain, what)
	}
	return h.vain
}

// place is where the socket of a host is to be.
func (h *hosts) place(host string) string {
	if h.at != nil && h.at(host) != "" {
		return h.at(host)
	}
	return "127.0.0.1:0"
}

// add lets a host answer for the rest of the test; before the first test, in all.
func (h *hosts) add(s *stub, rules []rule) {
	for _, r := range rules {
		r(s)
	}
	t := h.test()
	if t == nil {
		h.usual = append(h.usual, s)
		return
	}
	t.Helper()
	h.mu.Lock()
	h.own = append(h.own, s)
	h.mu.Unlock()
	if err := h.reach(s); err != nil {
		t.Fatal(err)
	}
	if s.speak != nil {
		s.speak()
	}
}

// of returns the stubs of a host.
func (h *hosts) of(protocol, host string) []*stub {
	var all []*stub
	for _, stubs := range [][]*stub{h.own, h.usual} {
		for _, s := range stubs {
			if s.protocol == protocol && s.host == host {
				all = append(all, s)
			}
		}
	}
	return all
}

// count tells how often a host was asked, this time included.
func (h *hosts) count(protocol, host string) int {
	if h.asked == nil {
		h.asked = map[string]int{}
	}
	h.asked[protocol+host]++
	return h.asked[protocol+host]
}

// pick takes the next answer of the first stub that a message fits. It is owed until
// given says that it is not.
func (h *hosts) pick(protocol, host string, m message) (answer, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.owed++
	if h.heard != nil {
		h.heard(protocol, host, nil, m)
	}
	nth := h.count(protocol, host)
	for _, s := range h.of(protocol, host) {
		if s.fits(m, nth) {
			s.given++
			if a, ok := s.turn(s.given - 1); ok {
				return a, true
			}
			break
		}
	}
	if h.missed != nil {
		return h.missed(protocol, host, nil, m)
	}
	return answer{}, false
}

// arrives waits until what the service said before by datagrams is known, where that
// matters.
func (h *hosts) arrives() {
	h.mu.Lock()
	catchUp := h.catchUp
	h.mu.Unlock()
	if catchUp != nil {
		catchUp()
	}
}

// given says that what was owed is given.
func (h *hosts) given() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.owed, h.moved = h.owed-1, time.Now()
}

func (s *stub) fits(m message, nth int) bool {
	for _, fits := range s.wants {
		if !fits(m) {
			return false
		}
	}
	return s.nth == 0 || s.nth == nth
}

// turn is the answer for which n were given before; false where nothing comes any
// more. A script of one answer stays with it, but for TCP.
func (s *stub) turn(n int) (answer, bool) {
	switch all := len(s.script); {
	case n < all:
		return s.script[n], true
	case s.repeats && all > 0:
		return s.script[n%all], true
	case s.rest != nil:
		return *s.rest, true
	case all == 1 && s.protocol != "tcp" && s.speak == nil:
		return s.script[0], true
	}
	return answer{}, false
}
