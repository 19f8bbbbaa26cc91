package client_test

import (
	"context"
	"io"
	"net"
	"testing"

	"sonde/model"
	"sonde/runner/target/client"
)

// BenchmarkSend measures a call that is answered at once. The server does as little as possible, so
// that nearly all of the time is that of the client and net/http.
func BenchmarkSend(b *testing.B) {
	for _, c := range []struct {
		name, answer string
		request      model.Request
	}{
		{"get", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", model.Request{Method: "GET", URL: "/x"}},
		{
			"post", "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}",
			model.Request{Method: "POST", URL: "/x", Body: []byte(`{"name":"tent"}`)},
		},
		{"empty", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", model.Request{Method: "GET", URL: "/x"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.request.Header = map[string][]string{"Accept": {"*/*"}}
			send(b, raw(b, always(c.answer)), c.request)
		})
	}
}

// always returns a function that answers each request of a connection with the same text. Each
// request must arrive in one piece.
func always(text string) func(net.Conn) {
	return func(conn net.Conn) {
		defer conn.Close()
		for in := make([]byte, 4096); ; {
			if _, err := conn.Read(in); err != nil {
				return
			}
			if _, err := io.WriteString(conn, text); err != nil {
				return
			}
		}
	}
}

func send(b *testing.B, base string, r model.Request) {
	c, err := client.New(base, client.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	b.ReportAllocs()
	for b.Loop() {
		if x := c.Send(context.Background(), r); x.Err != nil {
			b.Fatal(x.Err)
		}
	}
}
