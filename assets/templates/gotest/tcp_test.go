package gotest

import (
	"fmt"
	"io"
	"net"
	"testing"
	"time"
)

const (
	// waitThreshold is how long a client must send nothing before the tests assume that it waits.
	waitThreshold = 20 * time.Millisecond
	// halfCloseTimeout is the maximum time between the end of the service's data and the service's wait for an
	// answer.
	halfCloseTimeout = 50 * time.Millisecond
)

// tcp declares how a host answers on TCP connections. Each connection begins the script anew, unless onAnyConnection
// is one of the rules. If the stub has conditions, the host answers a message that fulfils them. Otherwise it answers
// when the service waits.
func (h *hosts) tcp(host string, rules ...rule) {
	h.trackCalls()
	h.answerConns("tcp", func(host string, c *countedConn, conn net.Conn) { h.newTCPSession(c, conn, host).serve() })
	h.addStub(&stub{protocol: "tcp", host: host, open: (*hosts).listenTCP}, rules)
}

// answerConns sets the handler of connections to hosts that have stubs of a protocol. The protocol is not HTTP.
func (h *hosts) answerConns(protocol string, handler connHandler) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.connHandlers == nil {
		h.connHandlers = map[string]connHandler{}
	}
	h.connHandlers[protocol] = handler
}

// answerConn answers a client that does not speak HTTP, in the protocol of the host's stubs. data is what was already
// read from the connection.
func (h *hosts) answerConn(host string, c *countedConn, conn net.Conn, data []byte) {
	h.mu.Lock()
	var handler connHandler
	for protocol, other := range h.connHandlers {
		if len(h.stubsOf(protocol, host)) > 0 && (handler == nil || protocol != "tcp") {
			handler = other
		}
	}
	h.mu.Unlock()
	if handler == nil {
		h.addUnanswered(fmt.Sprintf("tcp %s %q, which is not HTTP", host, data))
		resetConn(c)
		return
	}
	handler(host, c, conn)
}

// listenTCP opens the port of a host.
func (h *hosts) listenTCP(host string) (addr string, err error) {
	l, err := net.Listen("tcp", h.listenAddr(host))
	if err != nil {
		return "", err
	}
	handleConn := h.handleConn
	if handleConn == nil {
		handleConn = func(host string, c *countedConn) { h.answerConn(host, c, c, nil) }
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go handleConn(host, h.addConn(host, c, c.RemoteAddr().String()))
		}
	}()
	return l.Addr().String(), nil
}

// tcpSession gives the answers of stubs on one TCP connection.
type tcpSession struct {
	c            *countedConn
	h            *hosts
	conn         net.Conn // c or, if c has TLS, its decrypted content
	host         string
	test         *testing.T // nil before the first test
	onlyStubs    []*stub    // the stubs of a host that calls the service; nil if the service called the host
	answersGiven map[*stub]int
	answerCount  int           // the number of answers so far
	opened       int           // the number of steps of the prologue so far
	inputDone    chan struct{} // closed when the service sends no more
	onIdle       func()        // called when there is nothing to send for now; may be nil
	isBackground bool          // a host called a port that was open before the test: no call to the service waits for this connection

	// The mutex of the hosts guards the fields below.
	received     []byte // bytes since the last answer
	lastCall     int    // the number of the call during which the service sent last
	sendsFirst   bool   // the host sends first, even if the service does not wait
	inputEndedAt time.Time
	isBroken     bool
	isSilenced   bool // nothing more will be sent
	isUnlogged   bool // the connection is not logged yet, because it may be a background call
}

func (h *hosts) newTCPSession(c *countedConn, conn net.Conn, host string) *tcpSession {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := &tcpSession{c: c, h: h, conn: conn, host: host, test: h.t, inputDone: make(chan struct{})}
	if c.permanent {
		t.test = nil
	}
	c.session = t
	t.startScript()
	t.isUnlogged = t.isShared() || h.hasBackground("tcp", host, func(*stub) bool { return true })
	if !t.isUnlogged {
		t.notify(nil)
	}
	return t
}

// log logs the connection and the received data, if isUnlogged is set. On a connection that requests share, it logs
// each message as a call.
func (t *tcpSession) log() {
	if t.isUnlogged && t.isShared() {
		if len(t.received) > 0 {
			t.notify(t.received)
		}
	} else if t.isUnlogged {
		t.isUnlogged = false
		t.notify(nil)
		if len(t.received) > 0 {
			t.notify(t.received)
		}
	}
}

// isShared reports whether several requests to the service may share the connection: the host has a stub with a
// prologue or with onAnyConnection.
func (t *tcpSession) isShared() bool {
	for _, s := range t.h.stubsOf("tcp", t.host) {
		if s.onAnyConnection || len(s.prologue) > 0 {
			return true
		}
	}
	return false
}

// prologue returns the prologue of the host, nil for none.
func (t *tcpSession) prologue() []prologueStep {
	for _, s := range t.h.stubsOf("tcp", t.host) {
		if len(s.prologue) > 0 {
			return s.prologue
		}
	}
	return nil
}

// openingAnswer takes the next answer of the prologue if the answer is due. It is due in three cases: the host speaks
// first in this step; the service has sent the message of the step; or the service has sent another message, which no
// stub matches, and waits. A message that a stub matches ends the prologue.
func (t *tcpSession) openingAnswer(isWaiting bool) (answer, bool) {
	steps := t.prologue()
	if t.opened >= len(steps) {
		return answer{}, false
	}
	step := steps[t.opened]
	switch received := string(t.received); {
	case received == step.request:
	case received != "" && t.matchesStub():
		t.opened = len(steps)
		return answer{}, false
	case received == "" || !isWaiting:
		return answer{}, false
	}
	t.opened++
	t.received = nil
	return answer{body: step.answer, send: sendWhole, sentFirst: step.request == ""}, true
}

// matchesStub reports whether the received data fulfils the conditions of a stub that has conditions.
func (t *tcpSession) matchesStub() bool {
	for _, s := range t.stubs() {
		if len(s.conditions) > 0 && s.matches(message{data: t.received}, t.c.ordinal) {
			return true
		}
	}
	return false
}

// given returns the number of answers that a stub has given: in the whole test if onAnyConnection is set, and
// otherwise on this connection.
func (t *tcpSession) given(s *stub) int {
	if s.onAnyConnection {
		return s.answersGiven
	}
	return t.answersGiven[s]
}

// notify passes a message of the service on to the log.
func (t *tcpSession) notify(data []byte) {
	if t.h.onMessage != nil {
		t.h.onMessage("tcp", t.host, t, message{data: data})
	}
}

// startScript makes the scripts of all stubs start again from their first answer, and forgets the received data.
func (t *tcpSession) startScript() { t.answersGiven, t.received = map[*stub]int{}, nil }

// joinTest assigns the connection to the running test, if the service may use the connection in several tests.
func (t *tcpSession) joinTest() {
	if t.test != t.h.t && (t.c.permanent || t.isShared()) {
		t.test = t.h.t
		t.startScript()
	}
}

// stubs returns the stubs that may answer on the connection.
func (t *tcpSession) stubs() []*stub {
	if t.onlyStubs != nil {
		return t.onlyStubs
	}
	return t.h.stubsOf("tcp", t.host)
}

// serve gives answers until the connection or the test ends.
func (t *tcpSession) serve() {
	go t.readMessages()
	for open := true; open; {
		a, testDone, due, mayContinue := t.next()
		if open = mayContinue; due {
			if a.delayed {
				t.idle()
			}
			w := &answerWriter{
				Writer: t.writerFor(a), connClosed: t.inputDone, testDone: testDone,
				closeConn: t.closeConn, resetConn: t.resetConn,
			}
			a.send(w, a.body)
			t.h.answerSent()
		} else if mayContinue {
			time.Sleep(time.Millisecond)
		}
	}
	resetConn(t.conn)
}

// writerFor returns the writer for an answer. An empty answer ends a wait of the service. But if the host sends first,
// the service may not wait, so an empty answer is not written.
func (t *tcpSession) writerFor(a answer) io.Writer {
	if a.sentFirst && a.body == "" {
		return io.Discard
	}
	return t.conn
}

// idle calls onIdle, because there is nothing to send for now.
func (t *tcpSession) idle() {
	if t.onIdle != nil {
		t.onIdle()
	}
}

// next returns the answer that is due, if due is true. mayContinue reports whether the connection stays open, because
// an answer may be due later.
func (t *tcpSession) next() (a answer, testDone <-chan struct{}, due, mayContinue bool) {
	t.h.mu.Lock()
	defer t.h.mu.Unlock()
	t.joinTest()
	if t.test != t.h.t || t.c.testEnded {
		return a, nil, false, !t.isClosed()
	}
	isWaiting := t.c.isWaiting(len(t.received) > 0)
	if a, due = t.nextAnswer(isWaiting); due {
		t.h.pendingAnswers++
		return a, t.h.testDone, true, true
	}
	if isWaiting || !t.inputEndedAt.IsZero() {
		t.idle()
	}
	return a, nil, false, !t.isClosed() && !t.giveUp(isWaiting)
}

// isClosed reports whether the service has closed the connection. A service that has closed only its own half begins
// to wait for an answer within halfCloseTimeout.
func (t *tcpSession) isClosed() bool {
	if t.isBroken || t.inputEndedAt.IsZero() {
		return t.isBroken
	}
	return t.c.testEnded || t.c.waitReport() == nil && time.Since(t.inputEndedAt) > halfCloseTimeout
}

// giveUp reports whether the connection gets no more answers: it was silenced, or the service waits for an answer to
// a message that no stub answers. giveUp records such a message as unanswered.
func (t *tcpSession) giveUp(isWaiting bool) bool {
	if !t.isSilenced && (!isWaiting || len(t.received) == 0 || t.h.sockets != nil && t.mayMatchLater() || t.isBackground) {
		return false
	}
	if len(t.received) > 0 {
		t.h.unanswered = append(t.h.unanswered, fmt.Sprintf("tcp %s %q", t.host, t.received))
	}
	return true
}

// mayMatchLater reports whether a stub with conditions has an answer left, so that it may answer when the service
// sends more.
func (t *tcpSession) mayMatchLater() bool {
	for _, s := range t.stubs() {
		if _, ok := s.answerAt(t.given(s)); ok && len(s.conditions) > 0 && (s.ordinal == 0 || s.ordinal == t.c.ordinal) {
			return true
		}
	}
	return false
}

// nextAnswer takes the next answer of the prologue or, after the prologue, of the first stub that matches.
func (t *tcpSession) nextAnswer(isWaiting bool) (answer, bool) {
	if a, ok := t.openingAnswer(isWaiting); ok || t.opened < len(t.prologue()) {
		return a, ok
	}
	s := t.matchingStub(isWaiting)
	var a answer
	if s == nil && isWaiting && len(t.received) > 0 || s != nil && !s.isBackground {
		t.log()
	}
	if s != nil {
		a, _ = s.answerAt(t.given(s))
		t.answersGiven[s]++
		if s.onAnyConnection || s.isBackground {
			s.answersGiven++
		}
		s.answeredAt = time.Now()
	} else if unmatched := t.unmatchedAnswer(isWaiting); unmatched != nil {
		a = *unmatched
	} else {
		return a, false
	}
	t.answerCount++
	a.sentFirst = t.sendsFirst
	t.received, t.sendsFirst = nil, false
	return a, true
}

// unmatchedAnswer returns the answer to a message that no stub matches, nil for none.
func (t *tcpSession) unmatchedAnswer(isWaiting bool) *answer {
	if t.h.onUnmatched == nil || !isWaiting || len(t.received) == 0 || t.isSilenced {
		return nil
	}
	a, ok := t.h.onUnmatched("tcp", t.host, t, message{data: t.received})
	if !ok {
		t.isSilenced = true
		return nil
	}
	return &a
}

// matchingStub returns the first stub that matches, nil for none.
func (t *tcpSession) matchingStub(isWaiting bool) *stub {
	return t.h.choose(t.stubs(), func(s *stub) bool {
		_, ok := s.answerAt(t.given(s))
		return ok && t.accepts(s, isWaiting)
	})
}

func (t *tcpSession) accepts(s *stub, isWaiting bool) bool {
	switch {
	case s.ordinal != 0 && s.ordinal != t.c.ordinal:
		return false
	case len(s.conditions) > 0:
		return len(t.received) > 0 && s.matches(message{data: t.received}, t.c.ordinal)
	}
	return t.sendsFirst || isWaiting
}

// readMessages reads the messages of the service.
func (t *tcpSession) readMessages() {
	defer close(t.inputDone)
	for buf := make([]byte, 32<<10); ; {
		n, err := t.conn.Read(buf)
		t.c.update(func() {
			t.joinTest()
			if t.received = append(t.received, buf[:n]...); n > 0 {
				t.lastCall = t.h.callCount
				if !t.isUnlogged && !t.isShared() {
					t.notify(buf[:n])
				}
			}
			if err != nil {
				t.inputEndedAt, t.isBroken = time.Now(), err != io.EOF
			}
		})
		if err != nil {
			return
		}
	}
}

// closeConn closes the connection. If the host opened the connection, closeConn first closes its write side, and waits
// for up to 50 ms until the service closes the other side.
func (t *tcpSession) closeConn() {
	t.c.update(func() { t.isBroken = true })
	if tcp, ok := t.c.Conn.(*net.TCPConn); ok && t.onIdle != nil {
		tcp.CloseWrite()
		waitFor(t.inputDone, 50*time.Millisecond)
	}
	t.conn.Close()
}

// resetConn resets the connection.
func (t *tcpSession) resetConn() {
	t.c.update(func() { t.isBroken = true })
	resetConn(t.conn)
}
