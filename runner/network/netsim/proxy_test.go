//go:build unix

package netsim_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/network/netsim"
)

// onGround starts testdata/client, built without Sonde, on a network.
func onGround(t *testing.T, o netsim.Options) *program {
	t.Helper()
	path := binary(t, plainClient)
	n, err := netsim.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	p := &program{t: t, n: n, binary: path}
	p.again()
	return p
}

// again starts the program once more, in place of the previous process.
func (p *program) again() {
	p.t.Helper()
	c := exec.Command(p.binary)
	c.Stderr, c.SysProcAttr = os.Stderr, &syscall.SysProcAttr{Setpgid: true}
	in, err := c.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	entered, err := p.n.PrepareCommand(c)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := entered(c.Start()); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { in.Close(); end(c) })
	p.in, p.r, p.process = in, bufio.NewReader(out), c.Process
}

// knock connects to a port as soon as a program listens there.
func (p *program) knock(port int) net.Conn {
	p.t.Helper()
	for range 12_000 {
		if c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			p.t.Cleanup(func() { c.Close() })
			return c
		}
		time.Sleep(5 * time.Millisecond)
	}
	p.t.Fatalf("no program listens on port %d", port)
	return nil
}

// A service that uses the proxy reaches its HTTP hosts, with and without TLS.
func TestProxy(t *testing.T) {
	p := onGround(t, netsim.Options{Ground: model.GroundProxy, ResolveAnyName: true})
	ok := model.Answer{Body: `{"ok":true}`}
	for _, tt := range []struct {
		name     string
		stubs    []model.Stub
		url      string
		want     string // the output or, after "…", only its end
		contacts []string
	}{
		{"no host", nil, "http://a.example/x", "HTTP/1.1 502 the host cannot be reached\n", []string{`dial tcp a.example:80: refused`}},
		{
			"http",
			[]model.Stub{web("a.example:80", ok)},
			"http://a.example/x", `HTTP/1.1 200 {"ok":true}`,
			[]string{`dial tcp a.example:80: connected`, `message http a.example:80 GET /x  by 0.0: 200`},
		},
		{
			"another host on the same connection",
			[]model.Stub{
				web("a.example:80", ok), web("b.example:8080", model.Answer{Status: 404}),
			},
			"http://b.example:8080/y", `HTTP/1.1 404 `,
			[]string{`dial tcp b.example:8080: connected`, `message http b.example:8080 GET /y  by 1.0: 404`},
		},
		{
			"by address",
			[]model.Stub{web("10.1.2.3:80", ok)},
			"http://10.1.2.3/", `HTTP/1.1 200 {"ok":true}`,
			[]string{`dial tcp 10.1.2.3:80: connected`, `message http 10.1.2.3:80 GET /  by 0.0: 200`},
		},
		{
			"refuse",
			[]model.Stub{web("a.example:80", model.Answer{Fault: model.NetRefuse})},
			"http://a.example/x", "HTTP/1.1 502 the host cannot be reached\n",
			[]string{`dial tcp a.example:80 by 0.0: refuse`},
		},
		{
			"reset",
			[]model.Stub{web("a.example:80", model.Answer{Fault: model.NetReset})},
			"http://a.example/x",
			"…",
			[]string{`dial tcp a.example:80: connected`, `message http a.example:80 GET /x  by 0.0: reset`},
		},
		{
			"truncated",
			[]model.Stub{
				web("a.example:80", model.Answer{Body: "123456", Fault: model.NetTruncatedJSON}),
			},
			"http://a.example/x", "HTTP/1.1 200 123",
			[]string{`dial tcp a.example:80: connected`, `message http a.example:80 GET /x  by 0.0: truncated-json`},
		},
		{
			"https",
			[]model.Stub{web("a.example:443", ok)},
			"https://a.example/", `HTTP/2.0 200 {"ok":true}`,
			[]string{`dial tcp a.example:443: connected`, `message http a.example:443 GET /  by 0.0: 200`},
		},
		{
			"https, kept connection",
			[]model.Stub{web("a.example:443", model.Answer{Status: 500})},
			"https://a.example/", `HTTP/2.0 500 `,
			[]string{`message http a.example:443 GET /  by 0.0: 500`},
		},
		{"https, no host", nil, "https://b.example/", "…Bad Gateway", []string{`dial tcp b.example:443: refused`}},
		{
			"wrong tls",
			[]model.Stub{
				web("c.example:443", model.Answer{Fault: model.NetWrongTLS}),
			},
			"https://c.example/", "…certificate is valid for someone-else.invalid, not c.example",
			[]string{`dial tcp c.example:443: connected`, `dial http c.example:443 by 0.0: wrong-tls`},
		},
		{
			"an unknown name",
			[]model.Stub{names("n.example", model.Answer{Fault: model.NetNXDomain})},
			"http://n.example/", "HTTP/1.1 502 the host cannot be reached\n", nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p.t = t
			got, contacts := p.do(tt.stubs, "http", "GET", tt.url)
			if end, only := strings.CutPrefix(tt.want, "…"); got != tt.want && !(only && strings.HasSuffix(got, end)) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if got := strings.TrimSpace(contactText(contacts)); got != strings.Join(tt.contacts, "\n") {
				t.Errorf("got\n%s\nwant\n%s", got, strings.Join(tt.contacts, "\n"))
			}
		})
	}
}

// Allowed hosts are reached without the proxy.
func TestProxyAllow(t *testing.T) {
	real := httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "real") }),
	)
	defer real.Close()
	p := onGround(t, netsim.Options{Ground: model.GroundProxy, Allow: []string{strings.TrimPrefix(real.URL, "http://")}})
	if got, contacts := p.do(nil, "http", "GET", real.URL); got != "HTTP/1.1 200 real" || len(contacts) > 0 {
		t.Errorf("%q, %s", got, contactText(contacts))
	}
}
