package client_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/target/client"
)

// issuer is a certificate authority for tests.
type issuer struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	next int64
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	i := &issuer{key: newKey(t), next: 2}
	of := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, of, of, i.key.Public(), i.key)
	if err != nil {
		t.Fatal(err)
	}
	i.cert, err = x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// issue returns a certificate and its key in PEM form.
func (i *issuer) issue(t *testing.T) (cert, key []byte) {
	t.Helper()
	own := newKey(t)
	i.next++
	of := &x509.Certificate{
		SerialNumber: big.NewInt(i.next), Subject: pkix.Name{CommonName: "a client"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		NotBefore:   time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, of, i.cert, own.Public(), i.key)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalECPrivateKey(own)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{
		Type:  "CERTIFICATE",
		Bytes: der,
	}), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: raw})
}

// pki returns a folder with the files ca.pem, cert.pem, key.pem, both.pem (certificate and key),
// and foreign.pem, which another authority issued.
func pki(t *testing.T) (folder string, server *tls.Config) {
	t.Helper()
	folder = t.TempDir()
	own, other := newIssuer(t), newIssuer(t)
	cert, key := own.issue(t)
	foreign, foreignKey := other.issue(t)
	for name, data := range map[string][]byte{
		"ca.pem": pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own.cert.Raw}), "cert.pem": cert, "key.pem": key,
		"both.pem": append(cert, key...), "foreign.pem": append(foreign, foreignKey...), "text.pem": []byte("no certificate"),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	serverCert, serverKey := own.issue(t)
	pair, err := tls.X509KeyPair(serverCert, serverKey)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(own.cert)
	return folder, &tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: roots, ClientAuth: tls.RequireAndVerifyClientCert}
}

// strict starts a service that requires a client certificate.
func strict(t *testing.T, config *tls.Config) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.TLS.PeerCertificates[0].Subject.CommonName)
	}))
	s.TLS, s.Config.ErrorLog = config, log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func TestClientCertificates(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits: left out by -short")
	}
	t.Parallel() // the test waits for real time
	folder, config := pki(t)
	file := func(name string) string { return filepath.Join(folder, name) }
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		config := config.Clone()
		config.MaxVersion = version
		s := strict(t, config)
		for _, c := range []struct {
			name     string
			tls      model.TLSFiles
			insecure bool
			want     string // in the error, "" for none
		}{
			{"certificate and key", model.TLSFiles{CACert: file("ca.pem"), Cert: file("cert.pem"), Key: file("key.pem")}, false, ""},
			{"both in one file", model.TLSFiles{CACert: file("ca.pem"), Cert: file("both.pem")}, false, ""},
			{"whoever the service is", model.TLSFiles{Cert: file("both.pem")}, true, ""},
			{"no authority", model.TLSFiles{Cert: file("both.pem")}, false, "name its authority with --cacert FILE"},
			{
				"no certificate",
				model.TLSFiles{CACert: file("ca.pem")},
				false,
				"if it requires a client certificate, name one with --cert FILE and --key FILE",
			},
			{
				"a certificate of others",
				model.TLSFiles{CACert: file("ca.pem"), Cert: file("foreign.pem")},
				false,
				"refuses the certificate of --cert",
			},
		} {
			t.Run(tls.VersionName(version)+" "+c.name, func(t *testing.T) {
				cl, err := client.New(s.URL, client.Options{TLS: c.tls, Insecure: c.insecure})
				if err != nil {
					t.Fatal(err)
				}
				defer cl.Close()
				err = cl.CheckReachable(t.Context())
				if c.want != "" {
					if err == nil || !strings.Contains(err.Error(), c.want) {
						t.Errorf("got %v, want %q", err, c.want)
					}
					return
				}
				x := cl.Send(t.Context(), model.Request{Method: "GET", URL: "/"})
				if err != nil || x.Err != nil || string(x.Reply.Body) != "a client" {
					t.Errorf("reachable: %v; answer %q, %v", err, x.Reply.Body, x.Err)
				}
			})
		}
	}
}

// A log-in at another host uses the same client certificate.
func TestLogInElsewhereWithACertificate(t *testing.T) {
	folder, config := pki(t)
	secure := model.TLSFiles{CACert: filepath.Join(folder, "ca.pem"), Cert: filepath.Join(folder, "both.pem")}
	door := strict(t, config)
	service := httptest.NewServer(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Header.Get("X-Who")) },
	))
	t.Cleanup(service.Close)
	user := model.User{Name: "ann", Login: &model.Login{
		Method: "GET", URL: door.URL + "/token", Token: &model.LoginToken{In: model.InHeader, Name: "X-Who", Template: "I am {token}"},
	}}
	c, err := client.New(service.URL, client.Options{Users: []model.User{user}, TLS: secure})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	spec := &model.Spec{Operations: []*model.Operation{{ID: "GET /", Method: "GET", Path: "/"}}}
	_, results := c.PlayTest(t.Context(), spec, model.Test{Calls: []model.Call{{Op: "GET /", User: "ann"}}})
	if len(results) != 1 || results[0].Exchange.Err != nil || string(results[0].Exchange.Reply.Body) != "I am "+model.MaskedSecret {
		t.Fatalf("%+v", results)
	}
}

func TestUnusableFilesOfTLS(t *testing.T) {
	folder, _ := pki(t)
	file := func(name string) string { return filepath.Join(folder, name) }
	for _, c := range []struct {
		tls  model.TLSFiles
		want string
	}{
		{model.TLSFiles{CACert: file("none.pem")}, `CA certificate "` + file("none.pem") + `": there is no such file`},
		{model.TLSFiles{CACert: folder}, "is a folder"},
		{model.TLSFiles{CACert: file("text.pem")}, "has no certificate in PEM form"},
		{model.TLSFiles{CACert: file("key.pem")}, "has no certificate in PEM form"},
		{model.TLSFiles{Cert: file("none.pem")}, "certificate \"" + file("none.pem") + `": there is no such file`},
		{model.TLSFiles{Cert: file("cert.pem")}, "if its key is in another file"},
		{model.TLSFiles{Cert: file("cert.pem"), Key: file("foreign.pem")}, "cannot be used with the key"},
		{model.TLSFiles{Cert: file("cert.pem"), Key: file("none.pem")}, "key \"" + file("none.pem") + `": there is no such file`},
		{model.TLSFiles{Key: file("key.pem")}, "has no certificate"},
	} {
		if _, err := client.TLSConfig(c.tls, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", c.tls, err, c.want)
		}
	}
}
