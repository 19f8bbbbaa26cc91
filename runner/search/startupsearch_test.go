package search_test

import (
	"context"
	"path/filepath"
	"testing"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/config"
	"sonde/model/openapi"
	"sonde/runner/instrument/probe"
	"sonde/runner/search"
)

// startup is a service in testdata/startup that contacts hosts before it is ready. It has a best test, which was
// written by hand: stubs with which the service starts, and calls.
type startup struct {
	name  string
	seed  uint64 // some seeds need several minutes
	hosts []string
	stubs []model.Stub
	calls []model.Call
}

var startups = []startup{
	{
		"settings", 1,
		[]string{"settings.example:80"},
		[]model.Stub{jsonAnswer("settings.example:80",
			`{"limit": 5, "region": "us", "rates": [{"above": 1, "percent": 10}], "banned": ["eve"]}`)},
		[]model.Call{
			callOf("GET /quote", model.InQuery, "count", "x"),
			callOf("GET /quote", model.InQuery, "count", "9"),
			callOf("GET /quote", model.InQuery, "count", "2"),
			callOf("GET /quote", model.InQuery, "count", "1", "customer", "eve"),
		},
	},
	{
		"identity", 1,
		[]string{"id.example:80"},
		[]model.Stub{
			jsonAnswerAt("id.example:80", "/.well-known/metadata",
				`{"issuer": "http://id.example", "keys_url": "http://keys.example/all"}`),
			jsonAnswer("keys.example:80",
				`{"keys": [{"id": "a", "algorithm": "RS256"}, {"id": "b", "algorithm": "HS256", "secret": "c2Vj"}]}`),
		},
		[]model.Call{
			{Op: "GET /keys"}, callOf("GET /keys/{id}", model.InPath, "id", "b"), callOf("GET /keys/{id}", model.InPath, "id", "c"),
		},
	},
	{
		"registry", 5,
		[]string{"registry.example:4001", "clock.example:1123"},
		[]model.Stub{
			{Host: "registry.example:4001", Protocol: model.TCP, Answers: []model.Answer{{Body: "LEASE 90\n"}}},
			{Host: "clock.example:1123", Protocol: model.UDP, Answers: []model.Answer{{Body: "offset -3"}}},
		},
		[]model.Call{{Op: "GET /lease"}, {Op: "GET /clock"}},
	},
	{
		"waiting", 1,
		[]string{"store.example:80"},
		[]model.Stub{
			jsonAnswerAt("store.example:80", "/ready", `{"status": "up"}`),
			{
				Host: "store.example:80", Protocol: model.HTTP, Match: model.StubMatch{Path: "/schema"},
				Answers: []model.Answer{{Status: 200, Header: model.NewHeaderField("X-Schema-Version", "5")}},
			},
		},
		[]model.Call{{Op: "GET /schema"}},
	},
	{
		"many", 3,
		[]string{"vault.example:80", "licence.example:7443", "settings.example:80", "switches.example:80"},
		[]model.Stub{
			jsonAnswerAt("vault.example:80", "/v1/auth/login", `{"auth": {"client_token": "t"}}`),
			jsonAnswerAt("vault.example:80", "/v1/secret/many", `{"data": {"signing_key": "12345"}}`),
			{Host: "licence.example:7443", Protocol: model.TCP, Answers: []model.Answer{{Body: "VALID pro\n"}}},
			jsonAnswer("settings.example:80", `{"mode": "test"}`),
			jsonAnswer("switches.example:80", `{"forecast": true}`),
		},
		[]model.Call{{Op: "GET /about"}, {Op: "GET /reports"}},
	},
}

// callOf returns a call with arguments: names and values in turn.
func callOf(op model.OpID, in model.Location, args ...string) model.Call {
	c := model.Call{Op: op}
	for i := 0; i < len(args); i += 2 {
		c.Args = append(c.Args, model.Arg{In: in, Name: args[i], Value: args[i+1]})
	}
	return c
}

func jsonAnswer(host, body string) model.Stub { return jsonAnswerAt(host, "", body) }

func jsonAnswerAt(host, path, body string) model.Stub {
	return model.Stub{
		Host: host, Protocol: model.HTTP, Match: model.StubMatch{Path: path},
		Answers: []model.Answer{{Status: 200, Header: model.NewHeaderField("Content-Type", "application/json"), Body: body}},
	}
}

// A search finds answers of hosts with which a service starts. It then reaches nearly as much of the source as the
// best test, which was written by hand.
func TestStartups(t *testing.T) {
	t.Parallel()
	for _, s := range startups {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			hand, found := s.plan(t), s.plan(t)
			hand.Net.Stubs, hand.Net.Closed = s.stubs, true
			hand.Recorded, hand.Limits.Calls = []model.Test{{Calls: s.calls}}, len(s.calls)
			best := start(t, hand, search.Sink{}).Wait()
			if best.Err != nil || len(best.StartupStubs) > 0 {
				t.Fatalf("by hand: %d stubs found, error %v", len(best.StartupStubs), best.Err)
			}
			var event model.StartupStubsFound
			got := start(t, found, search.Sink{Emit: func(l model.LogEntry) error {
				if e, ok := l.Event.(model.StartupStubsFound); ok {
					event = e
				}
				return nil
			}}).Wait()
			if got.Err != nil {
				t.Fatal(got.Err)
			}
			want, have := best.Summary.Code.Packages[0].Statements, got.Summary.Code.Packages[0].Statements
			t.Logf("%d of %d statements, by hand %d; %d starts: %+v", have.Covered, have.All, want.Covered, event.Starts, event.Stubs)
			if float64(have.Covered) < 0.85*float64(want.Covered) {
				t.Errorf("reached %d statements, by hand %d", have.Covered, want.Covered)
			}
			s.seen(t, got)
			again := found
			again.Net = again.Net.WithStartupStubs(got.StartupStubs)
			again.Limits.Calls = 10
			if second := start(t, again, search.Sink{}).Wait(); second.Err != nil || len(second.StartupStubs) != len(got.StartupStubs) {
				t.Errorf("with the stubs: %d stubs, error %v", len(second.StartupStubs), second.Err)
			}
		})
	}
}

// A manual session, too, finds answers of hosts that the service needs to start.
func TestStartupByHand(t *testing.T) {
	t.Parallel()
	p := startups[0].plan(t)
	s, err := search.NewManualSession(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	got, err := s.Send(t.Context(), model.Test{Calls: []model.Call{callOf("GET /quote", model.InQuery, "count", "1")}})
	if err != nil || len(s.StartupStubs()) == 0 || got.Exchanges[0].Reply.Status != 200 {
		t.Errorf("%d stubs, answers %+v, error %v", len(s.StartupStubs()), got.Exchanges, err)
	}
}

// seen checks that the contacts of starts are among the hosts of a run, with the stubs that answered.
func (s startup) seen(t *testing.T, got model.Snapshot) {
	t.Helper()
	answered := map[string]bool{}
	for _, h := range got.Hosts {
		for _, c := range h.RecentContacts {
			answered[h.Host] = answered[h.Host] || c.AnsweredBy != nil
		}
	}
	for _, host := range s.hosts {
		if !answered[host] {
			t.Errorf("no answer of %s is among the contacts", host)
		}
	}
}

// plan returns the plan of a search of the service, built with probes and the virtual network.
func (s startup) plan(t *testing.T) model.Plan {
	t.Helper()
	dir := filepath.Join("..", "testdata", "startup", s.name)
	c, err := config.Load(filepath.Join(dir, config.FileName))
	if err != nil {
		t.Fatal(err)
	}
	spec, err := openapi.Load(context.Background(), c.Spec, openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	binary := withProbes(t, dir, probe.Options{Dir: c.Service.Dir, Package: c.Service.Build.Package, Net: true})
	p := model.Plan{
		Spec:      spec,
		Templates: analysis.Analyze(spec, analysis.Options{}).Templates(),
		Service:   c.Service,
		Reset:     c.Reset,
		Seed:      s.seed,
		Tuning:    model.DefaultTuning(),
		Sampling:  model.DefaultSampling(),
		Limits:    model.Limits{Calls: 300},
		Net:       &model.VirtualNetwork{},
		Probes:    &model.Probes{Binary: binary},
	}
	p.Service.Command, p.Service.Build = []string{binary}, nil
	p.Service.Log = filepath.Join(t.TempDir(), "log")
	return p
}

// withProbes builds a service once and returns the path of its binary.
func withProbes(t *testing.T, key string, o probe.Options) string {
	t.Helper()
	skipInShort(t, "builds a service")
	return search.BuildOnce(t, key, func(path string) error {
		o.Out = path
		_, err := probe.Build(context.Background(), o)
		return err
	})
}
