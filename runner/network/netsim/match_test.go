package netsim_test

import (
	"testing"

	"sonde/model"
	"sonde/runner/network/netsim"
)

func TestFits(t *testing.T) {
	r := model.Request{
		Method: "POST",
		URL:    "/v1/charges/a%2Fb?kind=card&kind=cash&empty=",
		Header: map[string][]string{"X-Key": {"a", "b"}, "Content-Type": {"application/json"}},
		Body: []byte(
			`{"amount":12.50,"id":12345678901234567890,"card":{"no":"4242","cvc":null},"tags":["a",{"b":1,"c":2}]}`,
		),
	}
	for _, tt := range []struct {
		name string
		m    model.StubMatch
		want bool
	}{
		{"nothing asked", model.StubMatch{}, true},
		{"method in any case", model.StubMatch{Method: "post"}, true},
		{"other method", model.StubMatch{Method: "GET"}, false},
		{"template", model.StubMatch{Path: "/v1/charges/{id}"}, true},
		{"path as it is", model.StubMatch{Path: "/v1/charges/a%2Fb"}, true},
		{"shorter path", model.StubMatch{Path: "/v1/charges"}, false},
		{"longer path", model.StubMatch{Path: "/v1/charges/{id}/refunds"}, false},
		{"query in the template", model.StubMatch{Path: "/v1/charges/{id}?kind=cash"}, true},
		{"query", model.StubMatch{Query: map[string]string{"kind": "cash", "empty": ""}}, true},
		{"other query", model.StubMatch{Query: map[string]string{"kind": "gold"}}, false},
		{"header", model.StubMatch{Header: map[string]string{"x-key": "b"}}, true},
		{"header that is not there", model.StubMatch{Header: map[string]string{"X-None": ""}}, false},
		{"members", model.StubMatch{JSON: `{"amount":1.25e1,"card":{"no":"4242"}}`}, true},
		{"null", model.StubMatch{JSON: `{"card":{"cvc":null}}`}, true},
		{"null for what is not there", model.StubMatch{JSON: `{"iban":null}`}, false},
		{"long integers", model.StubMatch{JSON: `{"id":12345678901234567891}`}, false},
		{"list with members", model.StubMatch{JSON: `{"tags":["a",{"c":2}]}`}, true},
		{"part of a list", model.StubMatch{JSON: `{"tags":["a"]}`}, false},
		{"text for a number", model.StubMatch{JSON: `{"amount":"12.5"}`}, false},
		{"object for text", model.StubMatch{JSON: `{"card":"x"}`}, false},
		{"no JSON", model.StubMatch{JSON: `{`}, false},
		{"the third", model.StubMatch{Nth: 3}, true},
		{"the first", model.StubMatch{Nth: 1}, false},
	} {
		if got := netsim.MatchesRequest(tt.m, r, 3); got != tt.want {
			t.Errorf("%s: got %v", tt.name, got)
		}
	}
}

func TestFitsBytes(t *testing.T) {
	for _, tt := range []struct {
		m    model.StubMatch
		want bool
	}{
		{model.StubMatch{}, true},
		{model.StubMatch{Equals: "PING\r\n"}, true},
		{model.StubMatch{Equals: "PING"}, false},
		{model.StubMatch{Prefix: "PI"}, true},
		{model.StubMatch{Prefix: "PO"}, false},
		{model.StubMatch{Regexp: `(?i)^ping\s`}, true},
		{model.StubMatch{Regexp: `^$`}, false},
		{model.StubMatch{Regexp: `(`}, false},
		{model.StubMatch{Prefix: "P", Regexp: "X"}, false},
		{model.StubMatch{Nth: 2}, true},
		{model.StubMatch{Nth: 1, Prefix: "PING"}, false},
	} {
		if got := netsim.MatchesBytes(tt.m, []byte("PING\r\n"), 2); got != tt.want {
			t.Errorf("%+v: got %v", tt.m, got)
		}
	}
}

func TestTurn(t *testing.T) {
	one, two, other := model.Answer{Body: "1"}, model.Answer{Body: "2"}, model.Answer{Body: "else"}
	for _, tt := range []struct {
		name string
		s    model.Stub
		want string
	}{
		{"one stays", model.Stub{Protocol: model.HTTP, Answers: []model.Answer{one}}, "1,1,1,1"},
		{"but not of TCP", model.Stub{Protocol: model.TCP, Answers: []model.Answer{one}}, "1,-,-,-"},
		{"two do not", model.Stub{Protocol: model.HTTP, Answers: []model.Answer{one, two}}, "1,2,-,-"},
		{"repeat", model.Stub{Protocol: model.TCP, Answers: []model.Answer{one, two}, Repeat: true, Else: &other}, "1,2,1,2"},
		{"else", model.Stub{Protocol: model.TCP, Answers: []model.Answer{one}, Else: &other}, "1,else,else,else"},
		{"only else", model.Stub{Protocol: model.HTTP, Repeat: true, Else: &other}, "else,else,else,else"},
		{"none", model.Stub{}, "-,-,-,-"},
	} {
		got := ""
		for n := range 4 {
			a, _, ok := netsim.ScriptedAnswer(tt.s, n)
			if !ok {
				a.Body = "-"
			}
			got += "," + a.Body
		}
		if got[1:] != tt.want {
			t.Errorf("%s: got %s", tt.name, got[1:])
		}
	}
}
