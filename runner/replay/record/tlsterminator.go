package record

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"sonde/model"
	"sonde/runner/network/devca"
)

const (
	// firstByteTimeout is how long to wait for the first byte of a client of the proxy. A client that has sent nothing
	// by then is assumed to wait for the host, as in protocols where the server speaks first.
	firstByteTimeout = 2 * time.Second
	// handshakeTimeout is the maximum duration of a TLS handshake.
	handshakeTimeout = 30 * time.Second
)

// tlsTerminator decrypts the connections of services that use the proxy and trust its authority,
// and relays their requests.
type tlsTerminator struct {
	monitor  *Monitor
	relay    *relay
	ca       *devca.Authority
	file     string          // file with the authority's certificate
	listener *handedListener // has the decrypted connections
	server   *http.Server

	mu          sync.Mutex
	distrusting map[string]bool // hosts for which a service rejected the authority
	requested   map[string]bool // hosts to which a request was made
}

func newTLSTerminator(f *forwardProxy, ca *devca.Authority, file string) *tlsTerminator {
	e := &tlsTerminator{
		monitor: f.monitor, relay: f.relay, ca: ca, file: file, listener: &handedListener{make(chan net.Conn), make(chan struct{})},
		distrusting: map[string]bool{}, requested: map[string]bool{},
	}
	e.server = newServer(e)
	e.server.Protocols.SetHTTP2(true)
	e.server.ConnState = e.connStateChanged
	return e
}

// takeOver decrypts a connection and serves its requests. If the client leaves or the handshake fails, it closes the
// connection. After a failed handshake, unless it took too long, later connections to the host pass unrecorded. It
// returns false if the connection must be relayed unrecorded: the client sends something other than TLS, or nothing
// within firstByteTimeout, or a service rejected the authority for that host.
func (t *tlsTerminator) takeOver(c *tunnelled) bool {
	_ = c.SetReadDeadline(time.Now().Add(firstByteTimeout))
	first, err := c.buffered.Peek(1)
	_ = c.SetReadDeadline(time.Time{})
	switch {
	case err != nil && !errors.Is(err, os.ErrDeadlineExceeded):
		c.Close()
		return true
	case err != nil || first[0] != 0x16: // the first byte of a TLS handshake
		t.monitor.warnOnce(
			"what went through the proxy to " + c.host +
				" is neither HTTP nor TLS and is not recorded: configure the service to call an --out address instead, " +
				"which may lead to tcp",
		)
		return false
	case t.isDistrusted(c.host):
		return false
	}
	s := tls.Server(
		c,
		&tls.Config{
			GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) { return t.configFor(c.host, hello) },
		},
	)
	ctx, cancel := context.WithTimeout(context.Background(), handshakeTimeout)
	defer cancel()
	if err := s.HandshakeContext(ctx); err != nil {
		if ctx.Err() == nil {
			t.passUnrecorded(c.host, err)
		}
		c.Close()
		return true
	}
	t.listener.hand(s)
	return true
}

// configFor returns a configuration with a certificate for a host.
func (t *tlsTerminator) configFor(to string, hello *tls.ClientHelloInfo) (*tls.Config, error) {
	name := hello.ServerName
	if name == "" {
		name = withoutPort(to)
	}
	leaf, err := t.ca.Certificate(strings.ToLower(name))
	if err != nil {
		return nil, err
	}
	c := &tls.Config{Certificates: []tls.Certificate{*leaf}, SessionTicketsDisabled: true, MinVersion: tls.VersionTLS10}
	for _, proto := range []string{"http/1.1", "h2"} { // every host supports the first
		if slices.Contains(hello.SupportedProtos, proto) {
			c.NextProtos = []string{proto}
			break
		}
	}
	return c, nil
}

// ServeHTTP relays a decrypted request of the service.
func (t *tlsTerminator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := tunnelOf(r.Context().Value(connKey{}))
	t.mu.Lock()
	c.hasRequest, t.requested[c.host] = true, true
	t.mu.Unlock()
	r.URL.Scheme, r.URL.Host = "https", c.host
	s := model.OutwardCall{
		Host:     hostPort(r.URL),
		Name:     strings.TrimSuffix(c.host, ":443"),
		Protocol: model.HTTP,
		TLS:      true,
	}
	t.monitor.relayOutward(w, r, t.relay, s)
}

// tunnelOf returns the tunnelled connection under a TLS connection.
func tunnelOf(c any) *tunnelled { return c.(*tls.Conn).NetConn().(*tunnelled) }

// connStateChanged notices a service that closes its connection after it has seen the certificate, without a request.
// If no request was ever made to that host, the service most likely rejected the certificate.
func (t *tlsTerminator) connStateChanged(conn net.Conn, now http.ConnState) {
	if now != http.StateClosed {
		return
	}
	c := tunnelOf(conn)
	t.mu.Lock()
	left := !c.hasRequest && !t.requested[c.host]
	t.mu.Unlock()
	select {
	case <-t.listener.closed: // the monitor is closed
	default:
		if left {
			t.passUnrecorded(c.host, errors.New("it left after it had seen the certificate"))
		}
	}
}

// isDistrusted reports whether a service rejected the authority for a host.
func (t *tlsTerminator) isDistrusted(to string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.distrusting[to]
}

// passUnrecorded makes the proxy connect services directly to a host from now on, and warns of it.
func (t *tlsTerminator) passUnrecorded(to string, why error) {
	t.mu.Lock()
	t.distrusting[to] = true
	t.mu.Unlock()
	t.monitor.warnOnce(fmt.Sprintf(
		"what goes through the proxy to %s passes unrecorded from now on, as the service does not trust "+
			"the authority by which it could be read (%v): have it trust %q, or use --out, which may lead to https",
		to,
		why,
		t.file,
	))
}
