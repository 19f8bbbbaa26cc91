package oracle_test

import (
	"slices"
	"testing"

	"sonde/model"
	"sonde/runner/oracle"
)

func contact(outcome string) model.Contact {
	return model.Contact{Kind: model.Message, Protocol: model.HTTP, Host: "pay.example:80", Outcome: outcome}
}

// around judges one answer during which the service turned to other hosts.
func around(t *testing.T, status int, body string, contacts ...model.Contact) (all []string) {
	t.Helper()
	for _, f := range found(t, status, body, contacts...) {
		if oracle.SeverityOf(f.Oracle) != model.SeverityNote {
			all = append(all, f.Oracle+": "+f.Signature)
		}
	}
	return all
}

func found(t *testing.T, status int, body string, contacts ...model.Contact) []oracle.Finding {
	t.Helper()
	test := model.Test{Calls: []model.Call{{Op: post, Status: status}}}
	p := api()
	p.Oracles = []string{"-schema"}
	x := model.Exchange{Request: model.Request{URL: "/things"}, Reply: model.Reply{Status: status, Body: []byte(body)}}
	j, err := oracle.NewJudge(p)
	if err != nil {
		t.Fatal(err)
	}
	return j.Judge(test, []model.Exchange{x}, contacts...)
}

func TestOutside(t *testing.T) {
	mute := contact("mute")
	mute.Took = 5000
	tests := []struct {
		name     string
		status   int
		body     string
		contacts []model.Contact
		want     []string
	}{
		{"all is well", 201, "{}", []model.Contact{contact("200")}, nil},
		{"a reset becomes a 500", 500, "oops", []model.Contact{contact("200"), contact("reset")}, []string{"dependency-error: 500 when pay.example:80 resets"}},
		{"a 503 of the host becomes a 500", 500, "oops", []model.Contact{contact("503")}, []string{"dependency-error: 500 when pay.example:80 answers 503"}},
		{"gateways say 502 to 504", 502, "oops", []model.Contact{contact("reset")}, nil},
		{"a fault that has nothing to do with it", 500, "oops", []model.Contact{contact("200")}, []string{"server-error: 500 oops"}},
		{"of another call", 500, "oops", []model.Contact{{Kind: model.Message, Host: "pay.example:80", Outcome: "reset", Call: -1}}, []string{"server-error: 500 oops"}},
		{"no time-out", 201, "{}", []model.Contact{mute}, []string{"no-time-out: pay.example:80"}},
		{"a time-out", 503, "{}", []model.Contact{contact("mute")}, nil},
		{"twenty tries", 503, "{}", slices.Repeat([]model.Contact{contact("503")}, 20), nil},
		{"endless tries", 503, "{}", slices.Repeat([]model.Contact{contact("503")}, 50), []string{"retries-without-bound: pay.example:80"}},
		{"a leak", 503, "Post http://pay.example/charge: EOF", []model.Contact{contact("reset")}, []string{"leaked-dependency-error: pay.example:80"}},
		{"a name that does no harm", 201, "see pay.example", []model.Contact{contact("reset")}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := around(t, tt.status, tt.body, tt.contacts...); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// What a service says that tries without bound depends on the clock.
func TestEndless(t *testing.T) {
	many := slices.Repeat([]model.Contact{contact("429")}, 21)
	elsewhere := slices.Repeat([]model.Contact{contact("429"), {Kind: model.Message, Host: "other.example:80"}}, 20)
	if !oracle.Endless(many, 0) || oracle.Endless(many, 1) || oracle.Endless(many[:20], 0) || oracle.Endless(elsewhere, 0) {
		t.Error("twenty tries of one host in one call are not without bound, more are")
	}
}

// A server error says first which host misbehaved, and nothing that a service makes up
// steers a terminal.
func TestWhoMisbehaved(t *testing.T) {
	evil := contact("reset")
	evil.Host = "a\x1b[2Jb:80"
	for _, c := range []struct {
		contact model.Contact
		want    string
	}{{contact("reset"), "when pay.example:80 resets: oops"}, {evil, "when a [2Jb:80 resets: oops"}} {
		all := found(t, 500, "oops", c.contact)
		if i := slices.IndexFunc(all, func(f oracle.Finding) bool { return f.Oracle == "dependency-error" }); i < 0 || all[i].Came != c.want {
			t.Errorf("got %+v, want %q", all, c.want)
		}
	}
}
