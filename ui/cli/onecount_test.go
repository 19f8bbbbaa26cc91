package cli

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"sonde/export"
	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/results"
)

// All commands and screens show the same number of faults for a run with errors, warnings, notes and
// flaky faults.
func TestFaultsAreCountedAlike(t *testing.T) {
	get := &model.Test{Calls: []model.Call{{Op: "GET /a", Status: 500}}}
	var faults []model.Fault
	add := func(n int, severity model.Severity, verdict model.Verdict) {
		for range n {
			faults = append(faults, model.Fault{
				ID: model.FaultID(len(faults)), Op: "GET /a", Oracle: "server-error", Severity: severity, Verdict: verdict, Status: 500,
				Signature: "500 " + strings.Repeat("x", len(faults)), Count: 1, Calls: 1, Test: get,
			})
		}
	}
	add(2, model.SeverityError, model.VerdictReproducible)
	add(1, model.SeverityError, "")
	add(1, model.SeverityError, model.VerdictFlaky)
	add(2, model.SeverityWarning, model.VerdictReproducible)
	add(3, model.SeverityNote, model.VerdictReproducible)
	add(1, model.SeverityNote, model.VerdictFlaky)
	const want = 5

	dir := filepath.Join(t.TempDir(), "run")
	run, course := ended(t, dir, faults)
	if n := run.Snapshot(course).Summary.Faults; n != want {
		t.Errorf("the app shows %d", n)
	}
	if n := strings.Count(junitOf(t, run, course), "<failure "); n != want {
		t.Errorf("JUnit has %d failures", n)
	}
	var wfc bytes.Buffer
	if err := export.WriteWFC(&wfc, reportOf(run, course), run.Started, export.TestPaths{}); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Faults struct {
			Total int   `json:"totalNumber"`
			Found []any `json:"foundFaults"`
		} `json:"faults"`
	}
	if err := json.Unmarshal(wfc.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Faults.Total != want || len(got.Faults.Found) != want {
		t.Errorf("WFC says %d, and has %d", got.Faults.Total, len(got.Faults.Found))
	}
	if text, want := results.TallyText(model.TallyFaults(run.Faults)), "5: 3 errors, 2 warnings; not counted: 1 flaky, 4 "+
		"notes"; text != want {
		t.Errorf("the command line says %q, want %q", text, want)
	}
	if line := results.SearchProgress(run.Snapshot(course)); !strings.Contains(line, "5 faults") {
		t.Errorf("the progress says %q", line)
	}
	for _, some := range []struct {
		faults []model.Fault
		code   int
	}{{faults, exitFaults}, {faults[3:4], exitClean}, {faults[6:], exitClean}} {
		s := model.Summary{Calls: 10, With2xx: 1}
		s.CountFaults(some.faults)
		if code := exitCode(new(searchFlags).outcome(s, new(bytes.Buffer)), new(bytes.Buffer)); code != some.code {
			t.Errorf("%d faults of which %d count end with %d, want %d", len(some.faults), s.Faults, code, some.code)
		}
	}
}

// ended writes a run that has ended to disk, and reads it again.
func ended(t *testing.T, dir string, faults []model.Fault) (codec.StoredRun, codec.RunHistory) {
	t.Helper()
	w, err := codec.CreateRun(dir, codec.RunHeader{Title: "T", BaseURL: "http://127.0.0.1:1", Operations: []model.OpID{"GET /a"}}, false)
	if err != nil {
		t.Fatal(err)
	}
	s := model.Summary{Calls: 10, Operations: 1, With2xx: 1}
	s.CountFaults(faults)
	if err := w.WriteFaults(faults); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteEvent(model.LogEntry{Call: 10, Event: model.RunStopped{Summary: s}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	run, err := codec.OpenRun(dir)
	if err != nil {
		t.Fatal(err)
	}
	course, err := codec.OpenHistory(dir)
	if err != nil {
		t.Fatal(err)
	}
	return run, course
}

func junitOf(t *testing.T, run codec.StoredRun, course codec.RunHistory) string {
	t.Helper()
	var b bytes.Buffer
	if err := export.WriteJUnit(&b, reportOf(run, course)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
