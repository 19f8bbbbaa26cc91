package gotest

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"
)

// newHosts returns hosts for a test that calls them directly, without a service.
func newHosts(t *testing.T) *hosts {
	h := &hosts{makeReachable: func(*stub) error { return nil }}
	h.begin(t)
	return h
}

// sendRequests sends requests, and returns the result of each: a status and a body, or "error".
func sendRequests(t *testing.T, h *hosts, requests ...string) (got []string) {
	t.Helper()
	addr, err := h.listenHTTP("a.example:80")
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range requests {
		words := strings.SplitN(request, " ", 3)
		r, _ := http.NewRequest(words[0], "http://"+addr+words[1], strings.NewReader(strings.Join(words[2:], "")))
		r.Header.Set("X-Key", "k")
		res, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			got = append(got, "error")
			continue
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			body = append(body, " error"...)
		}
		got = append(got, fmt.Sprintf("%d %s%s", res.StatusCode, body, res.Trailer.Get("X-End")))
	}
	return got
}

func TestHTTPAnswers(t *testing.T) {
	for name, tt := range map[string]struct {
		request  string
		rules    []rule
		requests []string
		want     []string
	}{
		"all": {"", []rule{replies(201, "x")}, []string{"GET /", "POST /a?b=c d"}, []string{"201 x", "201 x"}},
		"path": {
			"/a/{id}/b", []rule{replies(200, "x")},
			[]string{"GET /a/1/b", "PUT /a/x%2Fy/b/", "GET /a//b", "GET /a/1"},
			[]string{"200 x", "200 x", "error", "error"},
		},
		"method": {"PUT", []rule{replies(200, "x")}, []string{"PUT /", "GET /"}, []string{"200 x", "error"}},
		"both": {
			"GET /a.b", []rule{replies(200, "x")}, []string{"GET /a.b", "GET /axb", "POST /a.b"},
			[]string{"200 x", "error", "error"},
		},
		"query":     {"", []rule{ifQuery("a", "1"), replies(200, "x")}, []string{"GET /?b=2&a=1", "GET /?a=2"}, []string{"200 x", "error"}},
		"header":    {"", []rule{ifHeader("x-key", "k"), replies(200, "x")}, []string{"GET /"}, []string{"200 x"}},
		"no header": {"", []rule{ifHeader("x-key", "other"), replies(200, "x")}, []string{"GET /"}, []string{"error"}},
		"JSON": {"", []rule{ifJSON(`{"a": [1.0, {"b": null}]}`), replies(200, "x")},
			[]string{`POST / {"c": 2, "a": [1, {"b": null, "d": 3}]}`, `POST / {"a": [1]}`, `POST / {"a": [1, {}]}`, "POST / x"},
			[]string{"200 x", "error", "error", "error"}},
		"nth": {"", []rule{ifNth(2), replies(200, "x")}, []string{"GET /", "GET /", "GET /"}, []string{"error", "200 x", "error"}},
		"script": {
			"", []rule{replies(200, "x"), replies(503, "y")}, []string{"GET /", "GET /", "GET /"},
			[]string{"200 x", "503 y", "error"},
		},
		"again": {
			"", []rule{replies(200, "x"), resets(), again()}, []string{"GET /", "GET /", "GET /"},
			[]string{"200 x", "error", "200 x"},
		},
		"then": {
			"", []rule{replies(200, "x"), then(replies(429, ""))}, []string{"GET /", "GET /", "GET /"},
			[]string{"200 x", "429 ", "429 "},
		},
		"refuses":   {"", []rule{refuses()}, []string{"GET /"}, []string{"error"}},
		"cut":       {"", []rule{cutAfter(3, replies(200, "abcdef"))}, []string{"GET /"}, []string{"200 abc error"}},
		"truncated": {"", []rule{truncated(replies(200, `{"a":1}`))}, []string{"GET /"}, []string{`200 {"a`}},
		"slow": {
			"", []rule{slowly(time.Millisecond, 1000, replies(200, strings.Repeat("x", 50)))}, []string{"GET /"},
			[]string{"200 " + strings.Repeat("x", 50)},
		},
		"trailer": {"", []rule{trailed(replies(200, "x"), "X-End: y")}, []string{"GET /"}, []string{"200 xy"}},
		"compact": {"", []rule{replies(200, compact("{\n\t\"a b\": [1, 2]\n}"))}, []string{"GET /"}, []string{`200 {"a b":[1,2]}`}},
		"no body": {"", []rule{replies(204, "")}, []string{"GET /"}, []string{"204 "}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHosts(t)
			h.http("b.example:80", "", replies(500, "another host"))
			h.http("a.example:80", tt.request, tt.rules...)
			if got := sendRequests(t, h, tt.requests...); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A test's own stubs come before the permanent stubs, and are removed when the test ends.
func TestStubsOfATest(t *testing.T) {
	h := &hosts{makeReachable: func(*stub) error { return nil }}
	h.http("a.example:80", "/x", replies(200, "usual"), replies(200, "second"))
	h.begin(t)
	h.http("a.example:80", "", replies(200, "own"))
	if got := sendRequests(t, h, "GET /x"); got[0] != "200 own" {
		t.Errorf("got %q", got)
	}
	for range [2]int{} {
		h.begin(t)
		if got, want := sendRequests(t, h, "GET /x", "GET /y"), []string{"200 usual", "error"}; !reflect.DeepEqual(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := h.addUnanswered(""); !reflect.DeepEqual(got, []string{"http a.example:80 GET /y"}) {
		t.Errorf("unanswered messages: %q", got)
	}
}

func TestTCPAnswers(t *testing.T) {
	for name, tt := range map[string]struct {
		rules []rule
		says  []string
		want  string // all answers, and how the connection ended
	}{
		"answers":            {[]rule{says("1\n"), hangsUp(says("2\n"))}, []string{"a\n", "b\n"}, "1\n2\n<nil>"},
		"greets":             {[]rule{says("hello\n"), hangsUp(says("2\n"))}, []string{"", "b\n"}, "hello\n2\n<nil>"},
		"condition":          {[]rule{ifBegins("get "), ifMatches("x$"), hangsUp(says("x"))}, []string{"get x"}, "x<nil>"},
		"violated condition": {[]rule{ifSaid("get"), says("x")}, []string{"got"}, "reset"},
		"resets":             {[]rule{resets()}, []string{"a"}, "reset"},
		"cut":                {[]rule{cutAfter(2, says("abc"))}, []string{"a"}, "ab<nil>"},
		"no more":            {[]rule{says("x")}, []string{"a", "b"}, "xreset"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHosts(t)
			h.tcp("a.example:25", tt.rules...)
			addr, err := h.listenTCP("a.example:25")
			if err != nil {
				t.Fatal(err)
			}
			if got := exchangeTCP(t, addr, tt.says...); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A test begins without connections that clients have used before: if such a connection is reset, a client sends its
// request again by itself.
func TestLocalHostsBeginWithNewConnections(t *testing.T) {
	l := &localHosts{}
	l.makeReachable = func(*stub) error { return nil }
	l.begin(t)
	addr, err := l.listenHTTP("a.example:80")
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{}}
	l.http("a.example:80", "GET /price", replies(200, "7"))
	res, err := client.Get("http://" + addr + "/price")
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, res.Body)
	res.Body.Close()
	l.begin(t)
	l.http("a.example:80", "GET /price", resets(), replies(200, "7"))
	if res, err := client.Get("http://" + addr + "/price"); err == nil {
		res.Body.Close()
		t.Errorf("the client got %d after a reset", res.StatusCode)
	}
}

// A host on loopback may answer by HTTP in some tests, or on some connections of a test, and by raw TCP in others.
func TestHostOfTwoProtocols(t *testing.T) {
	h := newHosts(t)
	h.tcp("a.example:80", ifBegins("ping"), hangsUp(says("pong")))
	h.http("a.example:80", "GET /price", replies(200, "7"))
	addr, err := h.listenAny("a.example:80")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := exchangeTCP(t, addr, "ping\n"), "pong<nil>"; got != want {
		t.Errorf("TCP: got %q, want %q", got, want)
	}
	res, err := http.Get("http://" + addr + "/price")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body, err := io.ReadAll(res.Body); err != nil || string(body) != "7" {
		t.Errorf("HTTP: got %q, %v", body, err)
	}
}

// exchangeTCP connects to an address and sends each text after the answer to the previous one. It returns the answers, and how
// the connection ended.
func exchangeTCP(t *testing.T, addr string, texts ...string) string {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	got, buf := "", make([]byte, 100)
	for _, text := range texts {
		io.WriteString(c, text)
		n, err := c.Read(buf)
		got += string(buf[:n])
		if err == io.EOF {
			return got + "<nil>"
		} else if err != nil {
			return got + "reset"
		}
	}
	rest, err := io.ReadAll(c)
	if err != nil {
		return got + string(rest) + "reset"
	}
	return got + string(rest) + "<nil>"
}

func TestUDPAnswers(t *testing.T) {
	h := newHosts(t)
	h.udp("a.example:53", ifSaid("how"), says("well"), isMute(), says("again"))
	addr, err := h.listenUDP("a.example:53")
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("udp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, text := range []string{"what", "how", "how", "how"} {
		io.WriteString(c, text)
	}
	got, buf := map[string]bool{}, make([]byte, 100)
	for range [2]int{} {
		n, err := c.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		got[string(buf[:n])] = true
	}
	if !got["well"] || !got["again"] || !reflect.DeepEqual(h.addUnanswered(""), []string{`udp a.example:53 "what"`}) {
		t.Errorf("got %v, unanswered %q", got, h.addUnanswered(""))
	}
}

// Data on a TCP connection does not end the wait of a UDP socket with the same port number.
func TestWaitBelongsToItsSocket(t *testing.T) {
	const end = "127.0.0.1:40000"
	h := newHosts(t)
	h.sockets = map[string][]string{
		"wait 1": {"wait", "1", "recv", end, "", "0", "0"},
		"wait 2": {"wait", "2", "read", "127.0.0.1:7000", end, "0", "0"},
	}
	here, there := net.Pipe()
	go io.Copy(io.Discard, there)
	c := h.addConn(":7000", here, end)
	defer c.Close()
	for range [2]int{} {
		io.WriteString(c, "hello")
	}
	if len(h.sockets) != 1 || h.sockets["wait 1"] == nil {
		t.Errorf("after a message to one, the service waits on %v", h.sockets)
	}
}
