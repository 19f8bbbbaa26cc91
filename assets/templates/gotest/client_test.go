package gotest

import (
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// tcpTo declares a host that connects to a port of the service, such as ":7000", and sends
// first.
func (h *hosts) tcpTo(port string, rules ...rule) {
	s := &stub{protocol: "tcp", host: port, tableLines: func() []string { return []string{"watch tcp " + strings.TrimPrefix(port, ":")} }}
	h.addClient(s, rules, func(nextSocket func() []string, finish func()) {
		socket := nextSocket()
		if socket == nil {
			return
		}
		raw, err := net.Dial("tcp", socket[4])
		if err != nil {
			h.addUnanswered(fmt.Sprintf("tcp to %s: %v", port, err))
			return
		}
		c := h.addConn(port, raw, raw.LocalAddr().String())
		t := h.newTCPSession(c, c, port)
		t.onlyStubs, t.sendsFirst, t.onIdle = []*stub{s}, true, finish
		t.isBackground = h.existedBefore(socket)
		t.serve()
	})
}

// udpTo declares a host that sends datagrams to a port of the service. It sends the next datagram when the service
// waits for one.
func (h *hosts) udpTo(port string, rules ...rule) {
	s := &stub{protocol: "udp", host: port, tableLines: func() []string { return nil }}
	h.addClient(s, rules, func(nextSocket func() []string, _ func()) {
		conn, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			h.addUnanswered(fmt.Sprintf("udp to %s: %v", port, err))
			return
		}
		defer conn.Close()
		for a, ok := s.answerAt(0); ok; a, ok = s.answerAt(s.answersGiven) {
			socket := nextSocket()
			if socket == nil {
				return
			}
			s.answersGiven++
			to, _ := net.ResolveUDPAddr("udp", socket[4])
			h.sendDatagram(conn, to, a)
			h.awaitNextWait(socket[1])
		}
	})
}

// sendDatagram sends an answer of a host that sends first.
func (h *hosts) sendDatagram(socket net.PacketConn, to net.Addr, a answer) {
	h.mu.Lock()
	h.pendingAnswers++
	testDone := h.testDone
	h.mu.Unlock()
	if a.body == "" && !a.delayed {
		socket.WriteTo(nil, to) // the service also gets an empty datagram
	}
	a.send(h.datagramWriter(socket, to, testDone), a.body)
	h.answerSent()
}

// addClient adds a host that sends when the service waits on a port. This is the port of the stub or, for ":0", any
// port that the service opens during the test. converse is the conversation of the host. It calls nextSocket, which
// waits for the port and returns the listen report of the port's socket, or nil when the test ends. The hosts of a
// test begin one after the other, in the order in which they were added: a host begins when the previous one has
// called finish or its converse has returned. If the service listens already, addClient gives the host some time to
// finish.
func (h *hosts) addClient(s *stub, rules []rule, converse func(nextSocket func() []string, finish func())) {
	h.trackCalls()
	s.startClient = func() {
		test := h.runningTest()
		done, previous := make(chan struct{}), h.lastClient
		h.lastClient = done
		isTarget := func(f []string) bool {
			return f[0] == "listen" && f[2] == s.protocol &&
				(strings.HasSuffix(f[3], s.host) || s.host == ":0" && !h.oldSockets["listen "+f[1]])
		}
		go func() {
			var once sync.Once
			finish := func() { once.Do(func() { close(done) }) }
			defer finish()
			if previous != nil {
				<-previous
			}
			converse(func() []string { return h.awaitSocket(test, isTarget) }, finish)
		}()
		if h.findReport(isTarget) != nil {
			waitFor(done, 100*time.Millisecond)
		}
	}
	h.addStub(s, rules)
}

// awaitSocket waits until the service waits for a connection or a datagram on a socket whose listen report satisfies
// isTarget. It returns that report, or nil when the test ends. While awaitSocket waits, the service may close a
// socket and open another one.
func (h *hosts) awaitSocket(test *testing.T, isTarget func(f []string) bool) (socket []string) {
	for ; h.runningTest() == test; time.Sleep(time.Millisecond) {
		if socket = h.takeSocket(test, isTarget); socket != nil {
			return socket
		}
	}
	return nil
}

// takeSocket returns the listen report of a waiting socket that satisfies isTarget, and removes the report of the
// socket's wait. It returns nil if there is no such socket, or if the test has ended.
func (h *hosts) takeSocket(test *testing.T, isTarget func(f []string) bool) (socket []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key, f := range h.sockets {
		if socket = h.sockets["listen "+f[1]]; h.t == test && f[0] == "wait" && socket != nil && isTarget(socket) {
			delete(h.sockets, key)
			return socket
		}
	}
	return nil
}

// awaitNextWait waits until the service waits again on a socket, or has closed it.
func (h *hosts) awaitNextWait(socket string) {
	for test := h.runningTest(); h.runningTest() == test; time.Sleep(time.Millisecond) {
		h.mu.Lock()
		done := h.sockets["wait "+socket] != nil || h.sockets["listen "+socket] == nil
		h.mu.Unlock()
		if done {
			return
		}
	}
}

// existedBefore reports whether a socket existed before the test.
func (h *hosts) existedBefore(socket []string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.oldSockets[socket[0]+" "+socket[1]]
}

func (h *hosts) findReport(matches func(f []string) bool) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range h.sockets {
		if matches(f) {
			return f
		}
	}
	return nil
}
