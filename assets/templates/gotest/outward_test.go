package gotest

import (
	"net"
	"net/http"
	"sort"
	"strings"
	"testing"
	"time"
)

// outwardCall is a call of the service to another host: a request, a connection, a datagram, or a failed
// attempt to reach a host.
type outwardCall struct {
	protocol, host string // protocol is "refused" if the host was not reached
	start          time.Time
	request        *http.Request // for HTTP; body is its body
	body           []byte
	command        string   // for a request to a database; body has its arguments
	messages       []string // messages of TCP, each sent after an answer, or of UDP
	source         any
	answersBefore  int  // for TCP, the number of answers before the last message
	mayBeNone      bool // a background stub fits: the call may be a background call
	addresses      map[any]bool
}

// outwardLog has the outward calls of the service in the running test. The mutex of the hosts
// guards it.
type outwardLog struct {
	*recordedTest
	h         *hosts
	calls     []*outwardCall
	unmatched []difference
	wanted    []hostOperation // the outward calls that the test has wanted so far
	deadline  time.Time       // when await ends; zero before the first call of await
}

// currentLog is the log of the running test.
var currentLog *outwardLog

// mimics begins a test of a recorded exchange, in which hosts log the calls that they get.
func (h *hosts) mimics(t *testing.T, r recorded) {
	t.Helper()
	l := &outwardLog{h: h, recordedTest: mimics(t, r)}
	currentLog = l
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.awaitDatagrams == nil {
		h.awaitDatagrams = h.datagramBarrier()
	}
	h.onMessage, h.onUnmatched, l.awaitEarlier = l.record, l.answerUnmatched, l.awaitEarlierCalls
	t.Cleanup(l.close)
}

// record records a message of the service as an outward call, or as part of the last one.
func (l *outwardLog) record(protocol, host string, source any, m message) {
	call := &outwardCall{
		protocol: protocol, host: host, start: time.Now(), request: m.request, body: m.data, command: m.command, source: source,
	}
	call.mayBeNone = l.h.hasBackground(protocol, host, func(s *stub) bool { return s.matches(m, s.ordinal) })
	switch protocol {
	case "tcp":
		l.recordTCP(call, source.(*tcpSession), m.data)
		return
	case "udp":
		call.messages = []string{string(m.data)}
	case "refused":
		if l.triesNextAddress(host, source) {
			return
		}
		call.addresses = map[any]bool{source: true}
	}
	l.calls = append(l.calls, call)
}

// recordTCP records a connection of the service or, if data is not nil, a message on a connection. On connections
// that requests share, each message is an outward call. recordTCP ignores connections that a host opened to the
// service.
func (l *outwardLog) recordTCP(call *outwardCall, t *tcpSession, data []byte) {
	existing := l.callOf(t)
	if t.isShared() {
		call.messages, call.source = []string{string(data)}, nil
		l.calls = append(l.calls, call)
		return
	}
	switch {
	case strings.HasPrefix(call.host, ":"):
	case data == nil:
		call.start = t.c.openedAt
		l.calls = append(l.calls, call)
	case existing != nil:
		existing.addMessage(string(data), t.answerCount)
	}
}

func (l *outwardLog) callOf(t *tcpSession) *outwardCall {
	for _, call := range l.calls {
		if call.source == any(t) {
			return call
		}
	}
	return nil
}

// addMessage adds data of the service. The data begins another message if the host has given an answer since the last
// data. answers is the number of answers so far.
func (c *outwardCall) addMessage(text string, answers int) {
	if len(c.messages) == 0 && answers > 0 {
		c.messages = []string{""} // the host sent first
	}
	if len(c.messages) == 0 || answers > c.answersBefore {
		c.messages = append(c.messages, "")
	}
	c.messages[len(c.messages)-1] += text
	c.answersBefore = answers
}

// triesNextAddress reports whether a failed attempt belongs to the last call, because it is at
// another address of the same host. If so, it adds the address to that call.
func (l *outwardLog) triesNextAddress(host string, addr any) bool {
	if len(l.calls) == 0 {
		return false
	}
	last := l.calls[len(l.calls)-1]
	if last.protocol != "refused" || last.host != host || last.addresses[addr] {
		return false
	}
	last.addresses[addr] = true
	return true
}

// callsUnderTest returns the outward calls since the beginning of the call under test, in their order.
func (l *outwardLog) callsUnderTest() []*outwardCall {
	l.h.mu.Lock()
	defer l.h.mu.Unlock()
	var calls []*outwardCall
	for _, call := range l.calls {
		if !call.start.Before(l.calledAt) {
			copied := *call
			copied.messages = append([]string(nil), call.messages...)
			calls = append(calls, &copied)
		}
	}
	sort.SliceStable(calls, func(i, j int) bool { return calls[i].start.Before(calls[j].start) })
	return calls
}

func (l *outwardLog) count() int {
	l.h.mu.Lock()
	defer l.h.mu.Unlock()
	return len(l.calls)
}

// awaitEarlierCalls waits for as many outward calls as the recording has before the call under test, and for
// background calls.
func (l *outwardLog) awaitEarlierCalls() {
	for deadline := time.Now().Add(maxWait); l.count() < l.before && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	l.awaitBackground()
}

// awaitBackground waits until the test's background stubs have given all their answers, and each has given one of
// them during this wait. It waits at most for the duration background.
func (l *outwardLog) awaitBackground() {
	if l.background == 0 {
		return
	}
	began := time.Now()
	for ; !l.h.answeredSince(began) && time.Since(began) < l.background; time.Sleep(time.Millisecond) {
	}
	time.Sleep(quietPeriod) // the service uses the answers a moment later
}

// answeredSince reports whether all background stubs of the test have given all their answers, and each has given one
// of them after began.
func (h *hosts) answeredSince(began time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.testStubs {
		if s.isBackground && (s.answersGiven < len(s.script) || s.answeredAt.Before(began)) {
			return false
		}
	}
	return true
}

const (
	// maxWait is the maximum time that a test waits for outward calls: for those before the call under test, and again
	// for those after its answer.
	maxWait = time.Second
	// quietPeriod is the time without a further call after which no more calls are expected.
	quietPeriod = 50 * time.Millisecond
)

// await waits until done returns true. It waits at most maxWait, counted from its first call in the test. Once as
// many outward calls have arrived as were recorded, it waits only quietPeriod for further calls.
func (l *outwardLog) await(done func() bool) {
	if l.deadline.IsZero() {
		l.deadline = time.Now().Add(maxWait)
	}
	var quietAt time.Time
	for ; !done(); time.Sleep(time.Millisecond) {
		now := time.Now()
		switch {
		case now.After(l.deadline), !quietAt.IsZero() && now.After(quietAt):
			return
		case quietAt.IsZero() && len(l.callsUnderTest()) >= l.within:
			quietAt = now.Add(quietPeriod)
		}
	}
}

// close waits for outward calls that would disturb the next test, and reports those that
// no stub matched.
func (l *outwardLog) close() {
	if !l.calledAt.IsZero() {
		l.await(func() bool { return len(l.callsUnderTest()) >= l.within })
	}
	l.h.mu.Lock()
	unmatched := l.unmatched
	l.h.mu.Unlock()
	oracle := "po"
	if l.calledAt.IsZero() {
		oracle = "setup"
	}
	l.reportDifferences(oracle, -1, "no stub matches: ", unmatched)
}

// datagramBarrier returns a function that waits until all earlier datagrams have arrived. The function sends a marker
// to each host, and waits until the markers have arrived.
func (h *hosts) datagramBarrier() func() {
	u, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return nil
	}
	arrivals := make(chan struct{}, 1<<10)
	h.udpMu.Lock()
	defer h.udpMu.Unlock()
	h.isMarkerSender = func(from net.Addr) bool {
		if from == nil || from.String() != u.LocalAddr().String() {
			return false
		}
		arrivals <- struct{}{}
		return true
	}
	lock := make(chan bool, 1)
	return func() {
		lock <- true
		defer func() { <-lock }()
		h.udpMu.Lock()
		addrs := append([]net.Addr(nil), h.udpAddrs...)
		h.udpMu.Unlock()
		for _, addr := range addrs {
			if _, err := u.WriteTo([]byte("marker"), addr); err == nil {
				waitFor(arrivals, quietPeriod)
			}
		}
	}
}
