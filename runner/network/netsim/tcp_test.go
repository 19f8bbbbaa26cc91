//go:build unix

package netsim_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/network/netsim"
	"sonde/runner/testdata/port"
)

func raw(host string, answers ...model.Answer) model.Stub {
	return model.Stub{Host: host, Protocol: model.TCP, Answers: answers}
}

// talk executes a script on a connection. It writes the script's lines that begin with ">", and for each other line
// it reads a line. It returns what it read.
func talk(t *testing.T, c net.Conn, script ...string) (heard string, err error) {
	t.Helper()
	r := bufio.NewReader(c)
	for _, line := range script {
		if says, ok := strings.CutPrefix(line, ">"); ok {
			_, err = io.WriteString(c, says)
			if err != nil {
				return heard, err
			}
			continue
		}
		got, err := r.ReadString('\n')
		heard += got
		if err != nil {
			return heard, err
		}
	}
	return heard, nil
}

// reuse lets a socket use a port whose last connection has just ended.
func reuse(_, _ string, c syscall.RawConn) error {
	var failed error
	err := c.Control(func(fd uintptr) {
		failed = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1)
	})
	return errors.Join(err, failed)
}

// A wait that is reported before the connection is accepted is not lost.
func TestWaitBeforeAccept(t *testing.T) {
	n, s := start(t, netsim.Options{})
	play(t, n, raw("a.example:7", model.Answer{Body: "hello\n"}))
	real, err := s.route("tcp", own("a.example")+":7")
	if err != nil {
		t.Fatal(err)
	}
	local := fmt.Sprintf("127.0.0.1:%d", port.Free())
	s.report("wait 1 read %s %s:7 0 0", local, own("a.example"))
	time.Sleep(100 * time.Millisecond)
	from := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.MustParseAddrPort(local)), Control: reuse}
	c, err := from.Dial("tcp", real)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetReadDeadline(time.Now().Add(10 * time.Second))
	if got, err := talk(t, c, ""); got != "hello\n" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestTCP(t *testing.T) {
	line := func(s string) model.Answer { return model.Answer{Body: s + "\n"} }
	for _, tt := range []struct {
		name     string
		stubs    []model.Stub
		script   []string
		want     string
		err      string
		contacts []string
	}{
		{
			"a greeting, and answers in turn",
			[]model.Stub{
				raw("m.example:25", line("220 hi"), line("250 ok"), model.Answer{Body: "bye\n", Close: true}),
			},
			[]string{"", ">HELO\n", "", ">QUIT\n", "", ""},
			"220 hi\n250 ok\nbye\n", "EOF",
			[]string{
				`message tcp m.example:25 by 0.0: answer`, `message tcp m.example:25 "HELO\n" by 0.1: answer`,
				`message tcp m.example:25 "QUIT\n" by 0.2: answer`,
			},
		},
		{
			"by what is said",
			[]model.Stub{
				{
					Host:     "m.example:25",
					Protocol: model.TCP,
					Match:    model.StubMatch{Prefix: "GET "},
					Answers:  []model.Answer{line("value")},
					Repeat:   true,
				},
				{
					Host:     "m.example:25",
					Protocol: model.TCP,
					Match:    model.StubMatch{Regexp: "(?i)^ping"},
					Answers:  []model.Answer{line("pong")},
				},
			},
			[]string{">ping\n", "", ">GET a\n", "", ">GET b\n", ""},
			"pong\nvalue\nvalue\n", "",
			[]string{
				`message tcp m.example:25 "ping\n" by 1.0: answer`,
				`message tcp m.example:25 "GET a\n" by 0.0: answer`,
				`message tcp m.example:25 "GET b\n" by 0.0: answer`,
			},
		},
		{
			"a line that never comes",
			[]model.Stub{raw("m.example:25", line("one"))},
			[]string{">go\n", "", ""},
			"one\n", "connection reset by peer",
			[]string{`message tcp m.example:25 "go\n" by 0.0: answer`},
		},
		{
			"no answer",
			[]model.Stub{raw("m.example:25", line("one"))},
			[]string{">go\n", "", ">more\n", ""},
			"one\n", "connection reset by peer",
			[]string{`message tcp m.example:25 "go\n" by 0.0: answer`, `message tcp m.example:25 "more\n": nothing`},
		},
		{
			"cut",
			[]model.Stub{raw("m.example:25", model.Answer{Body: "abcdef\n", Fault: model.NetCut, After: 3})},
			[]string{">go\n", ""},
			"abc", "EOF",
			[]string{`message tcp m.example:25 "go\n" by 0.0: cut`},
		},
		{
			"reset",
			[]model.Stub{raw("m.example:25", model.Answer{Fault: model.NetReset})},
			[]string{">go\n", ""},
			"", "connection reset by peer",
			[]string{`message tcp m.example:25 "go\n" by 0.0: reset`},
		},
		{
			"no UTF-8",
			[]model.Stub{raw("m.example:25", model.Answer{Bytes: []byte("\xff\x00\n")})},
			[]string{">go\n", ""},
			"\xff\x00\n", "",
			[]string{`message tcp m.example:25 "go\n" by 0.0: answer`},
		},
		{
			"a request of HTTP",
			[]model.Stub{web("m.example:25", model.Answer{})},
			[]string{">HELO x\n", ""},
			"", "connection reset by peer",
			[]string{`message tcp m.example:25 "HELO x\n": not http`},
		},
		{
			"a host of HTTP that should speak first",
			[]model.Stub{web("m.example:25", model.Answer{})},
			[]string{""},
			"", "connection reset by peer",
			[]string{`message tcp m.example:25: waits`},
		},
	} {
		for _, tells := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, each wait told: %v", tt.name, tells), func(t *testing.T) {
				n, s := start(t, netsim.Options{})
				if tells {
					s.slots = nil
				}
				play(t, n, tt.stubs...)
				c, err := s.dial("tcp", "m.example:25")
				if err != nil {
					t.Fatal(err)
				}
				got, err := talk(t, c, tt.script...)
				if got != tt.want || err == nil != (tt.err == "") ||
					err != nil && !strings.HasSuffix(err.Error(), tt.err) {
					t.Errorf("got %q, %v, want %q, %q", got, err, tt.want, tt.err)
				}
				expect(
					t,
					n,
					append(
						[]string{`lookup dns m.example "host": answer`, `dial tcp m.example:25: connected`},
						tt.contacts...)...)
			})
		}
	}
}

// A service that sends very fast gets all answers. If the stub matches the data, the service need not report waits.
func TestLongDialogue(t *testing.T) {
	for name, match := range map[string]model.StubMatch{"as it waits": {}, "by what it says": {Prefix: "go"}} {
		t.Run(name, func(t *testing.T) {
			n, s := start(t, netsim.Options{})
			play(
				t,
				n,
				model.Stub{
					Host:     "m.example:25",
					Protocol: model.TCP,
					Match:    match,
					Answers:  []model.Answer{{Body: "ok\n"}},
					Repeat:   true,
				},
			)
			c, err := s.dial("tcp", "m.example:25")
			if err != nil {
				t.Fatal(err)
			}
			c.SetDeadline(time.Now().Add(10 * time.Second))
			for i := range 900 {
				if heard, err := talk(t, c, ">go\n", ""); heard != "ok\n" || err != nil {
					t.Fatalf("the answer to line %d is %q, %v", i, heard, err)
				}
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			if match.Prefix != "" && s.waited > 1 { // the first wait may be reported, if the service had to wait
				t.Errorf("it told of %d waits", s.waited)
			}
		})
	}
}

// A host sends its prologue once on each connection. Stubs for any connection answer on all connections, and the
// service keeps its connections from test to test.
func TestPrologue(t *testing.T) {
	opening := model.Stub{Host: "store.example:7000", Protocol: model.TCP, Background: true, Prologue: []model.PrologueStep{
		{Body: "READY\n"}, {Request: "LOGIN me\n", Body: "WELCOME\n"},
	}}
	get := func(answers ...model.Answer) model.Stub {
		return model.Stub{
			Host: "store.example:7000", Protocol: model.TCP, AnyConnection: true, Match: model.StubMatch{Equals: "GET a\n"},
			Answers: answers,
		}
	}
	n, s := start(t, netsim.Options{Stubs: []model.Stub{opening}})
	dial := func(logIn string) net.Conn {
		c, err := s.dial("tcp", "store.example:7000")
		if err != nil {
			t.Fatal(err)
		}
		c.SetDeadline(time.Now().Add(10 * time.Second))
		if got, err := talk(t, c, "", ">"+logIn, ""); got != "READY\nWELCOME\n" || err != nil {
			t.Fatalf("prologue %q, %v", got, err)
		}
		return c
	}
	early := dial("LOGIN me\n")
	defer early.Close()
	play(t, n, get(model.Answer{Body: "1\n"}, model.Answer{Body: "2\n"}))
	late := dial("LOGIN another\n")
	defer late.Close()
	for i, c := range []net.Conn{early, late} {
		if got, err := talk(t, c, ">GET a\n", ""); got != fmt.Sprint(i+1, "\n") || err != nil {
			t.Errorf("connection %d: %q, %v", i, got, err)
		}
	}
	n.EndTest()
	n.CloseStreams()
	play(t, n, get(model.Answer{Body: "3\n"}))
	if got, err := talk(t, late, ">GET a\n", ""); got != "3\n" || err != nil {
		t.Errorf("in the next test: %q, %v", got, err)
	}
	expect(t, n, `message tcp store.example:7000 "GET a\n" by 0.0: answer`)
}
