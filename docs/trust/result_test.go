package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"sonde/model"
)

func TestTakeSortsFaults(t *testing.T) {
	fault := func(op model.OpID, oracle string, severity model.Severity) model.Fault {
		return model.Fault{Op: op, Oracle: oracle, Severity: severity, Verdict: model.VerdictReproducible}
	}
	flaky := fault("GET /c", "crash", model.SeverityError)
	flaky.Verdict = model.VerdictFlaky
	var r result
	r.take([]string{"GET /a crash"}, []model.Fault{
		fault("GET /a", "crash", model.SeverityError),
		fault("GET /a", "crash", model.SeverityError),
		fault("GET /b", "schema", model.SeverityWarning),
		fault("GET /b", "header", model.SeverityNote),
		flaky,
	})
	if !slices.Equal(r.planted, []string{"GET /a crash"}) {
		t.Errorf("planted %q", r.planted)
	}
	if len(r.other) != 1 || r.other[0].Oracle != "schema" {
		t.Errorf("other %+v", r.other)
	}
}

func TestLineOfResult(t *testing.T) {
	r := result{
		service: "shop", mode: withReset, seed: 2, took: 3 * time.Second, tests: 7, planted: []string{"x"},
		plays: []played{{format: "go", passed: 4}, {format: "hurl", skipped: "no hurl here"}},
	}
	want := "shop with reset, seed 2: 7 tests in 3 s, 1 planted, 0 other faults, go 4 of 4, hurl skipped: no hurl here"
	if got := r.line(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTableHasARowForEachServiceAndWay(t *testing.T) {
	run := func(mode string, planted string, passed, failed int) result {
		return result{
			service: "shop", mode: mode, planted: []string{planted},
			plays: []played{{format: "go", passed: passed, failed: failed}, {format: "hurl", skipped: "none"}},
		}
	}
	var b strings.Builder
	err := table(&b, []result{run(withReset, "a", 4, 0), run(withReset, "b", 3, 1), run(withoutReset, "a", 4, 0)})
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for line := range strings.Lines(b.String()) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	want := []string{
		"|service |reset |runs |planted found |other faults |go passes |",
		"|--- |--- |--- |--- |--- |--- |",
		"|shop |with |2 |2 |0 |7 of 8 |",
		"|shop |without |1 |1 |0 |4 of 4 |",
	}
	if !slices.Equal(rows, want) {
		t.Errorf("got %q\nwant %q", rows, want)
	}
}

func TestWriteConfig(t *testing.T) {
	dir := t.TempDir()
	text := "spec: api.yaml\nreset: POST /reset\nurl: http://127.0.0.1:1\n"
	if err := os.WriteFile(filepath.Join(dir, "sonde.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := service{Config: "sonde.yaml", dir: dir}
	for mode, reset := range map[string]any{withReset: "POST /reset", withoutReset: nil} {
		to := filepath.Join(t.TempDir(), "out.yaml")
		if err := s.writeConfig(to, mode); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(to)
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := yaml.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		if got["reset"] != reset || got["spec"] != filepath.Join(dir, "api.yaml") || got["url"] != "http://127.0.0.1:1" {
			t.Errorf("%s reset: %v", mode, got)
		}
	}
}

func TestReadServicesRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"not YAML":  "services: [",
		"no name":   "services: [{config: a, run: [b]}]",
		"no config": "services: [{name: a, run: [b]}]",
		"no run":    "services: [{name: a, config: b}]",
	} {
		file := filepath.Join(t.TempDir(), "services.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if all, err := readServices(file, "tools"); err == nil {
			t.Errorf("%s: got %+v", name, all)
		}
	}
}
