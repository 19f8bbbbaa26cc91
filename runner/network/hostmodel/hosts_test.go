package hostmodel

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search/gene"
)

const pay, list model.OpID = "POST /pay", "GET /list"

var played = model.Test{Calls: []model.Call{{Op: pay}, {Op: list}}}

func dialed(host string, call int) model.Contact {
	return model.Contact{Kind: model.ContactDial, Protocol: model.TCP, Host: host, Call: call, Outcome: "refused", Stub: -1}
}

func httpContact(host, method, url, body string) model.Contact {
	return model.Contact{
		Kind:     model.ContactMessage,
		Protocol: model.HTTP,
		Host:     host,
		Request:  model.Request{Method: method, URL: url, Body: []byte(body)},
	}
}

func chance() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// stubs samples stubs until a sample has n stubs, and returns this sample. It returns nil after 100 samples.
func stubs(w *Hosts, n int, ops ...model.OpID) []*Stub {
	r := chance()
	for range 100 {
		if all := w.SampleStubs(r, ops); len(all) == n {
			return all
		}
	}
	return nil
}

// Only hosts that the service was seen to use have stubs, and only in tests with the operations that
// use them.
func TestStubsOnlyForUsedHosts(t *testing.T) {
	w := &Hosts{}
	if w.UsedBy([]model.OpID{pay}) || len(w.SampleStubs(chance(), []model.OpID{pay})) > 0 {
		t.Error("it knows hosts before any was seen")
	}
	w.ObserveContacts(played, []model.Contact{dialed("payments.example:80", 0)})
	if !w.UsedBy([]model.OpID{pay}) || w.UsedBy([]model.OpID{list}) {
		t.Error("a host is not of the operation that turned to it")
	}
	w.ObserveContacts(played, []model.Contact{{Kind: model.ContactListen, Protocol: model.TCP, Host: ":7000", Call: -1}})
	if got := stubs(w, 1, list); len(got) != 1 || !got[0].LiteralStub().Inward {
		t.Errorf("a port on which it listens since its start is of every test: %+v", got)
	}
}

// If the service waited long for a host that stalled after the headers, new answers of the host do not stall there.
// They may still stall in the body, or be mute.
func TestWaitsAreLimited(t *testing.T) {
	w := &Hosts{}
	c := httpContact("a.example:80", "GET", "/", "")
	c.Outcome, c.Took = string(model.NetStall), longWait+1
	stalled := played
	stalled.Stubs = []model.Stub{{Host: c.Host, Protocol: model.HTTP, Answers: []model.Answer{{Fault: model.NetStall, Body: "x"}}}}
	w.ObserveContacts(stalled, slices.Repeat([]model.Contact{c}, maxWaits))
	r, seen := chance(), map[silence]int{}
	for range 1000 {
		for _, s := range w.SampleStubs(r, []model.OpID{pay}) {
			for _, a := range s.LiteralStub().Answers {
				seen[silence{a.Fault, a.After > 0}]++
			}
		}
	}
	if seen[silence{model.NetStall, false}] > 0 || seen[silence{model.NetStall, true}] == 0 || seen[silence{model.NetMute, false}] == 0 {
		t.Errorf("got %v", seen)
	}
}

// Hasten mostly replaces the fault of a silent host for which the service has waited maxWaits times. It leaves other faults alone.
func TestHasten(t *testing.T) {
	w := &Hosts{}
	c := httpContact("a.example:80", "GET", "/", "")
	c.Outcome, c.Took = string(model.NetMute), longWait+1
	silent := played
	silent.Stubs = []model.Stub{{Host: c.Host, Protocol: model.HTTP, Answers: []model.Answer{{Fault: model.NetMute}}}}
	w.ObserveContacts(silent, []model.Contact{c})
	r := chance()
	stub := w.SampleStubs(r, []model.OpID{pay})[0]
	const tries = 1000
	remains := func() (n int) {
		for range tries {
			stub.answers = []*answer{{fault: model.NetMute}, {fault: model.NetStall, after: 3}}
			Hasten(r, []*Stub{stub})
			if stub.answers[1].fault != model.NetStall || stub.answers[1].after != 3 {
				t.Fatal("a host that never made the service wait is changed")
			}
			if stub.answers[0].fault == model.NetMute {
				n++
			}
		}
		return n
	}
	if n := remains(); n != tries {
		t.Errorf("after one wait, %d of %d hosts stay silent", n, tries)
	}
	w.ObserveContacts(silent, slices.Repeat([]model.Contact{c}, maxWaits-1))
	if n := remains(); n == 0 || n > tries/5 {
		t.Errorf("after %d waits, %d of %d hosts stay silent", maxWaits, n, tries)
	}
}

// If the service connects to a host several times in a test, the answers of the stub may continue on the next
// connection instead of starting again.
func TestScriptsContinue(t *testing.T) {
	w := &Hosts{}
	said := func(host string) model.Contact {
		return model.Contact{Kind: model.ContactMessage, Protocol: model.TCP, Host: host, Data: []byte("x\n")}
	}
	const once, twice = "once.example:43", "twice.example:43"
	w.ObserveContacts(played, []model.Contact{
		dialed(once, 0), said(once), dialed(twice, 0), said(twice), dialed(twice, 0), said(twice),
	})
	r := chance()
	seen := map[string]map[bool]int{once: {}, twice: {}}
	for range 100 {
		own := w.SampleStubs(r, []model.OpID{pay})
		for range 10 {
			own, _ = w.MutateStubs(r, own, []model.OpID{pay}, gene.Pace{})
			for _, s := range own {
				out := s.LiteralStub()
				if again := w.AdoptStub(out).LiteralStub(); again.AnyConnection != out.AnyConnection {
					t.Fatalf("%+v is read as %+v", out, again)
				}
				seen[s.Host()][out.AnyConnection]++
			}
		}
	}
	if seen[once][true] > 0 || seen[twice][true] == 0 || seen[twice][false] == 0 {
		t.Errorf("scripts that continue: %v", seen)
	}
}

// Faults of the certificate occur only with a host to which the service connects by TLS.
func TestFaultsOfCertificates(t *testing.T) {
	w := &Hosts{}
	safe := httpContact("safe.example:443", "GET", "/", "")
	safe.TLS = true
	w.ObserveContacts(played, []model.Contact{
		dialed("safe.example:443", 0), safe, dialed("plain.example:80", 0), httpContact("plain.example:80", "GET", "/", ""),
	})
	r, seen := chance(), map[model.NetFault]bool{}
	for range 1000 {
		for _, s := range w.SampleStubs(r, []model.OpID{pay}) {
			for _, a := range s.LiteralStub().Answers {
				seen[a.Fault] = seen[a.Fault] || s.host == "safe.example:443"
				if a.Fault.IsOfCertificate() && (s.host != "safe.example:443" || s.rank() != 0) {
					t.Fatalf("%+v", s.LiteralStub())
				}
			}
		}
	}
	for _, fault := range append(certificateFaults, connectionFaults...) {
		if !seen[fault] {
			t.Errorf("no stub has %s", fault)
		}
	}
}

// A listening port, and a message of a host to this port, have the same endpoint.
func TestInwardEndpoint(t *testing.T) {
	w := &Hosts{}
	for _, kind := range []model.ContactKind{model.ContactListen, model.ContactMessage} {
		w.ObserveContacts(played, []model.Contact{{Kind: kind, Protocol: model.TCP, Host: ":7000", Inward: true}})
	}
	got := stubs(w, 1, pay)
	if len(got) != 1 || !got[0].LiteralStub().Inward || got[0].LiteralStub().Validate() != nil {
		t.Errorf("one port: %+v", got)
	}
}

// While the service has only dialed a host, stubs of the host try several protocols. When the service has sent data to the
// host, its protocol is known, and stubs have no other protocol.
func TestProtocolIsLearned(t *testing.T) {
	w := &Hosts{}
	w.ObserveContacts(played, []model.Contact{dialed("a.example:80", 0)})
	protocols := map[model.Protocol]bool{}
	r := chance()
	for range 50 {
		for _, s := range w.SampleStubs(r, []model.OpID{pay}) {
			protocols[s.LiteralStub().Protocol] = true
		}
	}
	if !protocols[model.HTTP] || !protocols[model.TCP] {
		t.Errorf("tried %v", protocols)
	}
	w.ObserveContacts(played, []model.Contact{httpContact("a.example:80", "POST", "/charges/17?x=1", "{}"), dialed("a.example:80", 0)})
	got := stubs(w, 2, pay)
	if len(got) != 2 {
		t.Fatal("the host is not a door and what is behind it")
	}
	if s := got[0].LiteralStub(); s.Protocol != model.HTTP || s.Match.Path != "" || !slices.Contains(connectionFaults, s.Answers[0].Fault) {
		t.Errorf("the door is %+v", s)
	}
	if s := got[1].LiteralStub(); s.Protocol != model.HTTP || s.Match.Method != "POST" || s.Match.Path != "/charges/{id}" {
		t.Errorf("stub %+v", s)
	}
	w.ObserveContacts(played, []model.Contact{httpContact("a.example:80", "GET", "/v1/status", "")})
	if got := stubs(w, 3, pay); len(got) != 3 || got[2].LiteralStub().Match.Path != "/v1/status" {
		t.Error("another path of the host is no place of its own")
	}
	w.ObserveContacts(
		played,
		[]model.Contact{
			{Kind: model.ContactMessage, Protocol: model.TCP, Host: "a.example:80", Data: []byte("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")},
		},
	)
	if got := stubs(w, 4, pay); len(got) != 4 || got[3].LiteralStub().Protocol != model.HTTP || got[3].LiteralStub().Match.Path != "/x" {
		t.Error("who speaks HTTP to what was thought to be TCP is not understood")
	}
	w.ObserveContacts(played, []model.Contact{
		{Kind: model.ContactMessage, Protocol: model.TCP, Host: "a.example:80", Data: []byte{0x16, 3}},
	})
	if got := stubs(w, 4, pay); len(got) != 4 {
		t.Error("what speaks HTTP is thought to speak TCP, too")
	}
}

// A host with many paths has one endpoint for all paths after the first maxPaths. The stub of this
// endpoint comes after the stubs of single paths.
func TestManyPaths(t *testing.T) {
	w := &Hosts{}
	for _, path := range []string{"/a", "/b", "/c", "/d", "/e", "/f", "/g"} {
		w.ObserveContacts(played, []model.Contact{httpContact("a.example:80", "GET", path, "")})
	}
	var got []*Stub
	for _, p := range w.endpoints.all {
		if !p.isConnection() {
			got = append(got, w.sampler(chance()).sample(p))
		}
	}
	if len(got) != maxPaths+1 || got[maxPaths].LiteralStub().Match.Path != "" {
		t.Fatalf("%d stubs for 7 paths", len(got))
	}
	r := chance()
	for range 100 {
		got, _ = w.MutateStubs(r, got, []model.OpID{pay}, gene.Pace{})
		for i, s := range got {
			if i > 0 && got[i-1].rank() > s.rank() {
				t.Fatal("a stub of all paths comes before one of a path, or one of a connection after one")
			}
		}
	}
}

// Each stub that is sampled or mutated is valid.
func TestStubsAreValid(t *testing.T) {
	approved := model.Property{Name: "approved", Schema: &model.Schema{Type: "boolean"}}
	w := &Hosts{
		Vocabulary: Vocabulary{Documents: []*Document{jsonDocument(&model.Schema{Type: "object", Properties: []model.Property{approved}})}},
	}
	w.ObserveContacts(played, []model.Contact{
		dialed("a.example:80", 0), httpContact("b.example:443", "GET", "/x", `{"n":1,"s":"t","l":[1.5],"o":{"b":true}}`),
		{Kind: model.ContactMessage, Protocol: model.TCP, Host: "c.example:43", Data: []byte("hello\n")},
		{Kind: model.ContactMessage, Protocol: model.UDP, Host: "d.example:8125", Data: []byte("x:1|c")},
		{Kind: model.ContactLookup, Protocol: model.DNS, Host: "e.example", Data: []byte("mx")},
		{Kind: model.ContactLookup, Protocol: model.DNS, Host: "f.example", Data: []byte("host")},
		{Kind: model.ContactListen, Protocol: model.UDP, Host: ":9000"},
	})
	r := chance()
	seen := map[string]bool{}
	for range 300 {
		own := w.SampleStubs(r, []model.OpID{pay})
		for range 10 {
			own, _ = w.MutateStubs(r, own, []model.OpID{pay}, gene.NewPace(0.5, model.Sizes{}))
			for _, s := range own {
				out := s.LiteralStub()
				if err := out.Validate(); err != nil {
					t.Fatalf("%v: %+v", err, out)
				}
				for _, a := range out.Answers {
					seen[string(out.Protocol)+" "+a.Label(out.Protocol)] = true
				}
			}
		}
	}
	for _, want := range []string{
		"http 200", "http 503", "http reset", "http mute", "http stall", "tcp answer", "tcp reset", "udp answer", "dns answer",
		"dns nxdomain",
	} {
		if !seen[want] {
			t.Errorf("%q never came", want)
		}
	}
}

// A mutation of a clone does not change the original.
func TestCloneIsIndependent(t *testing.T) {
	w := &Hosts{}
	w.ObserveContacts(played, []model.Contact{httpContact("a.example:80", "GET", "/", "")})
	r := chance()
	own := []*Stub{w.sampler(chance()).sample(w.endpoints.all[1])}
	before, _ := json.Marshal(own[0].LiteralStub())
	for range 200 {
		c := []*Stub{own[0].Clone()}
		gene.Mutate(r, c[0].Genes(), gene.Pace{})
		w.MutateStubs(r, c, []model.OpID{pay}, gene.Pace{})
	}
	if after, _ := json.Marshal(own[0].LiteralStub()); string(after) != string(before) {
		t.Errorf("was %s, is %s", before, after)
	}
}

func TestAdopt(t *testing.T) {
	w := &Hosts{}
	s := model.Stub{
		Host: "a.example:80", Protocol: model.HTTP, Match: model.StubMatch{Method: "GET", Path: "/x"},
		Answers: []model.Answer{{Status: 418, Body: "short and stout"}, {Fault: model.NetReset}}, Repeat: true,
	}
	got, want := mustJSON(t, w.AdoptStub(s).LiteralStub()), mustJSON(t, s)
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A host with a spec mostly answers with the responses that the spec declares.
func TestDeclaredResponses(t *testing.T) {
	schema := &model.Schema{
		Type:       "object",
		Properties: []model.Property{{Name: "receipt", Required: true, Schema: &model.Schema{Type: "string", Enum: []any{"R1"}}}},
	}
	w := &Hosts{DeclaredResponses: func(host, method, path string) []model.Response {
		if host != "a.example:80" || method != "POST" || path != "/charge" {
			t.Errorf("asked for %s %s %s", host, method, path)
		}
		return []model.Response{{Status: "201", Contents: []model.Content{{Media: "application/json", Schema: schema}}}}
	}}
	w.ObserveContacts(played, []model.Contact{httpContact("a.example:80", "POST", "/charge", "")})
	r := chance()
	var said []string
	for range 100 {
		for _, s := range w.SampleStubs(r, []model.OpID{pay}) {
			if a := s.LiteralStub().Answers[0]; a.Status == 201 && a.Fault == "" {
				said = append(said, a.Body)
			}
		}
	}
	if !slices.Contains(said, `{"receipt":"R1"}`) || len(said) < 30 {
		t.Errorf("%d answers of 201, such as %.200q", len(said), strings.Join(said, " "))
	}
}

func TestGeneral(t *testing.T) {
	for url, want := range map[string]string{"/a/17?x=1": "/a/{id}", "/v1/b": "/v1/b", "/": "/", "/users/ab-3/x": "/users/{id}/x", "": ""} {
		if got := pathPattern(url); got != want {
			t.Errorf("%q is %q, want %q", url, got, want)
		}
	}
}

// StubValues includes the status of HTTP, because the service may compare the status.
func TestStatusIsAValue(t *testing.T) {
	w := &Hosts{}
	w.ObserveContacts(played, []model.Contact{httpContact("a.example:80", "GET", "http://a.example/", "")})
	r := chance()
	for range 200 {
		for _, s := range w.SampleReachable(r, []model.OpID{pay}) {
			before := s.LiteralStub()
			c := s.Clone()
			for _, v := range c.StubValues() {
				if v.Name == "status" && !gene.AssignText(v.Gene, "451") {
					t.Fatal("it cannot be another one")
				}
			}
			for i, a := range c.LiteralStub().Answers {
				if was := before.Answers[i]; was.Fault == "" && a.Status != 451 || was.Status == 451 ||
					s.LiteralStub().Answers[i].Status != was.Status {
					t.Fatalf("%d became %d", was.Status, a.Status)
				}
			}
		}
	}
}

// A stub that answering returns is never a copy of a proven stub (see RecordSuccess) that has a fault or an error.
func TestAnsweringIsNoProvenFault(t *testing.T) {
	w := &Hosts{}
	w.ObserveContacts(played, []model.Contact{httpContact("a.example:80", "GET", "/", "")})
	e := w.endpoints.all[len(w.endpoints.all)-1]
	failing := &Stub{endpoint: e, protocol: model.HTTP, answers: []*answer{{code: codeOf(200), fault: model.NetReset}}}
	refusing := &Stub{endpoint: e, protocol: model.HTTP, answers: []*answer{{code: codeOf(503)}}}
	w.RecordSuccess([]*Stub{failing, refusing})
	r := chance()
	for range 200 {
		for _, s := range mustAnswer(t, w, r) {
			if a := s.LiteralStub().Answers[0]; s.Host() == "a.example:80" && (a.Fault != "" || a.Status/100 != 2) {
				t.Fatalf("got %+v", a)
			}
		}
	}
}

func mustAnswer(t *testing.T, w *Hosts, r *rand.Rand) []*Stub {
	t.Helper()
	all, added := w.AddAnswering(r, nil, []model.OpID{pay})
	if !added {
		t.Fatal("no stub was added")
	}
	return all
}
