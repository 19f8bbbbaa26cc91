// Package devca is a certificate authority. It signs the TLS certificates of hosts that Sonde plays. Only programs
// that are configured to trust the authority accept these certificates.
package devca

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"sync"
	"time"
)

// maxLeaves is the maximum number of certificates that an Authority keeps.
const maxLeaves = 1000

// Authority signs certificates of hosts. Its key stays in memory.
type Authority struct {
	// PEM is the certificate of the authority.
	PEM  []byte
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	leaf *ecdsa.PrivateKey // the key of all hosts

	mu     sync.Mutex
	leaves map[string]*tls.Certificate // certificates of hosts, by the host's name
}

// New returns a new authority. The name is the common name in the authority's certificate.
func New(name string) (*Authority, error) {
	a := &Authority{leaves: map[string]*tls.Certificate{}}
	var err error
	a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err == nil {
		a.leaf, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	}
	if err != nil {
		return nil, fmt.Errorf("no key for %s: %w", name, err)
	}
	t := template(name)
	t.IsCA, t.BasicConstraintsValid, t.KeyUsage = true, true, x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, t, t, &a.key.PublicKey, a.key)
	if err != nil {
		return nil, fmt.Errorf("no certificate for %s: %w", name, err)
	}
	a.PEM = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	a.cert, err = x509.ParseCertificate(der)
	return a, err
}

// template returns a certificate to be signed. The certificate is valid from one year before now to
// one year after now, so that a wrong clock does no harm.
func template(name string) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)) // never fails
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name},
		NotBefore: now.AddDate(-1, 0, 0), NotAfter: now.AddDate(1, 0, 0),
	}
}

// Certificate returns a certificate for a name or IP address. Later calls for the name return
// the same certificate, unless the Authority has dropped it.
func (a *Authority) Certificate(name string) (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c := a.leaves[name]; c != nil {
		return c, nil
	}
	c, err := a.sign(name, template(name))
	if err != nil {
		return nil, err
	}
	if len(a.leaves) >= maxLeaves {
		clear(a.leaves)
	}
	a.leaves[name] = c
	return c, nil
}

// CertificateWith returns a new certificate for a name or IP address, with additional
// extensions.
func (a *Authority) CertificateWith(name string, more ...pkix.Extension) (*tls.Certificate, error) {
	t := template(name)
	t.ExtraExtensions = more
	return a.sign(name, t)
}

// ExpiredCertificate returns a new certificate that expired one day ago. name is a name or an IP address.
func (a *Authority) ExpiredCertificate(name string) (*tls.Certificate, error) {
	t := template(name)
	t.NotAfter = time.Now().AddDate(0, 0, -1)
	return a.sign(name, t)
}

// sign completes t as the certificate of a host, and returns the signed certificate. name is a name or an IP address.
func (a *Authority) sign(name string, t *x509.Certificate) (*tls.Certificate, error) {
	t.KeyUsage, t.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	if ip := net.ParseIP(name); ip != nil {
		t.IPAddresses = []net.IP{ip}
	} else {
		t.DNSNames = []string{name}
	}
	der, err := x509.CreateCertificate(rand.Reader, t, a.cert, &a.leaf.PublicKey, a.key)
	if err != nil {
		return nil, fmt.Errorf("no certificate for %.60q: %w", name, err)
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: a.leaf}, nil
}
