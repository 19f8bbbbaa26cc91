//go:build !windows

package gotest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"time"
)

// newCertificate makes the certificate of a host, signed by authority. If authority is nil, it makes the certificate
// of an authority.
func newCertificate(name string, authority *tls.Certificate) (*tls.Certificate, error) {
	return certificateUntil(time.Now().AddDate(1, 0, 0), name, authority)
}

// certificateUntil makes a certificate that is valid until a time.
func certificateUntil(end time.Time, name string, authority *tls.Certificate) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	t := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: now.AddDate(-1, 0, 0), NotAfter: end, KeyUsage: x509.KeyUsageDigitalSignature, DNSNames: []string{name},
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

// decrypt returns the decrypted content of a connection with TLS to a host.
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
			return n.certificate(name, n.certificateFaultOf(host))
		},
	})
}

// certificate makes the certificate that a host presents, with the given fault, if any.
func (n *virtualNetwork) certificate(name string, fault certificateFault) (*tls.Certificate, error) {
	switch fault {
	case wrongCertificate:
		return newCertificate("someone-else.invalid", n.ca)
	case expiredCertificate:
		return certificateUntil(time.Now().AddDate(0, 0, -1), name, n.ca)
	case unknownAuthority:
		other, err := newCertificate("An unknown authority", nil)
		if err != nil {
			return nil, err
		}
		return newCertificate(name, other)
	}
	return newCertificate(name, n.ca)
}

// certificateFaultOf returns what is wrong with the certificate of a host at the next handshake.
func (n *virtualNetwork) certificateFaultOf(host string) certificateFault {
	n.mu.Lock()
	defer n.mu.Unlock()
	seen := map[string]bool{"udp": true, "dns": true, "environment": true}
	for _, s := range n.allStubs() {
		if s.host != host || seen[s.protocol] {
			continue
		}
		seen[s.protocol] = true
		if fault := s.takeCertificateFault(); fault != validCertificate {
			return fault
		}
	}
	return validCertificate
}

// takeCertificateFault returns what is wrong with the certificate according to the stub's next answer. If the answer
// is such a fault, takeCertificateFault counts the answer as given. For TCP it looks at the first answer, because
// each connection begins the script anew.
func (s *stub) takeCertificateFault() certificateFault {
	if s.protocol == "tcp" {
		a, _ := s.answerAt(0)
		return a.certificate
	}
	a, _ := s.answerAt(s.answersGiven)
	if a.certificate != validCertificate {
		s.answersGiven++
	}
	return a.certificate
}
