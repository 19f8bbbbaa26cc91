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

// hosts are the hosts around the service in the running test.
type hosts struct {
	reach  func(s *stub) error                            // lets the service reach a stub's host
	door   func(host string, l net.Listener) net.Listener // passes on connections that speak HTTP; nil for all
	enter  func(host string, c *counted)                  // detects the protocol; nil if it is known
	rawly  func(host string, c *counted, out net.Conn)    // answers a client that does not speak HTTP
	at     func(host string) string                       // the address for a host's socket, "" for any; nil for any
	settle func()                                         // waits for all earlier reports of the service; nil if it sends none

	marks sync.Mutex               // guards ports and sift
	ports []net.Addr               // ports for datagrams
	sift  func(from net.Addr) bool // takes datagrams that are not from the service; may be nil

	mu      sync.Mutex
	t       *testing.T          // the running test, nil before the first
	over    chan struct{}       // closed when it ends
	own     []*stub             // the stubs of the test
	usual   []*stub             // the permanent stubs, which come after those of the test
	asked   map[string]int      // the number of messages to each host
	vain    []string            // messages without an answer
	spoke   chan struct{}       // closed when all hosts that send first have sent
	called  int                 // calls to the service so far
	calls   int                 // calls that are not answered yet
	owed    int                 // answers on their way
	moved   time.Time           // when something happened last
	conns   map[*counted]bool   // open connections
	sockets map[string][]string // waiting and listening sockets, by "wait ID"; nil if the service sends no reports
	old     map[string]bool     // the sockets that waited or listened before the test

	// For tests of recorded exchanges: functions that wait for datagrams on their way, note
	// messages, and answer those that no stub matches; by is the connection of a TCP message.
	catchUp func()
	heard   func(protocol, host string, by any, m message)
	missed  func(protocol, host string, by any, m message) (answer, bool)
}

// stub is a host's answers to some messages.
type stub struct {
	protocol string // http, tcp, udp or dns
	host     string // with its port, except for dns
	request  string // of HTTP, such as "POST /charges/{id}"
	open     opener
	lines    func() []string // lines of the network's table, nil for the usual ones
	speak    func()          // lets a host that sends first begin; the host may go on after speak returns
	wants    []func(m message) bool
	terms    []term // the conditions in words
	nth      int    // the number of the only message that it answers, from 1; 0 for all
	script   []answer
	repeats  bool
	rest     *answer // after the end of the script
	given    int     // the number of answers so far
}

// term is a condition on a part of a message.
type term struct{ in, name, want string }

// opener opens a socket for a host, and returns its address.
type opener func(h *hosts, host string) (addr string, err error)

// message is a message of the service to a host: a request with its body, or bytes.
type message struct {
	request *http.Request
	data    []byte
}

// answer is one answer of a host.
type answer struct {
	fate     string // why a dial or a lookup fails
	status   int    // of HTTP, with header and trailer as "Name: value"
	header   []string
	trailer  []string
	body     string
	say      func(c *line, body string)
	late     bool     // it is sent after a delay, for which other hosts do not wait
	unasked  bool     // the host sends it first, without a message of the service
	stranger bool     // it has the certificate of another host
	records  []string // of DNS
}

// line sends the answers of a host.
type line struct {
	io.Writer                 // sends at once
	left      <-chan struct{} // closed when the service closes the connection
	over      <-chan struct{} // closed when the test ends
	hangUp    func()
	breakOff  func()
}

// rule is a part of a stub.
type rule func(s *stub)

// begin begins a test, with only the permanent hosts.
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

// test returns the running test.
func (h *hosts) test() *testing.T {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.t
}

// inVain adds a message that no host answered, and returns all of them.
func (h *hosts) inVain(what string) []string {
	const most = 20
	h.mu.Lock()
	defer h.mu.Unlock()
	if what != "" && len(h.vain) < most {
		h.vain = append(h.vain, what)
	}
	return h.vain
}

// place returns the address for the socket of a host.
func (h *hosts) place(host string) string {
	if h.at != nil && h.at(host) != "" {
		return h.at(host)
	}
	return "127.0.0.1:0"
}

// add adds a stub until the end of the test; before the first test, a permanent one.
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

// count counts a message to a host, and returns its number.
func (h *hosts) count(protocol, host string) int {
	if h.asked == nil {
		h.asked = map[string]int{}
	}
	h.asked[protocol+host]++
	return h.asked[protocol+host]
}

// pick takes the next answer of the first stub that matches a message. It counts as on its
// way until given is called.
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

// arrives waits for earlier datagrams of the service, in tests that note them.
func (h *hosts) arrives() {
	h.mu.Lock()
	catchUp := h.catchUp
	h.mu.Unlock()
	if catchUp != nil {
		catchUp()
	}
}

// given notes that an answer has been sent.
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

// turn returns the answer after n others; false if there is none. A script of one answer repeats
// it, except for TCP and for hosts that send first.
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
