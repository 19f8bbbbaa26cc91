package ci_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/export"
	"sonde/model"
	"sonde/model/codec"
	"sonde/model/config"
	"sonde/ui/app/ci"

	"github.com/google/go-cmp/cmp"
)

var today = time.Date(2026, 12, 24, 12, 0, 0, 0, time.UTC)

func fault(id, op, signature string) model.Fault {
	return model.Fault{ID: id, Op: model.OpID(op), Oracle: "schema", Severity: model.SeverityWarning, Signature: signature}
}

func known(op, signature string) config.KnownFault {
	return config.KnownFault{Operation: model.OpID(op), Oracle: "schema", Signature: signature}
}

// ids returns the IDs of findings, with their remarks.
func ids(all []ci.Finding) string {
	var texts []string
	for _, f := range all {
		texts = append(texts, strings.TrimSpace(strings.Join(f.IDs(), "+")+" "+f.Remark))
	}
	return strings.Join(texts, "; ")
}

func TestJudge(t *testing.T) {
	flaky, note := fault("f2", "GET /b", "b"), fault("f3", "GET /c", "c")
	flaky.Verdict, note.Severity = model.VerdictFlaky, model.SeverityNote
	faults := []model.Fault{fault("f1", "GET /a/{id}", "a"), flaky, note, fault("f4", "GET /d", "d")}
	with := func(k config.KnownFault, reason, until, seen string) config.KnownFault {
		k.Reason, k.Until, k.FirstSeen = reason, until, seen
		return k
	}
	for name, c := range map[string]struct {
		expected                  ci.Expectations
		fresh, known, flaky, gone string
	}{
		"nothing known":            {ci.Expectations{}, "f1; f4", "", "f2", "[]"},
		"flaky ones fail":          {ci.Expectations{Flaky: ci.FlakyFail}, "f1; f2; f4", "", "", "[]"},
		"flaky ones do not matter": {ci.Expectations{Flaky: ci.FlakyIgnore}, "f1; f4", "", "", "[]"},
		"a baseline": {
			ci.Expectations{Known: []config.KnownFault{
				with(known("GET /a/{aId}", "a"), "issue 7", "2026-12-24", "2026-01-02"), with(known("GET /b", "b"), "", "", "2026-01-02"),
				known("GET /d", "d"), known("GET /c", "c"), known("GET /z", "z"),
			}, Flaky: ci.FlakyFail},
			"", "f1 issue 7; f2 first seen 2026-01-02; f4 in the baseline", "", "[GET /z schema: z]",
		},
		"an entry that has expired": {
			ci.Expectations{Known: []config.KnownFault{with(known("GET /a/{id}", "a"), "issue 7", "2026-12-23", "")}},
			"f1 known until 2026-12-23, which is over; f4", "", "f2", "[]",
		},
		"an earlier run": {
			ci.Expectations{Earlier: []model.Fault{fault("f9", "GET /d", "d")}, EarlierRun: "main"}, "f1", "f4 in the run main", "f2", "[]",
		},
	} {
		t.Run(name, func(t *testing.T) {
			c.expected.Today = today
			j := c.expected.Judge(faults)
			gone := []string{}
			for _, k := range j.Gone {
				gone = append(gone, ci.KnownText(k))
			}
			got := []string{ids(j.New), ids(j.Known), ids(j.Flaky), fmt.Sprint(gone)}
			if d := cmp.Diff([]string{c.fresh, c.known, c.flaky, c.gone}, got); d != "" || j.Passed() != (c.fresh == "") {
				t.Errorf("passed %t, -want +got:\n%s", j.Passed(), d)
			}
		})
	}
}

// Several wordings of a fault are one finding, of the highest severity.
func TestJudgeWordings(t *testing.T) {
	wording := func(id string, severity model.Severity, name string) model.Fault {
		return model.Fault{
			ID: id, Op: "POST /a", Oracle: model.ServerErrorOracle, Severity: severity, Status: 500,
			Signature: "500 the name " + name + " is short",
		}
	}
	j := ci.Expectations{}.Judge([]model.Fault{
		wording("f1", model.SeverityWarning, "x"), wording("f2", model.SeverityError, "<value>"), wording("f3", model.SeverityWarning, "y"),
	})
	if got := ids(j.New); got != "f2+f1+f3" {
		t.Errorf("got %s", got)
	}
	var r export.Report
	ci.Judgement{Known: j.New}.AddTo(&r, ci.FlakyWarn)
	if len(r.Known) != 3 {
		t.Errorf("known are %v", r.Known)
	}
}

func TestAnnotations(t *testing.T) {
	bad := fault("f2", "GET /b", "b")
	bad.Severity = model.SeverityError
	j := ci.Judgement{
		New:   []ci.Finding{{Fault: fault("f1", "GET /a", "a"), Remark: "late"}, {Fault: bad}},
		Flaky: []ci.Finding{{Fault: fault("f3", "GET /c", "c")}},
		Gone:  []config.KnownFault{known("GET /z", "z")},
	}
	var got []string
	for _, a := range j.Annotations([]string{"no 2xx"}) {
		got = append(got, fmt.Sprintf("%s %s", a.Level, a.Op))
	}
	if d := cmp.Diff([]string{"error ", "error GET /b", "error GET /a", "warning GET /c", "notice GET /z"}, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// Flaky faults are in a baseline, because they may be reproducible in the next run. Notes are not.
func TestKnownFaults(t *testing.T) {
	flaky, note := fault("f2", "GET /b", "b"), fault("f3", "GET /c", "c")
	flaky.Verdict, note.Severity = model.VerdictFlaky, model.SeverityNote
	run := codec.StoredRun{RunHeader: codec.RunHeader{Started: today}, Faults: []model.Fault{fault("f1", "GET /a", "a"), flaky, note}}
	got := ci.KnownFaults(run, run)
	if len(got) != 4 || got[1].Operation != "GET /b" || got[0].FirstSeen != "2026-12-24" {
		t.Errorf("got %+v", got)
	}
}

// A baseline that is not there yet is written by an update.
func TestUpdateNewBaseline(t *testing.T) {
	file := filepath.Join(t.TempDir(), "known.yaml")
	run := codec.StoredRun{RunHeader: codec.RunHeader{Title: "Shop", Started: today}, Faults: []model.Fault{fault("f1", "GET /a", "a")}}
	change, err := ci.UpdateBaseline(file, []codec.StoredRun{run}, false)
	read, failed := config.LoadBaseline(file)
	if err != nil || failed != nil || len(change.Added) != 1 || len(read) != 1 {
		t.Errorf("errors %v, %v; read %v", err, failed, read)
	}
	run.Faults = nil
	change, err = ci.UpdateBaseline(file, []codec.StoredRun{run}, true)
	read, failed = config.LoadBaseline(file)
	if err != nil || failed != nil || len(change.Removed) != 1 || len(read) != 0 {
		t.Errorf("pruned: errors %v, %v; read %v", err, failed, read)
	}
}

func TestFindSystem(t *testing.T) {
	for name, c := range map[string]struct {
		env  map[string]string
		want ci.System
	}{
		"no CI":  {nil, ci.System{}},
		"GitHub": {map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "s"}, ci.System{GitHub: true, Summary: "s"}},
		"GitLab": {map[string]string{"GITLAB_CI": "true", "GITHUB_ACTIONS": "false"}, ci.System{GitLab: true}},
	} {
		if got := ci.FindSystem(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

// A summary that would be too large to be shown stays as it is.
func TestAppendSummary(t *testing.T) {
	dir := t.TempDir()
	s := ci.System{Summary: filepath.Join(dir, "step.md")}
	for _, text := range []string{"a\n", "b\n"} {
		if err := s.AppendSummary([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	err := s.AppendSummary(slices.Repeat([]byte("x"), 1<<20-3))
	data, _ := os.ReadFile(s.Summary)
	if !errors.Is(err, ci.ErrSummaryFull) || string(data) != "a\nb\n" {
		t.Errorf("error %v, the summary is %.20q", err, data)
	}
	if err := (ci.System{Summary: dir}).AppendSummary([]byte("x")); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: %v", err)
	}
	if err := (ci.System{Summary: filepath.Join(dir, "no", "x")}).AppendSummary(nil); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("no folder: %v", err)
	}
}

// The judgement of a large run takes no more than the time to read its keys.
func BenchmarkJudge(b *testing.B) {
	var e ci.Expectations
	var faults []model.Fault
	for i := range 3000 {
		f := fault(fmt.Sprint("f", i), fmt.Sprintf("GET /things/%d/{id}", i), "500 the name <value> is too short")
		faults = append(faults, f)
		e.Known = append(e.Known, config.NewKnownFault(f, today))
	}
	for b.Loop() {
		if j := e.Judge(faults); len(j.Known) != len(faults) {
			b.Fatalf("%d known", len(j.Known))
		}
	}
}

// A search for some operations says nothing about the known faults of others.
func TestGoneOfSearchedOperations(t *testing.T) {
	e := ci.Expectations{Known: []config.KnownFault{known("GET /a/{id}", "x"), known("GET /b", "x")}}
	if got := e.Judge(nil).Gone; len(got) != 2 {
		t.Errorf("got %+v", got)
	}
	e.Only = []model.OpID{"GET /a/{aId}"}
	if got := e.Judge(nil).Gone; len(got) != 1 || got[0].Operation != "GET /a/{id}" {
		t.Errorf("got %+v", got)
	}
}
