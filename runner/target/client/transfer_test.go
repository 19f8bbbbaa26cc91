package client_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/target/client"
)

var quiet = log.New(io.Discard, "", 0)

func handle(t *testing.T, h http.HandlerFunc) string {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// One connection serves all requests if the answers are read to their end. After a server error, the connection is
// not used again.
func TestConnectionsAreReused(t *testing.T) {
	var conns, asked atomic.Int64
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := int(asked.Add(1))
		status := []int{200, 404, 302}[n%3]
		if n%100 == 0 {
			status = 500 + n/100
		}
		w.WriteHeader(status)
		io.WriteString(w, strings.Repeat("x", 1000*(n%50)))
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			conns.Add(1)
		}
	}
	s.Start()
	defer s.Close()
	c := open(t, s.URL, client.Options{})
	defer c.Close()
	for range 500 {
		get(c)
	}
	if n := conns.Load(); n != 5 {
		t.Errorf("%d connections for %d calls", n, asked.Load())
	}
}

func packed(t *testing.T, encoding, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch encoding {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "zlib":
		w = zlib.NewWriter(&b)
	case "flate":
		w, _ = flate.NewWriter(&b, 9)
	}
	io.WriteString(w, text)
	w.Close()
	return b.Bytes()
}

func TestCompressedAnswers(t *testing.T) {
	const text = `{"name":"tent"}`
	for _, c := range []struct {
		name, encoding string
		sent           []byte
		want           string
		truncated      bool
		kept           string // the expected Content-Encoding of the answer after decoding
	}{
		{"gzip", "gzip", packed(t, "gzip", text), text, false, ""},
		{"GZIP", "GZIP", packed(t, "gzip", text), text, false, ""},
		{"deflate", "deflate", packed(t, "zlib", text), text, false, ""},
		{"deflate without a header", "deflate", packed(t, "flate", text), text, false, ""},
		{"no gzip though it says so", "gzip", []byte(text), text, false, "gzip"},
		{"gzip that breaks off", "gzip", packed(t, "gzip", text)[:20], text, true, ""},
		{"gzip of only a head", "gzip", []byte("\x1f\x8b"), "", true, ""},
		{"of a kind that is not read", "br", []byte("??"), "??", false, "br"},
		{"empty", "gzip", nil, "", false, "gzip"},
	} {
		t.Run(c.name, func(t *testing.T) {
			url := handle(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", c.encoding)
				w.Write(c.sent)
			})
			x := get(open(t, url, client.Options{}))
			got := x.Reply
			if !strings.HasPrefix(c.want, string(got.Body)) || !c.truncated && string(got.Body) != c.want ||
				got.Truncated != c.truncated || x.Err != nil {
				t.Errorf("body %q, truncated %v, error %v", got.Body, got.Truncated, x.Err)
			}
			if kept := strings.Join(got.Header["Content-Encoding"], ""); kept != c.kept {
				t.Errorf("says %q of its encoding, want %q", kept, c.kept)
			}
		})
	}
}

// An answer that is too large is cut, and does not need much memory.
func TestLargeAnswersAreCut(t *testing.T) {
	zip := bytes.Repeat(packed(t, "gzip", strings.Repeat("\x00", 1<<20)), 512)
	chunk := bytes.Repeat([]byte("x"), 1<<20)
	for name, serve := range map[string]http.HandlerFunc{
		"100 MB": func(w http.ResponseWriter, _ *http.Request) {
			for range 100 {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		},
		"gzip bomb": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(zip)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t, handle(t, serve), client.Options{MaxBody: 1 << 20})
			before := allocated()
			x := get(c)
			if x.Reply.Status != 200 || len(x.Reply.Body) != 1<<20 || !x.Reply.Truncated {
				t.Errorf("status %d, %d bytes, truncated %v", x.Reply.Status, len(x.Reply.Body), x.Reply.Truncated)
			}
			if grown := allocated() - before; grown > 32<<20 {
				t.Errorf("%d MB were allocated for one answer", grown>>20)
			}
		})
	}
}

// allocated returns how many bytes were allocated since the process started.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// The size of headers is bounded. The headers of many 1xx answers count together. A few 1xx answers are ignored.
func TestHeadersAreBounded(t *testing.T) {
	for _, c := range []struct {
		name   string
		serve  func(net.Conn)
		status int
	}{
		{"a few 1xx", func(conn net.Conn) {
			answer(conn, strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", 7)+"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		}, 200},
		{"1xx without end", func(conn net.Conn) {
			defer conn.Close()
			conn.Read(make([]byte, 4096))
			for {
				if _, err := io.WriteString(conn, strings.Repeat("HTTP/1.1 102 Processing\r\n\r\n", 1000)); err != nil {
					return
				}
			}
		}, 0},
		{"a header without end", func(conn net.Conn) {
			defer conn.Close()
			answer(conn, "HTTP/1.1 200 OK\r\n")
			for i := 0; ; i++ {
				if _, err := fmt.Fprintf(conn, "X-%d: %s\r\n", i, strings.Repeat("x", 1000)); err != nil {
					return
				}
			}
		}, 0},
		{"a large header", func(conn net.Conn) {
			answer(conn, "HTTP/1.1 200 OK\r\nX-Large: "+strings.Repeat("x", 100_000)+"\r\nContent-Length: 0\r\n\r\n")
		}, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := open(t, raw(t, c.serve), client.Options{Timeout: 5 * time.Second})
			before := allocated()
			x := get(client)
			if x.Reply.Status != c.status || (x.Err == nil) != (c.status > 0) {
				t.Errorf("status %d, error %v", x.Reply.Status, x.Err)
			}
			if grown := allocated() - before; grown > 32<<20 {
				t.Errorf("%d MB were allocated for one answer", grown>>20)
			}
		})
	}
}

// A redirect is returned as the answer and is not followed.
func TestRedirectsAreAnswers(t *testing.T) {
	elsewhere := atomic.Int64{}
	other := handle(t, func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) })
	var asked atomic.Int64
	for _, to := range []string{"/x", other + "/x", "//127.0.0.1:1/x"} {
		url := handle(t, func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			http.Redirect(w, r, to, http.StatusTemporaryRedirect)
		})
		asked.Store(0)
		x := get(open(t, url, client.Options{}))
		if x.Reply.Status != 307 || x.Reply.Header["Location"][0] != to || asked.Load() != 1 || elsewhere.Load() != 0 {
			t.Errorf("to %q: status %d, %d requests, %d elsewhere", to, x.Reply.Status, asked.Load(), elsewhere.Load())
		}
	}
}

func secure(t *testing.T, h http.HandlerFunc, http2 bool) *httptest.Server {
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2 = http2
	s.Config.ErrorLog = quiet
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func TestCertificates(t *testing.T) {
	s := secure(t, func(http.ResponseWriter, *http.Request) {}, false)
	err := open(t, s.URL, client.Options{}).CheckReachable(context.Background())
	if err == nil || !strings.Contains(err.Error(), "use --insecure to accept any certificate") {
		t.Errorf("the error of an unknown certificate is %v", err)
	}
	c := open(t, s.URL, client.Options{Insecure: true})
	if err := c.CheckReachable(context.Background()); err != nil {
		t.Error(err)
	}
	if x := get(c); x.Reply.Status != 200 {
		t.Errorf("status %d, error %v", x.Reply.Status, x.Err)
	}
	plain := handle(t, func(http.ResponseWriter, *http.Request) {})
	err = open(t, strings.Replace(plain, "http:", "https:", 1), client.Options{}).CheckReachable(context.Background())
	if err == nil || !strings.Contains(err.Error(), "http instead of https") {
		t.Errorf("of a service without TLS it is said: %v", err)
	}
}

// HTTP/2 behaves like HTTP/1.1. Each request counts once, even if net/http sends it again because
// the service refused the stream.
func TestHTTP2(t *testing.T) {
	var arrived atomic.Int64
	s := secure(t, func(w http.ResponseWriter, r *http.Request) {
		arrived.Add(1)
		if r.URL.Path == "/abort" {
			panic(http.ErrAbortHandler)
		}
		fmt.Fprint(w, r.Proto)
	}, true)
	taken := 0
	c := open(t, s.URL, client.Options{Insecure: true, TakeBudget: func() bool { taken++; return taken <= 20 }})
	for range 30 {
		if x := get(c); x.Err == nil && string(x.Reply.Body) != "HTTP/2.0" {
			t.Fatalf("body %q, error %v", x.Reply.Body, x.Err)
		}
	}
	if arrived.Load() != 20 {
		t.Errorf("%d requests arrived, budget 20", arrived.Load())
	}
}

// If a service closes each HTTP/2 connection after a while, it does not get more requests than were
// counted.
func TestHTTP2ThatGoesAway(t *testing.T) {
	var arrived, conns atomic.Int64
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if arrived.Add(1)%3 == 0 {
			w.Header().Set("Connection", "close") // GOAWAY
		}
	}))
	s.EnableHTTP2 = true
	s.Config.ErrorLog = quiet
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			conns.Add(1)
		}
	}
	s.TLS = &tls.Config{}
	s.StartTLS()
	defer s.Close()
	taken := 0
	c := open(t, s.URL, client.Options{Insecure: true, TakeBudget: func() bool { taken++; return true }})
	for range 30 {
		get(c)
	}
	if int(arrived.Load()) > taken || conns.Load() < 5 {
		t.Errorf("%d requests arrived on %d connections, %d were counted", arrived.Load(), conns.Load(), taken)
	}
}

// A cookie that a log-in deletes is not sent.
func TestDeletedCookies(t *testing.T) {
	url := handle(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/login" {
			fmt.Fprint(w, r.Header.Get("Cookie"))
			return
		}
		past := time.Unix(1, 0)
		for _, c := range []http.Cookie{
			{Name: "a", Value: "sid", Expires: time.Now().Add(time.Hour)},
			{Name: "b", Value: "sid", Expires: past, MaxAge: 60}, // Max-Age has precedence
			{Name: "c", Value: "sid"},
			{Name: "c", Value: "deleted", Expires: past},
			{Name: "d", Value: "deleted", MaxAge: -1},
			{Name: "e"},
		} {
			http.SetCookie(w, &c)
		}
	})
	ann := model.User{Name: "ann", Login: &model.Login{Method: "POST", Path: "/login", Cookies: true}}
	_, results := calls(t, open(t, url, client.Options{Users: []model.User{ann}}), "GET /a")
	if got := string(results[0].Exchange.Reply.Body); got != "a=***; b=***" {
		t.Errorf("cookies %q, error %v", got, results[0].Exchange.Err)
	}
}

// If a log-in sets more cookies than are kept, the first ones are kept.
func TestManyCookies(t *testing.T) {
	var carried int
	url := handle(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/login" {
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "old"})
			http.SetCookie(w, &http.Cookie{Name: "gone", Value: "x"})
			for i := range 1000 {
				http.SetCookie(w, &http.Cookie{Name: fmt.Sprint("c", i), Value: fmt.Sprintf("value-of-%03d", i)})
			}
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "right-session"})
			http.SetCookie(w, &http.Cookie{Name: "gone", MaxAge: -1})
			return
		}
		carried = len(r.Cookies())
		if k, err := r.Cookie("session"); err != nil || k.Value != "right-session" {
			w.WriteHeader(401)
		}
		if _, err := r.Cookie("gone"); err == nil {
			w.WriteHeader(400)
		}
		fmt.Fprint(w, "you are right-session, value-of-000, value-of-040")
	})
	ann := model.User{Name: "ann", Login: &model.Login{Method: "POST", Path: "/login", Cookies: true}}
	_, results := calls(t, open(t, url, client.Options{Users: []model.User{ann}}), "GET /a")
	if x := results[0].Exchange; x.Reply.Status != 200 || carried > 50 || carried < 40 || string(x.Reply.Body) != "you are ***, ***, ***" {
		t.Errorf("status %d, %d cookies carried, body %q, error %v", x.Reply.Status, carried, x.Reply.Body, x.Err)
	}
}
