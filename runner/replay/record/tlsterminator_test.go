package record

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/model"
)

// proxied starts a monitor as a proxy and returns its URL and the folder with its certificates.
func proxied(t *testing.T, o Options) (s *setup, at *url.URL, folder string) {
	s = monitor(t, o, nil, func([]string) http.Handler { return http.NotFoundHandler() })
	folder = t.TempDir()
	if _, err := s.ListenAsProxy("127.0.0.1:0", folder); err != nil {
		t.Fatal(err)
	}
	all := s.Listening()
	return s, &url.URL{Scheme: "http", Host: all[len(all)-1].Addr}, folder
}

// trusting returns a client that uses a proxy and trusts certificates.
func trusting(t *testing.T, proxy *url.URL, set func(*http.Protocols), certificates ...[]byte) *http.Client {
	roots := x509.NewCertPool()
	for _, pem := range certificates {
		if !roots.AppendCertsFromPEM(pem) {
			t.Fatal("no certificate")
		}
	}
	tr := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, Protocols: new(http.Protocols)}
	if proxy != nil {
		tr.Proxy = http.ProxyURL(proxy)
	}
	set(tr.Protocols)
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

func file(t *testing.T, parts ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TLS through the proxy is recorded if the service trusts the authority.
func TestProxySecret(t *testing.T) {
	dep := secret(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		said, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s by %s to %s", said, r.Proto, r.Host)
	}))
	s, at, folder := proxied(t, Options{Insecure: true})
	one, both := func(p *http.Protocols) { p.SetHTTP1(true) }, func(p *http.Protocols) { p.SetHTTP1(true); p.SetHTTP2(true) }
	two := func(p *http.Protocols) { p.SetHTTP2(true) }
	for i, c := range []struct {
		set   func(*http.Protocols)
		file  string
		proto string
	}{{one, AuthorityFile, "HTTP/1.1"}, {both, trustedFile, "HTTP/1.1"}, {two, AuthorityFile, "HTTP/2.0"}} {
		client := trusting(t, at, c.set, file(t, folder, c.file))
		if _, text := call(t, client, "POST", dep.URL+"/charge?a=b", "7"); text != "7 by "+c.proto+" to "+host(
			t,
			dep.URL,
		) {
			t.Errorf("it said %q", text)
		}
		_, sent, notes := s.sink.all()
		if len(sent) != i+1 || len(notes) > 0 {
			t.Fatalf("%d sent, notes %q", len(sent), notes)
		}
		x := sent[i]
		if !x.TLS || x.Base != dep.URL || x.Host != host(t, dep.URL) || x.Protocol != model.HTTP ||
			x.Request.URL != "/charge?a=b" || string(x.Request.Body) != "7" || x.Reply.Status != 200 || x.Err != nil {
			t.Errorf("sent %+v", x)
		}
	}
}

// If a host is down, a call to it through the proxy is recorded with a refused connection.
func TestProxySecretRefused(t *testing.T) {
	s, at, folder := proxied(t, Options{})
	to := strings.Replace(closed(), "http:", "https:", 1)
	if _, _, err := try(
		trusting(t, at, func(p *http.Protocols) { p.SetHTTP1(true) }, file(t, folder, AuthorityFile)), "GET", to,
		"",
	); err == nil {
		t.Error("there was an answer")
	}
	if _, sent, _ := s.sink.all(); len(sent) != 1 || sent[0].Err == nil || sent[0].Err.Error() != "connection refused" {
		t.Errorf("sent %+v", sent)
	}
}

// If a service trusts only the host's own certificate, its first connection fails, with one warning. Later connections
// reach the host.
func TestProxyPinned(t *testing.T) {
	dep := secret(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "paid") }))
	pinned := trusting(t, nil, func(p *http.Protocols) { p.SetHTTP1(true) })
	pinned.Transport.(*http.Transport).TLSClientConfig.RootCAs = dep.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	for name, refuses := range map[string]func(t *testing.T, at *url.URL){
		"while they agree": func(t *testing.T, _ *url.URL) {
			if _, _, err := try(pinned, "GET", dep.URL, ""); err == nil || !strings.Contains(err.Error(), "unknown authority") {
				t.Errorf("it sees %v", err)
			}
		},
		"when they agreed": func(t *testing.T, at *url.URL) {
			c, _ := through(t, at.Host, host(t, dep.URL))
			s := tls.Client(c, &tls.Config{InsecureSkipVerify: true})
			if err := s.HandshakeContext(context.Background()); err != nil {
				t.Error(err)
			}
			s.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, at, folder := proxied(t, Options{})
			pinned.Transport.(*http.Transport).Proxy = http.ProxyURL(at)
			refuses(t, at)
			until(t, "the note", func() bool { _, _, notes := s.sink.all(); return len(notes) > 0 })
			for range 2 {
				if _, text := call(t, pinned, "GET", dep.URL, ""); text != "paid" {
					t.Errorf("it said %q", text)
				}
				pinned.CloseIdleConnections()
			}
			_, sent, notes := s.sink.all()
			if len(sent) > 0 || len(notes) != 1 ||
				!strings.Contains(notes[0], host(t, dep.URL)+" passes unrecorded from now on") ||
				!strings.Contains(notes[0], filepath.Join(folder, AuthorityFile)) {
				t.Errorf("sent %+v, notes %q", sent, notes)
			}
		})
	}
}

// A connection that is unused, or that ends when the monitor is closed, does not mean that the
// service distrusts the authority.
func TestProxyEndsQuietly(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits")
	}
	t.Parallel() // the test waits for real time
	s, at, _ := proxied(t, Options{})
	gone, _ := through(t, at.Host, "pay.example:443")
	gone.Close()
	c, _ := through(t, at.Host, "pay.example:443")
	held := tls.Client(c, &tls.Config{InsecureSkipVerify: true})
	if err := held.HandshakeContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if _, err := held.Read(make([]byte, 1)); err == nil {
		t.Error("it still runs")
	}
	if _, sent, notes := s.sink.all(); len(sent)+len(notes) > 0 {
		t.Errorf("sent %+v, notes %q", sent, notes)
	}
	if _, err := net.Dial("tcp", at.Host); err == nil {
		t.Error("the proxy still runs")
	}
}
