package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sonde/runner/testdata/services/serve"
)

// exchange is a host that answers each request with the next line of a script, such as "500" or
// "200 {}". It repeats the last line.
type exchange struct {
	kind   string
	script []string
	asked  atomic.Int32
}

func (e *exchange) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	n := int(e.asked.Add(1))
	status, text, _ := strings.Cut(e.script[min(n, len(e.script))-1], " ")
	if status == "mute" {
		time.Sleep(2 * patience)
		return
	}
	var code int
	fmt.Sscan(status, &code)
	w.Header().Set("Content-Type", e.kind)
	w.WriteHeader(code)
	io.WriteString(w, text)
}

// visit starts the service with two hosts. The first host takes orders, too.
func visit(t *testing.T, first, backup http.Handler) (send func(method, target, body string) string) {
	t.Helper()
	here, there := httptest.NewServer(first), httptest.NewServer(backup)
	m := newMarket()
	m.quotes, m.orders, m.backup = here.URL, here.URL, there.URL
	at := httptest.NewServer(serve.Handler(m.operations(), m.reset))
	t.Cleanup(func() {
		at.Close()
		m.streaming.CloseIdleConnections()
		here.CloseClientConnections()
		here.Close()
		there.Close()
	})
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

func TestAnswers(t *testing.T) {
	const quote = `200 {"symbol":"A","bid":9,"ask":11}`
	for _, c := range []struct {
		method, target, body, kind, script, want string
	}{
		{"GET", "/quotes/a", "", "", quote, `400`},
		{"GET", "/quotes/A", "", "", quote, `200 {"late":false,"price":10,"second":false,"symbol":"A","tight":false}`},
		{"GET", "/quotes/A", "", "", "500|503|" + quote, `200`},
		{"GET", "/quotes/A", "", "", strings.Repeat("429|", 11) + quote, `200 {"late":false,"price":10,"second":false,"symbol":"A","tight":false}F01`},
		{"GET", "/quotes/A", "", "", `200 {"symbol":"A","state":"halted"}`, `409`},
		{"GET", "/quotes/A", "", "", `200 {"symbol":"A","bid":2,"ask":1}`, `424`},
		{"GET", "/quotes/A", "", "", `200 {"symbol":"A"}`, `424`},
		{"GET", "/quotes/A", "", "", `200 {"symbol":"B"}`, `424`},
		{"GET", "/quotes/A", "", "", `200 {`, `424`},
		{"GET", "/quotes/A", "", "", "404", `404`},
		{"GET", "/quotes/A", "", "", "401", `424`},
		{"GET", "/quotes/A/history", "", "", "200 date,close\n2030-01-01,1\n2030-01-02,2\n", `200 {"calm":false,"days":2,"high":2,"low":1}`},
		{"GET", "/quotes/A/history", "", "", "200 2030-01-01,x\n", `424`},
		{"GET", "/quotes/A/history", "", "", "200 2030-01-01,1\n2030-01-01,1\n", `424`},
		{"GET", "/quotes/A/history", "", "", "200 ", `404`},
		{"POST", "/orders", `{"symbol":"A","amount":1}`, "", `201 {"id":"7","state":"filled"}`, `200 {"looks":0,"state":"filled"}`},
		{"POST", "/orders", `{"symbol":"A","amount":1}`, "", `202 {"id":"7","state":"pending"}|200 {"id":"7","state":"rejected","reason":"funds"}`, `402`},
		{"POST", "/orders", `{"symbol":"A","amount":1}`, "", `202 {"id":"7","state":"pending"}|200 {"id":"7","state":"pending"}`, `200 {"looks":3,"state":"pending"}`},
		{"POST", "/orders", `{"symbol":"A","amount":1}`, "", `202 {"id":"7","state":"pending"}|404`, `424 {"error":"the order is lost: 404"}`},
		{"POST", "/orders", `{"symbol":"A","amount":1}`, "", `500 nil pointer at broker.go:7`, `503 {"error":"the host fails with 500"}`},
		{"POST", "/orders", `{"symbol":"A","amount":1}`, "", `mute`, `503 {"error":"no order: Post \"http://127.0.0.1:`},
		{"POST", "/orders", `{"symbol":"A","amount":0}`, "", ``, `400`},
		{"GET", "/reports/2030", "", "text/csv", "200 A,7\nB,-9\n", `200 {"state":"sold","symbols":2,"total":-2}`},
		{"GET", "/reports/2030", "", "text/csv", "200 A\n", `424`},
		{"GET", "/reports/2030", "", "text/csv", "404", `404`},
		{"GET", "/reports/2030", "", "text/html", "200 later", `424 {"error":"the report is \"text/html\""}F04`},
		{"GET", "/reports/1999", "", "", "", `400`},
	} {
		first := &exchange{kind: c.kind, script: strings.Split(c.script, "|")}
		if got := visit(t, first, http.NotFoundHandler())(c.method, c.target, c.body); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s %s before %.60q: got %s, want %s", c.method, c.target, c.script, got, c.want)
		}
	}
}

// A host that fails twice is not called for the next two calls, which the other host answers. If that
// fails, too, there is no answer.
func TestBreaker(t *testing.T) {
	first := &exchange{script: []string{"500"}}
	backup := &exchange{script: []string{`200 {"symbol":"A","bid":9,"ask":11}`, `200 {"symbol":"A","bid":9}`, "500"}}
	send := visit(t, first, backup)
	for _, c := range []struct {
		status        string
		first, second int32
	}{{"200", 3, 1}, {"200", 6, 2}, {"503", 6, 5}, {"503", 6, 8}, {"503", 9, 8}, {"503", 9, 8}} {
		got := send("GET", "/quotes/A", "")
		if !strings.HasPrefix(got, c.status) || first.asked.Load() != c.first || backup.asked.Load() != c.second {
			t.Errorf("got %s, the hosts were asked %d and %d times, want %s, %d and %d", got, first.asked.Load(), backup.asked.Load(), c.status, c.first, c.second)
		}
	}
	if got := send("GET", "/hosts", ""); strings.Count(got, "left alone") != 1 || strings.Count(got, "failing") != 1 {
		t.Errorf("the hosts are %s", got)
	}
	send("POST", "/__reset", "")
	if got := send("GET", "/hosts", ""); got != "200 {}" {
		t.Errorf("after a reset the hosts are %s", got)
	}
}

// A report that is not a table leaves its connection open.
func TestLeak(t *testing.T) {
	var open atomic.Int32
	host := httptest.NewUnstartedServer(&exchange{kind: "text/html", script: []string{"200 later"}})
	host.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		switch s {
		case http.StateNew:
			open.Add(1)
		case http.StateClosed:
			open.Add(-1)
		}
	}
	host.Start()
	defer host.Close()
	defer host.CloseClientConnections()
	m := newMarket()
	m.orders = host.URL
	at := httptest.NewServer(serve.Handler(m.operations(), m.reset))
	defer at.Close()
	for range 5 {
		res, err := http.Get(at.URL + "/reports/2030")
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
	}
	if open.Load() != 5 {
		t.Errorf("%d connections are open, want 5", open.Load())
	}
}
