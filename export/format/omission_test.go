package format_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
)

// If a format can express none of the tests, the error has the reason.
func TestErrorsOfEmptyFiles(t *testing.T) {
	body := &model.Payload{Media: "text/plain", Data: "x"}
	unfetched := model.Test{ID: "t1", Calls: []model.Call{{Op: "GET /a", Status: 200, Body: body}}}
	stubbed := model.Test{ID: "t1", Calls: []model.Call{{Op: "GET /a", Status: 200}}, Stubs: []model.Stub{{Host: "pay.example"}}}
	for _, f := range format.Formats {
		if f.Name == "go" {
			continue // Go tests can play hosts
		}
		_, err := f.Generate(export.Suite{Title: "T", Tests: []model.Test{stubbed}})
		if want := "needs no hosts around the service: --format go plays them"; !errors.Is(err, export.ErrEmpty) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", f.Name, err, want)
		}
	}
	_, err := named(t, "node").Generate(export.Suite{Title: "T", Tests: []model.Test{unfetched}})
	if want := "in this format: fetch sends no body with GET"; !errors.Is(err, export.ErrEmpty) || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}

// A test that a format cannot express is left out of its file, and the file has the reason.
func TestFilesNameWhatIsLeftOut(t *testing.T) {
	s := shop()
	s.Tests = append(s.Tests, model.Test{ID: "t2", Calls: []model.Call{
		{Op: "GET /a", Status: 200, Body: &model.Payload{Media: "text/plain", Data: "x"}},
	}})
	made, err := named(t, "node").Generate(s)
	if err != nil {
		t.Fatal(err)
	}
	const want = "Left out: GetA_200, because fetch sends no body with GET."
	if len(made.Tests) != 1 || !strings.Contains(strings.Join(made.Omissions, "\n"), want) ||
		!strings.Contains(string(made.Text), "// "+want) {
		t.Errorf("got the tests %q and omissions %q, want %q, also in\n%s", made.Tests, made.Omissions, want, made.Text)
	}
}

// Tests that insert rows are left out of each format, and each format names them.
func TestTestsWithRowsAreLeftOut(t *testing.T) {
	s := shop()
	rows := []model.Row{{Table: "a", Cells: []model.Cell{{Column: "b", Value: []byte("1")}}}}
	s.Tests = append(s.Tests, model.Test{ID: "t2", Calls: []model.Call{{Op: "GET /a", Status: 200}}, Rows: rows})
	for _, f := range format.Formats {
		made, err := f.Generate(s)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		omissions := strings.Join(made.Omissions, "\n")
		if strings.Contains(strings.Join(made.Tests, " "), "t2") || !strings.Contains(omissions, "into the database of the service") {
			t.Errorf("%s: has the tests %q, and omits %q", f.Name, made.Tests, omissions)
		}
	}
}

// If a test turns out to show only a fault, an update removes it from the tests file.
func TestFaultsLeaveTheTests(t *testing.T) {
	broken := model.Test{ID: "t2", Calls: []model.Call{{Op: "GET /broken", Status: 500}}}
	before := shop()
	before.Tests = append(before.Tests, broken)
	after := before
	after.Faults = []model.Fault{{
		Op: "GET /broken", Oracle: model.ServerErrorOracle, Severity: model.SeverityError, Status: 500,
		Verdict: model.VerdictReproducible, Expected: "a status below 500", Test: &broken,
	}}
	for _, name := range []string{"go-table", "hurl", "postman", "http", "har", "arazzo"} {
		f, dir := named(t, name), t.TempDir()
		for _, step := range []struct {
			suite export.Suite
			want  bool
		}{{before, true}, {after, false}} {
			if _, _, err := f.Write(dir, step.suite, false); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			text, err := os.ReadFile(filepath.Join(dir, f.TestsFile))
			if got := strings.Contains(string(text), "/broken"); err != nil || got != step.want {
				t.Errorf("%s: has the broken call: %t, want %t, %v", name, got, step.want, err)
			}
		}
	}
}

// A collection of Bruno has a folder for each test. An update removes the files of a test that shows only a fault now.
func TestFaultsLeaveCollections(t *testing.T) {
	broken := model.Test{ID: "t2", Calls: []model.Call{{Op: "GET /broken", Status: 500}}}
	before := shop()
	before.Tests = append(before.Tests, broken)
	after := before
	after.Faults = []model.Fault{{
		Op: "GET /broken", Oracle: model.ServerErrorOracle, Severity: model.SeverityError, Status: 500,
		Verdict: model.VerdictReproducible, Expected: "a status below 500", Test: &broken,
	}}
	f, dir := named(t, "bruno"), t.TempDir()
	for _, step := range []struct {
		suite export.Suite
		want  int
	}{{before, 1}, {after, 0}} {
		if _, _, err := f.Write(dir, step.suite, false); err != nil {
			t.Fatal(err)
		}
		found, err := filepath.Glob(filepath.Join(dir, "sonde_bruno", "*", "*-GET-broken.bru"))
		if err != nil || len(found) != step.want {
			t.Errorf("found %q, %v, want %d files", found, err, step.want)
		}
	}
}
