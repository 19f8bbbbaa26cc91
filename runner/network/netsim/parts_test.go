package netsim

import (
	"errors"
	"net/netip"
	"reflect"
	"slices"
	"testing"
	"time"

	"sonde/model"
)

func at(text string) netip.AddrPort { return netip.MustParseAddrPort(text) }

func TestHostNamesPrefersTheLatestName(t *testing.T) {
	var h hostNames
	ip := netip.MustParseAddr("198.18.0.9")
	h.add("a.example.", ip)
	h.add("B.example", ip)
	h.add("a.example", ip)
	want := []string{"a.example:80", "b.example:80", "198.18.0.9:80"}
	if got := h.hosts(netip.AddrPortFrom(ip, 80)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if h.hasOther("a.example", ip) {
		t.Error("a.example has one address")
	}
	h.add("a.example", netip.MustParseAddr("198.18.0.10"))
	if !h.hasOther("a.example", ip) {
		t.Error("a.example has two addresses")
	}
	h.addStub("10.0.0.1:80", netip.MustParseAddr("10.0.0.1"))
	if got := h.hosts(at("10.0.0.1:80")); len(got) != 1 {
		t.Errorf("an address became a name: %q", got)
	}
}

func TestHostNamesAreBounded(t *testing.T) {
	var h hostNames
	for i := range maxNames + 1 {
		h.add("a.example", netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}))
	}
	if len(h.names) != 1 {
		t.Errorf("%d addresses are remembered", len(h.names))
	}
}

func TestSyntheticAddresses(t *testing.T) {
	benchmarks := netip.MustParsePrefix("198.18.0.0/15")
	for _, name := range []string{"", "a", "a.example", "very.long.name.example"} {
		if a := syntheticIPv4(name); !benchmarks.Contains(a) || a == callerAddr {
			t.Errorf("%q is at %s", name, a)
		}
		if a := syntheticIPv6(name); !syntheticIPv6Net.Contains(a) {
			t.Errorf("%q is at %s", name, a)
		}
	}
	if syntheticIPv4("A.example.") != syntheticIPv4("a.example") {
		t.Error("the address depends on how a name is written")
	}
}

func TestParseEvent(t *testing.T) {
	for line, want := range map[string]event{
		"hello 1 42": helloEvent{},
		"synced 7":   replyEvent{command: "synced", number: "7"},
		"lookup host a%20b 198.18.1.1,x,::ffff:10.0.0.1": lookupEvent{
			kind: "host", name: "a b", result: "198.18.1.1,x,::ffff:10.0.0.1",
			addresses: []netip.Addr{netip.MustParseAddr("198.18.1.1"), netip.MustParseAddr("10.0.0.1")},
		},
		"refused tcp 10.0.0.1:80":      refusedEvent{to: endpoint{network: "tcp", addr: at("10.0.0.1:80")}},
		"real tcp [::1]:80":            realDialEvent{to: endpoint{network: "tcp", addr: at("[::1]:80")}},
		"lost udp 10.0.0.1:9 7069":     lostDatagramEvent{to: endpoint{network: "udp", addr: at("10.0.0.1:9")}, data: []byte("pi")},
		"listen 3 TCP :80 [::1]:8":     listenEvent{id: "3", network: "tcp", port: 80, real: at("[::1]:8")},
		"closed 3":                     closedEvent{id: "3"},
		"dialed 3 1.1.1.1:1 2.2.2.2:2": dialedEvent{id: "3", local: at("1.1.1.1:1"), far: at("2.2.2.2:2")},
		"exec /bin/ping":               execEvent{program: "/bin/ping"},
		"raw":                          rawSocketEvent{},
		"wait 5 read 1.1.1.1:1 2.2.2.2:2 7 9": waitEvent{wait: &wait{
			id: "5", kind: "read", local: at("1.1.1.1:1"), remote: at("2.2.2.2:2"), written: 7, read: 9,
		}},
		"ask 1 1.1.1.1:1 -":       askEvent{id: 1, to: at("1.1.1.1:1")},
		"drop 1 late":             dropEvent{id: 1, reason: "late"},
		"opened 1 1.1.1.1:1":      openedEvent{id: 1, from: at("1.1.1.1:1")},
		"wrote 1 2 r3":            wroteEvent{id: 1, from: 2, cause: "r3"},
		"over r3":                 answeredEvent{request: "r3"},
		"said 4 1.1.1.1:1 r3 70":  sentDatagramEvent{key: datagramKey{socket: 4, to: at("1.1.1.1:1")}, cause: "r3", data: []byte("p")},
		"came 4 1.1.1.1:1 - 70":   receivedDatagramEvent{key: datagramKey{socket: 4, to: at("1.1.1.1:1")}, data: []byte("p")},
		"failed 4 1.1.1.1:1 - no": failedDatagramEvent{key: datagramKey{socket: 4, to: at("1.1.1.1:1")}, message: "no"},
		"shut 4\r":                closedSocketEvent{socket: 4},
		"unheard of":              nil,
		"":                        nil,
	} {
		if got := parseEvent(line); !reflect.DeepEqual(got, want) {
			t.Errorf("%q is %#v, want %#v", line, got, want)
		}
	}
}

func TestDialScript(t *testing.T) {
	stub := func(a ...model.Answer) model.Stub {
		return model.Stub{Host: "a.example:80", Protocol: model.HTTP, Answers: a}
	}
	refuse, ok := model.Answer{Fault: model.NetRefuse}, model.Answer{Body: "x"}
	repeated := stub(refuse, refuse)
	repeated.Repeat = true
	for name, tt := range map[string]struct {
		stub model.Stub
		want []string
	}{
		"answers":          {stub(ok), []string{"real"}},
		"faults first":     {stub(refuse, ok), []string{"!ECONNREFUSED", "real"}},
		"one fault":        {stub(refuse), []string{"!ECONNREFUSED"}},
		"two faults":       {stub(refuse, refuse), []string{"!ECONNREFUSED", "!ECONNREFUSED", "real"}},
		"repeated faults":  {repeated, []string{"!ECONNREFUSED", "!ECONNREFUSED"}},
		"fault in between": {stub(ok, refuse), []string{"real"}},
	} {
		d := newTest([]model.Stub{tt.stub}, nil).dialScriptFor([]int{0})
		if got := d.targets("real"); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		if d.repeat != (name == "repeated faults") {
			t.Errorf("%s: repeat is %t", name, d.repeat)
		}
	}
	d := newTest([]model.Stub{stub(refuse, ok)}, nil).dialScriptFor([]int{0})
	if s := d.next(true); s.fault != model.NetRefuse {
		t.Errorf("the first dial is %+v", s)
	}
	for range 3 {
		if s := d.next(false); s.fault != "" || s.stub != 0 {
			t.Errorf("a later dial is %+v", s)
		}
	}
	if s := d.next(true); s.stub != -1 {
		t.Errorf("a dial failed that no stub lets fail: %+v", s)
	}
}

func TestListenersAttributeWaits(t *testing.T) {
	l := newListeners()
	idle, busy := newTest(nil, nil), newTest(nil, nil)
	busy.busy = true
	if !l.add(&listener{id: "1", network: "tcp", real: at("127.0.0.1:1")}, idle) {
		t.Error("a port without ephemeral is not fixed")
	}
	l.add(&listener{id: "2", network: "tcp", ephemeral: true}, busy)
	l.setWait(&wait{id: "1", kind: "accept"}, busy)
	l.setWait(&wait{id: "3", kind: "recv", local: at("127.0.0.1:3")}, busy)
	if at := l.setWait(&wait{id: "2", kind: "accept"}, busy); at == nil || at.id != "2" {
		t.Errorf("the wait is at %+v", at)
	}
	l.endDatagramWaits(at("127.0.0.1:3"))
	if got := l.takeWaits(busy); len(got) != 1 || got[0].id != "2" {
		t.Errorf("waits of the test: %+v", got)
	}
	if got := l.takeWaits(busy); got != nil {
		t.Errorf("they are taken twice: %+v", got)
	}
	if got := l.takeUnvisited(busy); len(got) != 1 || got[0].id != "2" {
		t.Errorf("ports of the test: %+v", got)
	}
	if got := l.takeUnvisited(busy); got != nil {
		t.Errorf("they are visited twice: %+v", got)
	}
	if !l.isOpen(at("127.0.0.1:1")) {
		t.Error("the port is not open")
	}
	l.remove("1")
	if l.isOpen(at("127.0.0.1:1")) || l.waits["1"] != nil {
		t.Error("a closed port is known")
	}
}

func TestConnectionsMatchEarlyWaits(t *testing.T) {
	s := newConnections()
	w := &wait{id: "7", local: at("127.0.0.1:7"), remote: at("198.18.0.1:80")}
	if c := s.waiting(w); c != nil {
		t.Fatalf("a wait found %v", c)
	}
	c := &conn{peer: at("127.0.0.1:7"), hosts: []string{"a.example:80"}}
	if got := s.add(c); got != w {
		t.Errorf("the early wait is %v", got)
	}
	if s.waiting(w) != c {
		t.Error("a later wait does not find the connection")
	}
	other := &conn{peer: c.peer}
	s.remove(other)
	if len(s.open) != 1 {
		t.Error("another connection with the same port removed this one")
	}
	s.waiting(&wait{id: "8", local: at("127.0.0.1:8"), remote: at("198.18.0.1:81")})
	s.closes("8")
	if got := s.add(&conn{peer: at("127.0.0.1:8")}); got != nil {
		t.Errorf("a closed socket waits: %v", got)
	}
}

func TestConnectionsCountWhatTheServiceKeeps(t *testing.T) {
	s := newConnections()
	before, now := &testState{}, &testState{}
	s.dials("0", dialed{"a.example:80", before, 1}, at("127.0.0.1:5"))
	s.dials("1", dialed{"a.example:80", now, 1}, at("127.0.0.1:1"))
	s.dials("2", dialed{"a.example:80", now, 0}, at("127.0.0.1:2"))
	s.dials("3", dialed{"c.example:80", now, -1}, at("127.0.0.1:6"))
	s.closes("2")
	s.add(&conn{peer: at("127.0.0.1:1"), hosts: []string{"a.example:80"}}) // reported by the service
	s.add(&conn{peer: at("127.0.0.1:3"), hosts: []string{"b.example:80"}}) // not reported: a connection of a child process
	s.add(&conn{peer: at("127.0.0.1:4"), hosts: []string{":7000"}, inward: true})
	want := map[string]Open{"a.example:80": {2, map[int]int{1: 1}}, "b.example:80": {1, nil}, "c.example:80": {1, nil}}
	if got := s.openByHost(now); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestConnectionsAreSettled(t *testing.T) {
	for name, tt := range map[string]struct {
		c    *conn
		want bool
	}{
		"idle":                  {&conn{received: 4, processed: 4}, true},
		"unprocessed":           {&conn{received: 4, processed: 2}, false},
		"answer is on its way":  {&conn{received: 4, processed: 2, unfinished: 1}, true},
		"left during an answer": {&conn{peerClosed: true, unfinished: 1}, false},
		"player has to look":    {&conn{player: &tcpPlayer{}, dirty: true}, false},
	} {
		s := newConnections()
		s.add(tt.c)
		if got := s.allProcessed(); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// fakeSocket is a socket that records only whether it is closed.
type fakeSocket struct {
	socket
	closed bool
}

func (f *fakeSocket) Close() error {
	f.closed = true
	return nil
}

func TestHostSockets(t *testing.T) {
	var opened []*fakeSocket
	fail := errors.New("no port")
	s := &hostSockets{
		open:     map[endpoint]*hostSocket{},
		maxSpare: 1,
		serve:    func(*hostSocket) {},
		listen: func(e endpoint) (socket, error) {
			switch e.addr.Port() {
			case 1:
				return nil, fail
			case 2:
				return nil, nil
			}
			f := &fakeSocket{}
			opened = append(opened, f)
			return f, nil
		},
	}
	a, b := endpoint{
		network: "tcp",
		addr:    at("198.18.0.1:80"),
	}, endpoint{
		network: "udp",
		addr:    at("255.255.255.255:99"),
	}
	if err := s.ensure(endpoint{addr: at("198.18.0.1:1")}); !errors.Is(err, fail) {
		t.Errorf("error %v", err)
	}
	if err := s.ensure(endpoint{addr: at("198.18.0.1:2")}); err != nil || s.changes != 0 {
		t.Errorf("a socket that is not needed: %v, %d changes", err, s.changes)
	}
	for _, e := range []endpoint{a, a, b} {
		if err := s.ensure(e); err != nil {
			t.Fatal(err)
		}
	}
	if len(opened) != 2 || s.changes != 2 || len(s.datagramSockets()) != 1 {
		t.Errorf("%d sockets, %d changes", len(opened), s.changes)
	}
	if !s.sendsFrom(at("10.0.0.7:99")) || s.sendsFrom(at("10.0.0.7:98")) {
		t.Error("a host of a broadcast address answers from any address with its port")
	}
	s.closeSpare(map[endpoint][]int{a: {0}})
	if !s.has(a) || s.has(b) || !opened[1].closed || opened[0].closed {
		t.Error("the wrong socket is closed")
	}
	s.closeSpare(nil)
	if !s.has(a) {
		t.Error("one spare socket may stay open")
	}
	s.closeAll()
	if len(s.open) != 0 || s.real(a).IsValid() {
		t.Error("a socket is open")
	}
}

func TestSilenceClockAsksTwice(t *testing.T) {
	var c silenceClock
	start := time.Now()
	c.active(start)
	for _, step := range []struct {
		after time.Duration
		want  bool
	}{{silence / 2, false}, {silence, false}, {2 * silence, true}, {3 * silence, true}} {
		if got := c.isSilent(start.Add(step.after)); got != step.want {
			t.Errorf("after %s: %t", step.after, got)
		}
	}
	c.active(start.Add(4 * silence))
	if c.isSilent(start.Add(5*silence)) || !c.isSilent(start.Add(6*silence)) {
		t.Error("activity does not start the clock over")
	}
	if d := c.untilSilent(start.Add(9 * silence)); d != time.Millisecond {
		t.Errorf("silent in %s", d)
	}
}

func TestUnansweredDatagramsBelongToATest(t *testing.T) {
	var u unansweredDatagrams
	one, two := newTest(nil, nil), newTest(nil, nil)
	if !u.add(one, at("127.0.0.1:1"), at("10.0.0.1:9")) {
		t.Error("there is no room")
	}
	if got := u.take(two); len(got) != 0 {
		t.Errorf("another test got %v", got)
	}
	for i := range maxUnanswered + 1 {
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(i+1))
		if got := u.add(two, from, at("10.0.0.1:9")); got != (i < maxUnanswered) {
			t.Errorf("datagram %d: %t", i, got)
		}
	}
	if got := u.take(two); len(got) != maxUnanswered {
		t.Errorf("%d datagrams", len(got))
	}
}

func TestNextCaller(t *testing.T) {
	inward := func(p model.Protocol, port string) model.Stub {
		return model.Stub{Host: ":" + port, Protocol: p, Inward: true, Answers: []model.Answer{{Body: "x"}}}
	}
	run := newTest([]model.Stub{inward(model.TCP, "7"), inward(model.UDP, "8"), inward(model.TCP, "7")}, nil)
	tcp, udp := &listener{network: "tcp", port: 7}, &listener{network: "udp", port: 8}
	if _, ok := run.nextCaller(tcp); ok {
		t.Error("a stub calls that is not admitted")
	}
	run.admitted = 3
	run.called[0] = true
	if stub, ok := run.nextCaller(tcp); !ok || stub != 2 {
		t.Errorf("stub %d calls, %t", stub, ok)
	}
	if stub, ok := run.nextCaller(udp); !ok || stub != 1 {
		t.Errorf("stub %d sends, %t", stub, ok)
	}
	run.take(1)
	if _, ok := run.nextCaller(udp); ok {
		t.Error("a stub sends that has nothing left")
	}
}

func TestEscapesAreBounded(t *testing.T) {
	var l escapeList
	for range 3 {
		l.rawSocket()
	}
	for i := range 2 * maxEscapes {
		l.program(string(rune('a' + i)))
	}
	if len(l.lines) != maxEscapes {
		t.Errorf("%d lines", len(l.lines))
	}
}

func TestCauseMarks(t *testing.T) {
	marks := causeMarks{{from: 0, cause: "a"}, {from: 10, cause: "b"}, {from: 20, cause: ""}}
	for _, tt := range []struct {
		at    uint64
		size  int
		cause string
		many  int
	}{{0, 5, "a", 5}, {5, 50, "a", 5}, {10, 50, "b", 10}, {25, 50, "", 50}} {
		if cause, many := marks.at(tt.at, tt.size); cause != tt.cause || many != tt.many {
			t.Errorf("at %d: %q, %d", tt.at, cause, many)
		}
	}
	if got := causeMarks(nil).last(); got != "" {
		t.Errorf("without marks the cause is %q", got)
	}
}

func TestArrivalsMatchInAnyOrder(t *testing.T) {
	a := newArrivals()
	l := &relayConn{id: 1}
	if a.report(at("127.0.0.1:1"), l) != nil || a.accept(at("127.0.0.1:1"), nil) != l {
		t.Error("a connection that is reported first has no relay")
	}
	if a.accept(at("127.0.0.1:2"), nil) != nil || len(a.accepted) != 1 {
		t.Error("a connection that was not reported has a relay")
	}
	if len(a.reported) != 0 {
		t.Error("a report is used twice")
	}
}
