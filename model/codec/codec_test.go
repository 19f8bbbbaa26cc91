package codec_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/codec"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func header() codec.RunHeader {
	return codec.RunHeader{
		Title: "Shop", Spec: "shop.json", SpecHash: "ab", BaseURL: "http://127.0.0.1:1", Seed: 1,
		Users:  []model.User{{Name: "ann", Header: "Authorization", Env: "ANN"}},
		Reset:  &model.Reset{Method: "POST", Path: "/reset"},
		Limits: model.Limits{Calls: 10}, Tuning: model.DefaultTuning(), Command: "sonde search",
	}
}

var tests = []model.Test{{
	ID: "t1", Origin: model.OriginSearched, Covers: []string{"GET /a 200"},
	Calls: []model.Call{
		{Op: "POST /a", Body: &model.Payload{Media: "application/json", Data: `{"x":"\u0000é"}`}, User: "ann", Status: 201},
		{Op: "GET /a/{id}", Args: []model.Arg{{In: model.InPath, Name: "id", Value: "1"}}, Status: 200},
	},
	Links:  []model.Link{{From: 0, To: 1, Header: "Location", In: model.InPath, Name: "id"}},
	Checks: []model.Check{{Call: 1, Pointer: "/n", Equals: []byte(`12345678901234567890`)}},
}}

var faults = []model.Fault{{
	ID: "f1",
	Exchanges: []model.ExchangeExcerpt{{
		URL:    "/a",
		Status: 201,
		Header: map[string][]string{"Location": {"/a/1"}},
		Body:   "{}",
	}},
	Merged: 2,
	Op:     "GET /a/{id}", Oracle: "server-error", Severity: model.SeverityError, Status: 500, Expected: "a status below 500", Text: "oops",
	Signature: "500 oops", Verdict: model.VerdictReproducible, Count: 2, Calls: 2, At: 7, Test: &tests[0],
}}

// A run of a version without faults.json can be opened.
func TestOpenOldRun(t *testing.T) {
	dir := t.TempDir()
	create(t, dir)
	if err := os.Remove(filepath.Join(dir, "faults.json")); err != nil {
		t.Fatal(err)
	}
	if got, err := codec.OpenRun(dir); err != nil || got.Faults != nil || got.Title != "Shop" {
		t.Errorf("run %+v, error %v", got, err)
	}
}

// If a run.json of an older version lacks Delay and Extensions, OpenRun sets them to their defaults, or to 0 if
// Operands is 0.
func TestOpenRunWithoutSettings(t *testing.T) {
	usual := model.DefaultSampling()
	for operands, want := range map[string][2]float64{"0.5": {usual.Delay, usual.Extensions}, "0": {0, 0}} {
		dir := t.TempDir()
		create(t, dir)
		path := filepath.Join(dir, "run.json")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		old := regexp.MustCompile(`"(delay|extensions)": 0,\s*`).ReplaceAll(data, nil)
		old = bytes.Replace(old, []byte(`"operands": 0`), []byte(`"operands": `+operands), 1)
		if err := os.WriteFile(path, old, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := codec.OpenRun(dir)
		if err != nil || [2]float64{got.Sampling.Delay, got.Sampling.Extensions} != want {
			t.Errorf("operands %s: got %+v and error %v, want %v", operands, got.Sampling, err, want)
		}
	}
}

func create(t *testing.T, dir string) *codec.RunWriter {
	t.Helper()
	w, err := codec.CreateRun(dir, header(), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func TestRunComesBackAsItWas(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w := create(t, dir)
	tuned := model.AppliedCommand{Call: 5, Tuning: model.Tuning{Smart: 0.8}}
	for _, e := range []model.Event{model.RunStarted{Targets: 3}, tuned, model.TargetCovered{Call: 7, Target: "GET /a 200"}} {
		if err := w.WriteEvent(model.LogEntry{At: 5, Call: 7, Event: e}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.WriteSuite(tests); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteFaults(faults); err != nil {
		t.Fatal(err)
	}
	// The writer is not closed, as in a process that was killed.
	got, err := codec.OpenRun(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := header()
	want.Version, want.Commands = codec.Version, []model.AppliedCommand{tuned}
	for _, test := range got.Tests {
		if test.Provenance != (model.Provenance{Run: dir}) {
			t.Errorf("test %s comes from %+v, want run %s", test.ID, test.Provenance, dir)
		}
	}
	if got.Faults[0].Run != dir {
		t.Errorf("fault %s comes from %q, want %s", got.Faults[0].ID, got.Faults[0].Run, dir)
	}
	noFolders := cmp.Options{cmpopts.IgnoreFields(model.Test{}, "Provenance"), cmpopts.IgnoreFields(model.Fault{}, "Run")}
	if d := cmp.Diff(codec.StoredRun{RunHeader: want, Tests: tests, Faults: faults}, got, noFolders); d != "" {
		t.Errorf("run changed on disk (-want +got):\n%s", d)
	}
	events, err := os.ReadFile(filepath.Join(dir, "events.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(events)), "\n")
	if len(lines) != 3 || lines[2] != `{"event":"covered","data":{"call":7,"target":"GET /a 200"},"at":5,"call":7}` {
		t.Errorf("events %q", lines)
	}
}

func TestCreateNeverDestroys(t *testing.T) {
	dir := t.TempDir()
	create(t, dir).Close()
	if _, err := codec.CreateRun(dir, header(), false); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "--force") {
		t.Errorf("over a run: %v", err)
	}
	if w, err := codec.CreateRun(dir, header(), true); err != nil {
		t.Errorf("with force: %v", err)
	} else {
		w.Close()
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "thesis.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := codec.CreateRun(other, header(), true); err == nil || !strings.Contains(err.Error(), "holds no run") {
		t.Errorf("over a strange folder: %v", err)
	}
}

// While one writer writes to a run, no other writer can be opened for it.
func TestRunIsLocked(t *testing.T) {
	dir := t.TempDir()
	w := create(t, dir)
	for name, begin := range map[string]func() (*codec.RunWriter, error){
		"force":  func() (*codec.RunWriter, error) { return codec.CreateRun(dir, header(), true) },
		"resume": func() (*codec.RunWriter, error) { return codec.ResumeRun(dir, model.Limits{Calls: 9}, "", nil) },
	} {
		if _, err := begin(); err == nil || !strings.Contains(err.Error(), "another Sonde writes to the run") {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.Close()
	again, err := codec.ResumeRun(dir, model.Limits{Calls: 9}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

func TestOpenRefuses(t *testing.T) {
	const run, suite = `{"version":1}`, `{"version":1,"tests":`
	for _, c := range []struct{ name, run, suite, faults, want string }{
		{"a folder that is no run", "", "", "", "is not a run"},
		{"broken JSON", run, `{"tests":[`, "", "suite.json: unexpected end"},
		{"a newer format", `{"version":99}`, suite + `[]}`, "", "newer Sonde"},
		{"what Sonde did not write", `{}`, `{}`, "", "holds no run that Sonde wrote"},
		{
			"a link to nowhere", run, suite + `[{"id":"t","calls":[{"op":"GET /"}],"links":[{"from":0,"to":1}]}]}`,
			"", "link from call 0 to 1",
		},
		{"a check of nothing", run, suite + `[{"id":"t","checks":[{"call":0}]}]}`, "", "checks call 0 of 0"},
		{
			"a fault of a test with a link to nowhere", run, suite + `[]}`,
			`{"version":1,"faults":[{"test":{"id":"t","calls":[{"op":"GET /"}],"links":[{"from":0,"to":1}]}}]}`,
			"faults.json: test \"t\" has a link",
		},
		{"faults of a newer format", run, suite + `[]}`, `{"version":99}`, "newer Sonde"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"run.json": c.run, "suite.json": c.suite, "faults.json": c.faults} {
				if text != "" {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			if _, err := codec.OpenRun(dir); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want one line with %q", err, c.want)
			}
		})
	}
}
