package gotest

import (
	"io"
	"net"
	"net/http"
	"reflect"
	"testing"
	"time"
)

// A background stub answers calls of the service, and tests do not count these calls. While a call to the service is
// open, a stub of the test comes before a background stub.
func TestBackgroundDoesNotCount(t *testing.T) {
	h := &hosts{makeReachable: func(*stub) error { return nil }}
	h.http("a.example:80", "GET /rates", inBackground(), replies(200, "1"), then(replies(200, "2")))
	h.tcp("b.example:25", inBackground(), hangsUp(says("beat")))
	if got := sendRequests(t, h, "GET /rates "); !reflect.DeepEqual(got, []string{"200 1"}) {
		t.Errorf("at the start of the service: got %q", got)
	}
	h.begin(t)
	h.mimics(t, recorded{id: "r1", oracles: "po co", within: 1})
	h.http("a.example:80", "GET /rates", replies(200, "own"))
	underTest(t, nil)
	if got := sendRequests(t, h, "GET /rates "); !reflect.DeepEqual(got, []string{"200 2"}) {
		t.Errorf("while no call is open: got %q", got)
	}
	addr, err := h.listenTCP("b.example:25")
	if err != nil {
		t.Fatal(err)
	}
	if got := exchangeTCP(t, addr, "alive"); got != "beat<nil>" {
		t.Errorf("by TCP: got %q", got)
	}
	h.openCalls = 1
	if got := sendRequests(t, h, "GET /rates ", "GET /rates "); !reflect.DeepEqual(got, []string{"200 own", "200 own"}) {
		t.Errorf("while a call is open: got %q", got)
	}
	h.openCalls = 0
	h.wantAsked("a.example:80", "GET /rates")
	h.wantCalls(to("a.example:80", "GET /rates")) // one of the two calls may be a background call
	if calls := callTexts(currentLog.callsUnderTest()); len(calls) != 2 {
		t.Errorf("got %q", calls)
	}
	h.startProcess()
	if got := sendRequests(t, h, "GET /rates "); !reflect.DeepEqual(got, []string{"200 1"}) {
		t.Errorf("at the start of another process: got %q", got)
	}
	h.begin(t)
}

// The service gets the same answers at each start, whatever it asked in the test before the start.
func TestHostsOfStartsBeginAgain(t *testing.T) {
	h := &hosts{makeReachable: func(*stub) error { return nil }}
	h.http("a.example:80", "GET /settings", replies(503, ""), replies(200, "{}"), again())
	h.http("a.example:80", "GET /second", ifNth(3), replies(200, "third"))
	starts := func() {
		t.Helper()
		got := sendRequests(t, h, "GET /settings ", "GET /settings ", "GET /second ")
		if want := []string{"503 ", "200 {}", "200 third"}; !reflect.DeepEqual(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	starts()
	h.begin(t)
	sendRequests(t, h, "GET /settings ")
	h.startProcess()
	starts()
	h.begin(t)
}

// A test waits until the service has got the answers of the test's background stubs.
func TestBackgroundIsAwaited(t *testing.T) {
	h := newHosts(t)
	h.mimics(t, recorded{id: "r1", oracles: "oo", background: 10 * time.Second})
	h.http("a.example:80", "GET /rates", inBackground(), replies(200, "3"))
	addr, err := h.listenHTTP("a.example:80")
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan bool)
	go func() {
		defer close(asked)
		time.Sleep(20 * time.Millisecond)
		if res, err := http.Get("http://" + addr + "/rates"); err == nil {
			res.Body.Close()
		}
	}()
	began := time.Now()
	underTest(t, nil)
	<-asked
	if h.testStubs[0].answersGiven != 1 || time.Since(began) >= 10*time.Second {
		t.Errorf("%d answers after %v", h.testStubs[0].answersGiven, time.Since(began))
	}
}

// withoutSurplus removes calls that may be background calls, except those that the test wants.
func TestSurplus(t *testing.T) {
	got := parseOutwardCalls("GET /rates", "GET /own", "GET /rates", "GET /rates", "tcp")
	for _, i := range []int{0, 2, 3} {
		got[i].mayBeNone = true
	}
	want := append(to("a.example:80", "GET /own"), to("a.example:80", "GET /rates")...)
	left := withoutSurplus(want, got)
	if len(left) != 3 || left[0] != got[1] || left[1] != got[2] || left[2] != got[4] {
		t.Errorf("left %q", callTexts(left))
	}
}

// A connection that the service opened at its start stays open in the first test.
func TestConnectionOfStart(t *testing.T) {
	h := &hosts{makeReachable: func(*stub) error { return nil }}
	h.tcp("b.example:25", inBackground(), says("beat"))
	addr, err := h.listenTCP("b.example:25")
	if err != nil {
		t.Fatal(err)
	}
	h.startProcess()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	buf := make([]byte, 10)
	for i := 0; i < 2; i++ {
		io.WriteString(c, "alive")
		if n, err := c.Read(buf); err != nil || string(buf[:n]) != "beat" {
			t.Fatalf("answer %d: got %q, %v", i, buf[:n], err)
		}
		h.begin(t)
		h.drain()
	}
}

// A host says its prologue once on each connection. Requests share the connections: each message is an outward call
// of its own, and the scripts continue on the next connection and in the next test.
func TestPrologue(t *testing.T) {
	h := &hosts{makeReachable: func(*stub) error { return nil }}
	h.tcp("store.example:7000", inBackground(), opensWith("", "READY\n"), opensWith("LOGIN me\n", "WELCOME\n"))
	h.tcp("store.example:7000", inBackground(), onAnyConnection(), ifBegins("PING"), says("PONG\n"), again())
	addr, err := h.listenTCP("store.example:7000")
	if err != nil {
		t.Fatal(err)
	}
	h.startProcess()
	ask := func(c net.Conn, text, want string) {
		t.Helper()
		buf := make([]byte, 20)
		c.SetDeadline(time.Now().Add(10 * time.Second))
		io.WriteString(c, text)
		if n, err := c.Read(buf); err != nil || string(buf[:n]) != want {
			t.Errorf("%q: got %q, %v", text, buf[:n], err)
		}
	}
	var conns []net.Conn
	dial := func(logIn string) {
		t.Helper()
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, c)
		ask(c, "", "READY\n")
		ask(c, logIn, "WELCOME\n")
	}
	defer func() {
		for _, c := range conns {
			c.Close()
		}
	}()
	dial("LOGIN me\n")
	ask(conns[0], "PING\n", "PONG\n")
	for _, first := range []string{"1\n", "2\n"} {
		h.begin(t)
		h.drain()
		h.mimics(t, recorded{id: "r1", oracles: "po co", within: 2})
		h.tcp("store.example:7000", onAnyConnection(), ifSaid("GET a\n"), says(first), says("next\n"))
		dial("LOGIN another\n")
		underTest(t, nil)
		ask(conns[0], "GET a\n", first)
		ask(conns[0], "PING\n", "PONG\n")
		ask(conns[1], "GET a\n", "next\n")
		h.wantAsked("store.example:7000", "tcp", inTurn(0, exactly("GET a\n")))
		h.wantCalls(times(2, to("store.example:7000", "tcp")))
	}
	h.begin(t)
}
