//go:build linux

package netsim_test

import (
	"fmt"
	"io"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/network/netns"
	"sonde/runner/network/netsim"
	"sonde/runner/testdata/port"
)

// enter starts testdata/client, built without Sonde, in a namespace.
func enter(t *testing.T, o netsim.Options) *program {
	t.Helper()
	skipShort(t)
	if err := netns.CheckSupport(); err != nil {
		t.Skip(err)
	}
	o.Ground = model.GroundNamespace
	return onGround(t, o)
}

// A program that Sonde did not build can use all protocols in a namespace.
func TestSpace(t *testing.T) {
	p := enter(t, netsim.Options{})
	ok := model.Answer{Body: `{"ok":true}`}
	line := func(s string) model.Answer { return model.Answer{Body: s + "\n"} }
	inward := func(p model.Protocol, all ...model.Answer) model.Stub {
		return model.Stub{Host: ":7000", Protocol: p, Inward: true, Answers: all}
	}
	for _, tt := range []struct {
		name     string
		stubs    []model.Stub
		command  []string
		want     string // the output or, after "…", only its end
		contacts []string
	}{
		{
			"http",
			[]model.Stub{web("a.example:80", ok)},
			[]string{"http", "GET", "http://a.example/x"},
			`HTTP/1.1 200 {"ok":true}`,
			[]string{
				`lookup dns a.example "host": answer`, `dial tcp a.example:80: connected`,
				`message http a.example:80 GET /x  by 0.0: 200`,
			},
		},
		{
			"kept connection",
			[]model.Stub{
				web("a.example:80", model.Answer{Status: 500}),
			},
			[]string{"http", "POST", "http://a.example/x", "b"},
			`HTTP/1.1 500 `,
			[]string{`message http a.example:80 POST /x b by 0.0: 500`},
		},
		{
			"no stub any more", nil,
			[]string{"http", "POST", "http://a.example/x", "b"},
			"…no such host",
			[]string{`lookup dns a.example "host": nxdomain`},
		},
		{
			"https, h2",
			[]model.Stub{web("a.example:443", ok)},
			[]string{"http", "GET", "https://a.example/"},
			`HTTP/2.0 200 {"ok":true}`,
			[]string{
				`lookup dns a.example "host": answer`, `dial tcp a.example:443: connected`,
				`message http a.example:443 GET /  by 0.0: 200`,
			},
		},
		{
			"h2c",
			[]model.Stub{web("b.example:80", ok)},
			[]string{"h2c", "http://b.example/"},
			`HTTP/2.0 200 {"ok":true}`,
			[]string{
				`lookup dns b.example "host": answer`, `dial tcp b.example:80: connected`,
				`message http b.example:80 GET /  by 0.0: 200`,
			},
		},
		{
			"wrong tls",
			[]model.Stub{
				web("c.example:443", model.Answer{Fault: model.NetWrongTLS}),
			},
			[]string{"http", "GET", "https://c.example/"},
			"…certificate is valid for someone-else.invalid, not c.example",
			[]string{
				`lookup dns c.example "host": answer`, `dial tcp c.example:443: connected`,
				`dial http c.example:443 by 0.0: wrong-tls`,
			},
		},
		{
			"unknown authority",
			[]model.Stub{
				web("u.example:443", model.Answer{Fault: model.NetUntrustedTLS}),
			},
			[]string{"http", "GET", "https://u.example/"},
			"…certificate signed by unknown authority",
			[]string{
				`lookup dns u.example "host": answer`, `dial tcp u.example:443: connected`,
				`dial http u.example:443 by 0.0: untrusted-tls`,
			},
		},
		{
			"refuse",
			[]model.Stub{
				web("d.example:80", model.Answer{Fault: model.NetRefuse}),
			},
			[]string{"http", "GET", "http://d.example/"},
			"…:80: connect: connection refused",
			[]string{`lookup dns d.example "host": answer`, `dial tcp d.example:80 by 0.0: refuse`},
		},
		{
			"unreachable",
			[]model.Stub{
				web("d.example:80", model.Answer{Fault: model.NetUnreachable}),
			},
			[]string{"http", "GET", "http://d.example/"},
			"…:80: connect: connection refused",
			[]string{`lookup dns d.example "host": answer`, `dial tcp d.example:80 by 0.0: refuse`},
		},
		{
			"reset",
			[]model.Stub{
				web("e.example:80", model.Answer{Fault: model.NetReset}),
			},
			[]string{"http", "GET", "http://e.example/"},
			"…connection reset by peer",
			[]string{
				`lookup dns e.example "host": answer`, `dial tcp e.example:80: connected`,
				`message http e.example:80 GET /  by 0.0: reset`,
			},
		},
		{
			"by address",
			[]model.Stub{web("10.1.2.3:80", ok)},
			[]string{"http", "GET", "http://10.1.2.3/"},
			`HTTP/1.1 200 {"ok":true}`,
			[]string{`dial tcp 10.1.2.3:80: connected`, `message http 10.1.2.3:80 GET /  by 0.0: 200`},
		},
		{
			"by address of IPv6",
			[]model.Stub{
				web("[2001:db8::7]:80", ok),
			},
			[]string{"http", "GET", "http://[2001:db8::7]/"},
			`HTTP/1.1 200 {"ok":true}`,
			[]string{`dial tcp [2001:db8::7]:80: connected`, `message http [2001:db8::7]:80 GET /  by 0.0: 200`},
		},
		{
			"its own host",
			[]model.Stub{
				web("127.0.0.1:6379", ok),
			},
			[]string{"http", "GET", "http://localhost:6379/"},
			`HTTP/1.1 200 {"ok":true}`,
			[]string{`dial tcp 127.0.0.1:6379: connected`, `message http 127.0.0.1:6379 GET /  by 0.0: 200`},
		},
		{
			"no host", nil,
			[]string{"http", "GET", "http://93.184.216.34/"},
			"…connection refused",
			[]string{`dial tcp 93.184.216.34:80: refused`},
		},
		{
			"tcp",
			[]model.Stub{
				raw("m.example:25", line("220 hi"), line("250 ok")),
			},
			[]string{"talk", "m.example:25", "<|HELO|<|QUIT|<"},
			"…connection reset by peer",
			[]string{
				`lookup dns m.example "host": answer`, `dial tcp m.example:25: connected`,
				`message tcp m.example:25 by 0.0: answer`, `message tcp m.example:25 "HELO\n" by 0.1: answer`,
				`message tcp m.example:25 "QUIT\n": nothing`,
			},
		},
		{
			"a line that never comes",
			[]model.Stub{
				raw("w.example:43", line("one")),
			},
			[]string{"talk", "w.example:43", "q|<|<"},
			"…connection reset by peer",
			[]string{
				`lookup dns w.example "host": answer`, `dial tcp w.example:43: connected`,
				`message tcp w.example:43 "q\n" by 0.0: answer`,
			},
		},
		{
			"udp",
			[]model.Stub{
				{Host: "u.example:9", Protocol: model.UDP, Answers: []model.Answer{{Body: "pong"}}},
			},
			[]string{"udp", "u.example:9", "ping"},
			"pong",
			[]string{`lookup dns u.example "host": answer`, `message udp u.example:9 "ping" by 0.0: answer`},
		},
		{
			"udp, no answer",
			[]model.Stub{
				{Host: "u.example:9", Protocol: model.UDP, Answers: []model.Answer{{}}, Match: model.StubMatch{Prefix: "x"}},
			},
			[]string{"udp", "u.example:9", "ping"},
			"…connection refused",
			[]string{`lookup dns u.example "host": answer`, `message udp u.example:9 "ping": nothing`},
		},
		{
			"udp, not waited for",
			[]model.Stub{
				{Host: "u.example:9", Protocol: model.UDP, Answers: []model.Answer{{}}},
			},
			[]string{"udp", "u.example:9", "ping", "only"},
			"",
			[]string{`lookup dns u.example "host": answer`, `message udp u.example:9 "ping" by 0.0: nothing`},
		},
		{"udp without a host", nil, []string{"udp", "10.9.9.9:9", "ping", "only"}, "", []string{`message udp 10.9.9.9:9 "ping": lost`}},
		{
			"udp to everybody", nil,
			[]string{"udp", "255.255.255.255:9", "ping", "only"},
			"",
			[]string{`message udp 255.255.255.255:9 "ping": lost`},
		},
		{
			"a server of names",
			[]model.Stub{
				names("n.example", model.Answer{Records: []model.DNSRecord{is("A", "10.1.1.1")}}),
			},
			[]string{"dns", "8.8.8.8:53", "n.example"},
			"10.1.1.1",
			[]string{`lookup dns n.example "host" by 0.0: answer`},
		},
		{
			"names",
			[]model.Stub{
				names("n.example", model.Answer{Records: []model.DNSRecord{is("A", "10.1.1.1"), is("AAAA", "2001:db8::1")}}),
			},
			[]string{"lookup", "n.example"},
			"10.1.1.1,2001:db8::1",
			[]string{`lookup dns n.example "host" by 0.0: answer`},
		},
		{
			"an alias",
			[]model.Stub{
				names("n.example", model.Answer{Records: []model.DNSRecord{is("CNAME", "m.example")}}),
				web("m.example:80", ok),
			},
			[]string{"http", "GET", "http://n.example/"},
			`HTTP/1.1 200 {"ok":true}`,
			[]string{
				`lookup dns n.example "host" by 0.0: answer`, `dial tcp m.example:80: connected`,
				`message http m.example:80 GET /  by 1.0: 200`,
			},
		},
		{
			"an unknown name",
			[]model.Stub{
				names("n.example", model.Answer{Fault: model.NetNXDomain}),
			},
			[]string{"lookup", "n.example"},
			"…no such host",
			[]string{`lookup dns n.example "host" by 0.0: nxdomain`},
		},
		{
			"a name without a stub",
			[]model.Stub{
				names("n.example", model.Answer{Fault: model.NetTimeout}),
			},
			[]string{"lookup", "n.example"},
			"…server misbehaving",
			[]string{`lookup dns n.example "host" by 0.0: timeout`},
		},
		{
			"a name whose server fails",
			[]model.Stub{
				names("n.example", model.Answer{Fault: model.NetServFail}),
			},
			[]string{"lookup", "n.example"},
			"…server misbehaving",
			[]string{`lookup dns n.example "host" by 0.0: servfail`},
		},
		{
			"inward",
			[]model.Stub{
				inward(model.TCP, line("HAND_SHAKE"), line("more")),
			},
			[]string{"serve", ":7000", "<|hello|<"},
			"HAND_SHAKE\nmore\n",
			[]string{`listen tcp :7000: listens`, `message tcp :7000 by 0.0: answer`, `message tcp :7000 "hello\n" by 0.1: answer`},
		},
		{"no caller", nil, []string{"serve", ":7000", "<"}, "…connection reset by peer", []string{`listen tcp :7000: listens`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p.t = t
			got, contacts := p.do(tt.stubs, tt.command...)
			if end, only := strings.CutPrefix(tt.want, "…"); got != tt.want && !(only && strings.HasSuffix(got, end)) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if got := strings.TrimSpace(contactText(contacts)); got != strings.Join(tt.contacts, "\n") {
				t.Errorf("got\n%s\nwant\n%s", got, strings.Join(tt.contacts, "\n"))
			}
		})
	}
}

// A host whose script begins with a refusal accepts the next dial as soon as Sonde knows that the first dial was
// refused. The script starts over in each test.
func TestSpaceScriptsOfDials(t *testing.T) {
	p := enter(t, netsim.Options{})
	stub := web("a.example:80", model.Answer{Fault: model.NetRefuse}, model.Answer{Body: "up"})
	for range 3 {
		if err := p.n.BeginTest([]model.Stub{stub}); err != nil {
			t.Fatal(err)
		}
		p.n.BeginCall(0)
		if got := p.ask("http", "GET", "http://a.example/"); !strings.HasSuffix(got, "connection refused") {
			t.Error(got)
		}
		p.n.BeginCall(1) // BeginCall waits until the refusal is known
		if got := p.ask("http", "GET", "http://a.example/"); got != "HTTP/1.1 200 up" {
			t.Error(got)
		}
		expect(
			t,
			p.n,
			`lookup dns a.example "host": answer`,
			`dial tcp a.example:80 by 0.0: refuse`,
			`lookup dns a.example "host": answer`,
			`dial tcp a.example:80: connected`,
			`message http a.example:80 GET /  by 0.1: 200`,
		)
	}
}

// The service can keep connections from test to test, and never gets an answer of an earlier test.
func TestSpaceSwap(t *testing.T) {
	p := enter(t, netsim.Options{})
	for i := range 200 {
		text := strconv.Itoa(i)
		if got, _ := p.do(
			[]model.Stub{web("a.example:80", model.Answer{Body: text})}, "http", "POST", "http://a.example/", text,
		); got != "HTTP/1.1 200 "+text {
			t.Fatalf("test %d: %s", i, got)
		}
	}
}

// Allowed hosts are real, and the machine has the given name.
func TestSpaceAllow(t *testing.T) {
	real, err := net.Listen(
		"tcp",
		fmt.Sprintf("127.0.0.1:%d", port.Free()),
	) // also a port that a service might use itself
	if err != nil {
		t.Fatal(err)
	}
	defer real.Close()
	go func() {
		for {
			c, err := real.Accept()
			if err != nil {
				return
			}
			io.Copy(c, c)
			c.Close()
		}
	}()
	at := real.Addr().String()
	p := enter(t, netsim.Options{Allow: []string{at}, Hostname: "shop-1"})
	got, contacts := p.do(nil, "talk", at, "hello|<|again|<")
	if got != "hello\nagain\n" || contactText(contacts) != "dial tcp "+at+": real\n" {
		t.Errorf("%q, %s", got, contactText(contacts))
	}
	if got, _ := p.do(nil, "hostname"); got != "shop-1" {
		t.Errorf("it is called %q", got)
	}
}

// Clients outside reach the port of the service by another port, as soon as the service listens.
// Several copies of a service do not conflict. A service that starts again has the same hosts.
func TestSpacePort(t *testing.T) {
	p := enter(t, netsim.Options{Stubs: []model.Stub{web("a.example:80", model.Answer{Body: "up"})}})
	for range 2 {
		real := port.Free()
		p.n.BindPort(8080, real)
		p.again()
		p.execute("serve", ":8080", "<|hello|<")
		c := p.knock(real)
		fmt.Fprint(c, "one\ntwo\n")
		heard, err := io.ReadAll(c)
		if string(heard) != "hello\n" || err != nil {
			t.Errorf("heard %q, %v", heard, err)
		}
		if got := p.output(); got != "one\ntwo\n" {
			t.Errorf("it heard %q", got)
		}
		if got, contacts := p.do(nil, "http", "GET", "http://a.example/"); got != "HTTP/1.1 200 up" {
			t.Errorf("%q, %s", got, contactText(contacts))
		}
		p.n.ProcessEnded()
		if c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", real)); err == nil {
			c.Close()
			t.Error("without the service, its port is open")
		}
	}
}

// If the service itself listens on a port at all addresses, no host can use that port. This is not an error.
func TestSpaceOwnPort(t *testing.T) {
	p := enter(t, netsim.Options{})
	real := port.Free()
	p.n.BindPort(8080, real)
	p.again()
	p.execute("serve", ":8080", "<")
	c := p.knock(real) // the service listens on its port until it has read a line
	if err := p.n.BeginTest([]model.Stub{web("a.example:8080", model.Answer{})}); err != nil {
		t.Error(err)
	}
	fmt.Fprintln(c, "bye")
	if got := p.output(); got != "bye\n" {
		t.Error(got)
	}
}

// An allowed host without a port is an error when the service starts.
func TestSpaceAllowAny(t *testing.T) {
	skipShort(t)
	if err := netns.CheckSupport(); err != nil {
		t.Skip(err)
	}
	n, err := netsim.New(netsim.Options{Ground: model.GroundNamespace, Allow: []string{"db.example:*"}})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	c := exec.Command("true")
	entered, err := n.PrepareCommand(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := entered(c.Start()); err == nil || !strings.Contains(err.Error(), "needs one") {
		t.Error(err)
	}
	_ = c.Wait()
}
