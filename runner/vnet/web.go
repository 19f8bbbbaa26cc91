package vnet

import (
	"context"
	"io"
	stdlog "log"
	"net"
	"net/http"
	"sync"
	"time"
)

// Bounds of requests.
const (
	mostHeader = 256 << 10
	mostBody   = 1 << 20         // that is read
	mostSilent = 2 * time.Second // in the middle of one
)

// web is the server of all hosts that speak HTTP/1 or HTTP/2.
type web struct {
	server *http.Server
	conns  chan net.Conn
	once   sync.Once
	closed chan struct{}
}

// streamKey is where a request finds its connection.
type streamKey struct{}

func newWeb(h http.HandlerFunc) *web {
	w := &web{conns: make(chan net.Conn), closed: make(chan struct{})}
	p := new(http.Protocols)
	p.SetHTTP1(true)
	p.SetUnencryptedHTTP2(true) // also inside of TLS, which is taken off before
	w.server = &http.Server{
		Handler: h, Protocols: p, MaxHeaderBytes: mostHeader, ErrorLog: stdlog.New(io.Discard, "", 0),
		ConnContext:       func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, streamKey{}, c) },
		ReadHeaderTimeout: mostSilent,
	}
	go w.server.Serve(w)
	return w
}

// take lets a connection on which HTTP is spoken go on.
func (w *web) take(s *stream) {
	s.web = true
	s.c.change(func() { s.c.becomes(asking) })
	if !w.give(s) {
		s.c.kill()
	}
}

// give lets a connection be served; false tells that nobody does any more.
func (w *web) give(c net.Conn) bool {
	select {
	case w.conns <- c:
		return true
	case <-w.closed:
		return false
	}
}

// Accept, Close and Addr make it the listener of its server.
func (w *web) Accept() (net.Conn, error) {
	select {
	case c := <-w.conns:
		return c, nil
	case <-w.closed:
		return nil, net.ErrClosed
	}
}

func (w *web) Close() error {
	w.once.Do(func() { close(w.closed) })
	return nil
}

func (w *web) Addr() net.Addr { return &net.TCPAddr{IP: loopback} }

func (w *web) close() {
	_ = w.Close()
	_ = w.server.Close()
}
