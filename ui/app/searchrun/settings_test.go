package searchrun

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/model/codec"
	"sonde/model/config"
	"sonde/runner/network/netns"
	"sonde/ui/app/service"
)

// The test binary is also the keeper of network namespaces. Otherwise it would run all tests again in each namespace.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == netns.KeeperCommand {
		os.Exit(netns.RunKeeper(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// demo starts a new copy of the demo, and returns its spec and the settings of a search with a budget of that number of
// calls.
func demo(t *testing.T, calls int) (Settings, *model.Spec) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	url, err := service.ServeDemo(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	spec, err := service.LoadDemo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return Settings{
		Source:   service.DemoSource,
		Service:  service.DemoAt(url),
		Tuning:   model.DefaultTuning(),
		Sampling: model.DefaultSampling(),
		Minimise: model.DefaultMinimise,
		Limits:   model.Limits{Calls: calls},
		Seed:     7,
		Workers:  1,
		Folder:   filepath.Join(t.TempDir(), "run"),
	}, spec
}

// When Wait returns, the run is on disk. The provenance of its tests and faults is the run.
func TestStartRun(t *testing.T) {
	s, spec := demo(t, 60)
	run, err := s.StartRun(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	last := run.Wait()
	kept, err := codec.OpenRun(s.Folder)
	if err != nil || kept.SpecHash != spec.Hash || kept.Seed != 7 || len(kept.Tests) != len(last.Tests) || len(kept.Tests) == 0 {
		t.Fatalf("on disk: %d tests of %d, error %v", len(kept.Tests), len(last.Tests), err)
	}
	for i, test := range last.Tests {
		if want := (model.Provenance{Run: s.Folder}); test.Provenance != want || kept.Tests[i].Provenance != want {
			t.Errorf("test %s comes from %+v, on disk from %+v, want %+v", test.ID, test.Provenance, kept.Tests[i].Provenance, want)
		}
	}
	for _, f := range last.Faults {
		if f.Run != s.Folder {
			t.Errorf("fault %s comes from %q", f.ID, f.Run)
		}
	}
	if want := "sonde search --demo --calls 60 --seed 7 "; !strings.HasPrefix(run.Command(), want) || run.Folder() != s.Folder {
		t.Errorf("folder %q, command %q, want %q", run.Folder(), run.Command(), want)
	}
	if _, err := s.StartRun(t.Context(), spec); err == nil {
		t.Error("a run was written over another one")
	}
}

// If there is no service, no folder is created.
func TestStartRunWithoutService(t *testing.T) {
	s, spec := demo(t, 60)
	s.Service = service.Service{URL: "http://127.0.0.1:1"}
	if _, err := s.StartRun(t.Context(), spec); err == nil {
		t.Fatal("a run was started")
	}
	if _, err := os.Stat(s.Folder); err == nil {
		t.Error("there is a folder")
	}
}

// A run can be resumed with the same spec and service until its budget is used up.
func TestResume(t *testing.T) {
	s, spec := demo(t, 40)
	run, err := s.StartRun(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	used := run.Wait().Summary.Calls
	kept, err := codec.OpenRun(s.Folder)
	if err != nil {
		t.Fatal(err)
	}
	resumed := s
	resumed.Limits.Calls = used // a run may end early, if the rest of the budget is too small for a test
	if err := resumed.ResumeFrom(s.Folder, kept, model.Limits{}); err == nil ||
		!strings.Contains(err.Error(), fmt.Sprintf("has used up its budget of %d calls", used)) {
		t.Errorf("the same budget: error %v", err)
	}
	if err := resumed.ResumeFrom(s.Folder, kept, model.Limits{Calls: 80}); err != nil || len(resumed.Resume.Tests) != len(kept.Tests) {
		t.Fatalf("a larger budget: error %v", err)
	}
	again, err := resumed.StartRun(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if last := again.Wait(); last.Summary.Calls <= 40 || last.Summary.Calls > 80 {
		t.Errorf("it ended after %d calls", last.Summary.Calls)
	}
	other := *spec
	other.Hash = "other"
	if err := new(Settings).ResumeInApp(s.Folder, &other); err == nil || !strings.Contains(err.Error(), "another version") {
		t.Errorf("another spec: error %v", err)
	}
}

// The arguments give the same settings. Defaults are left out.
func TestCommandArgs(t *testing.T) {
	t.Chdir(t.TempDir())
	usual := Settings{Source: "a.yaml", Tuning: model.DefaultTuning(), Sampling: model.DefaultSampling(), Minimise: model.DefaultMinimise}
	tuning := strings.Join(knobArgs(usual.Tuning), " ")
	for want, change := range map[string]func(*Settings){
		"a.yaml --seed 0 " + tuning:                               func(*Settings) {},
		"a.yaml --url http://127.0.0.1:1 --seed 0 " + tuning:      func(s *Settings) { s.URL = "http://127.0.0.1:1" },
		"a.yaml --config c.yaml --remote-refs --seed 0 " + tuning: func(s *Settings) { s.Config.Path, s.RemoteRefs = "c.yaml", true },
		"a.yaml --max-size 1000 --seed 0 " + tuning:               func(s *Settings) { s.MaxBytes = 1000 },
		"https://h.example/a.yaml --seed 0 " + tuning:             func(s *Settings) { s.Source = "https://ann:pw@h.example/a.yaml" },
		"a.yaml --calls 9 --time 2s --workers 3 --seed 0 " + tuning: func(s *Settings) {
			s.Limits = model.Limits{Calls: 9, Time: 2 * time.Second}
			s.Workers = 3
		},
		"a.yaml --seed 0 " + tuning + " --invalid 0.5 --minimise 0": func(s *Settings) { s.Sampling.Invalid, s.Minimise = 0.5, 0 },
		"a.yaml --seed 0 " + tuning + " --oracle -crash --only tag:a --try s.txt --allow-host h.example": func(s *Settings) {
			s.Oracles, s.AllowHosts = []string{"-crash"}, []string{"h.example"}
			s.Directives = Directives{Only: []string{"tag:a"}, Try: "s.txt"}
		},
		"a.yaml --seed 0 " + tuning + " --security":       func(s *Settings) { s.Security = true },
		"a.yaml --seed 0 " + tuning + " --security=false": func(s *Settings) { s.Config.Security = true },
	} {
		s := usual
		change(&s)
		if got := strings.Join(s.CommandArgs(), " "); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if err := os.WriteFile(config.FileName, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := usual.CommandArgs(); !slices.Contains(got, "--config") {
		t.Errorf("a configuration in the folder that was not used: got %q", got)
	}
}

func TestEarlierRunCheckSpec(t *testing.T) {
	spec := &model.Spec{Hash: "h", Operations: []*model.Operation{{ID: "GET /a"}}}
	run := codec.StoredRun{Tests: []model.Test{{ID: "t1", Calls: []model.Call{{Op: "GET /a"}}}}}
	run.SpecHash = "h"
	changed := run
	changed.Tests = []model.Test{{ID: "t1", Calls: []model.Call{{Op: "GET /gone"}}}}
	for want, e := range map[string]EarlierRun{
		"":                     {Replayed: "run", Previous: run},
		"not an operation":     {Resumed: "run", Previous: changed},
		"with another version": {Resumed: "run"},
	} {
		err := e.CheckSpec(spec)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := (EarlierRun{}).CheckSpec(spec); err != nil {
		t.Errorf("a new search: error %v", err)
	}
}

// Scopes name operations, tags and groups. A scope without operations is an error.
func TestInitialCommands(t *testing.T) {
	_, spec := demo(t, 1)
	d := Directives{Only: []string{"GET /products", "tag:carts"}, Mute: []string{"group:1"}, Try: "-"}
	got, err := d.InitialCommands(spec, strings.NewReader("POST /products, GET /products/{productId}\n"))
	if err != nil || len(got) != 3 {
		t.Fatalf("got %+v, error %v", got, err)
	}
	only := got[0].Priority
	if only.Kind != model.PriorityOnly || only.Label != "GET /products, tag:carts" || len(only.Ops) < 2 || only.Ops[0] != "GET /products" {
		t.Errorf("the first is %+v", only)
	}
	if got[1].Priority.Kind != model.PriorityMuted || got[2].Try == nil || len(got[2].Try.Steps) == 0 {
		t.Errorf("the others are %+v and %+v", got[1], got[2])
	}
	for want, bad := range map[string]Directives{
		`--only "GET /x": there is no such operation`: {Only: []string{"GET /x"}},
		`--boost "tag:x": no operation has this tag`:  {Boost: []string{"tag:x"}},
		`--mute "group:99": groups are numbered from`: {Mute: []string{"group:99"}},
		`has no seq of this spec's operations`:        {Try: "-"},
	} {
		if _, err := bad.InitialCommands(spec, strings.NewReader("GET /x\n")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// A test is played first only if the search has its users and operations.
func TestPlayable(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{{ID: "GET /a", Method: http.MethodGet}}}
	s := Settings{Service: service.Service{Users: []model.User{{Name: "ann"}}}}
	for name, c := range map[string]struct {
		call model.Call
		want bool
	}{
		"a user":            {model.Call{Op: "GET /a", User: "ann"}, true},
		"anonymous":         {model.Call{Op: "GET /a"}, true},
		"an unknown user":   {model.Call{Op: "GET /a", User: "joe"}, false},
		"another operation": {model.Call{Op: "GET /b"}, false},
	} {
		if got := s.playable(spec, model.Test{Calls: []model.Call{c.call}}); got != c.want {
			t.Errorf("%s: got %t", name, got)
		}
	}
}

func TestWithLogFile(t *testing.T) {
	if got := WithLogFile(model.Service{}, "run").Log; got != filepath.Join("run", "service.log") {
		t.Errorf("got %q", got)
	}
	if got := WithLogFile(model.Service{Log: "my.log"}, "run").Log; got != "my.log" {
		t.Errorf("its own: got %q", got)
	}
}

// A virtual network around a service that Sonde does not build supports fewer options.
func TestSurround(t *testing.T) {
	started := service.Configuration{Config: config.Config{Service: &model.Service{Command: []string{"./x"}}}}
	for want, change := range map[string]func(*Settings){
		"give the port's number":    func(s *Settings) { s.Network.Allow = []string{"127.0.0.1:*"} },
		"interfaces need a Go serv": func(s *Settings) { s.Config.Net.Interfaces = []string{"eth0 10.0.0.7/24"} },
	} {
		s := Settings{Config: started, Network: service.Network{On: true}}
		change(&s)
		if _, err := s.surround(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if n, err := (Settings{Network: service.Network{On: true}}).surround(t.Context()); n != nil || err != nil {
		t.Errorf("a service that Sonde does not start: network %+v, error %v", n, err)
	}
	if n, err := (Settings{Config: started}).surround(t.Context()); n != nil || err != nil {
		t.Errorf("no network is wanted: %+v, error %v", n, err)
	}
}
