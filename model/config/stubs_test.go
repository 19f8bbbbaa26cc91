package config

import (
	"strings"
	"testing"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

func TestStubs(t *testing.T) {
	got, err := ParseStubs([]byte(`
stubs:
  - host: payments.example:80
    protocol: http
    match: {method: POST, path: /charge, query: {dry: "1"}, header: {X-A: b}, json: '{"amount": 5}'}
    answers:
      - {status: 201, header: {Content-Type: application/json, Set-Cookie: [a=1, b=2]}, body: '{"approved": true}'}
      - {fault: slow, latency: 20, rate: 100}
    repeat: true
  - host: whois.example:43
    protocol: tcp
    match: {prefix: "domain ", regexp: "x.*", nth: 2}
    answers: [{bytes: "//4=", close: true}]
    else: {fault: reset}
  - host: store.example:7000
    protocol: tcp
    prologue: [{body: "READY\n"}, {request_bytes: "//4=", bytes: "/w=="}]
    any_connection: true
  - {host: mail.example, protocol: dns, answers: {records: [{type: MX, value: "10 a.example"}]}}
  - {host: ":7000", protocol: udp, inward: true, answers: [{body: hi}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []model.Stub{
		{
			Host: "payments.example:80", Protocol: model.HTTP, Repeat: true,
			Match: model.StubMatch{
				Method: "POST",
				Path:   "/charge",
				Query:  map[string]string{"dry": "1"},
				Header: map[string]string{"X-A": "b"},
				JSON:   `{"amount": 5}`,
			},
			Answers: []model.Answer{
				{
					Status: 201, Body: `{"approved": true}`,
					Header: model.HeaderFields{"Content-Type": {"application/json"}, "Set-Cookie": {"a=1", "b=2"}},
				},
				{Fault: model.NetSlow, Latency: 20, Rate: 100},
			},
		},
		{
			Host: "whois.example:43", Protocol: model.TCP, Match: model.StubMatch{Prefix: "domain ", Regexp: "x.*", Nth: 2},
			Answers: []model.Answer{{Bytes: []byte{0xff, 0xfe}, Close: true}}, Else: &model.Answer{Fault: model.NetReset},
		},
		{
			Host: "store.example:7000", Protocol: model.TCP, AnyConnection: true,
			Prologue: []model.PrologueStep{{Body: "READY\n"}, {RequestBytes: []byte{0xff, 0xfe}, Bytes: []byte{0xff}}},
		},
		{
			Host:     "mail.example",
			Protocol: model.DNS,
			Answers:  []model.Answer{{Records: []model.DNSRecord{{Type: "MX", Value: "10 a.example"}}}},
		},
		{Host: ":7000", Protocol: model.UDP, Inward: true, Answers: []model.Answer{{Body: "hi"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The error for an invalid file is one line and names the invalid line of the file.
func TestBadStubs(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{
			"stubs:\n  - host: a.example:80\n    proto: http",
			`line 3: unknown key "proto" in a stub`,
		},
		{
			"stubs:\n  - host: a.example:80\n    protocol: smtp",
			"line 3: one of http, tcp, udp, dns, redis, postgres, mysql, environment belongs here",
		},
		{
			"stubs:\n  - {host: a.example, protocol: http, answers: [{}]}",
			`line 2: host "a.example" of a stub is not like`,
		},
		{
			"stubs:\n  - {host: a.example:80, protocol: http}",
			"line 2: the stub of \"a.example:80\" has no answers",
		},
		{
			"stubs:\n  - {host: a.example:80, protocol: http, answers: [{fault: explode}]}",
			"line 2: fault \"explode\"",
		},
		{
			"stubs:\n  - {host: a.example:80, protocol: udp, answers: [{fault: wrong-tls}]}",
			"which has no fault \"wrong-tls\"",
		},
		{
			"stubs:\n  - {host: a.example:80, protocol: tcp, match: {regexp: '('}, answers: [{}]}",
			"line 2: regexp",
		},
		{
			"stubs:\n  - {host: a.example:80, protocol: tcp, answers: [{bytes: '!'}]}",
			"bytes in base64 belong here",
		},
		{
			"answers: []",
			`unknown key "answers" in the file`,
		},
	} {
		_, err := ParseStubs([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v, want %q", c.text, err, c.want)
		}
	}
}

func FuzzStubs(f *testing.F) {
	f.Add([]byte("stubs:\n  - {host: a.example:80, protocol: http, answers: [{status: 200}]}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := ParseStubs(data)
		for _, s := range all {
			if wrong := s.Validate(); err == nil && wrong != nil {
				t.Errorf("a stub that is none is read: %v", wrong)
			}
		}
	})
}
