package generate_test

import (
	"fmt"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/replay/generate"
)

// pay adds a payment with its calls.
func (l *timeline) pay(after time.Duration, code string, calls ...model.OutwardCall) {
	x := served("POST", "/payments", fmt.Sprintf(`{"code":%q,"cents":%d}`, code, len(l.Served)), 200, `{"paid":true}`, calls...)
	x.ID, x.At, x.Took = fmt.Sprintf("%032x", len(l.Served)+1), l.begin.Add(after), 5*time.Millisecond
	l.Served = append(l.Served, x)
}

// If the service looked up something once and then kept it, the lookup becomes a stub for all tests, because a test
// begins with a service that has kept nothing. The stub matches the whole URL of the first lookup.
func TestKeptAnswers(t *testing.T) {
	bank := func(code, name string) model.OutwardCall {
		return sentTo("bank.example:80", "GET", "/banks?code="+code, "", 200, fmt.Sprintf(`{"name":%q}`, name))
	}
	l := newTimeline()
	l.pay(time.Second, "231380104", bank("231380104", "Citadel"))
	l.pay(2*time.Second, "231380104")
	l.pay(3*time.Second, "121042882", bank("121042882", "Wells"))
	l.pay(4*time.Second, "231380104")
	s := generate.Tests(l.Recording, spec("POST /payments"), generate.Options{})
	if len(s.Background) != 1 || s.BackgroundCalls != 0 {
		t.Fatalf("stubs %+v, %d calls", s.Background, s.BackgroundCalls)
	}
	stub := s.Background[0]
	if stub.Match.Query["code"] != "231380104" || !stub.Background || len(stub.Answers) != 1 ||
		stub.Answers[0].Body != `{"name":"Citadel"}` {
		t.Errorf("the stub is %+v", stub)
	}
	for _, test := range s.Tests {
		if test.Mock.Uncertain || test.Mock.Await != 0 {
			t.Errorf("%s has %+v", test.Mock.About, test.Mock)
		}
	}
	if got := expectedHosts(s.Tests[0]); len(got) != 1 {
		t.Errorf("the first payment calls %q", got)
	}
}

// The generator does not assume that the service keeps an answer if, for example, the later requests have other values,
// the call changes something, or the service makes the call for each request.
func TestNoKeptAnswers(t *testing.T) {
	bank := func(method, code string, status int) model.OutwardCall {
		return sentTo("bank.example:80", method, "/banks?code="+code, "", status, `{}`)
	}
	for name, l := range map[string]func(*timeline){
		"other values": func(l *timeline) {
			l.pay(time.Second, "231380104", bank("GET", "231380104", 200))
			l.pay(2*time.Second, "121042882")
		},
		"a value that the request did not have": func(l *timeline) {
			l.pay(time.Second, "231380104", bank("GET", "999999999", 200))
			l.pay(2*time.Second, "231380104")
		},
		"a call that changes something": func(l *timeline) {
			l.pay(time.Second, "231380104", bank("POST", "231380104", 200))
			l.pay(2*time.Second, "231380104")
		},
		"a refusal": func(l *timeline) {
			l.pay(time.Second, "231380104", bank("GET", "231380104", 503))
			l.pay(2*time.Second, "231380104")
		},
		"each time": func(l *timeline) {
			l.pay(time.Second, "231380104", bank("GET", "231380104", 200))
			l.pay(2*time.Second, "231380104", bank("GET", "231380104", 200))
		},
		"earlier": func(l *timeline) {
			l.pay(time.Second, "231380104")
			l.pay(2*time.Second, "231380104", bank("GET", "231380104", 200))
		},
	} {
		t.Run(name, func(t *testing.T) {
			day := newTimeline()
			l(day)
			if s := generate.Tests(day.Recording, spec("POST /payments"), generate.Options{}); len(s.Background) != 0 {
				t.Errorf("stubs %+v", s.Background)
			}
		})
	}
}
