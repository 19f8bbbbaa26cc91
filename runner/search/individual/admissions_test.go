package individual

import (
	"testing"

	"sonde/model"
)

var (
	creates = model.Template{Weight: 1, Steps: []model.TemplateStep{{Op: "POST /things", Min: 1, Max: 1}}}
	reads   = model.Template{
		Weight: 1, Steps: []model.TemplateStep{{Op: "POST /things", Min: 1, Max: 1}, {Op: "GET /things/{id}", Min: 1, Max: 1}},
		Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: "id"}},
	}
)

// callers samples many tests of a template, and counts how often each user makes the call at an index.
func callers(p *Problem, t model.Template, call int) map[string]int {
	r, count := chance(7), map[string]int{}
	for range 2000 {
		count[p.FollowTemplate(r, t).Test().Calls[call].User]++
	}
	return count
}

// A refused user is drawn less often, but still drawn.
func TestRefusedUsersAreDrawnLessOften(t *testing.T) {
	p := problem()
	for range 50 {
		p.RecordStatus("POST /things", "ann", 403)
		p.RecordStatus("POST /things", "bob", 201)
	}
	got := callers(p, creates, 0)
	if got["ann"] < 50 || got["ann"] > 400 || got["bob"] < 1500 {
		t.Errorf("callers %v; want bob mostly, and ann sometimes", got)
	}
}

// If a test's user may not create a resource, another user creates it.
func TestAnotherUserCreatesTheResource(t *testing.T) {
	p := problem()
	for range 50 {
		p.RecordStatus("POST /things", "ann", 201)
		p.RecordStatus("POST /things", "bob", 403)
		p.RecordStatus("GET /things/{id}", "ann", 403)
		p.RecordStatus("GET /things/{id}", "bob", 200)
	}
	r, byBoth, n := chance(7), 0, 2000
	for range n {
		calls := p.FollowTemplate(r, reads).Test().Calls
		byBoth += one(calls[0].User == "ann" && calls[1].User == "bob")
	}
	if byBoth < n/2 {
		t.Errorf("ann creates and bob reads in %d of %d tests; want most", byBoth, n)
	}
}

// If an operation has accepted ann once, ann also makes the calls before it, although it has often refused her. Her
// calls then use resources that she has created herself.
func TestChainsKeepTheirUser(t *testing.T) {
	p := problem()
	for range 50 {
		p.RecordStatus("GET /things/{id}", "ann", 403) // a refusal because bob created the resource
	}
	p.RecordStatus("GET /things/{id}", "ann", 200)
	r := chance(7)
	for range 200 {
		calls := p.calls.follow(r, reads, "ann").Test().Calls
		if calls[0].User != "ann" || calls[1].User != "ann" {
			t.Fatalf("a chain of ann has the callers %q and %q", calls[0].User, calls[1].User)
		}
	}
}

// Anonymous calls are rare, unless an operation refuses all users and accepts the anonymous caller.
func TestAnonymousShare(t *testing.T) {
	p := problem()
	if n := callers(p, creates, 0)[""]; n < 60 || n > 140 {
		t.Errorf("%d of 2000 calls are anonymous, want about 5%%", n)
	}
	for range 20 {
		p.RecordStatus("POST /things", "ann", 401)
		p.RecordStatus("POST /things", "bob", 403)
		p.RecordStatus("POST /things", "", 201)
	}
	if n := callers(p, creates, 0)[""]; n < 1000 {
		t.Errorf("%d of 2000 calls are anonymous, want most where only those are accepted", n)
	}
}

func TestRefusedCallsAreMadeByTheNextUser(t *testing.T) {
	p := problem()
	ind := p.calls.follow(chance(1), reads, "ann")
	p.RecordStatus("POST /things", "ann", 403)
	next := p.RetryAsNextUser(ind, 0)
	if next == nil {
		t.Fatal("no test in which another user makes the refused call")
	}
	if calls := next.Test().Calls; calls[0].User != "bob" || calls[1].User != "ann" {
		t.Errorf("callers %q and %q, want bob for the refused call only", calls[0].User, calls[1].User)
	}
	if again := p.RetryAsNextUser(ind, 0); again != nil {
		t.Error("the same user was asked for twice")
	}
	p = problem()
	p.RecordStatus("POST /things", "bob", 201)
	if next := p.RetryAsNextUser(ind, 0); next != nil {
		t.Error("another user was asked for where one is accepted")
	}
	ind = p.calls.follow(chance(1), reads, "")
	if next := p.RetryAsNextUser(ind, 0); next != nil {
		t.Error("a user was asked for in the place of an anonymous caller")
	}
}
