//go:build !windows

package gotest

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"net"
	"regexp"
	"time"
)

// certify makes the certificate of a host, or of the authority.
func certify(name string, by *tls.Certificate) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	t := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: now.AddDate(-1, 0, 0), NotAfter: now.AddDate(1, 0, 0), KeyUsage: x509.KeyUsageDigitalSignature, DNSNames: []string{name},
	}
	if ip := net.ParseIP(name); ip != nil {
		t.DNSNames, t.IPAddresses = nil, []net.IP{ip}
	}
	parent, signer := t, key
	if by == nil {
		t.IsCA, t.BasicConstraintsValid, t.KeyUsage = true, true, x509.KeyUsageCertSign
	} else {
		parent, signer = by.Leaf, by.PrivateKey.(*ecdsa.PrivateKey)
	}
	der, err := x509.CreateCertificate(rand.Reader, t, parent, &key.PublicKey, signer)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, err
}

// takeTLS decrypts a connection to a host.
func (n *virtualNetwork) takeTLS(host string, c net.Conn) *tls.Conn {
	n.mu.Lock()
	var protocols []string
	if len(n.of("http", host)) > 0 {
		protocols = []string{"h2", "http/1.1"}
	}
	n.mu.Unlock()
	return tls.Server(c, &tls.Config{
		NextProtos: protocols, SessionTicketsDisabled: true,
		GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			name, _, _ := net.SplitHostPort(host)
			if hello.ServerName != "" {
				name = hello.ServerName
			}
			if n.isStranger(host) {
				name = "someone-else.invalid"
			}
			return certify(name, n.ca)
		},
	})
}

// isStranger reports whether a host now presents the certificate of another host.
func (n *virtualNetwork) isStranger(host string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, protocol := range []string{"http", "tcp"} {
		if stubs := n.of(protocol, host); len(stubs) > 0 && stubs[0].strange() {
			return true
		}
	}
	return false
}

// strange consumes the answer with the certificate of another host. Each TCP connection has the whole script.
func (s *stub) strange() bool {
	if s.protocol == "tcp" {
		a, _ := s.turn(0)
		return a.stranger
	}
	a, _ := s.turn(s.given)
	if a.stranger {
		s.given++
	}
	return a.stranger
}

// openDoor passes on the connections to a host that speak HTTP.
func (n *virtualNetwork) openDoor(host string, l net.Listener) net.Listener {
	d := &door{l, make(chan net.Conn)}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { n.sort(host, n.counted(host, c, c.RemoteAddr().String()), d.conns) }()
		}
	}()
	return d
}

// welcome handles a connection to a host that does not speak HTTP.
func (n *virtualNetwork) welcome(host string, c *counted) { n.sort(host, c, nil) }

// sort passes a connection on by the protocol of its first bytes.
func (n *virtualNetwork) sort(host string, c *counted, web chan<- net.Conn) {
	var out net.Conn = c
	data, what := n.first(host, c, out)
	if what == ofTLS {
		t := n.takeTLS(host, &ahead{c, data})
		if t.Handshake() != nil {
			cutOff(c)
			return
		}
		if t.ConnectionState().NegotiatedProtocol == "h2" {
			web <- t
			return
		}
		out = t
		data, what = n.first(host, c, out)
	}
	out = &ahead{out, data}
	n.mu.Lock()
	talks := len(n.of("tcp", host)) > 0
	n.mu.Unlock()
	switch {
	case what == ofHTTP && web != nil:
		web <- out
	case talks:
		n.rawly(host, c, out)
	default:
		n.inVain(fmt.Sprintf("tcp %s %q, which is no HTTP", host, data))
		cutOff(c)
	}
}

// speech is a protocol.
type speech int

const (
	unclear speech = iota
	otherwise
	ofHTTP
	ofTLS
)

// first reads until the protocol is known, or the service waits for the host to send:
// clients of HTTP may wait before they send a request, too.
func (n *virtualNetwork) first(host string, c *counted, from net.Conn) (data []byte, what speech) {
	n.mu.Lock()
	web := len(n.of("http", host)) > 0
	n.mu.Unlock()
	for part, began := make([]byte, 4<<10), time.Now(); ; {
		c.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
		size, err := from.Read(part)
		c.SetReadDeadline(time.Time{})
		data = append(data, part[:size]...)
		if what := speechOf(data, web); what != unclear {
			return data, what
		}
		if late, ok := err.(net.Error); err != nil && !(ok && late.Timeout()) || n.isTurn(c, web, began) {
			return data, otherwise
		}
	}
}

// isTurn reports whether the service waits on a connection for the host to send. If the connection may be
// HTTP, the service must wait for some time during a call.
func (n *virtualNetwork) isTurn(c *counted, web bool, began time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return c.waits(false) && (!web || n.calls > 0 && time.Since(began) > 10*silence)
}

// speechOf returns the protocol of a connection from the first bytes that were received, or unclear if more are needed. It looks
// for HTTP only if web is set.
func speechOf(data []byte, web bool) speech {
	const most = 16 << 10
	line, end := data, bytes.IndexByte(data, '\n')
	if end >= 0 {
		line = data[:end]
	}
	switch {
	case len(data) == 0, len(data) == 1 && data[0] == 0x16:
		return unclear
	case bytes.HasPrefix(data, []byte{0x16, 3}): // a ClientHello
		return ofTLS
	case !web || !regexp.MustCompile("^[A-Z]+($| )").Match(line):
		return otherwise
	case end < 0 && len(data) < most:
		return unclear
	case regexp.MustCompile("^[A-Z]+ .* HTTP/[0-9]\\.[0-9]\r?$").Match(line):
		return ofHTTP
	}
	return otherwise
}

// door is a listener for connections that another listener passes on.
type door struct {
	net.Listener
	conns chan net.Conn
}

func (d *door) Accept() (net.Conn, error) { return <-d.conns, nil }
