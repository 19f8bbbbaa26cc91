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

	"sonde/runner/testdata/services/serve"
)

// listen starts a server that answers lines by a table. An answer with a full stop at its end closes
// the connection.
func listen(t *testing.T, answers map[string]string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go answer(conn, answers)
		}
	}()
	return l.Addr().String()
}

func answer(conn net.Conn, answers map[string]string) {
	defer conn.Close()
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		text, ends := strings.CutSuffix(answers[lines.Text()], ".")
		io.WriteString(conn, text)
		if ends {
			return
		}
	}
}

// visit starts the service with servers, by their names.
func visit(t *testing.T, servers map[string]map[string]string) (send func(method, target, body string) string) {
	t.Helper()
	at := map[string]string{}
	for name, answers := range servers {
		at[name] = listen(t, answers)
	}
	r := newRegistry()
	real := r.dial
	r.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		if at[address] == "" {
			return nil, &net.DNSError{Name: address, IsNotFound: true}
		}
		return real(ctx, network, at[address])
	}
	service := httptest.NewServer(serve.Handler(r.operations(), func() {}))
	t.Cleanup(service.Close)
	return func(method, target, body string) string {
		req, _ := http.NewRequest(method, service.URL+target, strings.NewReader(body))
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return fmt.Sprintln(res.StatusCode, string(text), res.Header.Get("X-Fault"))
	}
}

func TestQuestions(t *testing.T) {
	send := visit(t, map[string]map[string]string{
		"whois.example:43": {
			"full.example":      "% here\r\nDomain Name: FULL.example\r\nRegistrar: Us\r\nname server: A\r\nstatus: ok http://x\r\ncreated: 2020-01-01\r\nexpires: 2021-01-01\r\n.",
			"free.example":      "No match\r\n.",
			"silent.example":    ".",
			"bad.example":       "what\r\n.",
			"mute.example":      "",
			"timeless.example":  "status: ok\r\n.",
			"short.example":     "created: 2020-01-01\r\nexpires: 2020-01-01\r\n.",
			"late.example":      "expires: soon\r\n.",
			"elsewhere.example": "refer: other.example\r\n.",
			"circle.example":    "refer: whois.example\r\n.",
			"lost.example":      "refer: lost.example\r\n.",
			"n + 198.51.100.7":  "OrgName: Us\r\nCIDR: 198.51.100.0/24\r\nNetRange: 198.51.100.0 - 198.51.100.255\r\n.",
			"n + 198.51.100.8":  "NetRange: 198.51.100.0\r\n.",
			"n + 198.51.100.9":  "Country: Norway\r\n.",
			"begin":             "# hello\r\nbulk mode\r\n",
			"a.example":         "a.example | taken | 2030-01-01\r\n",
			"b.example":         "b.example | free\r\n",
			"c.example":         "a.example | free\r\n",
			"end":               "bye\r\n.",
		},
		"other.example:43": {"elsewhere.example": "Registrar: Them\r\n."},
	})
	for _, c := range []struct{ method, target, body, want string }{
		{"GET", "/domains/full.example", "", `200 {"domain":"full.example","registrar":"Us","created":"2020-01-01T00:00:00Z","expires":"2021-01-01T00:00:00Z","states":["ok"],"servers":["a"],"signed":false,"asked":1}`},
		{"GET", "/domains/elsewhere.example", "", `200 {"domain":"elsewhere.example","registrar":"Them","states":[],"servers":[],"signed":false,"asked":2}`},
		{"GET", "/domains/circle.example", "", `424 {"error":"the servers refer to each other"}`},
		{"GET", "/domains/lost.example", "", `503 {"error":"the server is not known"}`},
		{"GET", "/domains/free.example", "", `404`},
		{"GET", "/domains/silent.example", "", `424 {"error":"whois.example:43 says nothing"}`},
		{"GET", "/domains/mute.example", "", `503 {"error":"the server does not answer in time"}`},
		{"GET", "/domains/late.example", "", `424 {"error":"the server has a date \"soon\""}`},
		{"GET", "/domains/bad.example", "", `500 {"error":"internal error"} F01`},
		{"GET", "/domains/x", "", `400`},
		{"GET", "/domains/full.example/expiry?on=2020-12-24", "", `200 {"days":8,"state":"soon","used":97}`},
		{"GET", "/domains/timeless.example/expiry?on=2020-12-24", "", `500 {"error":"internal error"} F02`},
		{"GET", "/domains/short.example/expiry?on=2020-12-24", "", `500 {"error":"internal error"} F03`},
		{"GET", "/addresses/198.51.100.7", "", `200 {"owner":"Us","country":"","size":24,"range":"198.51.100.0 - 198.51.100.255"}`},
		{"GET", "/addresses/198.51.100.8", "", `500 {"error":"internal error"} F04`},
		{"GET", "/addresses/198.51.100.9", "", `424`},
		{"GET", "/addresses/10.0.0.1", "", `422`},
		{"POST", "/bulk", `{"domains":["a.example","b.example"]}`, `200 {"taken":1,"free":1,"reserved":0,"first":"2030-01-01","polite":true}`},
		{"POST", "/bulk", `{"domains":["c.example"]}`, `424`},
		{"POST", "/bulk", `{"domains":[]}`, `400`},
	} {
		if got := send(c.method, c.target, c.body); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s %s: got %s, want %s", c.method, c.target, got, c.want)
		}
	}
}
