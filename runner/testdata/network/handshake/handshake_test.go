package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sonde/runner/testdata/port"
	"sonde/runner/testdata/services/serve"
)

// around has the devices of a test. They answer each broadcast with the next of replies. After a
// broadcast of a hand-shake, a device calls back and sends lines.
type around struct {
	replies []string
	lines   []string // the lines of the device that calls back; a line with a full stop at its end is the last
	pong    string   // the answer of a device that is called
}

// serve receives broadcasts, and returns the address to which they are sent.
func (a *around) serve(t *testing.T) (broadcast string) {
	t.Helper()
	conn, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go func() {
		text := make([]byte, 512)
		for {
			n, from, err := conn.ReadFrom(text)
			if err != nil {
				return
			}
			switch parts := strings.Split(string(text[:n]), ":"); {
			case len(parts) == 3 && len(a.lines) > 0:
				go a.callBack(parts[1])
			case string(text[:n]) == whoIsThere && len(a.replies) > 0:
				conn.WriteTo([]byte(a.replies[0]), from)
				a.replies = a.replies[1:]
			}
		}
	}()
	return conn.LocalAddr().String()
}

// callBack connects to a port, and retries until the port is open.
func (a *around) callBack(port string) {
	for {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err != nil {
			continue
		}
		defer conn.Close()
		for heard := bufio.NewScanner(conn); len(a.lines) > 0; heard.Scan() {
			line, ends := strings.CutSuffix(a.lines[0], ".")
			a.lines = a.lines[1:]
			io.WriteString(conn, line)
			if ends {
				return
			}
		}
		return
	}
}

// dial connects to a device.
func (a *around) dial(_ context.Context, _, address string) (net.Conn, error) {
	if a.pong == "" {
		return nil, &net.DNSError{Name: address, IsNotFound: true}
	}
	here, there := net.Pipe()
	go func() {
		bufio.NewReader(there).ReadString('\n')
		io.WriteString(there, a.pong)
		there.Close()
	}()
	return here, nil
}

// visit starts the service with devices around it.
func visit(t *testing.T, a around) (send func(method, target, body string) string) {
	t.Helper()
	h := newHub()
	h.broadcast, h.dial = a.serve(t), a.dial
	at := httptest.NewServer(serve.Handler(h.operations(), h.reset))
	t.Cleanup(at.Close)
	return func(method, target, body string) string {
		req, _ := http.NewRequest(method, at.URL+target, strings.NewReader(body))
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return fmt.Sprint(res.StatusCode, " ", string(text), res.Header.Get("X-Fault"))
	}
}

func TestPairing(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"nobody calls back", nil, `503`},
		{"an old printer", []string{"HAND_SHAKE printer Lobby toner=7\n"}, `201 {"id":1,"name":"Lobby","kind":"printer","version":1,"children":[],"warnings":["old","toner is low"],"at":""}`},
		{"a new scanner", []string{"HAND_SHAKE/2 scanner Lobby host=a.example\n", "RESPONSE 1174\n"}, `201 {"id":1,"name":"Lobby","kind":"scanner","version":2,"children":[],"warnings":[],"at":"a.example:9100"}`},
		{"one of others", []string{"HAND_SHAKE/2 scanner Lobby\n", "RESPONSE 7\n"}, `403`},
		{"a hub", []string{"HAND_SHAKE hub Cellar\nCOUNT 2\nCHILD a\nCHILD b\n"}, `201 {"id":1,"name":"Cellar","kind":"hub","version":1,"children":["a","b"]`},
		{"a line that never comes", []string{"."}, `500 {"error":"internal error"}F01`},
		{"an empty line", []string{"\n"}, `500 {"error":"internal error"}F01`},
		{"a hub with less than none", []string{"HAND_SHAKE hub Cellar\nCOUNT -1\n"}, `500 {"error":"internal error"}F02`},
		{"a hub that hangs up", []string{"HAND_SHAKE hub Cellar\nCOUNT 2\nCHILD a\n."}, `503`},
		{"another header", []string{"HELLO printer Lobby\n"}, `424 {"error":"invalid header`},
		{"another kind", []string{"HAND_SHAKE lamp Lobby\n"}, `424`},
	} {
		t.Run(c.name, func(t *testing.T) {
			send := visit(t, around{lines: c.lines})
			got := send("POST", "/pairings", fmt.Sprintf(`{"port": %d}`, port.Free()))
			if !strings.HasPrefix(got, c.want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestPing(t *testing.T) {
	for pong, want := range map[string]string{
		"PONG 7\n": `200 {"load":7,"state":"idle"}`, "PONG 81\n": `200 {"load":81,"state":"loaded"}`, "BUSY\n": `200 {"load":100,"state":"busy"}`,
		"PONG\n": `500 {"error":"internal error"}F03`, "PONG x\n": `424`, "HELLO\n": `424`, "\n": `503`, "": `503 {"error":"Lobby is not there"}`,
	} {
		send := visit(t, around{lines: []string{"HAND_SHAKE printer Lobby host=a.example\n"}, pong: pong})
		send("POST", "/pairings", fmt.Sprintf(`{"port": %d}`, port.Free()))
		if got := send("POST", "/pairings/1/ping", ""); !strings.HasPrefix(got, want) {
			t.Errorf("%q: got %s, want %s", pong, got, want)
		}
	}
}

func TestDiscover(t *testing.T) {
	for replies, want := range map[string]string{
		"":                                   `404`,
		"HERE printer Lobby ready,HERE hub":  `200 {"devices":["Lobby","the hub"],"ready":1,"strange":0,"more":false}`,
		"HERE a,HERE b,HERE c,HERE d,HERE e": `200 {"devices":["the a","the b","the c","the d"],"ready":0,"strange":0,"more":true}`,
		"HELLO,\xff,HELLO,HERE a":            `200 {"devices":[],"ready":0,"strange":3,"more":false}`,
		"HERE a,BYE":                         `200 {"devices":["the a"],"ready":0,"strange":0,"more":false}`,
		"HERE":                               `500 {"error":"internal error"}F04`,
	} {
		send := visit(t, around{replies: strings.FieldsFunc(replies, func(r rune) bool { return r == ',' })})
		if got := send("POST", "/discover", ""); !strings.HasPrefix(got, want) {
			t.Errorf("%q: got %s, want %s", replies, got, want)
		}
	}
}

// A device can be listed and read until it is removed.
func TestParting(t *testing.T) {
	send := visit(t, around{lines: []string{"HAND_SHAKE printer Lobby\n"}})
	for _, c := range []struct{ method, target, body, want string }{
		{"GET", "/pairings", "", `200 []`},
		{"POST", "/pairings", fmt.Sprintf(`{"port": %d}`, port.Free()), `201`},
		{"GET", "/pairings?kind=printer", "", `200 [{"id":1`},
		{"GET", "/pairings?kind=hub", "", `200 []`},
		{"GET", "/pairings/1", "", `200 {"id":1`},
		{"POST", "/pairings/1/ping", "", `422`},
		{"DELETE", "/pairings/1", "", `204`},
		{"GET", "/pairings/1", "", `404`},
		{"POST", "/pairings", `{"port": 0}`, `400`},
	} {
		if got := send(c.method, c.target, c.body); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s %s: got %s, want %s", c.method, c.target, got, c.want)
		}
	}
}
