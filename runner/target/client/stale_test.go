package client_test

import (
	"bufio"
	"context"
	"errors"
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

const okay = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

// perConnection starts a service that answers the requests of each connection by their number, from
// 1. It closes the connection if answer returns "".
func perConnection(t *testing.T, arrived *atomic.Int64, answer func(n int, r *http.Request) string) string {
	return raw(t, func(conn net.Conn) {
		defer conn.Close()
		in := bufio.NewReader(conn)
		for n := 1; ; n++ {
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			io.Copy(io.Discard, r.Body)
			arrived.Add(1)
			text := answer(n, r)
			if _, err := io.WriteString(conn, text); text == "" || err != nil {
				return
			}
		}
	})
}

// requests are requests with different methods, with and without a body.
var requests = []model.Request{
	{Method: "GET", URL: "/x"},
	{Method: "DELETE", URL: "/x"},
	{Method: "POST", URL: "/x"},
	{Method: "POST", URL: "/x", Body: []byte(`{"a":1}`)},
	{Method: "PATCH", URL: "/x", Body: []byte(`{"a":1}`)},
}

// If a reused connection is closed without an answer, the request is sent again on a new connection, for every
// method. Each request that is sent counts against the budget.
func TestUsedConnectionsAreReplaced(t *testing.T) {
	for _, r := range requests {
		for answers := 1; answers <= 3; answers++ {
			t.Run(fmt.Sprintf("%s of %d bytes, %d answers", r.Method, len(r.Body), answers), func(t *testing.T) {
				var arrived atomic.Int64
				url := perConnection(t, &arrived, func(n int, _ *http.Request) string {
					if n > answers {
						return ""
					}
					return okay
				})
				taken := 0
				c := open(t, url, client.Options{TakeBudget: func() bool { taken++; return true }})
				const calls = 12
				for i := range calls {
					if x := c.Send(context.Background(), r); x.Err != nil || x.Reply.Status != 200 {
						t.Fatalf("call %d: status %d, error %v", i, x.Reply.Status, x.Err)
					}
				}
				if want := calls + (calls-1)/answers; int(arrived.Load()) != want || taken != want {
					t.Errorf("%d requests arrived, %d were counted, want %d", arrived.Load(), taken, want)
				}
			})
		}
	}
}

// Services close connections after an answer in different ways. All calls get an answer.
func TestServicesThatCloseConnections(t *testing.T) {
	for name, serve := range map[string]func(*httptest.Server){
		"after the answer": func(s *httptest.Server) {
			s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", "2")
				io.WriteString(w, "{}")
				w.(http.Flusher).Flush()
				panic(http.ErrAbortHandler)
			})
		},
		"when it is idle":  func(s *httptest.Server) { s.Config.IdleTimeout = 50 * time.Microsecond },
		"after it said so": func(s *httptest.Server) { s.Config.SetKeepAlivesEnabled(false) },
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "{}") }))
			s.Config.ErrorLog = quiet
			serve(s)
			s.Start()
			defer s.Close()
			c := open(t, s.URL, client.Options{})
			for i := range 300 {
				if x := c.Send(context.Background(), requests[i%len(requests)]); x.Err != nil || string(x.Reply.Body) != "{}" {
					t.Fatalf("call %d: status %d, error %v", i, x.Reply.Status, x.Err)
				}
			}
		})
	}
}

// Bytes after an answer are not the answer to the next call.
func TestBytesAfterAnAnswer(t *testing.T) {
	var arrived atomic.Int64
	c := open(t, perConnection(t, &arrived, func(int, *http.Request) string { return okay + "{} and more" }), client.Options{})
	for i := range 100 {
		if x := c.Send(context.Background(), requests[i%len(requests)]); x.Err != nil || string(x.Reply.Body) != "{}" {
			t.Fatalf("call %d: body %q, error %v", i, x.Reply.Body, x.Err)
		}
	}
}

// A call that makes the service close its connection does so on the new connection, too. Such a call fails.
func TestCallsThatCloseTheirConnection(t *testing.T) {
	for _, r := range requests {
		var arrived atomic.Int64
		url := perConnection(t, &arrived, func(_ int, r *http.Request) string {
			if r.URL.Path == "/x" {
				return ""
			}
			return okay
		})
		c := open(t, url, client.Options{})
		for _, used := range []int64{0, 1} {
			before := arrived.Load()
			if x := c.Send(context.Background(), r); x.Err == nil {
				t.Errorf("%s: status %d, no error", r.Method, x.Reply.Status)
			}
			if n := arrived.Load() - before; n != 1+used {
				t.Errorf("%s: %d requests arrived, want %d", r.Method, n, 1+used)
			}
			c.Send(context.Background(), model.Request{Method: "GET", URL: "/other"})
		}
	}
}

// If an answer begins and breaks off, the request is not sent again.
func TestAnswersThatBreakOffInTheirHeader(t *testing.T) {
	var arrived atomic.Int64
	c := open(t, raw(t, func(conn net.Conn) {
		defer conn.Close()
		in := bufio.NewReader(conn)
		for _, text := range []string{okay, "HTTP/1.1 200 OK\r\nConte"} {
			if _, err := http.ReadRequest(in); err != nil {
				return
			}
			arrived.Add(1)
			io.WriteString(conn, text)
		}
	}), client.Options{})
	get(c)
	if x := get(c); x.Err == nil || arrived.Load() != 2 {
		t.Errorf("error %v, %d requests arrived", x.Err, arrived.Load())
	}
}

// If the budget does not allow to send a request again, the error is ErrBudget.
func TestReplacedConnectionsWithinTheBudget(t *testing.T) {
	for _, r := range requests {
		var arrived atomic.Int64
		url := perConnection(t, &arrived, func(n int, _ *http.Request) string {
			if n == 2 {
				return ""
			}
			return okay
		})
		left := 2
		c := open(t, url, client.Options{TakeBudget: func() bool { left--; return left >= 0 }})
		get(c)
		if x := c.Send(context.Background(), r); x.Err != client.ErrBudget || arrived.Load() != 2 {
			t.Errorf("%s: error %v, %d requests arrived", r.Method, x.Err, arrived.Load())
		}
	}
}

// A request that timed out on a reused connection is sent again on a new one. If that request times out, too, later
// requests of the same operation are not sent again after a time-out.
func TestNoAnswerInTimeOnAUsedConnection(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	var slow atomic.Int64
	url := handle(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			slow.Add(1)
			select {
			case <-hold:
			case <-r.Context().Done():
			}
		}
	})
	c := open(t, url, client.Options{Timeout: 50 * time.Millisecond})
	for _, want := range []int64{2, 3} {
		get(c)
		x := c.Send(context.Background(), model.Request{Method: "POST", URL: "/slow"})
		if !errors.Is(x.Err, context.DeadlineExceeded) || slow.Load() != want {
			t.Errorf("error %v, %d requests arrived, want %d", x.Err, slow.Load(), want)
		}
	}
}

// A service that ends while it handles a request causes another error than a service that ended before the request.
func TestServiceThatEnded(t *testing.T) {
	for _, r := range requests {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			in := bufio.NewReader(conn)
			http.ReadRequest(in)
			io.WriteString(conn, okay)
			http.ReadRequest(in)
			l.Close()
		}()
		c := open(t, "http://"+l.Addr().String(), client.Options{})
		get(c)
		var lost *client.ConnectionLostError
		if x := c.Send(context.Background(), r); !errors.As(x.Err, &lost) || !client.IsDialError(x.Err) {
			t.Errorf("%s: error %v", r.Method, x.Err)
		}
		if x := c.Send(context.Background(), r); errors.As(x.Err, &lost) || !client.IsDialError(x.Err) {
			t.Errorf("%s: then error %v", r.Method, x.Err)
		}
	}
}

// If a log-in gets no answer, the error of the call is a LoginUnansweredError, which names the user.
func TestLoginWithoutAnswer(t *testing.T) {
	url := handle(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/login" {
			panic(http.ErrAbortHandler)
		}
	})
	ann := model.User{Name: "ann", Login: &model.Login{Method: "POST", Path: "/login", Cookies: true}}
	_, results := calls(t, open(t, url, client.Options{Users: []model.User{ann}}), "GET /a")
	var silent *client.LoginUnansweredError
	if err := results[0].Exchange.Err; !errors.As(err, &silent) || !strings.Contains(err.Error(), `log-in of user "ann"`) {
		t.Errorf("error %v", err)
	}
}

// A request that cannot be sent counts against the budget, and its error is an UnsendableError.
func TestRequestsThatCannotBeSent(t *testing.T) {
	var arrived atomic.Int64
	taken := 0
	c := open(
		t, handle(t, func(http.ResponseWriter, *http.Request) { arrived.Add(1) }),
		client.Options{TakeBudget: func() bool { taken++; return true }},
	)
	for i, r := range []model.Request{
		{Method: "BAD METHOD", URL: "/x"},
		{Method: "GET", URL: "/a\x01b"},
		{Method: "GET", URL: "/%zz"},
		{Method: "GET", URL: "/x", Header: map[string][]string{"A B": {"c"}}},
		{Method: "GET", URL: "/x", Header: map[string][]string{"A": {"c\nd"}}},
	} {
		var bad *client.UnsendableError
		if x := c.Send(context.Background(), r); !errors.As(x.Err, &bad) || taken != i+1 || arrived.Load() > 0 {
			t.Errorf("%+v: error %v, %d counted, %d arrived", r, x.Err, taken, arrived.Load())
		}
	}
}
