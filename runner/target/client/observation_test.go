package client_test

import (
	"compress/gzip"
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/target/client"
)

var carts = model.Test{Calls: []model.Call{{Op: "GET /big"}}}

// watch plays the test carts and returns its exchange.
func watch(t *testing.T, c *client.Client) model.Exchange {
	t.Helper()
	ctx, _ := client.Observe(t.Context(), false)
	_, results := c.PlayTest(ctx, spec, carts)
	if len(results) != 1 || results[0].Exchange.Err != nil || results[0].Exchange.Details == nil {
		t.Fatalf("got %+v, want an exchange with details", results)
	}
	return results[0].Exchange
}

// The parts of an exchange are measured, and the second request uses the connection of the first one.
func TestTimingOfObservedRequests(t *testing.T) {
	const wait = 20 * time.Millisecond
	base := handle(t, func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(wait)
		fmt.Fprint(w, "a")
		w.(http.Flusher).Flush()
		time.Sleep(wait)
		fmt.Fprint(w, "b")
	})
	c := open(t, base, client.Options{})
	defer c.Close()
	first := watch(t, c)
	at := first.Details.Timing
	if at.Reused || at.Connect <= 0 || at.Handshake != 0 || at.FirstByte < wait || at.Body < wait/2 {
		t.Errorf("the first request took %+v", at)
	}
	if sum := at.Lookup + at.Connect + at.FirstByte + at.Body; sum > first.Took+time.Millisecond {
		t.Errorf("the parts take %v, and all takes %v", sum, first.Took)
	}
	if at := watch(t, c).Details.Timing; !at.Reused || at.Connect != 0 || at.FirstByte < wait {
		t.Errorf("the second request took %+v, want a reused connection", at)
	}
}

// A request that is not observed has no details.
func TestNoDetailsOfOtherRequests(t *testing.T) {
	base, _ := service(t)
	_, results := open(t, base, client.Options{}).PlayTest(t.Context(), spec, carts)
	if got := results[0].Exchange.Details; got != nil {
		t.Errorf("got %+v, want no details", got)
	}
}

func TestTLSFactsOfObservedRequests(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	authority := filepathOf(t, s)
	for _, c := range []struct {
		name     string
		options  client.Options
		verified bool
	}{
		{"verified", client.Options{TLS: model.TLSFiles{CACert: authority}}, true},
		{"not verified", client.Options{Insecure: true}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			own := open(t, s.URL, c.options)
			defer own.Close()
			x := watch(t, own)
			got, cert := x.Details.TLS, s.Certificate()
			if got == nil || got.Verified != c.verified || got.Version != "TLS 1.3" || got.Protocol != "h2" || got.Cipher == "" {
				t.Fatalf("got %+v", got)
			}
			if got.Issuer != cert.Issuer.String() || !got.Expires.Equal(cert.NotAfter) || len(got.Names) == 0 {
				t.Errorf("certificate %+v, want that of the server", got)
			}
			if x.Details.Timing.Handshake <= 0 {
				t.Errorf("the handshake took %v", x.Details.Timing.Handshake)
			}
			if again := watch(t, own).Details; !again.Timing.Reused || again.TLS == nil {
				t.Errorf("the second request has %+v, want the facts of the reused connection", again)
			}
		})
	}
}

// filepathOf writes the certificate of a server to a file.
func filepathOf(t *testing.T, s *httptest.Server) string {
	t.Helper()
	path := t.TempDir() + "/ca.pem"
	data := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The size of a body is known before and after decoding.
func TestSizesOfObservedRequests(t *testing.T) {
	text := strings.Repeat("tent ", 1000)
	base := handle(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		defer z.Close()
		io.WriteString(z, text)
	})
	x := watch(t, open(t, base, client.Options{}))
	size := x.Details.Size
	if len(x.Reply.Body) != len(text) || size.Encoding != "gzip" || size.Encoded == 0 || size.Encoded > 200 || size.Header < 60 {
		t.Errorf("%d bytes decoded, sizes %+v", len(x.Reply.Body), size)
	}
	plain := watch(t, open(t, raw(t, always("HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\n{}")), client.Options{}))
	want := model.ReplySizes{Header: int64(len("HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\n")), Encoded: 2}
	if plain.Details.Size != want {
		t.Errorf("got %+v, want %+v", plain.Details.Size, want)
	}
}

// A request that is observed ends when its context ends.
func TestObservedRequestIsCanceled(t *testing.T) {
	arrived := make(chan struct{})
	base := raw(t, func(conn net.Conn) {
		conn.Read(make([]byte, 4096))
		close(arrived)
		conn.Read(make([]byte, 1))
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
	}()
	observed, _ := client.Observe(ctx, false)
	_, results := open(t, base, client.Options{Timeout: time.Hour}).PlayTest(observed, spec, carts)
	if len(results) != 1 || results[0].Exchange.Err == nil {
		t.Errorf("got %+v, want an exchange with an error", results)
	}
}

// BenchmarkPlay measures a test of one call, as a search plays it, and the same test if it is observed.
func BenchmarkPlay(b *testing.B) {
	for name, observed := range map[string]bool{"search": false, "observed": true} {
		b.Run(name, func(b *testing.B) {
			c, err := client.New(raw(b, always("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")), client.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			ctx := b.Context()
			b.ReportAllocs()
			for b.Loop() {
				of := ctx
				if observed {
					of, _ = client.Observe(ctx, false)
				}
				if _, results := c.PlayTest(of, spec, carts); results[0].Exchange.Err != nil {
					b.Fatal(results[0].Exchange.Err)
				}
			}
		})
	}
}
