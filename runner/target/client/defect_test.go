package client_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/target/client"
)

// defects are ways to send an answer, and what is wrong with each.
var defects = []struct{ name, method, answer, want string }{
	{"shorter than its length", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\":1", "the body ended after 6 of 100 bytes"},
	{"nothing of its length", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", "the body ended after 0 of 9 bytes"},
	{
		"chunks without the last", "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
		"the body broke off after 2 bytes: unexpected EOF",
	},
	{
		"half a chunk", "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{}",
		"the body broke off after 2 bytes: unexpected EOF",
	},
	{
		"text called gzip", "GET", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
		`the body is not what Content-Encoding "gzip" says`,
	},
	{
		"text called deflate", "GET",
		"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: 2\r\n\r\n{}",
		`the body is not what Content-Encoding "deflate" says: `,
	},
	{"whole", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", ""},
	{"whole chunks", "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", ""},
	{"until the connection ends", "GET", "HTTP/1.0 200 OK\r\n\r\n{}", ""},
	{"until the connection ends, of HTTP/1.1", "GET", "HTTP/1.1 200 OK\r\n\r\n{}", ""},
	{"to HEAD", "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nContent-Encoding: gzip\r\n\r\n", ""},
	{"204", "GET", "HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n", ""},
	{"304", "GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 100\r\nContent-Encoding: gzip\r\n\r\n", ""},
	{"empty, called gzip", "GET", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", ""},
	{"of an encoding that is not read", "GET", "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 2\r\n\r\n{}", ""},
}

func TestDefects(t *testing.T) {
	for _, c := range defects {
		t.Run(c.name, func(t *testing.T) {
			url := raw(t, func(conn net.Conn) {
				defer conn.Close()
				http.ReadRequest(bufio.NewReader(conn))
				io.WriteString(conn, c.answer)
			})
			x := open(t, url, client.Options{}).Send(context.Background(), model.Request{Method: c.method, URL: "/x"})
			if x.Err != nil {
				t.Fatal(x.Err)
			}
			if got := x.Reply.Defect; (got == nil) != (c.want == "") || got != nil && !strings.HasPrefix(got.Text, c.want) {
				t.Errorf("got %+v, want %q", got, c.want)
			}
		})
	}
}

// A compressed answer has no defect, even if bytes follow the compressed text.
func TestCompressedAnswersHaveNoDefect(t *testing.T) {
	for _, after := range []string{"", strings.Repeat("\x00", 16)} {
		url := handle(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(packed(t, "gzip", `{"name":"tent"}`))
			io.WriteString(w, after)
		})
		if x := get(open(t, url, client.Options{})); x.Reply.Defect != nil || string(x.Reply.Body) != `{"name":"tent"}` {
			t.Errorf("%+v, body %q", x.Reply.Defect, x.Reply.Body)
		}
	}
}

// An answer has no defect if the client stops reading. It does so if the answer is too long or takes too long, or if
// the run ends.
func TestUnreadBodiesHaveNoDefect(t *testing.T) {
	part := make(chan bool)
	url := handle(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "5000")
		fmt.Fprint(w, strings.Repeat("x", 2000))
		w.(http.Flusher).Flush()
		if r.URL.Path == "/long" {
			fmt.Fprint(w, strings.Repeat("x", 3000))
			return
		}
		select {
		case part <- true:
		default:
		}
		<-r.Context().Done()
	})
	c := open(t, url, client.Options{MaxBody: 4000, Timeout: 100 * time.Millisecond})
	for _, path := range []string{"/long", "/slow"} {
		if x := c.Send(context.Background(), model.Request{Method: "GET", URL: path}); !x.Reply.Truncated || x.Reply.Defect != nil {
			t.Errorf("%s: truncated %t, %+v, error %v", path, x.Reply.Truncated, x.Reply.Defect, x.Err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-part; cancel() }()
	patient := open(t, url, client.Options{Timeout: time.Minute})
	if x := patient.Send(ctx, model.Request{Method: "GET", URL: "/slow"}); x.Reply.Defect != nil {
		t.Errorf("of a run that ends: %+v", x.Reply.Defect)
	}
}

// A stream that is reset in the middle of its answer is cut short.
func TestStreamsThatAreCutShort(t *testing.T) {
	s := secure(t, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "{")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}, true)
	x := get(open(t, s.URL, client.Options{Insecure: true}))
	if x.Reply.Status != 200 || x.Reply.Defect == nil || !x.Reply.Defect.CutShort {
		t.Errorf("status %d, %+v, error %v", x.Reply.Status, x.Reply.Defect, x.Err)
	}
}
