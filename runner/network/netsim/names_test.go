//go:build unix

package netsim_test

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"sonde/model"
	"sonde/runner/network/netsim"
)

func names(host string, answers ...model.Answer) model.Stub {
	return model.Stub{Host: host, Protocol: model.DNS, Answers: answers}
}

func is(kind, value string) model.DNSRecord { return model.DNSRecord{Type: kind, Value: value} }

// The table contains the names of the stubs, in the form that the service reads.
func TestTable(t *testing.T) {
	n, s := start(
		t,
		netsim.Options{Hostname: "here", Interfaces: []string{"eth0 10.0.0.2/24"}, Allow: []string{"db.example:*"}},
	)
	n.BindPort(8080, 41000)
	err := n.BeginTest([]model.Stub{
		names(
			"Mail.example.",
			model.Answer{Records: []model.DNSRecord{is("mx", "10 mx.example"), is("TXT", "v=spf1 -all")}},
		),
		names(
			"late.example", model.Answer{Fault: model.NetNXDomain}, model.Answer{Fault: model.NetTimeout},
			model.Answer{Fault: model.NetServFail},
			model.Answer{Records: []model.DNSRecord{is("A", "10.1.1.1")}},
		),
		names("empty.example", model.Answer{}),
		names("www.example", model.Answer{Records: []model.DNSRecord{is("CNAME", "late.example")}}),
		web("www.example:80", model.Answer{}),
		{
			Host:     "old.example:80",
			Protocol: model.HTTP,
			Answers:  []model.Answer{{Fault: model.NetRefuse}, {Fault: model.NetTimeout}},
			Repeat:   true,
		},
		{Host: ":7000", Protocol: model.TCP, Inward: true, Answers: []model.Answer{{Body: "x"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(s.env["SONDE_NET"])
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(`net 1
unknown absent
known old.example
dns mail.example MX 10%20mx.example
dns mail.example TXT v=spf1%20-all
dnsfail late.example nxdomain
then late.example
dnsfail late.example timeout
then late.example
dnsfail late.example servfail
then late.example
dns late.example A 10.1.1.1
dns empty.example NONE
dns www.example CNAME late.example
route tcp `+own("old.example")+`:80 !ECONNREFUSED !ETIMEDOUT again
route tcp 10.1.1.1:80 127.0.0.1:
route udp *:53 127.0.0.1:
bind tcp 8080 41000
bind udp 8080 41000
allow tcp db.example:*
hostname here
iface eth0 10.0.0.2/24
watch tcp 7000`, "\n") {
		if !strings.Contains(string(text), "\n"+line) && !strings.HasPrefix(string(text), line) {
			t.Errorf("no %q in\n%s", line, text)
		}
	}
	if strings.Contains(string(text), "known www.example") {
		t.Error("a name of DNS has an address of itself, too")
	}
}

// The scripts of the stubs decide the results of dials and lookups, and the contacts report these results.
func TestScriptsOfDials(t *testing.T) {
	n, s := start(t, netsim.Options{})
	for range 2 { // the second test starts over
		play(t, n,
			model.Stub{
				Host: "a.example", Protocol: model.DNS, Answers: []model.Answer{{Fault: model.NetNXDomain}},
				Else: &model.Answer{Records: []model.DNSRecord{is("A", "10.1.1.1")}},
			},
			model.Stub{
				Host:     "a.example:80",
				Protocol: model.HTTP,
				Answers:  []model.Answer{{Fault: model.NetRefuse}, {Fault: model.NetUnreachable}},
				Else:     &model.Answer{Body: "up"},
			},
			model.Stub{
				Host:     "b.example:1",
				Protocol: model.TCP,
				Match:    model.StubMatch{Nth: 2},
				Answers:  []model.Answer{{Fault: model.NetTimeout}},
			},
			raw("b.example:1", model.Answer{Body: "x\n"}))
		var got []string
		c := s.client()
		for range 4 {
			body, err := get(c, "http://a.example/")
			if err != nil {
				body = err.Error()[strings.LastIndex(err.Error(), ":")+2:]
			}
			got = append(got, body)
		}
		if want := "no such host,connection refused,network is unreachable,200 up"; strings.Join(got, ",") != want {
			t.Errorf("got %v, want %s", got, want)
		}
		for i, want := range []string{"x\n", "connection timed out", "x\n"} {
			c, err := s.dial("tcp", "b.example:1")
			var got string
			if err != nil {
				got = err.Error()
			} else {
				got, err = talk(t, c, "")
			}
			if got != want {
				t.Errorf("connection %d: got %q, %v", i, got, err)
			}
		}
		expect(
			t,
			n,
			`lookup dns a.example "host" by 0.0: nxdomain`,
			`lookup dns a.example "host" by 0.1: answer`,
			`dial tcp a.example:80 by 1.0: refuse`,
			`lookup dns a.example "host" by 0.1: answer`,
			`dial tcp a.example:80 by 1.1: unreachable`,
			`lookup dns a.example "host" by 0.1: answer`,
			`dial tcp a.example:80: connected`,
			`message http a.example:80 GET /  by 1.2: 200`,
			`lookup dns b.example "host": answer`,
			`dial tcp b.example:1: connected`,
			`message tcp b.example:1 by 3.0: answer`,
			`lookup dns b.example "host": answer`,
			`dial tcp b.example:1 by 2.0: timeout`,
			`lookup dns b.example "host": answer`,
			`dial tcp b.example:1: connected`,
			`message tcp b.example:1 by 3.0: answer`,
		)
	}
}

// The DNS server, which services with their own resolver ask, answers from the stubs.
func TestServerOfNames(t *testing.T) {
	n, s := start(t, netsim.Options{ResolveAnyName: true})
	play(t, n,
		names(
			"mail.example",
			model.Answer{
				Records: []model.DNSRecord{
					is("MX", "10 mx.example"), is("A", "10.1.1.1"), is("AAAA", "2001:db8::1"),
					is("TXT", strings.Repeat("x", 300)),
				},
			},
		),
		names("gone.example", model.Answer{Fault: model.NetNXDomain}),
		names("ill.example", model.Answer{Fault: model.NetServFail}),
		names("_ldap._tcp.srv.example", model.Answer{Records: []model.DNSRecord{is("SRV", "1 5 389 a.example")}}),
		names("www.example", model.Answer{Records: []model.DNSRecord{is("CNAME", "mail.example")}}),
		names("1.1.1.10.in-addr.arpa", model.Answer{Records: []model.DNSRecord{is("PTR", "mail.example")}}))
	for _, network := range []string{"udp", "tcp"} {
		r := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
			real, err := s.route(network, "*:53")
			if err != nil {
				return nil, err
			}
			return net.Dial(network, real)
		}}
		ctx := context.Background()
		if all, err := r.LookupHost(ctx, "mail.example"); err != nil ||
			strings.Join(all, " ") != "10.1.1.1 2001:db8::1" {
			t.Error(network, all, err)
		}
		if all, err := r.LookupHost(ctx, "unheard.example"); err != nil ||
			strings.Join(all, " ") != own("unheard.example") {
			t.Error(network, all, err)
		}
		if _, err := r.LookupHost(ctx, "gone.example"); err == nil || !strings.Contains(err.Error(), "no such host") {
			t.Error(network, err)
		}
		var failed *net.DNSError
		if _, err := r.LookupHost(ctx, "ill.example"); !errors.As(err, &failed) || failed.IsNotFound || !failed.IsTemporary {
			t.Error(network, err)
		}
		if all, err := r.LookupMX(ctx, "mail.example"); err != nil || len(all) != 1 || all[0].Host != "mx.example." {
			t.Error(network, all, err)
		}
		if all, err := r.LookupTXT(ctx, "mail.example"); err != nil || len(all) != 1 || len(all[0]) != 300 {
			t.Error(network, all, err)
		}
		if _, all, err := r.LookupSRV(ctx, "ldap", "tcp", "srv.example"); err != nil || len(all) != 1 ||
			all[0].Port != 389 {
			t.Error(network, all, err)
		}
		if all, err := r.LookupAddr(ctx, "10.1.1.1"); err != nil || len(all) != 1 || all[0] != "mail.example." {
			t.Error(network, all, err)
		}
		if name, err := r.LookupCNAME(ctx, "www.example"); err != nil || name != "mail.example." {
			t.Error(network, name, err)
		}
	}
	got := contactText(n.EndTest())
	for _, want := range []string{`gone.example "a" by 1.0: nxdomain`, `ill.example "a" by 2.0: servfail`} {
		if !strings.Contains(got, "lookup dns "+want+"\n") {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// Without Options.ResolveAnyName, a name that has no stub does not exist.
func TestAbsent(t *testing.T) {
	n, s := start(t, netsim.Options{})
	play(t, n)
	if _, err := s.lookup("a.example"); err == nil {
		t.Error("it is there")
	}
	real, err := s.route("udp", "*:53")
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("udp", real)
	if err != nil {
		t.Fatal(err)
	}
	q := dnsmessage.Message{
		Header: dnsmessage.Header{ID: 7},
		Questions: []dnsmessage.Question{
			{Name: dnsmessage.MustNewName("b.example."), Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET},
		},
	}
	packed, err := q.Pack()
	if err != nil {
		t.Fatal(err)
	}
	got, err := ask(c, string(packed))
	if err != nil {
		t.Fatal(err)
	}
	var m dnsmessage.Message
	if err := m.Unpack([]byte(got)); err != nil || m.RCode != dnsmessage.RCodeNameError || m.ID != 7 {
		t.Error(m, err)
	}
	expect(t, n, `lookup dns a.example "host": nxdomain`, `lookup dns b.example "a": nxdomain`)
}
