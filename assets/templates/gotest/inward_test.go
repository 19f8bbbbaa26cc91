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
	s := &stub{protocol: "tcp", host: port, lines: func() []string { return []string{"watch tcp " + strings.TrimPrefix(port, ":")} }}
	h.addInward(s, rules, func(turn func() []string, rests func()) {
		listens := turn()
		if listens == nil {
			return
		}
		raw, err := net.Dial("tcp", listens[4])
		if err != nil {
			h.inVain(fmt.Sprintf("tcp to %s: %v", port, err))
			return
		}
		c := h.counted(port, raw, raw.LocalAddr().String())
		t := h.newTalk(c, c, port)
		t.stubs, t.first, t.rests = []*stub{s}, true, rests
		t.lasts = h.isOld(listens)
		t.hold()
	})
}

// udpTo declares a host that sends datagrams to a port of the service, each when the service
// waits for one.
func (h *hosts) udpTo(port string, rules ...rule) {
	s := &stub{protocol: "udp", host: port, lines: func() []string { return nil }}
	h.addInward(s, rules, func(turn func() []string, _ func()) {
		u, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			h.inVain(fmt.Sprintf("udp to %s: %v", port, err))
			return
		}
		defer u.Close()
		for a, ok := s.turn(0); ok; a, ok = s.turn(s.given) {
			listens := turn()
			if listens == nil {
				return
			}
			s.given++
			to, _ := net.ResolveUDPAddr("udp", listens[4])
			h.send(u, to, a)
			h.whenDone(listens[1])
		}
	})
}

// send sends an answer of a host that sends first.
func (h *hosts) send(u net.PacketConn, to net.Addr, a answer) {
	h.mu.Lock()
	h.owed++
	over := h.over
	h.mu.Unlock()
	if a.body == "" && !a.late {
		u.WriteTo(nil, to) // the service waits for one, even an empty one
	}
	a.say(h.datagramLine(u, to, over), a.body)
	h.given()
}

// addInward adds a host that sends as soon as the service listens, after the hosts added
// before it: with ":0" on any port that is opened in the test. If the service listens
// already, the host sends at once, when the service waits. The function turn returns the
// report of the waiting socket, nil when the test ends.
func (h *hosts) addInward(s *stub, rules []rule, speak func(turn func() []string, rests func())) {
	h.followCalls()
	s.speak = func() {
		test := h.test()
		rest, before := make(chan struct{}), h.spoke
		h.spoke = rest
		listens := func(f []string) bool {
			return f[0] == "listen" && f[2] == s.protocol && (strings.HasSuffix(f[3], s.host) || s.host == ":0" && !h.old["listen "+f[1]])
		}
		go func() {
			var once sync.Once
			rests := func() { once.Do(func() { close(rest) }) }
			defer rests()
			if before != nil {
				<-before
			}
			speak(func() []string { return h.takesTurn(test, listens) }, rests)
		}()
		if h.toldOf(listens) != nil {
			happens(rest, 100*time.Millisecond)
		}
	}
	h.add(s, rules)
}

// takesTurn waits until the service waits for a connection or a datagram on such a socket. The service may
// close a socket and open another one before that.
func (h *hosts) takesTurn(test *testing.T, listens func(f []string) bool) (socket []string) {
	for ; h.test() == test; time.Sleep(time.Millisecond) {
		if socket = h.takesWait(test, listens); socket != nil {
			return socket
		}
	}
	return nil
}

// takesWait ends the wait of such a socket, unless the test has ended.
func (h *hosts) takesWait(test *testing.T, listens func(f []string) bool) (socket []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key, f := range h.sockets {
		if socket = h.sockets["listen "+f[1]]; h.t == test && f[0] == "wait" && socket != nil && listens(socket) {
			delete(h.sockets, key)
			return socket
		}
	}
	return nil
}

// whenDone waits until the service waits again on a socket, or has closed it.
func (h *hosts) whenDone(socket string) {
	for test := h.test(); h.test() == test; time.Sleep(time.Millisecond) {
		h.mu.Lock()
		done := h.sockets["wait "+socket] != nil || h.sockets["listen "+socket] == nil
		h.mu.Unlock()
		if done {
			return
		}
	}
}

// isOld reports whether a socket existed before the test.
func (h *hosts) isOld(socket []string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.old[socket[0]+" "+socket[1]]
}

func (h *hosts) toldOf(what func(f []string) bool) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range h.sockets {
		if what(f) {
			return f
		}
	}
	return nil
}
