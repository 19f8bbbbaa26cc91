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
	// greeting is how long a client of the proxy may take to send the first byte; after that the
	// host is expected to speak first.
	greeting = 2 * time.Second
	// maxHandshake bounds the duration of a handshake.
	maxHandshake = 30 * time.Second
)

// tlsEnd terminates the TLS of services that use the proxy and trust its authority, and relays
// their requests.
type tlsEnd struct {
	m      *Monitor
	relay  *relay
	ca     *devca.Authority
	file   string // of its certificate
	came   *handedListener
	server *http.Server

	mu     sync.Mutex
	strict map[string]bool // hosts for which a service refused the authority
	asked  map[string]bool // hosts that received a request
}

func newTLSEnd(f *forward, ca *devca.Authority, file string) *tlsEnd {
	e := &tlsEnd{
		m: f.m, relay: f.relay, ca: ca, file: file, came: &handedListener{make(chan net.Conn), make(chan struct{})},
		strict: map[string]bool{}, asked: map[string]bool{},
	}
	e.server = newServer(e)
	e.server.Protocols.SetHTTP2(true)
	e.server.ConnState = e.changes
	return e
}

// reads takes over a connection if it can be decrypted: TLS to a host, unless a service has refused
// the authority for that host.
func (e *tlsEnd) reads(t *tunnelled) bool {
	_ = t.SetReadDeadline(time.Now().Add(greeting))
	first, err := t.said.Peek(1)
	_ = t.SetReadDeadline(time.Time{})
	switch {
	case err != nil && !errors.Is(err, os.ErrDeadlineExceeded):
		t.Close()
		return true
	case err != nil || first[0] != 0x16: // the first byte of a TLS handshake
		e.m.once(
			"what went through the proxy to " + t.to +
				" is neither HTTP nor TLS and is not recorded: configure the service to call an --out address instead, " +
				"which may lead to tcp",
		)
		return false
	case e.isStrict(t.to):
		return false
	}
	s := tls.Server(
		t,
		&tls.Config{
			GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) { return e.shown(t.to, hello) },
		},
	)
	ctx, cancel := context.WithTimeout(context.Background(), maxHandshake)
	defer cancel()
	if err := s.HandshakeContext(ctx); err != nil {
		if ctx.Err() == nil {
			e.refused(t.to, err)
		}
		t.Close()
		return true
	}
	e.came.give(s)
	return true
}

// shown returns the certificate that a service gets for a host.
func (e *tlsEnd) shown(to string, hello *tls.ClientHelloInfo) (*tls.Config, error) {
	name := hello.ServerName
	if name == "" {
		name = bare(to)
	}
	leaf, err := e.ca.Certificate(strings.ToLower(name))
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

// ServeHTTP relays a request of the service.
func (e *tlsEnd) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	t := tunnelOf(r.Context().Value(connKey{}))
	e.mu.Lock()
	t.asked, e.asked[t.to] = true, true
	e.mu.Unlock()
	r.URL.Scheme, r.URL.Host = "https", t.to
	s := model.OutwardCall{
		Host:     hostPort(r.URL),
		Name:     strings.TrimSuffix(t.to, ":443"),
		Protocol: model.HTTP,
		TLS:      true,
	}
	e.m.pass(w, r, e.relay, s)
}

// tunnelOf returns the tunnel of a connection of TLS.
func tunnelOf(c any) *tunnelled { return c.(*tls.Conn).NetConn().(*tunnelled) }

// changes notices services that leave after they have seen the certificate.
func (e *tlsEnd) changes(c net.Conn, now http.ConnState) {
	if now != http.StateClosed {
		return
	}
	t := tunnelOf(c)
	e.mu.Lock()
	left := !t.asked && !e.asked[t.to]
	e.mu.Unlock()
	select {
	case <-e.came.over: // the monitor is closed
	default:
		if left {
			e.refused(t.to, errors.New("it left after it had seen the certificate"))
		}
	}
}

func (e *tlsEnd) isStrict(to string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.strict[to]
}

// refused connects services directly to a host from now on.
func (e *tlsEnd) refused(to string, why error) {
	e.mu.Lock()
	e.strict[to] = true
	e.mu.Unlock()
	e.m.once(fmt.Sprintf(
		"what goes through the proxy to %s passes unrecorded from now on, as the service does not trust "+
			"the authority by which it could be read (%v): have it trust %q, or use --out, which may lead to https",
		to,
		why,
		e.file,
	))
}
