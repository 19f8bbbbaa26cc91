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

// certify makes the certificate of a host, or of who certifies hosts.
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

// takeTLS takes TLS off a connection to a host.
func (n *virtualNetwork) takeTLS(protocol, host string, c net.Conn) net.Conn {
	return tls.Server(c, &tls.Config{
		NextProtos: map[string][]string{"http": {"h2", "http/1.1"}}[protocol], SessionTicketsDisabled: true,
		GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			name, _, _ := net.SplitHostPort(host)
			if hello.ServerName != "" {
				name = hello.ServerName
			}
			if n.isStranger(protocol, host) {
				name = "someone-else.invalid"
			}
			return certify(name, n.ca)
		},
	})
}

// isStranger tells whether a host is to have another one's certificate now.
func (n *virtualNetwork) isStranger(protocol, host string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, s := range n.of(protocol, host) {
		a, _ := s.turn(s.given)
		if a.stranger {
			s.given++
		}
		return a.stranger
	}
	return false
}

// openDoor lets those connections to a host through that speak HTTP, without their TLS.
func (n *virtualNetwork) openDoor(host string, l net.Listener) net.Listener {
	d := &door{l, make(chan net.Conn)}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go n.enter(host, c, d.conns)
		}
	}()
	return d
}

// enter lets a connection in by what it says first.
func (n *virtualNetwork) enter(host string, c net.Conn, to chan<- net.Conn) {
	said := firstLine(c)
	c = &ahead{c, said}
	switch {
	case bytes.HasPrefix(said, []byte{0x16, 3}): // a ClientHello
		secure := n.takeTLS("http", host, c).(*tls.Conn)
		if secure.Handshake() != nil {
			c.Close()
			return
		}
		to <- secure
	case isRequest(said):
		to <- c
	case n.rawly != nil:
		n.rawly(c, host)
	default:
		n.inVain(fmt.Sprintf("tcp %s %q, which is no HTTP", host, said))
		cutOff(c)
	}
}

// firstLine reads what tells which protocol is spoken.
func firstLine(c net.Conn) []byte {
	const most = 16 << 10
	var said []byte
	for part := make([]byte, 4<<10); len(said) < most; {
		n, err := c.Read(part)
		said = append(said, part[:n]...)
		if err != nil || bytes.HasPrefix(said, []byte{0x16, 3}) || bytes.IndexByte(said, '\n') >= 0 {
			break
		}
	}
	return said
}

// isRequest tells whether a text begins with a request of HTTP.
func isRequest(said []byte) bool {
	return regexp.MustCompile("^[A-Z]+ \\S+ HTTP/[0-9.]+\r?\n").Match(said)
}

// door is a listener that lets some in.
type door struct {
	net.Listener
	conns chan net.Conn
}

func (d *door) Accept() (net.Conn, error) { return <-d.conns, nil }
