package client_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/target/client"

	"github.com/gorilla/websocket"
)

// socket starts a service with a WebSocket, which a function serves.
func socket(t *testing.T, serve func(*websocket.Conn, *http.Request)) string {
	t.Helper()
	return handle(t, upgrade(t, serve))
}

func upgrade(t *testing.T, serve func(*websocket.Conn, *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		conn, err := new(websocket.Upgrader).Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		serve(conn, r)
	}
}

// echo answers each message with the same message.
func echo(conn *websocket.Conn, _ *http.Request) {
	for {
		kind, data, err := conn.ReadMessage()
		if err != nil || conn.WriteMessage(kind, data) != nil {
			return
		}
	}
}

// Messages pass in both directions, also after the timeout of the client.
func TestWebSocket(t *testing.T) {
	const timeout = 100 * time.Millisecond
	s := stream(t, open(t, socket(t, echo), client.Options{Timeout: timeout}), true, "")
	for _, text := range []string{"hello", `{"a":1}`, ""} {
		time.Sleep(timeout)
		if err := s.Send(text); err != nil {
			t.Fatal(err)
		}
		got, end := s.Next()
		if end != nil || string(got.Data) != text || got.Binary || got.Sent || got.At.IsZero() {
			t.Errorf("sent %q, got %+v and %+v", text, got, end)
		}
	}
	s.Close()
	if _, end := s.Next(); end == nil || !end.Stopped || end.Code != websocket.CloseNormalClosure {
		t.Errorf("got %+v, want that the user stopped it", end)
	}
	if s.Kind() != model.WebSocket || s.Received() == 0 || s.Send("late") == nil {
		t.Errorf("%s, %d bytes, want an error after the end", s.Kind(), s.Received())
	}
}

// A WebSocket over TLS works with a service that also speaks HTTP/2, and has the details of TLS.
func TestWebSocketOverTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(upgrade(t, echo))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	ctx, o := client.Observe(t.Context(), true)
	_, results := open(t, s.URL, client.Options{Insecure: true}).PlayTest(ctx, spec, carts)
	if o.Stream() == nil {
		t.Fatalf("got %+v, want a stream", results)
	}
	defer o.Stream().Close()
	d := results[0].Exchange.Details
	if d.TLS == nil || d.TLS.Protocol == "h2" || d.Timing.Handshake <= 0 || d.Timing.FirstByte <= 0 {
		t.Errorf("got %+v with %+v", d, d.TLS)
	}
}

// The credentials of the user, and the headers, cookies and query of the call are sent with the handshake. Headers of the
// call that belong to the handshake are left out.
func TestWebSocketRequest(t *testing.T) {
	base := socket(t, func(conn *websocket.Conn, r *http.Request) {
		h := r.Header
		conn.WriteMessage(websocket.TextMessage, fmt.Append(nil, r.URL.RawQuery, h["X-Key"], h["Cookie"], h.Get("Authorization")))
		conn.Close()
	})
	t.Setenv("SONDE_TEST_TOKEN", "Bearer hush-hush")
	c := open(t, base, client.Options{Users: []model.User{{Name: "ann", Header: "authorization", Env: "SONDE_TEST_TOKEN"}}})
	ctx, o := client.Observe(t.Context(), true)
	call := model.Call{Op: "GET /big", User: "ann", Args: []model.Arg{
		{In: model.InHeader, Name: "x-key", Value: "k"},
		{In: model.InHeader, Name: "upgrade", Value: "websocket"},
		{In: model.InCookie, Name: "c", Value: "1"},
		{In: model.InQuery, Name: "q", Value: "2"},
	}}
	_, results := c.PlayTest(ctx, spec, model.Test{Calls: []model.Call{call}})
	if o.Stream() == nil {
		t.Fatalf("got %+v", results)
	}
	defer o.Stream().Close()
	got, _ := o.Stream().Next()
	if want := "q=2[k] [c=1]***"; string(got.Data) != want {
		t.Errorf("got %q, want %q", got.Data, want)
	}
}

func TestWebSocketEnds(t *testing.T) {
	const giant = 300 << 10
	for _, c := range []struct {
		name  string
		serve func(*websocket.Conn, *http.Request)
		sizes []int64
		want  model.StreamEnd
	}{
		{"with a code", func(conn *websocket.Conn, _ *http.Request) {
			conn.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(4001, "bye"))
		}, nil, model.StreamEnd{Code: 4001, Text: "bye", Regular: true}},
		{"without a code", func(conn *websocket.Conn, _ *http.Request) {
			conn.WriteMessage(websocket.CloseMessage, nil)
		}, nil, model.StreamEnd{Code: websocket.CloseNoStatusReceived, Regular: true}},
		{"in the middle", func(conn *websocket.Conn, _ *http.Request) {
			conn.NetConn().Write([]byte{0x81, 100, 'x'})
		}, nil, model.StreamEnd{Text: "unexpected EOF"}},
		{"with bytes that are no frame", func(conn *websocket.Conn, _ *http.Request) {
			conn.NetConn().Write([]byte("HTTP/1.1 200 OK\r\n\r\n"))
		}, nil, model.StreamEnd{Text: "websocket: "}},
		{"after a giant message", func(conn *websocket.Conn, _ *http.Request) {
			conn.WriteMessage(websocket.BinaryMessage, make([]byte, giant))
			conn.WriteMessage(websocket.TextMessage, []byte("x"))
			conn.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(1001, ""))
		}, []int64{giant, 1}, model.StreamEnd{Code: 1001, Regular: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			messages, end := all(t, stream(t, open(t, socket(t, c.serve), client.Options{}), true, ""))
			var sizes []int64
			for _, m := range messages {
				sizes = append(sizes, m.Size)
				if len(m.Data) > 64<<10 {
					t.Errorf("%d bytes are kept", len(m.Data))
				}
			}
			if fmt.Sprint(sizes) != fmt.Sprint(c.sizes) || end.Code != c.want.Code || end.Regular != c.want.Regular ||
				!strings.Contains(end.Text, c.want.Text) {
				t.Errorf("got messages of %v bytes and %+v, want %v and %+v", sizes, end, c.sizes, c.want)
			}
		})
	}
}

// A service that refuses the WebSocket has an answer like any other.
func TestRefusedWebSocket(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for _, c := range []struct {
		name, answer string
		status       int
		err          string
	}{
		{"another status", "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno", 403, ""},
		{"a redirect", "HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\nContent-Length: 0\r\n\r\n", 302, ""},
		{"a long answer", "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + long, 200, ""},
		{"another protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", 0, "not that of a WebSocket"},
		{"endless headers", "HTTP/1.1 101 Switching Protocols\r\nX: " + strings.Repeat(long, 100), 0, "KiB of headers"},
		{"no HTTP", "SSH-2.0-x\r\n\r\n", 0, "malformed"},
		{"nothing", "", 0, "EOF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := raw(t, func(conn net.Conn) {
				defer conn.Close()
				answer(conn, c.answer)
			})
			ctx, o := client.Observe(t.Context(), true)
			_, results := open(t, base, client.Options{}).PlayTest(ctx, spec, carts)
			x := results[0].Exchange
			if o.Stream() != nil || x.Reply.Status != c.status {
				t.Errorf("status %d, stream %v", x.Reply.Status, o.Stream())
			}
			if n := len(x.Reply.Body); n > 1024 || (x.Err == nil) != (c.err == "") || !strings.Contains(fmt.Sprint(x.Err), c.err) {
				t.Errorf("%d bytes, error %v", n, x.Err)
			}
		})
	}
}

// A service that does not answer the handshake is given up after the timeout, and a request that is not GET is not sent.
func TestWebSocketIsNotOpened(t *testing.T) {
	base := raw(t, func(conn net.Conn) { io.Copy(io.Discard, conn) })
	c := open(t, base, client.Options{Timeout: 50 * time.Millisecond})
	for op, want := range map[model.OpID]string{"GET /big": "deadline exceeded", "POST /carts": "begins with GET"} {
		ctx, o := client.Observe(t.Context(), true)
		_, results := c.PlayTest(ctx, spec, model.Test{Calls: []model.Call{{Op: op}}})
		if err := results[0].Exchange.Err; o.Stream() != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", op, err, want)
		}
	}
}

// A user who logs in gets the cookies of the log-in into the handshake. The log-in itself asks for no WebSocket.
func TestWebSocketOfAUserWhoLogsIn(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "" {
			t.Error("the log-in asks for a WebSocket")
		}
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "s3ss10n-of-ann"})
	})
	mux.HandleFunc("GET /big", upgrade(t, func(conn *websocket.Conn, r *http.Request) {
		cookie, err := r.Cookie("sid")
		conn.WriteMessage(websocket.TextMessage, fmt.Append(nil, err == nil && cookie.Value == "s3ss10n-of-ann"))
	}))
	service := httptest.NewServer(mux)
	defer service.Close()
	user := model.User{Name: "ann", Login: &model.Login{
		Method: "POST", Path: "/login", Cookies: true, Body: &model.Payload{Media: "application/x-www-form-urlencoded"},
		Fields: []model.LoginField{{Name: "pw", Value: "${P}"}},
	}, Secrets: map[string]string{"P": "hush-hush"}}
	s := stream(t, open(t, service.URL, client.Options{Users: []model.User{user}}), true, "ann")
	if got, end := s.Next(); string(got.Data) != "true" {
		t.Errorf("got %q and %+v, want that the cookie was sent", got.Data, end)
	}
}
