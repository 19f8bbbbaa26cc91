package netsim

import (
	"context"
	"io"
	stdlog "log"
	"net"
	"net/http"
	"sync"
	"time"
)

// Limits of HTTP requests.
const (
	maxHeader  = 256 << 10       // maximum size of a header, in bytes
	maxBody    = 1 << 20         // number of bytes of a body that are read
	maxStalled = 2 * time.Second // maximum time for reading a header, and for reading a body
)

// webServer serves all connections with HTTP/1 or HTTP/2.
type webServer struct {
	server *http.Server
	conns  chan net.Conn
	once   sync.Once
	closed chan struct{}
}

// streamKey is the key of the connection in the context of a request. The value is a *stream,
// or a *relayedHTTP for a Recorder.
type streamKey struct{}

func newWebServer(h http.HandlerFunc) *webServer {
	w := &webServer{conns: make(chan net.Conn), closed: make(chan struct{})}
	p := new(http.Protocols)
	p.SetHTTP1(true)
	p.SetUnencryptedHTTP2(true) // also for TLS connections, because the server gets decrypted bytes
	w.server = &http.Server{
		Handler:           h,
		Protocols:         p,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          stdlog.New(io.Discard, "", 0),
		ReadHeaderTimeout: maxStalled,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, streamKey{}, c)
		},
	}
	go w.server.Serve(w)
	return w
}

// serve serves a connection with HTTP.
func (w *webServer) serve(s *stream) {
	s.http = true
	s.c.change(func() { s.c.setState(connRequests) })
	if !w.add(s) {
		s.c.kill()
	}
}

// add adds a connection. It returns false if the server is closed.
func (w *webServer) add(c net.Conn) bool {
	select {
	case w.conns <- c:
		return true
	case <-w.closed:
		return false
	}
}

// Accept returns the next connection that was passed to add. Accept, Close and Addr implement net.Listener.
func (w *webServer) Accept() (net.Conn, error) {
	select {
	case c := <-w.conns:
		return c, nil
	case <-w.closed:
		return nil, net.ErrClosed
	}
}

// Close makes Accept return an error.
func (w *webServer) Close() error {
	w.once.Do(func() { close(w.closed) })
	return nil
}

// Addr returns an arbitrary address, because net.Listener requires the method.
func (w *webServer) Addr() net.Addr { return &net.TCPAddr{IP: loopback} }

func (w *webServer) close() {
	_ = w.Close()
	_ = w.server.Close()
}
