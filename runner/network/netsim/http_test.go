//go:build unix

package netsim_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/network/netsim"
)

func expect(t *testing.T, n *netsim.Network, want ...string) {
	t.Helper()
	if got := contactText(n.EndTest()); strings.TrimSpace(got) != strings.Join(want, "\n") {
		t.Errorf("got\n%swant\n%s", got, strings.Join(want, "\n"))
	}
}

func web(host string, answers ...model.Answer) model.Stub {
	return model.Stub{Host: host, Protocol: model.HTTP, Answers: answers}
}

// A host refuses connections in a test without a stub of the host, and answers in a later test that has a stub.
func TestHostWithAndWithoutStub(t *testing.T) {
	n, s := start(t, netsim.Options{ResolveAnyName: true})
	c := s.client()
	play(t, n)
	if _, err := get(c, "http://payments.example/charges"); err == nil ||
		!strings.Contains(err.Error(), "connection refused") {
		t.Error(err)
	}
	expect(t, n, `lookup dns payments.example "host": answer`, `dial tcp payments.example:80: refused`)

	play(t, n, web("payments.example:80", model.Answer{Body: `{"ok":true}`}))
	if got, err := get(c, "http://payments.example/charges"); got != `200 {"ok":true}` || err != nil {
		t.Error(got, err)
	}
	expect(t, n, `lookup dns payments.example "host": answer`, `dial tcp payments.example:80: connected`,
		`message http payments.example:80 GET /charges  by 0.0: 200`)
}

// A stub has the messages of a gRPC answer as JSON, and matches the messages of a request as JSON. The host converts
// them. An answer without a body ends with its header, as clients of gRPC require.
func TestGRPC(t *testing.T) {
	n, s := start(t, netsim.Options{})
	status := model.NewHeaderField("Grpc-Status", "5")
	grpc := model.NewHeaderField("Content-Type", "application/grpc")
	missing := web("a.example:443", model.Answer{Header: model.HeaderFields{
		"Content-Type": grpc["Content-Type"], "Grpc-Status": status["Grpc-Status"],
	}})
	missing.Match.JSON = `{"1":"none"}`
	play(t, n, missing, web("a.example:443", model.Answer{Header: grpc, Body: `{"1":"tent","2":[17,-1]}`, Trailer: status}))
	for request, want := range map[string]string{
		"\x00\x00\x00\x00\x06\x0a\x04none": "header 5, trailer , body ",
		"\x00\x00\x00\x00\x06\x0a\x04some": "header , trailer 5, body " +
			"\x00\x00\x00\x00\x13\x0a\x04tent\x10\x11\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
	} {
		r, err := s.client().Post("https://a.example/stock.Stock/Find", "application/grpc", strings.NewReader(request))
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(r.Body)
		got := fmt.Sprintf("header %s, trailer %s, body %s", r.Header.Get("Grpc-Status"), r.Trailer.Get("Grpc-Status"), body)
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestProtocolsOfHTTP(t *testing.T) {
	n, s := start(t, netsim.Options{})
	c := s.client()
	play(
		t, n,
		web(
			"a.example:443",
			model.Answer{
				Status:  201,
				Body:    "x",
				Header:  model.HeaderFields{"X-Kind": {"a"}, "Set-Cookie": {"a=1", "b=2"}},
				Trailer: model.HeaderFields{"X-End": {"b", "c"}},
			},
		),
	)
	r, err := c.Post("https://a.example/p?q=1", "text/plain", strings.NewReader("hello"))
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(r.Body)
	if r.Proto != "HTTP/2.0" || r.StatusCode != 201 || string(body) != "x" || r.Header.Get("X-Kind") != "a" ||
		!slices.Equal(r.Trailer["X-End"], []string{"b", "c"}) ||
		!slices.Equal(r.Header["Set-Cookie"], []string{"a=1", "b=2"}) || r.Header.Get("Date") != "" {
		t.Errorf("got %v %q with %v", r, body, r.Trailer)
	}
	expect(
		t, n, `lookup dns a.example "host": answer`, `dial tcp a.example:443: connected`,
		`message http a.example:443 POST /p?q=1 hello by 0.0: 201`,
	)

	one := s.client()
	one.Transport.(*http.Transport).ForceAttemptHTTP2 = false
	one.Transport.(*http.Transport).TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	clear := s.client()
	clear.Transport.(*http.Transport).Protocols = new(http.Protocols)
	clear.Transport.(*http.Transport).Protocols.SetUnencryptedHTTP2(true)
	for url, c := range map[string]*http.Client{"https://a.example/": one, "http://a.example:443/": clear} {
		play(t, n, web("a.example:443", model.Answer{Body: "x"}))
		if got, err := get(c, url); got != "200 x" || err != nil {
			t.Error(url, got, err)
		}
		n.EndTest()
	}
}

// A service that pins certificates does not trust the virtual hosts, and a contact reports that.
func TestPinned(t *testing.T) {
	n, s := start(t, netsim.Options{})
	s.roots = x509.NewCertPool()
	play(t, n, web("a.example:443", model.Answer{}))
	if _, err := get(s.client(), "https://a.example/"); err == nil ||
		!strings.Contains(err.Error(), "unknown authority") {
		t.Error(err)
	}
	expect(
		t,
		n,
		`lookup dns a.example "host": answer`,
		`dial tcp a.example:443: connected`,
		`dial tcp a.example:443: not trusted`,
	)
}

// abandon sends a request to a mute host, and cancels it when the host has received it. It returns
// the client's error.
func abandon(t *testing.T, n *netsim.Network, c *http.Client, url string) error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		res, err := c.Do(req)
		if err == nil {
			res.Body.Close()
		}
		done <- err
	}()
	for !slices.ContainsFunc(n.Contacts(), isMute) {
		select {
		case err := <-done: // the host broke the connection before its script was asked
			return err
		case <-time.After(time.Millisecond):
		}
	}
	time.Sleep(60 * time.Millisecond) // the wait that the contact reports
	cancel()
	return <-done
}

func isMute(c model.Contact) bool { return c.Outcome == string(model.NetMute) }

// awaitMute waits until the service has contacted a mute host.
func awaitMute(t *testing.T, n *netsim.Network) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !slices.ContainsFunc(n.Contacts(), isMute); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no host is mute: %+v", n.Contacts())
		}
	}
}

// An HTTP client sees each fault, on a new connection and on a connection that it has used before.
func TestFaultsOfHTTP(t *testing.T) {
	text := strings.Repeat("0123456789", 10)
	for _, tt := range []struct {
		fault model.NetFault
		want  string
	}{
		{model.NetRefuse, "connection refused"},
		{model.NetUnreachable, "network is unreachable"},
		{model.NetTimeout, "connection timed out"},
		{model.NetReset, "connection reset by peer"},
		{model.NetCut, "unexpected EOF"},
		{model.NetWrongTLS, "certificate is valid for someone-else.invalid, not a.example"},
		{model.NetExpiredTLS, "certificate has expired"},
		{model.NetUntrustedTLS, "certificate signed by unknown authority"},
		{model.NetTruncatedJSON, ""},
		{model.NetSlow, ""},
		{model.NetMute, "EOF|connection reset by peer|context canceled"},
	} {
		for _, scheme := range []string{"http", "https"} {
			if tt.fault.IsOfCertificate() && scheme == "http" {
				continue
			}
			t.Run(string(tt.fault)+" "+scheme, func(t *testing.T) {
				n, s := start(t, netsim.Options{})
				c := s.client()
				c.Transport.(*http.Transport).TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
				for _, used := range []bool{false, true} {
					if used {
						play(t, n, web("a.example:443", model.Answer{Body: text}))
						if got, err := get(c, scheme+"://a.example:443/"); got != "200 "+text || err != nil {
							t.Fatal(got, err)
						}
						n.EndTest()
					}
					play(t, n, web("a.example:443", model.Answer{
						Body: text, Fault: tt.fault, After: 30, Latency: 10, Rate: 10000,
					}))
					ask := get
					if tt.fault == model.NetMute {
						ask = func(c *http.Client, url string) (string, error) { return "", abandon(t, n, c, url) }
					}
					got, err := ask(c, scheme+"://a.example:443/")
					switch {
					case tt.want == "" && err != nil, tt.want != "" && (err == nil ||
						!regexp.MustCompile(tt.want).MatchString(err.Error())):
						t.Errorf("used %v: got %q, %v, want %q", used, got, err, tt.want)
					case tt.fault == model.NetTruncatedJSON && got != "200 "+text[:50], tt.fault == model.NetCut &&
						got != "200 "+text[:30], tt.fault == model.NetSlow && got != "200 "+text:
						t.Errorf("used %v: got %q", used, got)
					}
					contacts := n.EndTest()
					if last := contacts[len(contacts)-1]; last.Outcome != string(tt.fault) || last.Stub != 0 ||
						last.Answer != 0 {
						t.Errorf("used %v: got %+v", used, last)
					}
				}
			})
		}
	}
}

// A host that stalls sends the headers and a part of the body, and then nothing.
func TestStall(t *testing.T) {
	for _, scheme := range []string{"http", "https"} {
		for _, tt := range []struct {
			body, want string
			after      int
		}{{"0123456789", "200 ", 0}, {"0123456789", "200 012", 3}, {"", "200 ", 0}, {"0123", "200 0123", 7}} {
			t.Run(fmt.Sprintf("%s, %d of %d bytes", scheme, tt.after, len(tt.body)), func(t *testing.T) {
				t.Parallel() // each of these tests waits for a second
				n, s := start(t, netsim.Options{})
				play(t, n, web("a.example:443", model.Answer{Body: tt.body, Fault: model.NetStall, After: tt.after}))
				c := s.client()
				c.Timeout = time.Second
				got, err := get(c, scheme+"://a.example:443/")
				var late net.Error
				if got != tt.want || !errors.As(err, &late) || !late.Timeout() {
					t.Errorf("got %q, %v", got, err)
				}
				contacts := n.EndTest()
				if last := contacts[len(contacts)-1]; last.Outcome != string(model.NetStall) || last.Took == 0 {
					t.Errorf("contact %+v", last)
				}
			})
		}
	}
}

// The answers of a permanent background stub continue in the next test. The answers of other stubs start over.
func TestBackgroundContinues(t *testing.T) {
	background := web("config.example:80", model.Answer{Body: "first"}, model.Answer{Body: "second"}, model.Answer{Body: "third"})
	background.Background = true
	n, s := start(t, netsim.Options{Stubs: []model.Stub{
		background, web("rates.example:80", model.Answer{Body: "first"}, model.Answer{Body: "second"}),
	}})
	c := s.client()
	for i, want := range []string{"200 first", "200 second"} {
		play(t, n)
		if got, err := get(c, "http://config.example/"); got != want || err != nil {
			t.Errorf("test %d: background %q, %v", i, got, err)
		}
		if got, err := get(c, "http://rates.example/"); got != "200 first" || err != nil {
			t.Errorf("test %d: other %q, %v", i, got, err)
		}
		n.EndTest()
	}
}
