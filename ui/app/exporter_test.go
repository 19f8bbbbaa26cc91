package app

import (
	"path/filepath"
	"strings"
	"testing"

	"sonde/export/format"
	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/suite"
)

// keptRun writes a run with two tests and a fault, and returns its folder.
func keptRun(t *testing.T, h codec.RunHeader) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	w, err := codec.CreateRun(dir, h, false)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	tests := []model.Test{
		{ID: "t1", Calls: []model.Call{{Op: "GET /a", Status: 200}}},
		{ID: "t2", Calls: []model.Call{{Op: "GET /b", Status: 500}}},
	}
	if err := w.WriteSuite(tests); err != nil {
		t.Fatal(err)
	}
	fault := model.Fault{ID: "f1", Op: "GET /b", Oracle: "server error", Status: 500, Test: &tests[1]}
	if err := w.WriteFaults([]model.Fault{fault}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// opened opens a run in a workspace and returns its tests and faults.
func opened(t *testing.T, w *Workspace, dir string) model.Snapshot {
	t.Helper()
	_, last, err := w.search.open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return last
}

// Tests of a run are exported as by sonde export: with the run's service, users, faults and command.
func TestExportOfARun(t *testing.T) {
	w, url := demoWorkspace(t)
	dir := keptRun(t, codec.RunHeader{Title: "Shop", BaseURL: "http://127.0.0.1:1", Users: []model.User{{Name: "ann"}}})
	tests := opened(t, w, dir).Tests

	s := w.exporter.suite("hurl", "pin", tests[1:])
	want := "sonde export " + dir + " --pick t2 --format hurl --faults pin"
	if s.BaseURL != "http://127.0.0.1:1" || s.Title != "Shop" || len(s.Users) != 1 || len(s.Faults) != 1 || s.Command != want {
		t.Errorf("of the run: URL %q, title %q, users %v, faults %v, command %q", s.BaseURL, s.Title, s.Users, s.Faults, s.Command)
	}
	if s := w.exporter.suite(suite.DefaultFormat, "", tests[:1]); s.Command != "sonde export "+dir+" --pick t1" || len(s.Faults) != 0 {
		t.Errorf("usual flags: command %q, faults %v", s.Command, s.Faults)
	}

	changed := tests[1].Derived()
	for name, tests := range map[string][]model.Test{
		"changed":          {changed},
		"one of them is":   {tests[0], changed},
		"by hand":          {{ID: "h1", Origin: model.OriginManual}},
		"of another run":   {{ID: "t1", Provenance: model.Provenance{Run: filepath.Join(dir, "gone")}}},
		"of several":       {tests[0], {ID: "h1", Origin: model.OriginManual}},
		"nothing is there": nil,
	} {
		if s := w.exporter.suite(suite.DefaultFormat, "", tests); s.BaseURL != url || s.Command != "" || len(s.Tests) != len(tests) {
			t.Errorf("%s: URL %q, command %q, %d tests", name, s.BaseURL, s.Command, len(s.Tests))
		}
	}
}

// A body that is not text is left out of the formats that have only texts, with the reason.
func TestFormatsAreCompared(t *testing.T) {
	w, _ := demoWorkspace(t)
	bytes := &model.Payload{Media: "application/octet-stream", Data: "\xff\xfe"}
	tests := []model.Test{
		{ID: "h1", Origin: model.OriginManual, Calls: []model.Call{{Op: "GET /health", Status: 200}}},
		{ID: "h2", Origin: model.OriginManual, Calls: []model.Call{{Op: "POST /orders", Body: bytes, Status: 400}}},
	}
	fits := w.exporter.compare("", tests)
	if len(fits) != len(format.Formats) {
		t.Fatalf("%d formats are compared, want %d", len(fits), len(format.Formats))
	}
	for i, fit := range fits {
		want := map[string]int{"har": 1, "postman": 1}[fit.Format]
		if fit.Format != format.Formats[i].Name || fit.LeftOut > 1 || fit.LeftOut < want {
			t.Errorf("got %+v, want format %s and at least %d left out", fit, format.Formats[i].Name, want)
		}
		if text := strings.Join(fit.Omissions, " "); want > 0 && !strings.Contains(text, "its body is not UTF-8") {
			t.Errorf("%s: omissions %q", fit.Format, text)
		}
	}
	for _, fit := range w.exporter.compare("", tests[1:]) {
		if fit.Format == "har" && (fit.LeftOut != 1 || len(fit.Omissions) != 1) {
			t.Errorf("a format that expresses no test: %+v", fit)
		}
	}
}

// Each test is exported with the service of its own run, even if another run was opened later.
func TestExportOfAnEarlierRun(t *testing.T) {
	w, _ := demoWorkspace(t)
	first := opened(t, w, keptRun(t, codec.RunHeader{BaseURL: "http://127.0.0.1:1"}))
	second := opened(t, w, keptRun(t, codec.RunHeader{BaseURL: "http://127.0.0.1:2"}))
	for want, last := range map[string]model.Snapshot{"http://127.0.0.1:1": first, "http://127.0.0.1:2": second} {
		s := w.exporter.suite(suite.DefaultFormat, "", last.Tests)
		if s.BaseURL != want || !strings.Contains(s.Command, "--pick t1,t2") {
			t.Errorf("URL %q, command %q, want %s", s.BaseURL, s.Command, want)
		}
		if told := w.exporter.fault(last.Faults[0]); !strings.Contains(told.Text+told.Curl, want) {
			t.Errorf("the fault of %s says %q, %q", want, told.Text, told.Curl)
		}
	}
}

// A test that the run no longer keeps is exported without a command.
func TestExportOfADroppedTest(t *testing.T) {
	w, _ := demoWorkspace(t)
	tests := opened(t, w, keptRun(t, codec.RunHeader{BaseURL: "http://127.0.0.1:1"})).Tests
	dropped := tests[0]
	dropped.ID = "t9"
	if s := w.exporter.suite(suite.DefaultFormat, "", []model.Test{dropped}); s.BaseURL != "http://127.0.0.1:1" || s.Command != "" {
		t.Errorf("URL %q, command %q", s.BaseURL, s.Command)
	}
}

// A suite has a virtual network only if one of its tests was played in a virtual network.
func TestExportOfATestOnAVirtualNetwork(t *testing.T) {
	w, url := demoWorkspace(t)
	demo := w.session.state().service.Instrumented(false, true)
	network := &model.VirtualNetwork{Allow: []string{"127.0.0.1:1"}}
	w.manual.virtual.Store(&networkedService{service: demo, net: network})

	real, virtual := model.Test{ID: "h1"}, model.Test{ID: "h2", Provenance: model.Provenance{Virtual: true}}
	if s := w.exporter.suite(suite.DefaultFormat, "", []model.Test{real}); s.Net != nil || s.BaseURL != url {
		t.Errorf("on the real network: network %+v, URL %q", s.Net, s.BaseURL)
	}
	s := w.exporter.suite(suite.DefaultFormat, "", []model.Test{real, virtual})
	if s.Net != network || s.Service == nil || s.Build == nil {
		t.Errorf("on a virtual network: network %+v, service %+v", s.Net, s.Service)
	}
}

// A replayed test keeps the provenance of its run if it got the same answers.
func TestProvenanceOfAReplay(t *testing.T) {
	kept := model.Test{
		ID:         "t1",
		Origin:     model.OriginSearched,
		Calls:      []model.Call{{Op: "GET /a", Status: 200}, {Op: "GET /b", Status: 404}},
		Provenance: model.Provenance{Run: "/run"},
	}
	for name, c := range map[string]struct {
		calls []model.Call
		want  model.Provenance
	}{
		"as before":    {calls: kept.Calls, want: model.Provenance{Run: "/run"}},
		"another one":  {calls: []model.Call{{Op: "GET /a", Status: 500}}, want: model.Provenance{Parent: "t1", Virtual: true}},
		"one is short": {calls: kept.Calls[:1], want: model.Provenance{Run: "/run"}},
	} {
		got := replayed(model.Test{Calls: c.calls}, kept, true)
		if got.Provenance != c.want || got.ID != "t1" || got.Origin != model.OriginSearched || len(got.Calls) != 2 {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}
