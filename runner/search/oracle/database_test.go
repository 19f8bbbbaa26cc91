package oracle_test

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search/oracle"
)

// playedBy returns the names of the oracles that the answers to the calls of a test violate. contacts are the
// contacts with a database that a stub plays.
func playedBy(t *testing.T, test model.Test, exchanges []model.Exchange, contacts ...model.Contact) (all []string) {
	t.Helper()
	p := api()
	p.Oracles = []string{"-schema"}
	rules, err := oracle.NewRules(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range rules.Findings(test, exchanges, contacts...) {
		if oracle.SeverityOf(f.Oracle) != model.SeverityNote {
			all = append(all, f.Oracle)
		}
	}
	return all
}

// If the database had no stub for a request, a server error is no finding. If a value explains the error of the
// database, the server error is a fault of the service. Otherwise it is a fault of how the service handles a
// dependency.
func TestDatabaseErrors(t *testing.T) {
	for _, c := range []struct {
		protocol               model.Protocol
		reply, stated, outcome string
		want                   string
	}{
		{model.Postgres, "", "SELECT 1", "nothing", ""},
		{model.Postgres, "", "COMMIT", "answer", "server-error"},
		{model.Postgres, `{"error":{"code":"23505","message":"x"}}`, "SELECT 1", "answer", "server-error"},
		{model.Postgres, `{"error":{"code":"40001","message":"x"}}`, "SELECT 1", "answer", "dependency-error"},
		{model.MySQL, `{"error":{"code":1062,"message":"x"}}`, "SELECT 1", "answer", "server-error"},
		{model.MySQL, `{"error":{"code":1213,"message":"x"}}`, "SELECT 1", "answer", "dependency-error"},
		{model.Redis, `{"error":"LOADING"}`, "GET a", "answer", "dependency-error"},
		{model.Redis, `"a"`, "GET a", "answer", "server-error"},
	} {
		test := model.Test{Calls: []model.Call{{Op: post, Status: 500}}}
		contact := model.Contact{
			Kind: model.ContactMessage, Protocol: c.protocol, Host: "db.example:1", Data: []byte(c.stated), Stub: -1, Outcome: c.outcome,
		}
		if c.reply != "" {
			contact.Stub, test.Stubs = 0, []model.Stub{{Answers: []model.Answer{{Body: c.reply}}}}
		}
		x := model.Exchange{Request: model.Request{URL: "/things"}, Reply: model.Reply{Status: 500, Body: []byte("oops")}}
		if got := strings.Join(playedBy(t, test, []model.Exchange{x}, contact), " "); got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.stated, c.reply, got, c.want)
		}
	}
}

// A database that a stub plays has no state, so that no oracle compares several answers.
func TestDatabaseWithoutState(t *testing.T) {
	query := model.Contact{Kind: model.ContactMessage, Protocol: model.Postgres, Host: "db.example:1", Data: []byte("SELECT 1"), Stub: -1}
	for _, c := range []struct {
		contacts []model.Contact
		want     []int
	}{{nil, []int{3}}, {[]model.Contact{query}, nil}} {
		got := of("readable-after-delete", findingsWith(t, api(), c.contacts, made, read, deletedWords, read))
		if !slices.Equal(got, c.want) {
			t.Errorf("with %d contacts: got %v, want %v", len(c.contacts), got, c.want)
		}
	}
}
