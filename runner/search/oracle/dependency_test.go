package oracle_test

import (
	"maps"
	"slices"
	"testing"

	"sonde/model"
	"sonde/runner/search/oracle"
)

func contact(outcome string) model.Contact {
	return model.Contact{Kind: model.ContactMessage, Protocol: model.HTTP, Host: "pay.example:80", Outcome: outcome}
}

// used returns a contact with a resource of the environment.
func used(resource, outcome string) model.Contact {
	return model.Contact{Kind: model.ContactUse, Protocol: model.Environment, Host: resource, Outcome: outcome}
}

// usedFile returns a contact with a file.
func usedFile(outcome string) model.Contact {
	c := used("./data/*.json", outcome)
	c.Data = []byte("create ./data/17.json")
	return c
}

// around returns the names of the oracles that an answer violates, if the service contacted other hosts
// during the call.
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
	j, err := oracle.NewRules(p)
	if err != nil {
		t.Fatal(err)
	}
	return j.Findings(test, []model.Exchange{x}, contacts...)
}

// If a service fails without contacting a host, it may remember that the host refused a connection during an earlier
// call. This explains an answer with a gateway status, or with the same status as the answer to the earlier call.
func TestRememberedRefusal(t *testing.T) {
	for _, tt := range []struct {
		first, second int
		want          string
	}{{201, 503, ""}, {201, 500, "server-error"}, {500, 500, "dependency-error"}} {
		calls := []model.Call{{Op: post, Status: tt.first}, {Op: post, Status: tt.second}}
		exchanges := []model.Exchange{
			{Request: model.Request{URL: "/things"}, Reply: model.Reply{Status: tt.first}},
			{Request: model.Request{URL: "/things"}, Reply: model.Reply{Status: tt.second}},
		}
		p := api()
		p.Oracles = []string{"-schema"}
		j, err := oracle.NewRules(p)
		if err != nil {
			t.Fatal(err)
		}
		refused := model.Contact{Kind: model.ContactDial, Protocol: model.TCP, Host: "pay.example:80", Outcome: "refused", Stub: -1}
		got := ""
		for _, f := range j.Findings(model.Test{Calls: calls}, exchanges, refused) {
			if f.Call == 1 && oracle.SeverityOf(f.Oracle) != model.SeverityNote {
				got += f.Oracle
			}
		}
		if got != tt.want {
			t.Errorf("%d after %d: got %q, want %q", tt.second, tt.first, got, tt.want)
		}
	}
}

func TestOutside(t *testing.T) {
	mute := contact("mute")
	mute.Took = 5000
	stalled := contact("stall")
	stalled.Took = 5000
	tests := []struct {
		name     string
		status   int
		body     string
		contacts []model.Contact
		want     []string
	}{
		{"all is well", 201, "{}", []model.Contact{contact("200")}, nil},
		{
			"a reset becomes a 500", 500, "oops",
			[]model.Contact{contact("200"), contact("reset")},
			[]string{"dependency-error: 500 when pay.example:80 resets"},
		},
		{
			"a 503 of the host becomes a 500", 500, "oops",
			[]model.Contact{contact("503")},
			[]string{"dependency-error: 500 when pay.example:80 answers 503"},
		},
		{"gateways say 502 to 504", 502, "oops", []model.Contact{contact("reset")}, nil},
		{"a fault that has nothing to do with it", 500, "oops", []model.Contact{contact("200")}, []string{"server-error: 500 oops"}},
		{
			"of another call", 500, "oops",
			[]model.Contact{{Kind: model.ContactMessage, Host: "pay.example:80", Outcome: "reset", Call: -1}},
			[]string{"server-error: 500 oops"},
		},
		{"no time-out", 201, "{}", []model.Contact{mute}, []string{"no-time-out: pay.example:80"}},
		{"no time-out while a host stalls", 201, "{}", []model.Contact{stalled}, []string{"no-time-out: pay.example:80"}},
		{"a time-out", 503, "{}", []model.Contact{contact("mute")}, nil},
		{"twenty tries", 503, "{}", slices.Repeat([]model.Contact{contact("503")}, 20), nil},
		{"endless tries", 503, "{}", slices.Repeat([]model.Contact{contact("503")}, 50), []string{"retries-without-bound: pay.example:80"}},
		{
			"a leak", 503, "Post http://pay.example/charge: EOF",
			[]model.Contact{contact("reset")},
			[]string{"leaked-dependency-error: pay.example:80"},
		},
		{
			"a leak of the connection", 503, "read tcp 10.0.0.1:4: EOF",
			[]model.Contact{contact("cut")},
			[]string{"leaked-dependency-error: pay.example:80"},
		},
		{
			"an error of gRPC becomes a 500", 500, "oops",
			[]model.Contact{contact("grpc 14")},
			[]string{"dependency-error: 500 when pay.example:80 answers with status 14 of gRPC"},
		},
		{
			"an answer of gRPC without a status becomes a 500", 500, "oops",
			[]model.Contact{contact(model.GRPCUnknown)},
			[]string{"dependency-error: 500 when pay.example:80 ends without a status"},
		},
		{"gRPC says not found", 500, "oops", []model.Contact{contact("grpc 5")}, []string{"server-error: 500 oops"}},
		{
			"a port in use", 500, "oops",
			[]model.Contact{used("7000/tcp", "address-in-use")},
			[]string{"dependency-error: 500 when port 7000/tcp is in use"},
		},
		{
			"no permission", 500, "oops",
			[]model.Contact{used("interfaces", "permission-denied")},
			[]string{"dependency-error: 500 when the machine's interfaces may not be used"},
		},
		{"a resource that works", 500, "oops", []model.Contact{used("7000/tcp", "works")}, []string{"server-error: 500 oops"}},
		{"a resource has no secret name", 503, "no interfaces", []model.Contact{used("interfaces", "permission-denied")}, nil},
		{
			"no space", 500, "oops",
			[]model.Contact{usedFile("no-space")},
			[]string{"dependency-error: 500 when file ./data/*.json has no space left"},
		},
		{
			"the path of a file", 503, "open data/17.json: permission denied",
			[]model.Contact{usedFile("permission-denied")},
			[]string{"leaked-dependency-error: ./data/*.json"},
		},
		{"the path of a file that works", 404, "open data/17.json: no such file", []model.Contact{usedFile("works")}, nil},
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

// A full disk is a reason for the status 507. A short name of a file is a leak only if it is in an error of the file.
// The name of the machine is never a leak.
func TestErrorsOfFiles(t *testing.T) {
	short := used("./data", "permission-denied")
	short.Data = []byte("open ./data")
	for _, c := range []struct {
		name, body string
		status     int
		contact    model.Contact
		want       int
	}{
		{"full disk", "no space", 507, usedFile("no-space"), 0},
		{"broken disk", "no space", 507, usedFile("io-error"), 1},
		{"no file is used", "no space", 507, contact("200"), 1},
		{"a word", "no data here", 503, short, 0},
		{"an error", "open data: permission denied", 503, short, 1},
		{"an absolute path", "open /srv/data: permission denied", 503, short, 1},
		{"a port", "dial tcp: no", 503, used("7000/tcp", "address-in-use"), 0},
		{"a path", "cannot use data/17.json", 503, usedFile("io-error"), 1},
	} {
		if got := around(t, c.status, c.body, c.contact); len(got) != c.want {
			t.Errorf("%s: got %q, want %d", c.name, got, c.want)
		}
	}
	test := model.Test{
		Calls: []model.Call{{Op: post, Status: 503}},
		Stubs: []model.Stub{{Host: "hostname", Protocol: model.Environment, Answers: []model.Answer{{Body: "node-17-eu-west-1"}}}},
	}
	j, err := oracle.NewRules(api())
	if err != nil {
		t.Fatal(err)
	}
	x := model.Exchange{Request: model.Request{URL: "/things"}, Reply: model.Reply{Status: 503, Body: []byte("node-17-eu-west-1 is busy")}}
	if all := of("leaked-dependency-error", j.Findings(test, []model.Exchange{x}, used("hostname", "answer"))); len(all) > 0 {
		t.Errorf("the name of the machine is a leak: %+v", all)
	}
}

// In the signature of a fault, a file has the name of the stub's resource.
func TestSignatureOfFile(t *testing.T) {
	j, err := oracle.NewRules(api())
	if err != nil {
		t.Fatal(err)
	}
	c := usedFile("no-space")
	c.Host, c.Stub = "./data/s.txt", 0
	test := model.Test{
		Calls: []model.Call{{Op: put, Args: []model.Arg{{In: model.InPath, Name: "id", Value: "s"}}}},
		Stubs: []model.Stub{{Host: "./data/*.txt", Protocol: model.Environment, Answers: []model.Answer{{Fault: model.NetNoSpace}}}},
	}
	x := model.Exchange{Request: model.Request{URL: "/things/s"}, Reply: model.Reply{Status: 500, Body: []byte("oops")}}
	all := j.Findings(test, []model.Exchange{x}, c)
	const want = "500 when file ./data/*.txt has no space left"
	if !slices.ContainsFunc(all, func(f oracle.Finding) bool { return f.Oracle == "dependency-error" && f.Signature == want }) {
		t.Errorf("findings %+v", all)
	}
}

// While a host misbehaves, a declared error is correct. Otherwise a declared error is a finding of severity note.
func TestDeclaredErrorOfAHost(t *testing.T) {
	j, err := oracle.NewRules(api())
	if err != nil {
		t.Fatal(err)
	}
	for outcome, want := range map[string]int{"reset": 0, "503": 0, "200": 1} {
		test := model.Test{Calls: []model.Call{{Op: "GET /limits"}}}
		x := model.Exchange{Request: model.Request{URL: "/limits"}, Reply: model.Reply{Status: 500, Body: []byte("oops")}}
		all := j.Findings(test, []model.Exchange{x}, contact(outcome))
		if n := len(of("declared-server-error", all)); n != want || len(of("dependency-error", all)) > 0 {
			t.Errorf("%s: %d notes, want %d: %+v", outcome, n, want, all)
		}
	}
}

// If a request names a host, faults with different names of the host are one fault, and an error message may
// contain the name.
func TestHostsOfRequests(t *testing.T) {
	j, err := oracle.NewRules(api())
	if err != nil {
		t.Fatal(err)
	}
	signatures := func(status int, body string) map[string]bool {
		all := map[string]bool{}
		for _, host := range []string{"one.example", "two.example"} {
			c := contact("reset")
			c.Host = host + ":80"
			test := model.Test{Calls: []model.Call{{Op: put, Args: []model.Arg{{In: model.InPath, Name: "id", Value: host}}}}}
			x := model.Exchange{
				Request: model.Request{URL: "/things/" + host}, Reply: model.Reply{Status: status, Body: []byte(body + host)},
			}
			for _, f := range j.Findings(test, []model.Exchange{x}, c) {
				if f.Oracle == "dependency-error" || f.Oracle == "leaked-dependency-error" {
					all[f.Oracle+": "+f.Signature] = true
				}
			}
		}
		return all
	}
	for _, c := range []struct {
		status int
		body   string
		want   []string
	}{
		{404, "no answer of ", nil},
		{404, "dial tcp: no ", []string{"leaked-dependency-error: <value>:80"}},
		{500, "no answer of ", []string{"dependency-error: 500 when <value>:80 resets"}},
	} {
		if got := slices.Sorted(maps.Keys(signatures(c.status, c.body))); !slices.Equal(got, c.want) {
			t.Errorf("%d %q: got %q, want %q", c.status, c.body, got, c.want)
		}
	}
}

// An error must not repeat the answer of a host. Neither an id in the answer nor the beginning of the answer may be
// in the error.
func TestRepeatedHostAnswer(t *testing.T) {
	const page = `<html><body>Nothing to see, which is long enough to be known again</body></html>`
	for _, c := range []struct {
		name, hostAnswer, outcome string
		status                    int
		answer, sent              string
		want                      bool
	}{
		{"an id", `{"trace":"tr-4f9a-k27"}`, "500", 502, `{"error":"upstream said tr-4f9a-k27"}`, "", true},
		{
			"what it could not read", page, "200", 502,
			`{"error":"cannot read <html><body>Nothing to see, which is long enough to be known again"}`, "", true,
		},
		{
			"escaped", `{"balance":"` + page + `"}`, "200", 500,
			`{"error":"cannot read {\"balance\":\"<html><body>Nothing to see, which is long enough"}`, "", true,
		},
		{
			"escaped as Go does", `{"balance":"` + page + `"}`, "200", 500,
			`{"error":"cannot read {\"balance\":\"\u003chtml\u003e\u003cbody\u003eNothing to see, which is long"}`,
			"", true,
		},
		{"an error of its own", page, "500", 502, `{"error":"the shop is closed"}`, "", false},
		{"no error", `{"trace":"tr-4f9a-k27"}`, "200", 200, `{"trace":"tr-4f9a-k27"}`, "", false},
		{"a refusal that is for the client", `{"trace":"tr-4f9a-k27"}`, "402", 402, `{"trace":"tr-4f9a-k27"}`, "", false},
		{"what the client sent", `{"id":"tr-4f9a-k27"}`, "500", 502, `{"error":"no tr-4f9a-k27"}`, `{"id":"tr-4f9a-k27"}`, false},
		{"words that all use", `{"error":"unavailable"}`, "503", 503, `{"error":"unavailable"}`, "", false},
		{"a day", `{"at":"2026-11-20T10:00:00Z"}`, "503", 503, `{"error":"closed","at":"2026-11-20T10:00:00Z"}`, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			j, err := oracle.NewRules(api())
			if err != nil {
				t.Fatal(err)
			}
			test := model.Test{
				Calls: []model.Call{{Op: put}},
				Stubs: []model.Stub{{Host: "pay.example:80", Answers: []model.Answer{{Body: c.hostAnswer}}}},
			}
			x := model.Exchange{
				Request: model.Request{URL: "/things/1", Body: []byte(c.sent)},
				Reply:   model.Reply{Status: c.status, Body: []byte(c.answer)},
			}
			got := len(of("leaked-dependency-error", j.Findings(test, []model.Exchange{x}, contact(c.outcome)))) > 0
			if got != c.want {
				t.Errorf("found: %t, want %t", got, c.want)
			}
		})
	}
}

// The answer to a call with endless retries depends on timing.
func TestEndless(t *testing.T) {
	many := slices.Repeat([]model.Contact{contact("429")}, 21)
	elsewhere := slices.Repeat([]model.Contact{contact("429"), {Kind: model.ContactMessage, Host: "other.example:80"}}, 20)
	if !oracle.HasEndlessRetries(many, 0) || oracle.HasEndlessRetries(many, 1) ||
		oracle.HasEndlessRetries(many[:20], 0) || oracle.HasEndlessRetries(elsewhere, 0) {
		t.Error("twenty tries of one host in one call are not without bound, more are")
	}
}

// The finding of a server error names the host that misbehaved. The finding contains no control characters, even if
// the service made up the name.
func TestErrorNamesTheHost(t *testing.T) {
	evil := contact("reset")
	evil.Host = "a\x1b[2Jb:80"
	for _, c := range []struct {
		contact model.Contact
		want    string
	}{{contact("reset"), "when pay.example:80 resets: oops"}, {evil, "when a [2Jb:80 resets: oops"}} {
		all := found(t, 500, "oops", c.contact)
		if i := slices.IndexFunc(all, func(f oracle.Finding) bool { return f.Oracle == "dependency-error" }); i < 0 ||
			all[i].Actual != c.want {
			t.Errorf("got %+v, want %q", all, c.want)
		}
	}
}
