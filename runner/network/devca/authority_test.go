package devca_test

import (
	"bytes"
	"crypto/x509"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sonde/runner/network/devca"
)

func newAuthority(t *testing.T) *devca.Authority {
	t.Helper()
	a, err := devca.New("a test")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// A program that trusts an authority accepts the certificates that this authority signed, and no others.
func TestCertificate(t *testing.T) {
	a := newAuthority(t)
	ours, others := x509.NewCertPool(), x509.NewCertPool()
	ours.AppendCertsFromPEM(a.PEM)
	others.AppendCertsFromPEM(newAuthority(t).PEM)
	for _, name := range []string{"pay.example", "127.0.0.1", "::1"} {
		c, err := a.Certificate(name)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := a.Certificate(name); again != c {
			t.Errorf("%s has another one the second time", name)
		}
		leaf, err := x509.ParseCertificate(c.Certificate[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, try := range []struct {
			name  string
			roots *x509.CertPool
			ok    bool
		}{{name, ours, true}, {"else.example", ours, false}, {name, others, false}} {
			if _, err := leaf.Verify(x509.VerifyOptions{DNSName: try.name, Roots: try.roots}); (err == nil) != try.ok {
				t.Errorf("%s as %s: %v", name, try.name, err)
			}
		}
	}
}

// An expired certificate is refused only because of its date.
func TestExpiredCertificate(t *testing.T) {
	a, roots := newAuthority(t), x509.NewCertPool()
	roots.AppendCertsFromPEM(a.PEM)
	c, err := a.ExpiredCertificate("pay.example")
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(c.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	var invalid x509.CertificateInvalidError
	_, err = leaf.Verify(x509.VerifyOptions{DNSName: "pay.example", Roots: roots})
	if !errors.As(err, &invalid) || invalid.Reason != x509.Expired {
		t.Errorf("today it is refused by %v", err)
	}
	lastWeek := x509.VerifyOptions{DNSName: "pay.example", Roots: roots, CurrentTime: time.Now().AddDate(0, 0, -7)}
	if _, err := leaf.Verify(lastWeek); err != nil {
		t.Errorf("last week it was refused by %v", err)
	}
}

// PEMWithSystem returns the authorities in the system's file, together with this authority.
func TestPEMWithSystem(t *testing.T) {
	a, other := newAuthority(t), newAuthority(t)
	file := filepath.Join(t.TempDir(), "own.pem")
	if err := os.WriteFile(file, other.PEM, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SSL_CERT_FILE", file)
	all := a.PEMWithSystem()
	if !bytes.Contains(all, a.PEM) || !bytes.Contains(all, other.PEM) {
		t.Errorf("they trust %s", all)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(all) {
		t.Error("it cannot be read")
	}
	if env := devca.TrustEnv(file); !slices.Contains(env, "NODE_EXTRA_CA_CERTS="+file) ||
		!slices.Contains(env, "SSL_CERT_FILE="+file) {
		t.Errorf("environment %q", env)
	}
}
