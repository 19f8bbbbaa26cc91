//go:build unix

package probe

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	stdlog "log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// authority is an authority that no program trusts, with the file of its certificate.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t, file: filepath.Join(t.TempDir(), "ca.pem")}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "untrusted"},
		NotAfter:              time.Now().Add(time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
	a.cert, a.key = a.sign(template, nil)
	write(t, a.file, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw})))
	return a
}

// sign makes a certificate with a new key. by is the key of the authority, which signs it. If by is nil, the certificate is
// self-signed.
func (a *authority) sign(template *x509.Certificate, by *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	parent := a.cert
	if by == nil {
		by, parent = key, template
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, by)
	if err != nil {
		a.t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	return cert, key
}

// serve serves HTTP/2 with a certificate for a name, and returns the address.
func (a *authority) serve(name string, until time.Time) string {
	a.t.Helper()
	cert, key := a.sign(&x509.Certificate{SerialNumber: big.NewInt(2), DNSNames: []string{name}, NotAfter: until}, a.key)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "page of ", r.Host) }))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{cert.Raw}, PrivateKey: key}}}
	s.EnableHTTP2, s.Config.ErrorLog = true, stdlog.New(io.Discard, "", 0)
	s.StartTLS()
	a.t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// A service trusts virtual hosts, whichever roots it uses, unless a name, a date or a pin is wrong.
func TestTLS(t *testing.T) {
	a, stranger := newAuthority(t), newAuthority(t)
	t.Setenv("SONDE_NET_CA", a.file)
	table := "unknown resolve\ndns a.example A 198.18.0.1\ndns old.example A 198.18.0.2\n" +
		"dns b.example A 198.18.0.3\nroute tcp 198.18.0.1:443 " + a.serve(
		"a.example", time.Now().Add(time.Hour),
	) +
		"\nroute tcp 198.18.0.2:443 " + a.serve("old.example", time.Now().Add(-time.Minute)) +
		"\nroute tcp 198.18.0.3:443 " + stranger.serve("b.example", time.Now().Add(time.Hour)) + "\n"
	for _, c := range []struct{ name, host, want string }{
		{"https", "a.example", "HTTP/2.0 page of a.example"},
		{"own roots", "a.example", "HTTP/2.0 page of a.example"},
		{
			"wrong name", "a.example",
			"name true unknown false Get \"https://a.example/\": tls: failed to verify certificate: x509: " +
				"certificate is valid for a.example, not other.example",
		},
		{"pinned", "a.example", "name false unknown false Get \"https://a.example/\": that is not the certificate that is pinned"},
		{
			"https", "old.example",
			"name false unknown false Get \"https://old.example/\": tls: failed to verify certificate: x509: certificate has expired",
		},
		{
			"https", "b.example",
			"name false unknown true Get \"https://b.example/\": tls: failed to verify certificate: x509: " +
				"certificate signed by unknown authority",
		},
	} {
		if got := play(t, table, c.name, "https://"+c.host+"/").output(); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s of %s: got %q, want %q", c.name, c.host, got, c.want)
		}
	}
}

// A service in the real network does not trust the virtual authority.
func TestTLSRollback(t *testing.T) {
	a := newAuthority(t)
	t.Setenv("SONDE_NET_CA", a.file)
	binary := netProgram(t)
	at := a.serve("localhost", time.Now().Add(time.Hour))
	if got := run(
		t, ".", binary, "https", "https://localhost"+at[strings.LastIndex(at, ":"):],
	); !strings.HasPrefix(got, "name false unknown true") {
		t.Errorf("got %q", got)
	}
}
