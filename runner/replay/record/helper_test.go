package record

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/target/client"
	"sonde/runner/testdata/port"
)

// far is a timeout for events that should occur soon. It is long, because the machine may be slow.
const far = time.Minute

// memory is a sink that keeps everything.
type memory struct {
	mu     sync.Mutex
	served []model.ServedRequest
	sent   []model.OutwardCall
	notes  []string
	ready  []time.Time
	states []model.StateSnapshot
}

func (m *memory) WriteStateSnapshot(s model.StateSnapshot) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.states = append(m.states, s)
	return nil
}

func (m *memory) WriteReady(at time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ready = append(m.ready, at)
	return nil
}

func (m *memory) WriteServed(s model.ServedRequest) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.served = append(m.served, s)
	return nil
}

func (m *memory) WriteOutwardCall(s model.OutwardCall) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sent = append(m.sent, s)
	return nil
}

func (m *memory) WriteWarning(text string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.notes = append(m.notes, text)
	return nil
}

// all returns what was recorded so far.
func (m *memory) all() ([]model.ServedRequest, []model.OutwardCall, []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append(
			[]model.ServedRequest(nil),
			m.served...), append(
			[]model.OutwardCall(nil),
			m.sent...), append(
			[]string(nil),
			m.notes...)
}

var shop = &model.Spec{Operations: []*model.Operation{
	{ID: "GET /orders/{id}", Method: "GET", Path: "/orders/{id}", Tags: []string{"orders"}},
	{ID: "POST /orders", Method: "POST", Path: "/orders", Tags: []string{"orders"}},
	{ID: "GET /products", Method: "GET", Path: "/products", Tags: []string{"products"}},
}}

// users are the callers: ann has a fixed token, and bob logs in to get a token.
var users = []model.User{
	{Name: "ann", Header: "Authorization", Env: "SONDE_TEST_ANN", Public: "Bearer ann-token-0123456789"},
	{Name: "bob", Secrets: map[string]string{"BOB": "hunter22-of-bob"}, Login: &model.Login{
		Method: "POST", Path: "/login", Body: &model.Payload{Media: "application/json", Data: `{"password":"${BOB}"}`},
		Token: &model.LoginToken{Pointer: "/token", In: model.InHeader, Name: "Authorization", Template: "Bearer {token}"},
	}},
}

// setup is a monitor with a service and hosts.
type setup struct {
	*Monitor
	sink *memory
	in   string // the URL to call
	outs []string
}

// anyEndpoint returns an endpoint with any free address of this machine.
func anyEndpoint(t testing.TB, to string) Endpoint {
	t.Helper()
	w, err := ParseEndpoint("127.0.0.1:0="+to, "http", "https", "tcp", "udp")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// monitor starts a monitor that listens in place of the hosts, and a service. It calls the function service with the
// addresses of the monitor, one for each host; the function returns the handler of the service.
func monitor(t testing.TB, o Options, hosts []string, service func(outs []string) http.Handler) *setup {
	t.Helper()
	s := &setup{sink: &memory{}}
	o.Spec, o.Sink, o.Callers = shop, s.sink, client.NewCallerIndex(users)
	for _, h := range hosts {
		o.Out = append(o.Out, anyEndpoint(t, h))
	}
	var err error
	s.Monitor, err = New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	for _, l := range s.Listening() {
		s.outs = append(s.outs, l.Addr)
	}
	server := serve(t, service(s.outs))
	if err := s.ListenInward(anyEndpoint(t, server)); err != nil {
		t.Fatal(err)
	}
	all := s.Listening()
	s.in = "http://" + all[len(all)-1].Addr
	return s
}

// serve serves HTTP/1.1 and HTTP/2 without TLS, and returns its URL.
func serve(t testing.TB, h http.Handler) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(h)
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return "http://" + l.Addr().String()
}

// clientFor returns a client with its own connections.
func clientFor(t testing.TB) *http.Client {
	tr := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

// call sends a request and returns the answer with its body.
func call(t testing.TB, c *http.Client, method, target, body string, header ...string) (*http.Response, string) {
	t.Helper()
	res, text, err := try(c, method, target, body, header...)
	if err != nil {
		t.Fatal(err)
	}
	return res, text
}

func try(c *http.Client, method, target, body string, header ...string) (*http.Response, string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), far)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader([]byte(body)))
	if err != nil {
		return nil, "", err
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := c.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	return res, string(data), err
}

// until waits until ok returns true. The test fails if that takes longer than far.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(far); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// closed returns a URL on which no server listens.
func closed() string { return "http://" + port.Addr() }

func host(t testing.TB, u string) string {
	t.Helper()
	p, err := url.Parse(u)
	if err != nil {
		t.Fatal(err)
	}
	return p.Host
}
