package generation_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/export"
	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/replay/generate"
	"sonde/ui/app/generation"
	"sonde/ui/app/service"
	"sonde/ui/app/suite"
)

// served is a recorded request to the demo and its response.
func served(id, op, url, body string) model.ServedRequest {
	return model.ServedRequest{ID: id, Exchange: model.Exchange{
		Request: model.Request{Op: model.OpID(op), Method: "GET", URL: url},
		Reply: model.Reply{
			Status: 200,
			Header: map[string][]string{"Content-Type": {"application/json"}},
			Body:   []byte(body),
		},
	}}
}

// shop returns the generation for a recording of two requests to the demo in a folder, and the spec.
func shop(t *testing.T) (*generation.Generation, *model.Spec) {
	t.Helper()
	spec, err := service.LoadDemo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rec := model.Recording{
		Title:   "Shop",
		BaseURL: "http://127.0.0.1:1",
		Served:  []model.ServedRequest{served("x1", "GET /stores", "/stores", `[{"id":"s1"}]`), served("x2", "", "/favicon.ico", "")},
	}
	dir := t.TempDir()
	g := &generation.Generation{
		Options:   &generation.Options{Dir: filepath.Join(dir, "tests"), Runs: generation.DefaultRuns},
		Recording: rec,
		Source:    filepath.Join(dir, "rec"),
		Generated: generation.Tests(rec, filepath.Join(dir, "rec"), spec, generate.Options{}),
	}
	return g, spec
}

// Each test has the recording as its provenance. There is no test for an exchange without an operation.
func TestTestsOfARecording(t *testing.T) {
	g, _ := shop(t)
	if len(g.Generated.Tests) != 1 || len(g.Generated.Skipped) != 1 || g.Generated.Skipped[0].Exchange != "x2" {
		t.Fatalf("%d tests, skipped %+v", len(g.Generated.Tests), g.Generated.Skipped)
	}
	test := g.Generated.Tests[0]
	if want := (model.Provenance{Recording: g.Source}); test.Provenance != want || test.Origin != model.OriginRecorded {
		t.Errorf("the test comes from %+v, origin %q, want %+v", test.Provenance, test.Origin, want)
	}
	if err := g.Check(); err != nil {
		t.Errorf("it cannot be written: %v", err)
	}
}

// Write writes the tests, and a run with them that other commands can read. It does not replace existing files,
// unless Force is set.
func TestWrite(t *testing.T) {
	g, spec := shop(t)
	if err := g.Write(spec); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(g.Dir, export.TestsFileName))
	if err != nil || !strings.Contains(string(text), "_OO(t *testing.T)") || !strings.Contains(string(text), g.Command()) {
		t.Errorf("the file has %d bytes, error %v", len(text), err)
	}
	run, err := codec.OpenRun(filepath.Join(g.Dir, generation.RunFolder))
	if err != nil || len(run.Tests) != 1 || run.Tests[0].Mock == nil || run.Title != spec.Title {
		t.Errorf("the run has %d tests, error %v", len(run.Tests), err)
	}
	if err := g.Write(spec); err == nil || !strings.Contains(err.Error(), "overwrite it with --force") {
		t.Errorf("a second time: error %v", err)
	}
	g.Force = true
	if err := g.Write(spec); err != nil {
		t.Errorf("by force: error %v", err)
	}
}

// The files may be in another language. The command that repeats the generation, the report, and the check for
// existing files then refer to the files in this language.
func TestWriteInAnotherFormat(t *testing.T) {
	for name, file := range map[string]string{"pytest": "test_sonde.py", "node": "sonde.test.mjs", "junit5": "SondeTest.java"} {
		g, spec := shop(t)
		g.Format = name
		if err := g.Check(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := g.Write(spec); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text, err := os.ReadFile(filepath.Join(g.Dir, file))
		if err != nil || !strings.Contains(string(text), "/stores") || !strings.Contains(string(text), "--format "+name) {
			t.Errorf("%s: the file has %d bytes, error %v", name, len(text), err)
		}
		if _, err := os.Stat(filepath.Join(g.Dir, export.TestsFileName)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the file of Go tests: error %v", name, err)
		}
		if r := g.Report(spec); r.Format != name || len(r.LeftOut) != 0 {
			t.Errorf("%s: the report has format %q, and leaves out %v", name, r.Format, r.LeftOut)
		}
		if err := g.CheckFiles(); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: a second time: error %v", name, err)
		}
	}
	g, _ := shop(t)
	g.Format = "cobol"
	if err := g.Check(); err == nil || !strings.Contains(err.Error(), "cobol") {
		t.Errorf("an unknown format: error %v", err)
	}
}

// Tests that failed in a run, or whose outward calls are uncertain, are separated.
func TestSplitTests(t *testing.T) {
	test := func(id string, uncertain bool) model.Test {
		return model.Test{ID: id, Mock: &model.MockTest{Uncertain: uncertain}}
	}
	g := &generation.Generation{
		Generated: generate.Suite{Tests: []model.Test{test("r1", false), test("r2", false), test("r3", true), test("r4", false)}},
		Results: []generate.Result{
			{Test: "r1", Outcome: generate.OutcomeMimics},
			{Test: "r2", Function: "TestB_OO", Outcome: generate.OutcomeFlaky, Failed: 3, Runs: 10},
			{Test: "r4", Outcome: generate.OutcomeMimics},
			{Test: "r4", Outcome: generate.OutcomeIncomplete},
		},
	}
	good, apart := g.SplitTests()
	if got := suite.TestIDs(good); !slices.Equal(got, []string{"r1"}) {
		t.Errorf("good: %q", got)
	}
	if got := suite.TestIDs(apart); !slices.Equal(got, []string{"r2", "r3", "r4"}) {
		t.Errorf("apart: %q", got)
	}
	if apart[0].Flaky != "TestB_OO failed in 3 of 10 runs" || apart[2].Flaky != "" {
		t.Errorf("flaky: %q and %q", apart[0].Flaky, apart[2].Flaky)
	}
}

func TestCommand(t *testing.T) {
	for want, o := range map[string]generation.Options{
		"sonde generate rec --force":                            {Dir: suite.DefaultFolder},
		"sonde generate rec --spec 'my spec.yaml' -o x --force": {Dir: "x", Spec: "my spec.yaml"},
		"sonde generate rec --oracle oo,co --together --only 'GET /**' --exchange x1 --most 3 --hosts httptest --force": {
			Dir:      suite.DefaultFolder,
			Oracles:  []string{"oo", "co"},
			Together: true,
			Hosts:    suite.LocalHosts,
			Choice:   generate.Options{Only: []string{"GET /**"}, Exchanges: []string{"x1"}, MaxTests: 3},
		},
	} {
		g := generation.Generation{Options: &o, Source: "rec"}
		if got := g.Command(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// The errors say why no test can be made and what the user can do.
func TestNoTestsError(t *testing.T) {
	g, _ := shop(t)
	g.Recording.Served = g.Recording.Served[1:]
	if err := g.NoTestsError(); !strings.Contains(err.Error(), "no test can be made of the 1 request") ||
		!strings.Contains(err.Error(), "/favicon.ico") {
		t.Errorf("an unknown request: %v", err)
	}
	g.Recording.Served = nil
	if err := g.NoTestsError(); !strings.Contains(err.Error(), "has no request") {
		t.Errorf("an empty recording: %v", err)
	}
	if err := g.ExplainError(export.ErrEmpty); !errors.Is(err, export.ErrEmpty) {
		t.Errorf("nothing to write: %v", err)
	}
	if err := g.ExplainError(errors.New("x")); !strings.Contains(err.Error(), "record it again with -- COMMAND") {
		t.Errorf("a service that the tests cannot start: %v", err)
	}
}

// CheckFiles finds existing test files and an existing run before the tests are played. It also looks into the folder
// of tests that do not mimic.
func TestCheckFiles(t *testing.T) {
	g, _ := shop(t)
	if err := g.CheckFiles(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{export.TestsFileName, generation.RunFolder, filepath.Join("apart", export.TestsFileName)} {
		path := filepath.Join(g.Dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		if err := g.CheckFiles(); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "--force") {
			t.Errorf("%s exists: error %v", name, err)
		}
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	g.Force = true
	if err := os.WriteFile(filepath.Join(g.Dir, export.TestsFileName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := g.CheckFiles(); err != nil {
		t.Errorf("by force: %v", err)
	}
}

// If Sonde builds the service, the suite has a virtual network with the stubs of background calls, unless the user
// wants servers on loopback. Otherwise the suite has servers on loopback. If the recording has no reset, the service
// is restarted before each test.
func TestSuite(t *testing.T) {
	background := []model.Stub{{Host: "config.example:80", Protocol: model.HTTP}}
	for _, c := range []struct {
		hosts        string
		built, local bool
	}{{built: true}, {built: true, hosts: suite.LocalHosts, local: true}, {local: true}, {hosts: suite.VirtualHosts}} {
		g, _ := shop(t)
		g.Hosts, g.Generated.Background = c.hosts, background
		g.Recording.Service = &model.Service{Command: []string{"shop"}}
		if c.built {
			g.Recording.Service.Build = &model.GoBuild{Package: "."}
		}
		s := g.Suite(g.Generated.Tests)
		hasStubs := s.Net != nil && len(s.Net.Stubs) == 1
		if s.Local != c.local || hasStubs != (c.built || c.local) || s.Reset == nil || !s.Reset.Restart {
			t.Errorf("%+v: local %t, network %+v, reset %+v", c, s.Local, s.Net, s.Reset)
		}
	}
}

// The report of a generation can be read from its folder, and its lists are not null.
func TestReport(t *testing.T) {
	g, spec := shop(t)
	g.Oracles, g.Runs = model.MockOracles, 3
	g.Results = []generate.Result{{Test: g.Generated.Tests[0].ID, Oracle: model.OutputOracle, Outcome: generate.OutcomeMimics, Runs: 3}}
	if err := g.Write(spec); err != nil {
		t.Fatal(err)
	}
	r, err := generation.OpenReport(g.Dir)
	if err != nil || r.Title != spec.Title || r.Declared != len(spec.Operations) || r.Exchanges != 2 || r.Runs != 3 {
		t.Fatalf("got %+v, error %v", r, err)
	}
	if len(r.Tests) != 1 || r.Tests[0].Apart || len(r.Tests[0].Results) != 1 || len(r.Skipped) != 1 || r.Causes == nil {
		t.Errorf("got %+v", r)
	}
	file := filepath.Join(g.Dir, generation.ReportFile)
	if err := os.WriteFile(file, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := generation.OpenReport(g.Dir); err == nil || !strings.Contains(err.Error(), "is not a report of sonde generate") {
		t.Errorf("a damaged report: %v", err)
	}
	_, err = generation.OpenReport(t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "name a folder that sonde generate wrote") {
		t.Errorf("no report: %v", err)
	}
}

// If the tests are not run, the reason is stored, and nothing else changes.
func TestNoRun(t *testing.T) {
	g, _ := shop(t)
	g.NoRun = true
	if err := g.RunTests(t.Context()); err != nil || g.NotRunReason != "--no-run" || g.Results != nil {
		t.Errorf("error %v, reason %q, results %v", err, g.NotRunReason, g.Results)
	}
}

func TestTestFunctions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sonde_test.go")
	text := "package x\n\nfunc TestMain(m *testing.M) { run(m) }\n\n// TestA does.\nfunc TestA_200_OO(t *testing.T) {\n\tx := 1\n" +
		"\tnetwork.mimics(t, recorded{id: \"r1.1\", oracles: \"oo\"})\n}\n\n" +
		"func TestB(t *testing.T) {\n\tmimics(t, recorded{id: \"r2\"})\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := generation.TestFunctions(file)
	if err != nil || len(got) != 2 || got["TestA_200_OO"] != "r1.1" || got["TestB"] != "r2" {
		t.Errorf("got %v, error %v", got, err)
	}
}

// The functions of a folder are known by operation, and its tests and its recording can be opened.
func TestOpenFolder(t *testing.T) {
	g, spec := shop(t)
	g.Oracles = model.MockOracles
	if err := generation.CheckFolder(g.Dir); err != nil {
		t.Fatal(err)
	}
	if err := g.Write(spec); err != nil {
		t.Fatal(err)
	}
	if err := generation.CheckFolder(g.Dir); err == nil {
		t.Error("the folder has no tests")
	}
	functions, err := generation.FunctionsByOperation(g.Dir)
	if all := functions["GET /stores"]; err != nil || len(functions) != 1 || len(all) != 1 || !strings.HasSuffix(all[0], "_OO") {
		t.Errorf("functions %v, error %v", functions, err)
	}
	opened, err := generation.OpenTests(g.Dir, model.OutputOracle, 3)
	if err != nil || len(opened.Generated.Tests) != 1 || opened.Runs != 3 || opened.Recording.Title != spec.Title {
		t.Errorf("opened %+v, error %v", opened, err)
	}
	load := func(string) (*model.Spec, error) { return spec, nil }
	if _, _, err := generation.OpenSource(g.Dir, load); err == nil || !strings.Contains(err.Error(), g.Source) {
		t.Errorf("a recording that does not exist: %v", err)
	}
}
