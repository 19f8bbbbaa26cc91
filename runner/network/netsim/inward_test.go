//go:build unix

package netsim_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/network/netsim"
)

// A host that calls the service speaks first. The host waits until the service listens, even if the service begins to
// listen during a call.
func TestInward(t *testing.T) {
	stub := model.Stub{
		Host:     ":7000",
		Protocol: model.TCP,
		Inward:   true,
		Answers:  []model.Answer{{Body: "HAND_SHAKE\n"}, {Body: "bye\n", Close: true}},
	}
	for _, early := range []bool{true, false} {
		t.Run(fmt.Sprint(early), func(t *testing.T) {
			n, s := start(t, netsim.Options{})
			heard := make(chan string, 1)
			serve := func(l net.Listener, id string) {
				s.report("wait %s accept %s - 0 0", id, l.Addr())
				c, err := l.Accept()
				if err != nil {
					t.Error(err)
					return
				}
				w := &watched{Conn: c, s: s, id: s.id(), remote: c.RemoteAddr().String()}
				r := bufio.NewReader(w)
				first, _ := r.ReadString('\n')
				io.WriteString(w, "ok\n")
				rest, err := io.ReadAll(r)
				heard <- fmt.Sprint(first, string(rest), err)
			}
			if early {
				go serve(s.listen("7000"))
			}
			play(t, n, stub)
			if !early {
				go serve(s.listen("7000"))
			}
			if got := <-heard; got != "HAND_SHAKE\nbye\n<nil>" {
				t.Errorf("got %q", got)
			}
			want := []string{`message tcp :7000 by 0.0: answer`, `message tcp :7000 "ok\n" by 0.1: answer`}
			if !early {
				want = append([]string{`listen tcp :7000: listens`}, want...)
			}
			expect(t, n, want...)
		})
	}
}

// A host without a greeting answers when the service waits, also if the service began to wait earlier.
func TestInwardWithoutGreeting(t *testing.T) {
	n, s := start(t, netsim.Options{})
	heard := make(chan string, 1)
	l, id := s.listen("7000")
	s.report("wait %s accept %s - 0 0", id, l.Addr())
	go func() {
		c, err := l.Accept()
		if err != nil {
			t.Error(err)
			return
		}
		w := &watched{Conn: c, s: s, id: s.id(), remote: c.RemoteAddr().String()}
		line, err := bufio.NewReader(w).ReadString('\n')
		heard <- fmt.Sprint(line, err)
	}()
	slow := model.Answer{Fault: model.NetSlow, Latency: 20} // the answer comes after 20 ms, when the service already waits for it
	play(
		t,
		n,
		model.Stub{Host: ":7000", Protocol: model.TCP, Inward: true, Answers: []model.Answer{slow, {Body: "bye\n"}}},
	)
	if got := <-heard; got != "bye\n<nil>" {
		t.Errorf("got %q", got)
	}
}

// A service that waits for a host without a stub gets an error at once, if the wait began in a call
// of the test.
func TestWaitWithoutCaller(t *testing.T) {
	n, s := start(t, netsim.Options{})
	_, old := s.listen("80")
	starved := make(chan syscall.Errno, 2)
	s.mu.Lock()
	s.starved[old] = starved
	s.mu.Unlock()
	s.report("wait %s accept 127.0.0.1:1 - 0 0", old)
	play(t, n)
	_, id := s.listen("7000")
	s.mu.Lock()
	s.starved[id] = starved
	s.mu.Unlock()
	s.report("wait %s accept 127.0.0.1:2 - 0 0", id)
	select {
	case errno := <-starved:
		if !errors.Is(errno, syscall.ECONNABORTED) {
			t.Error(errno)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it waits on")
	}
	select {
	case <-starved:
		t.Error("a listener from before the test was starved")
	case <-time.After(100 * time.Millisecond):
	}
	if got := contactText(n.StartupContacts()); got != "listen tcp :80: listens\n" {
		t.Error(got)
	}
	expect(t, n, "listen tcp :7000: listens")
}

// Clients can call the API of a service before the service reports the API's port. Sonde does not end waits on that
// port, but it ends waits on other ports.
func TestWaitOfLateAPI(t *testing.T) {
	n, s := start(t, netsim.Options{})
	n.BindPort(8080, 18080)
	starved := map[string]chan syscall.Errno{}
	play(t, n)
	for _, port := range []string{"8080", "7000"} {
		_, id := s.listen(port)
		starved[port] = make(chan syscall.Errno, 1)
		s.mu.Lock()
		s.starved[id] = starved[port]
		s.mu.Unlock()
		s.report("wait %s accept 127.0.0.1:1 - 0 0", id)
	}
	select {
	case <-starved["7000"]:
	case <-time.After(30 * time.Second):
		t.Fatal("the other port waits on")
	}
	select {
	case <-starved["8080"]:
		t.Error("the API got an error")
	case <-time.After(100 * time.Millisecond):
	}
	expect(t, n, "listen tcp :7000: listens")
}

func TestInwardUDP(t *testing.T) {
	n, s := start(t, netsim.Options{})
	play(
		t, n,
		model.Stub{
			Host:     ":9999",
			Protocol: model.UDP,
			Inward:   true,
			Answers:  []model.Answer{{Body: "one"}, {Body: "more than is read"}, {Body: "two"}},
		},
	)
	u, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	id := s.id()
	s.report("listen %s udp 0.0.0.0:9999 %s", id, u.LocalAddr())
	b, read := make([]byte, 4), 0
	for _, want := range []string{"one", "more", "two"} {
		s.report("wait %s recv %s - 0 %d", id, u.LocalAddr(), read)
		size, _, err := u.ReadFrom(b)
		if got := string(b[:size]); got != want || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
		read += size
	}
	starved := make(chan syscall.Errno, 1)
	s.mu.Lock()
	s.starved[id] = starved
	s.mu.Unlock()
	s.report("wait %s recv %s - 0 %d", id, u.LocalAddr(), read)
	if errno := <-starved; errno != syscall.ECONNREFUSED {
		t.Error(errno)
	}
	expect(
		t, n, `listen udp :9999: listens`, `message udp :9999 by 0.0: answer`, `message udp :9999 by 0.1: answer`,
		`message udp :9999 by 0.2: answer`,
	)
}

// Hosts that speak first call the service one after the other. If the service waits already, they call before the
// first call of the test. They stay connected when they have nothing more to send.
func TestCallersInTurn(t *testing.T) {
	n, s := start(t, netsim.Options{})
	l, id := s.listen("7000")
	var mu sync.Mutex
	var heard []string
	go func() {
		for {
			s.report("wait %s accept %s - 0 0", id, l.Addr())
			c, err := l.Accept()
			if err != nil {
				return
			}
			w := &watched{Conn: c, s: s, id: s.id(), remote: c.RemoteAddr().String()}
			go func() {
				io.WriteString(w, "welcome\n")
				for lines := bufio.NewReader(w); ; {
					line, err := lines.ReadString('\n')
					mu.Lock()
					heard = append(heard, strings.TrimSpace(fmt.Sprint(line, err)))
					mu.Unlock()
					if err != nil {
						return
					}
					io.WriteString(w, "yes\n")
				}
			}()
		}
	}()
	caller := func(lines ...string) model.Stub {
		m := model.Stub{Host: ":7000", Protocol: model.TCP, Inward: true}
		for _, line := range lines {
			m.Answers = append(m.Answers, model.Answer{Body: line + "\n"})
		}
		return m
	}
	play(t, n, caller("one", "two"), caller("three"), caller("four"))
	// The pause is longer than the silence that ends waits.
	for late := time.Now().Add(30 * time.Second); time.Now().Before(late); time.Sleep(60 * time.Millisecond) {
		mu.Lock()
		all := len(heard) >= 4
		mu.Unlock()
		if all {
			break
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if got := strings.Join(heard, " "); got != "one\n<nil> two\n<nil> three\n<nil> four\n<nil>" {
		t.Errorf("heard %q", got)
	}
}

// A test begins even if the service does not notice that connections of the previous test have
// ended.
func TestConnectionsLeft(t *testing.T) {
	n, s := start(t, netsim.Options{})
	l, id := s.listen("7000")
	go func() {
		for {
			s.report("wait %s accept %s - 0 0", id, l.Addr())
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
			io.ReadFull(c, make([]byte, 3))
			s.report("wait %s read %s %s 0 3", s.id(), c.LocalAddr(), c.RemoteAddr()) // it reports a read, but does not read
		}
	}()
	caller := model.Stub{Host: ":7000", Protocol: model.TCP, Inward: true, Answers: []model.Answer{{Body: "hi\n"}}}
	play(t, n, caller, caller, caller)
	began := make(chan error)
	go func() { began <- n.BeginTest(nil) }()
	select {
	case err := <-began:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("the next test does not begin")
	}
}

// When a test begins, the service has noticed that connections of the previous test have ended.
func TestHangUpIsNoticed(t *testing.T) {
	for range 20 { // a busy machine may be slower than the bound
		if noticed(t) {
			return
		}
	}
	t.Error("the test began before")
}

// noticed reports whether a service had noticed the end of a connection when the next test began.
func noticed(t *testing.T) bool {
	n, s := start(t, netsim.Options{})
	l, id := s.listen("7000")
	done := make(chan error, 1)
	go func() {
		s.report("wait %s accept %s - 0 0", id, l.Addr())
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		w := &watched{Conn: c, s: s, id: s.id(), remote: c.RemoteAddr().String()}
		_, err = io.ReadAll(w)
		time.Sleep(10 * time.Millisecond) // the service notices the end late
		done <- err
	}()
	play(
		t,
		n,
		model.Stub{
			Host:     ":7000",
			Protocol: model.TCP,
			Inward:   true,
			Answers:  []model.Answer{{Body: "hi\n", Close: true}},
		},
	)
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
		return true
	default:
		return false
	}
}

// A port that the system chooses is not reported, because it differs each time.
func TestAnyPort(t *testing.T) {
	n, s := start(t, netsim.Options{})
	play(t, n)
	s.report("listen 1 udp 0.0.0.0:40123 127.0.0.1:40123")
	s.report("listen 2 udp 0.0.0.0:40124 127.0.0.1:40123")
	expect(t, n, "listen udp :40124: listens")
}
