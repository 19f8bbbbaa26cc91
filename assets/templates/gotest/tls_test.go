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
	"math/big"
	"net"
	"regexp"
	"time"
)

// newCertificate makes the certificate of a host, or of the authority.
func newCertificate(name string, authority *tls.Certificate) (*tls.Certificate, error) {
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
	if authority == nil {
		t.IsCA, t.BasicConstraintsValid, t.KeyUsage = true, true, x509.KeyUsageCertSign
	} else {
		parent, signer = authority.Leaf, authority.PrivateKey.(*ecdsa.PrivateKey)
	}
	der, err := x509.CreateCertificate(rand.Reader, t, parent, &key.PublicKey, signer)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, err
}

// decrypt decrypts a connection to a host.
func (n *virtualNetwork) decrypt(host string, c net.Conn) *tls.Conn {
	n.mu.Lock()
	var protocols []string
	if len(n.stubsOf("http", host)) > 0 {
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
			if n.presentsWrongCertificate(host) {
				name = "someone-else.invalid"
			}
			return newCertificate(name, n.ca)
		},
	})
}

// presentsWrongCertificate reports whether a host now presents the certificate of another host.
func (n *virtualNetwork) presentsWrongCertificate(host string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	seen := map[string]bool{"udp": true, "dns": true}
	for _, s := range n.allStubs() {
		if s.host != host || seen[s.protocol] {
			continue
		}
		seen[s.protocol] = true
		if s.takeWrongCertificate() {
			return true
		}
	}
	return false
}

// takeWrongCertificate reports whether the next answer has the certificate of another host, and counts this
// answer as given. For TCP it looks at the first answer, because each connection has the whole script.
func (s *stub) takeWrongCertificate() bool {
	if s.protocol == "tcp" {
		a, _ := s.answerAt(0)
		return a.wrongCertificate
	}
	a, _ := s.answerAt(s.answersGiven)
	if a.wrongCertificate {
		s.answersGiven++
	}
	return a.wrongCertificate
}

// filterHTTP returns a listener for those connections to a host that speak HTTP.
func (n *virtualNetwork) filterHTTP(host string, l net.Listener) net.Listener {
	filtered := &connListener{l, make(chan net.Conn)}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { n.dispatch(host, n.addConn(host, c, c.RemoteAddr().String()), filtered.conns) }()
		}
	}()
	return filtered
}

// serveTCP handles a connection to a host that does not speak HTTP.
func (n *virtualNetwork) serveTCP(host string, c *countedConn) { n.dispatch(host, c, nil) }

// dispatch passes a connection on by the protocol of its first bytes.
func (n *virtualNetwork) dispatch(host string, c *countedConn, toHTTP chan<- net.Conn) {
	if n.greets(host) {
		n.answerConn(host, c, c, nil)
		return
	}
	var conn net.Conn = c
	data, protocol := n.detectProtocol(host, c, conn)
	if protocol == protocolTLS {
		decrypted := n.decrypt(host, &prefixedConn{c, data})
		if decrypted.Handshake() != nil {
			resetConn(c)
			return
		}
		if decrypted.ConnectionState().NegotiatedProtocol == "h2" {
			toHTTP <- decrypted
			return
		}
		conn = decrypted
		data, protocol = n.detectProtocol(host, c, conn)
	}
	conn = &prefixedConn{conn, data}
	if protocol == protocolHTTP && toHTTP != nil {
		toHTTP <- conn
		return
	}
	n.answerConn(host, c, conn, data)
}

// greets reports whether a host is a database that speaks first.
func (n *virtualNetwork) greets(host string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.stubsOf("mysql", host)) > 0
}

// wireProtocol is the protocol of a connection.
type wireProtocol int

const (
	protocolUnknown wireProtocol = iota
	protocolOther
	protocolHTTP
	protocolTLS
)

// detectProtocol reads until the protocol is known, or the service waits for the host to send:
// clients of HTTP may wait before they send a request, too.
func (n *virtualNetwork) detectProtocol(host string, c *countedConn, conn net.Conn) (data []byte, protocol wireProtocol) {
	n.mu.Lock()
	mayBeHTTP := len(n.stubsOf("http", host)) > 0
	n.mu.Unlock()
	for buf, start := make([]byte, 4<<10), time.Now(); ; {
		c.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
		size, err := conn.Read(buf)
		c.SetReadDeadline(time.Time{})
		data = append(data, buf[:size]...)
		if protocol := protocolOf(data, mayBeHTTP); protocol != protocolUnknown {
			return data, protocol
		}
		if timeout, ok := err.(net.Error); err != nil && !(ok && timeout.Timeout()) || n.isHostsTurn(c, mayBeHTTP, start) {
			return data, protocolOther
		}
	}
}

// isHostsTurn reports whether the service waits on a connection for the host to send. If the connection may be
// HTTP, the service must wait for some time during a call.
func (n *virtualNetwork) isHostsTurn(c *countedConn, mayBeHTTP bool, start time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return c.isWaiting(false) && (!mayBeHTTP || n.openCalls > 0 && time.Since(start) > 10*waitThreshold)
}

// protocolOf returns the protocol of a connection from the first bytes that were received, or protocolUnknown if
// more are needed. It looks for HTTP only if mayBeHTTP is set.
func protocolOf(data []byte, mayBeHTTP bool) wireProtocol {
	const maxLine = 16 << 10
	line, end := data, bytes.IndexByte(data, '\n')
	if end >= 0 {
		line = data[:end]
	}
	switch {
	case len(data) == 0, len(data) == 1 && data[0] == 0x16:
		return protocolUnknown
	case bytes.HasPrefix(data, []byte{0x16, 3}): // a ClientHello
		return protocolTLS
	case !mayBeHTTP || !regexp.MustCompile("^[A-Z]+($| )").Match(line):
		return protocolOther
	case end < 0 && len(data) < maxLine:
		return protocolUnknown
	case regexp.MustCompile("^[A-Z]+ .* HTTP/[0-9]\\.[0-9]\r?$").Match(line):
		return protocolHTTP
	}
	return protocolOther
}

// connListener is a listener for connections that another listener passes on.
type connListener struct {
	net.Listener
	conns chan net.Conn
}

func (l *connListener) Accept() (net.Conn, error) { return <-l.conns, nil }
