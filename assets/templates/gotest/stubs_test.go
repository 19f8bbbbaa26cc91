package gotest

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// hosts are the hosts around the service. Their stubs belong to the running test, or are permanent: these were
// declared before the first test, and answer in all tests.
type hosts struct {
	makeReachable func(s *stub) error                            // makes a stub's host reachable for the service
	httpListener  func(host string, l net.Listener) net.Listener // returns a listener for the HTTP connections of l; nil if all are HTTP
	handleConn    func(host string, c *countedConn)              // detects the protocol; nil if it is known
	tlsServer     func(host string, c net.Conn) *tls.Conn        // decrypts a connection to a host; nil if hosts have no TLS
	connHandlers  map[string]connHandler                         // answer clients that do not speak HTTP, by protocol
	fixedAddr     func(host string) string                       // the address for a host's socket, "" for any; nil for any
	syncReports   func()                                         // waits for all earlier reports of the service; nil if it sends none

	udpMu          sync.Mutex               // guards udpAddrs and isMarkerSender
	udpAddrs       []net.Addr               // addresses that receive datagrams
	isMarkerSender func(from net.Addr) bool // reports whether datagrams from an address are markers; may be nil

	mu             sync.Mutex
	t              *testing.T            // the running test, nil before the first
	testDone       chan struct{}         // closed when the test ends
	testStubs      []*stub               // the stubs of the test
	permanentStubs []*stub               // the stubs of all tests, which come after those of the test
	messageCounts  map[string]int        // the number of messages to each host
	unanswered     []string              // messages without an answer
	lastClient     chan struct{}         // closed when all hosts that send first have sent
	callCount      int                   // calls to the service so far
	openCalls      int                   // calls that are not answered yet
	pendingAnswers int                   // answers that are not sent yet
	lastActivity   time.Time             // the time of the last event
	conns          map[*countedConn]bool // open connections
	sockets        map[string][]string   // waiting and listening sockets, by "wait ID"; nil if the service sends no reports
	oldSockets     map[string]bool       // the sockets that waited or listened before the test, and the socket of the service's API

	// The functions below are for tests of recorded exchanges; they may be nil. awaitDatagrams waits for datagrams in
	// transit. onMessage logs a message. onUnmatched answers a message that no stub matches. source is the connection
	// of a message of TCP.
	awaitDatagrams func()
	onMessage      func(protocol, host string, source any, m message)
	onUnmatched    func(protocol, host string, source any, m message) (answer, bool)
}

// connHandler answers a client of a host. conn is c or, if c has TLS, its decrypted content.
type connHandler func(host string, c *countedConn, conn net.Conn)

// stub is a host's answers to some messages.
type stub struct {
	protocol     string // http, tcp, udp, dns, environment, or the protocol of a database, such as redis
	host         string // host:port; for dns, a name; for environment, a resource
	request      string // for http: the requests that match, such as "POST /charges/{id}"
	open         opener
	tableLines   func() []string // the lines of the network's table for the stub; nil for the default lines
	startClient  func()          // starts a host that sends first, and may return before the host has finished
	conditions   []func(m message) bool
	terms        []term // the conditions again, to describe how a message differs from them
	ordinal      int    // the number of the only message that the stub answers, from 1; 0 for all messages
	script       []answer
	isRepeated   bool
	afterScript  *answer // the answer after the end of the script, nil for none
	answersGiven int     // the number of answers so far
	isBackground bool    // the stub answers calls that no request causes
	answeredAt   time.Time

	// The fields below are for TCP. prologue is said once on each connection. If onAnyConnection is set, the script
	// continues from one connection to the next.
	prologue        []prologueStep
	onAnyConnection bool
}

// prologueStep is a message of the service at the beginning of a connection, "" for none, and the host's answer.
type prologueStep struct{ request, answer string }

// term is a condition on a part of a message.
type term struct{ in, name, want string }

// opener opens a socket for a host, and returns its address.
type opener func(h *hosts, host string) (addr string, err error)

// message is a message of the service to a host: a request with its body, bytes, or a request to a database.
type message struct {
	request            *http.Request
	data               []byte
	command, statement string // for a request to a database; data is then the request as JSON
}

// said returns the text of a message to which conditions such as ifBegins apply.
func (m message) said() string {
	if m.statement != "" {
		return m.statement
	}
	return string(m.data)
}

// answer is one answer of a host.
type answer struct {
	failure     string // the reason why a dial, a lookup or a use of the environment fails; "" if it does not fail
	status      int    // status, header and trailer are for HTTP; header and trailer have lines such as "Name: value"
	header      []string
	trailer     []string
	body        string
	send        func(c *answerWriter, body string)
	delayed     bool // the answer is sent after a delay, for which other hosts do not wait
	sentFirst   bool // the host sends the answer first, without a message of the service
	certificate certificateFault
	records     []string // for DNS: the records of the name
}

// certificateFault is what is wrong with the certificate of a host.
type certificateFault int

const (
	validCertificate certificateFault = iota
	wrongCertificate                  // the certificate is that of another host
	expiredCertificate
	unknownAuthority
)

// answerWriter sends the answers of a host.
type answerWriter struct {
	io.Writer                  // sends at once
	connClosed <-chan struct{} // closed when the service closes the connection
	testDone   <-chan struct{} // closed when the test ends
	closeConn  func()
	resetConn  func()
}

// rule adds something to a stub, such as an answer or a condition.
type rule func(s *stub)

// begin begins a test, with only the permanent stubs.
func (h *hosts) begin(t *testing.T) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.testDone != nil {
		close(h.testDone)
	}
	h.t, h.testDone, h.testStubs, h.messageCounts, h.unanswered, h.lastClient = t, make(chan struct{}), nil, nil, nil, nil
	h.onMessage, h.onUnmatched = nil, nil
	for _, s := range h.permanentStubs {
		if !s.isBackground {
			s.answersGiven = 0
		}
	}
	t.Cleanup(func() {
		if unanswered := h.addUnanswered(""); t.Failed() && len(unanswered) > 0 {
			t.Logf("the service got no answer, because no stub matches:\n\t%s", strings.Join(unanswered, "\n\t"))
		}
	})
}

// startProcess prepares for a new process of the service. Until begin is called, only the permanent stubs answer,
// from the beginning of their scripts.
func (h *hosts) startProcess() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.testDone != nil {
		close(h.testDone)
	}
	h.t, h.testDone, h.testStubs, h.messageCounts, h.onMessage, h.onUnmatched = nil, nil, nil, nil, nil, nil
	for _, s := range h.permanentStubs {
		s.answersGiven = 0
	}
}

// runningTest returns the running test.
func (h *hosts) runningTest() *testing.T {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.t
}

// addUnanswered adds a message that no host answered, unless it is "". It returns all such messages.
func (h *hosts) addUnanswered(message string) []string {
	const maxMessages = 20
	h.mu.Lock()
	defer h.mu.Unlock()
	if message != "" && len(h.unanswered) < maxMessages {
		h.unanswered = append(h.unanswered, message)
	}
	return h.unanswered
}

// listenAddr returns the address for the socket of a host.
func (h *hosts) listenAddr(host string) string {
	if h.fixedAddr != nil && h.fixedAddr(host) != "" {
		return h.fixedAddr(host)
	}
	return "127.0.0.1:0"
}

// addStub adds a stub with the rules. The stub is removed at the end of the running test. If no test is running, the
// stub is permanent.
func (h *hosts) addStub(s *stub, rules []rule) {
	for _, r := range rules {
		r(s)
	}
	t := h.runningTest()
	if t == nil {
		h.permanentStubs = append(h.permanentStubs, s)
		return
	}
	t.Helper()
	h.mu.Lock()
	h.testStubs = append(h.testStubs, s)
	h.mu.Unlock()
	if err := h.makeReachable(s); err != nil {
		t.Fatal(err)
	}
	if s.startClient != nil {
		s.startClient()
	}
}

// allStubs returns the stubs of the test, and the permanent ones.
func (h *hosts) allStubs() []*stub {
	return append(append([]*stub(nil), h.testStubs...), h.permanentStubs...)
}

// stubsOf returns the stubs of a host for a protocol: those of the test, and then the permanent stubs.
func (h *hosts) stubsOf(protocol, host string) []*stub {
	var all []*stub
	for _, stubs := range [][]*stub{h.testStubs, h.permanentStubs} {
		for _, s := range stubs {
			if s.protocol == protocol && s.host == host {
				all = append(all, s)
			}
		}
	}
	return all
}

// countMessage counts a message to a host, and returns its number.
func (h *hosts) countMessage(protocol, host string) int {
	if h.messageCounts == nil {
		h.messageCounts = map[string]int{}
	}
	h.messageCounts[protocol+host]++
	return h.messageCounts[protocol+host]
}

// takeAnswer takes the next answer of the first stub that matches a message. It returns false if there is no answer.
// The answer counts as pending until answerSent is called, even if there is none.
func (h *hosts) takeAnswer(protocol, host string, m message) (answer, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pendingAnswers++
	nth := h.countMessage(protocol, host)
	s := h.choose(h.stubsOf(protocol, host), func(s *stub) bool { return s.matches(m, nth) })
	if h.onMessage != nil && (s == nil || !s.isBackground) {
		h.onMessage(protocol, host, nil, m)
	}
	if s != nil {
		s.answersGiven++
		if a, ok := s.answerAt(s.answersGiven - 1); ok {
			s.answeredAt = time.Now()
			return a, true
		}
	}
	if h.onUnmatched != nil {
		return h.onUnmatched(protocol, host, nil, m)
	}
	return answer{}, false
}

// choose returns the first stub that fits, nil for none. If a background stub fits, too, choose returns the
// background stub in two cases: no call to the service is open, or the first stub has no answer left.
func (h *hosts) choose(stubs []*stub, fits func(s *stub) bool) *stub {
	var first *stub
	for _, s := range stubs {
		if (first == nil || s.isBackground) && fits(s) {
			if s.isBackground {
				return h.unlessBackground(first, s)
			}
			first = s
		}
	}
	return first
}

// unlessBackground returns first if a call to the service is open and first has an answer left. Otherwise it returns
// background.
func (h *hosts) unlessBackground(first, background *stub) *stub {
	if first != nil && h.openCalls > 0 {
		if _, ok := first.answerAt(first.answersGiven); ok {
			return first
		}
	}
	return background
}

// hasBackground reports whether a background stub of a host fits.
func (h *hosts) hasBackground(protocol, host string, fits func(s *stub) bool) bool {
	for _, s := range h.stubsOf(protocol, host) {
		if s.isBackground && fits(s) {
			return true
		}
	}
	return false
}

// isOnlyBackground reports whether a host has stubs, and all of them are background stubs.
func (h *hosts) isOnlyBackground(host string) bool {
	found := false
	for _, s := range h.allStubs() {
		if s.host == host && !s.isBackground {
			return false
		}
		found = found || s.host == host
	}
	return found
}

// awaitEarlierDatagrams waits for earlier datagrams of the service, in tests that log them.
func (h *hosts) awaitEarlierDatagrams() {
	h.mu.Lock()
	awaitDatagrams := h.awaitDatagrams
	h.mu.Unlock()
	if awaitDatagrams != nil {
		awaitDatagrams()
	}
}

// answerSent records that a host has sent one of the pending answers.
func (h *hosts) answerSent() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pendingAnswers, h.lastActivity = h.pendingAnswers-1, time.Now()
}

func (s *stub) matches(m message, ordinal int) bool {
	for _, holds := range s.conditions {
		if !holds(m) {
			return false
		}
	}
	return s.ordinal == 0 || s.ordinal == ordinal
}

// answerAt returns the answer that follows the first n answers. It returns false if there is none. After the end of
// the script, a repeated script begins again, or afterScript is the answer. Otherwise a script with a single answer
// repeats this answer, except for TCP and for hosts that send first.
func (s *stub) answerAt(n int) (answer, bool) {
	switch all := len(s.script); {
	case n < all:
		return s.script[n], true
	case s.isRepeated && all > 0:
		return s.script[n%all], true
	case s.afterScript != nil:
		return *s.afterScript, true
	case all == 1 && s.protocol != "tcp" && s.startClient == nil:
		return s.script[0], true
	}
	return answer{}, false
}
