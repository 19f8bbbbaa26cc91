package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sonde/runner/testdata/services/serve"
)

// visited is a running service and its ports.
type visited struct {
	t               *testing.T
	url             string
	lines, presence string
}

func visit(t *testing.T) visited {
	t.Helper()
	h := newHouse()
	lines, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	presence, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go h.hearLines(lines)
	go h.hearPresence(presence)
	at := httptest.NewServer(serve.Handler(h.operations(), h.reset))
	t.Cleanup(func() {
		at.Close()
		lines.Close()
		presence.Close()
	})
	return visited{t, at.URL, lines.Addr().String(), presence.LocalAddr().String()}
}

func (v visited) send(method, target, body string) string {
	v.t.Helper()
	req, _ := http.NewRequest(method, v.url+target, strings.NewReader(body))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	return fmt.Sprint(res.StatusCode, " ", string(text), res.Header.Get("X-Fault"))
}

// talk sends lines on a new connection. It returns when the service has handled them, because the last
// line is an unknown command, which the service answers.
func (v visited) talk(lines ...string) net.Conn {
	v.t.Helper()
	conn, err := net.Dial("tcp", v.lines)
	if err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "%s\nNICK done done\n", strings.Join(lines, "\n"))
	heard := bufio.NewReader(conn)
	for {
		line, err := heard.ReadString('\n')
		if err != nil || strings.Contains(line, "done done") || strings.HasPrefix(line, "ERR you are") {
			return conn
		}
	}
}

// present sends a datagram and returns the answer.
func (v visited) present(text string) string {
	v.t.Helper()
	conn, err := net.Dial("udp", v.presence)
	if err != nil {
		v.t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, text)
	answer := make([]byte, 100)
	n, _ := conn.Read(answer)
	return string(answer[:n])
}

func (v visited) want(method, target, body, want string) {
	v.t.Helper()
	if got := v.send(method, target, body); !strings.HasPrefix(got, want) {
		v.t.Errorf("%s %s: got %s, want %s", method, target, got, want)
	}
}

func TestByHTTP(t *testing.T) {
	v := visit(t)
	v.want("POST", "/rooms", `{"name":"lobby","topic":"all"}`, `201 {"name":"lobby","topic":"all","owner":"","count":0,"messages":0}`)
	v.want("POST", "/rooms", `{"name":"lobby"}`, `409`)
	v.want("POST", "/rooms", `{"name":"The lobby"}`, `400`)
	v.want("GET", "/rooms?state=empty", ``, `200 [{"name":"lobby"`)
	v.want("GET", "/rooms?state=busy", ``, `200 []`)
	v.want("POST", "/rooms/lobby/messages", `{"from":"bob","text":"HEY you"}`, `201 {"id":1,"from":"bob","kind":"say","text":"HEY you"}`)
	v.want("GET", "/rooms/lobby/messages", ``, `200 [{"id":1,"from":"bob","kind":"say","text":"HEY you","shouted":true}]`)
	v.want("GET", "/rooms/lobby/messages?since=1", ``, `200 []`)
	v.want("GET", "/rooms/lobby", ``, `200 {"members":[],`)
	v.want("GET", "/members/bob", ``, `404`)
	v.want("DELETE", "/rooms/lobby", ``, `204`)
	v.want("GET", "/rooms/lobby", ``, `404`)
}

// HTTP returns what people say by TCP, and people receive by TCP what is sent by HTTP.
func TestTalk(t *testing.T) {
	v := visit(t)
	alice := v.talk("NICK alice", "JOIN lobby", "TOPIC all", "SAY hello", "ME waves")
	v.want("GET", "/rooms", ``, `200 [{"name":"lobby","topic":"all","owner":"alice","count":1,"messages":3}]`)
	v.want("GET", "/rooms/lobby", ``, `200 {"members":["alice"],`)
	v.want("GET", "/members/alice", ``, `200 {"letters":0,"nick":"alice","owner":true,"room":"lobby","state":"here"}`)
	v.want("DELETE", "/rooms/lobby", ``, `409`)
	v.talk("NICK bob", "JOIN lobby", "SAY !clear", "LETTER alice hello", "SAY hi")
	v.want("GET", "/members/alice", ``, `200 {"letters":1,`)
	v.want("POST", "/rooms/lobby/messages", `{"from":"carol","text":"hello"}`, `201`)
	heard := bufio.NewReader(alice)
	for _, want := range []string{"MSG bob say hi\n", "MSG carol say hello\n"} {
		if got, err := heard.ReadString('\n'); got != want {
			t.Errorf("alice hears %q (%v), want %q", got, err, want)
		}
	}
	v.talk("NICK carol", "JOIN cellar", "SAY one", "SAY two", "JOIN lobby", "QUIT bye")
	v.want("GET", "/members/carol", ``, `410`)
	v.want("GET", "/rooms/cellar", ``, `200 {"members":[],`)
	v.want("GET", "/status", ``, `200 {"noise":3,"sessions":2,"state":"busy"}`)
	v.send("POST", "/__reset", "")
	v.want("GET", "/rooms", ``, `200 []`)
}

func TestFaults(t *testing.T) {
	v := visit(t)
	v.talk("NICK alice", "JOIN lobby", "SAY", "JOIN cellar", "LEAVE lobby")
	v.want("GET", "/rooms/lobby/messages", ``, `500 {"error":"internal error"}F02`)
	v.want("GET", "/rooms/lobby", ``, `500 {"error":"internal error"}F01`)
	v.talk("NICK bob")
	v.want("GET", "/members/bob", ``, `500 {"error":"internal error"}F03`)
}

func TestPresence(t *testing.T) {
	v := visit(t)
	v.talk("NICK alice", "JOIN lobby")
	for _, c := range []struct{ text, want string }{
		{"alice away", "OK alice"}, {`{"nick":"bob","state":"busy"}`, "OK bob"}, {"alice asleep", "ERR"}, {"{", "ERR"}, {"7 here", "ERR"},
	} {
		if got := v.present(c.text); got != c.want {
			t.Errorf("%q is answered %q, want %q", c.text, got, c.want)
		}
	}
	v.want("GET", "/rooms/lobby", ``, `200 {"members":["alice (away)"],`)
	v.present("alice gone")
	v.want("GET", "/rooms/lobby", ``, `200 {"members":[],`)
	v.want("GET", "/members/alice", ``, `410`)
}
