package generate_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/replay/generate"
)

// linesTo returns a call on a connection to a host. Each text is a message of the service and the host's answer,
// separated by a slash.
func linesTo(connection string, pairs ...string) model.OutwardCall {
	o := model.OutwardCall{
		Host: "store.example:7000", Name: "store.example:7000", Protocol: model.TCP, Connection: connection,
		Attribution: model.AttributedByContext,
	}
	for _, p := range pairs {
		request, answer, _ := strings.Cut(p, "/")
		o.Messages = append(o.Messages, model.MessagePair{Request: []byte(request), Answer: []byte(answer)})
	}
	return o
}

// stubText describes a stub of TCP.
func stubText(s model.Stub) string {
	var all []string
	for _, step := range s.Prologue {
		all = append(all, fmt.Sprintf("%s>%s", step.Sent(), step.Answer().Content()))
	}
	for _, a := range s.Answers {
		all = append(all, string(a.Content()))
	}
	return fmt.Sprintf("%s%s any=%t: %s", s.Match.Equals, s.Match.Prefix, s.AnyConnection, strings.Join(all, " "))
}

// The messages that come once on each connection are separated from those that come for each request. requests has
// the calls of each request, one request a second. start has earlier calls, which no request caused.
func TestPrologue(t *testing.T) {
	for name, tt := range map[string]struct {
		start    []model.OutwardCall
		requests [][]model.OutwardCall
		stubs    []string // wanted stubs of the background
		last     []string // wanted stubs of the last test
	}{
		"log-in in the first request": {
			nil,
			[][]model.OutwardCall{
				{linesTo("1", "/READY", "LOGIN me/OK", "GET a/1")},
				{linesTo("2", "/READY", "LOGIN me/OK", "GET b/2")},
				{linesTo("1", "GET a/3", "GET b/2")},
			},
			[]string{" any=false: >READY LOGIN me>OK"},
			[]string{"GET a any=true: 3", "GET b any=true: 2"},
		},
		"one connection": {
			nil,
			[][]model.OutwardCall{{linesTo("1", "/READY", "LOGIN me/OK", "GET a/1")}, {linesTo("1", "GET b/2")}},
			[]string{" any=false: >READY LOGIN me>OK"},
			[]string{"GET b any=true: 2"},
		},
		"opened at the start, with pings": {
			[]model.OutwardCall{linesTo("1", "/READY", "LOGIN me/OK", "PING/PONG", "PING/PONG"), linesTo("2", "/READY", "LOGIN me/OK")},
			[][]model.OutwardCall{{linesTo("1", "GET a/1")}, {linesTo("2", "GET b/2")}},
			[]string{" any=false: >READY LOGIN me>OK", "PING any=true: PONG"},
			[]string{"GET b any=true: 2"},
		},
		"log-in in the first request of a connection that was opened before": {
			[]model.OutwardCall{linesTo("1", "/READY")},
			[][]model.OutwardCall{{linesTo("1", "LOGIN me/OK", "GET a/1")}, {linesTo("1", "GET a/1")}},
			[]string{" any=false: >READY LOGIN me>OK"},
			[]string{"GET a any=true: 1"},
		},
		"a binary protocol": {
			nil,
			[][]model.OutwardCall{
				{linesTo("1", "*2\r\n$5\r\nHELLO\r\n$1\r\n3\r\n/%1", "*2\r\n$3\r\nGET\r\n$1\r\na\r\n/$1\r\n1")},
				{linesTo("1", "*2\r\n$3\r\nGET\r\n$1\r\nb\r\n/$1\r\n2")},
			},
			[]string{" any=false: *2\r\n$5\r\nHELLO\r\n$1\r\n3\r\n>%1"},
			[]string{"*2\r\n$3\r\nGET\r\n$1\r\nb\r\n any=true: $1\r\n2"},
		},
		"a connection without a prologue": {
			nil,
			[][]model.OutwardCall{{linesTo("1", "get a/1")}, {linesTo("1", "get b/2")}},
			nil,
			[]string{"get b any=true: 2"},
		},
		"a connection for each request": {
			nil,
			[][]model.OutwardCall{{linesTo("1", "HELO me/250", "QUIT/221")}, {linesTo("2", "HELO me/250", "QUIT/222")}},
			nil,
			[]string{" any=false: 250 222"},
		},
		"a connection that broke during the log-in": {
			nil,
			[][]model.OutwardCall{
				{linesTo("1", "/READY")}, {linesTo("2", "/READY", "LOGIN me/OK", "GET a/1")}, {linesTo("2", "GET b/2")},
			},
			[]string{" any=false: >READY LOGIN me>OK"},
			[]string{"GET b any=true: 2"},
		},
		"opened at the start, one request each": {
			[]model.OutwardCall{linesTo("1", "/READY", "LOGIN me/OK"), linesTo("2", "/READY", "LOGIN me/OK")},
			[][]model.OutwardCall{{linesTo("1", "GET a/1")}, {linesTo("2", "GET b/2")}},
			[]string{" any=false: >READY LOGIN me>OK"},
			[]string{"GET b any=true: 2"},
		},
		"connections for different purposes": {
			[]model.OutwardCall{linesTo("1", "REGISTER/HI", "BEAT/OK", "BEAT/OK")},
			[][]model.OutwardCall{{linesTo("2", "BUY a/SOLD")}, {linesTo("3", "BUY b/SOLD")}},
			[]string{"REGISTER any=true: HI", "BEAT any=true: OK"},
			[]string{"BUY b any=true: SOLD"},
		},
		"a log-in that was refused": {
			nil,
			[][]model.OutwardCall{
				{linesTo("1", "LOGIN you/DENIED")},
				{linesTo("2", "LOGIN me/OK", "GET a/1")},
				{linesTo("3", "LOGIN me/OK", "GET b/2"), linesTo("2", "GET b/2")},
			},
			[]string{" any=false: LOGIN me>OK"},
			[]string{"GET b any=true: 2"},
		},
		"of an older version": {
			nil,
			[][]model.OutwardCall{{linesTo("", "/READY", "LOGIN me/OK", "GET a/1")}, {linesTo("", "GET b/2")}},
			nil,
			[]string{"GET b any=false: 2"},
		},
	} {
		l := newTimeline()
		for i, o := range tt.start {
			l.call(time.Duration(i)*10*time.Millisecond, o)
		}
		for i, calls := range tt.requests {
			l.request(time.Duration(i+1)*time.Second, "GET", fmt.Sprint("/", "abc"[i:i+1]), `{}`, calls...)
		}
		s := generate.Tests(l.Recording, spec("GET /a", "GET /b", "GET /c"), generate.Options{})
		var got []string
		for _, stub := range s.Background {
			got = append(got, stubText(stub))
			if !stub.Background {
				t.Errorf("%s: %+v counts", name, stub)
			}
		}
		if strings.Join(got, "|") != strings.Join(tt.stubs, "|") {
			t.Errorf("%s: got the stubs %q, want %q", name, got, tt.stubs)
		}
		last := s.Tests[len(s.Tests)-1]
		got = nil
		for _, stub := range last.Stubs {
			got = append(got, stubText(stub))
			if err := stub.Validate(); err != nil || stub.AnyConnection && !stub.Repeat {
				t.Errorf("%s: %+v, error %v", name, stub, err)
			}
		}
		if strings.Join(got, "|") != strings.Join(tt.last, "|") {
			t.Errorf("%s: got the test's stubs %q, want %q", name, got, tt.last)
		}
	}
}

// Equal messages on different connections have one stub, which gives all their answers in order. Each message is an
// outward call.
func TestSharedMessages(t *testing.T) {
	l := newTimeline()
	l.request(time.Second, "POST", "/a", `{}`, linesTo("1", "LOGIN/OK", "GET a/0", "SET a/OK", "GET a/1"))
	l.request(2*time.Second, "POST", "/b", `{}`, linesTo("1", "GET a/1"), linesTo("2", "LOGIN/OK", "GET a/2"))
	test := of(t, generate.Tests(l.Recording, spec("POST /a", "POST /b"), generate.Options{}), "POST /a", 200)
	var got []string
	for _, w := range test.Mock.ExpectedCalls {
		got = append(got, stubText(test.Stubs[w.Stub]), fmt.Sprint(w.Phase))
	}
	want := "GET a any=true: 0 1|0|SET a any=true: OK|1|GET a any=true: 0 1|2"
	if strings.Join(got, "|") != want {
		t.Errorf("got %q, want %s", got, want)
	}
}
