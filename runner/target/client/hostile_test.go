package client_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/target/client"
)

// raw starts a server that serves each connection with a function.
func raw(t testing.TB, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go serve(c)
		}
	}()
	return "http://" + l.Addr().String()
}

// answer reads the first bytes of a request and writes an answer.
func answer(c net.Conn, text string) {
	c.Read(make([]byte, 4096))
	io.WriteString(c, text)
}

func get(c *client.Client) model.Exchange {
	return c.Send(context.Background(), model.Request{Method: "GET", URL: "/x"})
}

func TestHostileAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits: left out by -short")
	}
	t.Parallel() // the test waits for real time
	hold := make(chan struct{})
	t.Cleanup(func() { close(hold) })
	for _, c := range []struct {
		name, answer string
		status       int
		truncated    bool
	}{
		{"a protocol that never ends", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", 101, false},
		{"a stream that never ends", "HTTP/1.1 200 OK\r\n\r\nabc", 200, true},
		{"a redirect to nonsense", "HTTP/1.1 302 Found\r\nLocation: http://%zz/\r\nContent-Length: 0\r\n\r\n", 302, false},
		{"nothing", "", 0, false},
		{"no HTTP", "SSH-2.0-x\r\n\r\n", 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			url := raw(t, func(conn net.Conn) {
				answer(conn, c.answer)
				<-hold
				conn.Close()
			})
			x := get(open(t, url, client.Options{Timeout: 2 * time.Second}))
			if x.Reply.Status != c.status || x.Reply.Truncated != c.truncated || (x.Err == nil) != (c.status > 0) {
				t.Errorf("status %d, truncated %v, error %v", x.Reply.Status, x.Reply.Truncated, x.Err)
			}
		})
	}
}

// net/http repeats a request if a reused connection turns out to be closed. The budget counts these
// requests, too.
func TestRepeatedRequestsCount(t *testing.T) {
	var arrived atomic.Int64
	url := raw(t, func(conn net.Conn) {
		defer conn.Close()
		for range 2 { // the second request of each connection gets no answer
			if n, err := conn.Read(make([]byte, 4096)); n == 0 || err != nil {
				return
			}
			arrived.Add(1)
			if arrived.Load()%2 == 0 {
				return
			}
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		}
	})
	const budget = 50
	taken := 0
	c := open(t, url, client.Options{TakeBudget: func() bool { taken++; return taken <= budget }})
	for range 2 * budget {
		get(c)
	}
	if n := arrived.Load(); n > budget {
		t.Errorf("%d requests arrived, budget %d", n, budget)
	}
}

func TestCredentialsInAnswersAreMasked(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Echo", r.Header.Get("Authorization"))
		io.WriteString(w, `{"you":"`+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")+`"}`)
	}))
	defer s.Close()
	t.Setenv("SONDE_TEST_TOKEN", "Bearer hush")
	c := open(t, s.URL, client.Options{Users: []model.User{{Name: "ann", Header: "authorization", Env: "SONDE_TEST_TOKEN"}}})
	_, results := c.PlayTest(context.Background(), spec, model.Test{Calls: []model.Call{{Op: "POST /carts", User: "ann"}}})
	reply := results[0].Exchange.Reply
	if got := string(reply.Body); got != `{"you":"***"}` || reply.Header["X-Echo"][0] != "***" {
		t.Errorf("body %s, header %v", got, reply.Header["X-Echo"])
	}
}

// A request may contain a secret by chance. The request is sent unchanged. The secret is masked only in the exchange.
func TestSecretsInRequestsAreMasked(t *testing.T) {
	var got string
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = fmt.Sprint(r.URL.String(), r.Header["X-Key"], string(body))
	}))
	defer s.Close()
	u := model.User{
		Name: "ann", Sends: []model.Credential{
			{In: model.InHeader, Name: "A", Value: "${A}"}, {In: model.InHeader, Name: "B", Value: "${B}"},
		},
		Secrets: map[string]string{"A": "123", "B": "very-secret"},
	}
	c := open(t, s.URL, client.Options{Users: []model.User{u}})
	before := time.Now()
	x := c.Send(context.Background(), model.Request{
		Method: "POST", URL: "/123/very-secret?a=123&b=1234&c=very-secret&d=123",
		Header: map[string][]string{"X-Key": {"very-secret"}}, Body: []byte(`{"a":"123","b":123,"c":"very-secret"}`),
	})
	if want := `/123/very-secret?a=123&b=1234&c=very-secret&d=123[very-secret]{"a":"123","b":123,"c":"very-secret"}`; got != want {
		t.Errorf("arrived: %s, want %s", got, want)
	}
	r := x.Request
	if got, want := fmt.Sprint(
		r.URL, r.Header["X-Key"], string(r.Body),
	), `/123/***?a=***&b=1234&c=***&d=***[***]{"a":"***","b":123,"c":"***"}`; got != want {
		t.Errorf("kept: %s, want %s", got, want)
	}
	if x.Base != s.URL || x.At.Before(before) || x.At.After(time.Now()) || x.Reply.Proto != "HTTP/1.1" {
		t.Errorf("base %q, at %v, %s", x.Base, x.At, x.Reply.Proto)
	}
}

// A test that ends because of the budget has no link to the call that was not sent.
func TestBudgetEndsATestWithoutDanglingLinks(t *testing.T) {
	base, _ := service(t)
	left := 1
	test := model.Test{
		Calls: []model.Call{{Op: "POST /carts"}, {Op: "GET /carts/{cartId}"}},
		Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: "cartId"}},
	}
	take := func() bool {
		left--
		return left >= 0
	}
	played, results := open(t, base, client.Options{TakeBudget: take}).PlayTest(context.Background(), spec, test)
	if len(results) != 1 || len(played.Links) != 0 {
		t.Errorf("%d results, links %+v", len(results), played.Links)
	}
}

func TestLinksReachForms(t *testing.T) {
	asked := ""
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = string(body)
		io.WriteString(w, `{"productId":7}`)
	}))
	defer s.Close()
	test := model.Test{
		Calls: []model.Call{
			{Op: "POST /products"},
			{Op: "POST /carts", Body: &model.Payload{Media: "application/x-www-form-urlencoded", Data: "n=1&productId=0"}},
		},
		Links: []model.Link{{From: 0, To: 1, In: model.InBody, Name: "/productId"}},
	}
	open(t, s.URL, client.Options{}).PlayTest(context.Background(), spec, test)
	if asked != "n=1&productId=7" {
		t.Errorf("sent %q", asked)
	}
}
