package oracle_test

import (
	"cmp"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/search/oracle"
)

// step is a call with its answer.
type step struct {
	op, user, url, body string
	kind                string // media type of the body, JSON by default
	header              string // "Name: value" of the request
	creator             int    // the index of the call that created the resource whose id is in the path

	status                    int
	answer, media             string // media is JSON by default
	location, retryAfter, csp string // fields of the answer
	took                      time.Duration
}

// with returns a changed copy of a step.
func with(s step, change func(*step)) step {
	change(&s)
	return s
}

// exchange returns the request and the answer of a step.
func (s step) exchange() model.Exchange {
	method, _, _ := strings.Cut(s.op, " ")
	x := model.Exchange{
		Took:    s.took,
		Request: model.Request{Method: method, URL: s.url, Header: map[string][]string{}, Body: []byte(s.body)},
		Reply:   model.Reply{Status: s.status, Header: map[string][]string{}, Body: []byte(s.answer)},
	}
	if s.body != "" {
		x.Request.Header["Content-Type"] = []string{cmp.Or(s.kind, "application/json")}
	}
	if name, value, ok := strings.Cut(s.header, ": "); ok {
		x.Request.Header[name] = []string{value}
	}
	if s.media == "" && s.answer != "" {
		s.media = "application/json; charset=utf-8"
	}
	for name, value := range map[string]string{
		"Content-Type": s.media, "Location": s.location, "Retry-After": s.retryAfter, "Content-Security-Policy": s.csp,
	} {
		if value != "" {
			x.Reply.Header[name] = []string{value}
		}
	}
	return x
}

// findingsOf returns the findings in a test with these calls.
func findingsOf(t *testing.T, p model.Plan, calls ...step) []oracle.Finding {
	t.Helper()
	return findingsWith(t, p, nil, calls...)
}

// findingsWith returns the findings in a test with these calls. contacts are the contacts of the service during the
// test. If the path of a call has an id, a link takes the id from the call with the index creator. The first call has
// no link.
func findingsWith(t *testing.T, p model.Plan, contacts []model.Contact, calls ...step) []oracle.Finding {
	t.Helper()
	rules, err := oracle.NewRules(p)
	if err != nil {
		t.Fatal(err)
	}
	var test model.Test
	var exchanges []model.Exchange
	for i, c := range calls {
		test.Calls = append(test.Calls, model.Call{Op: model.OpID(c.op), User: c.user, Status: c.status})
		if i > 0 && strings.Contains(c.op, "{id}") {
			link := model.Link{From: c.creator, To: i, Header: "Location", In: model.InPath, Name: "id"}
			if calls[c.creator].location == "" {
				link.Header, link.Pointer = "", "/id"
			}
			test.Links = append(test.Links, link)
		}
		exchanges = append(exchanges, c.exchange())
	}
	return rules.Findings(test, exchanges, contacts...)
}
