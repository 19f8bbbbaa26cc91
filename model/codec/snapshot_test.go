package codec_test

import (
	"testing"

	"sonde/model"
	"sonde/model/codec"

	"github.com/google/go-cmp/cmp"
)

// reopened returns the snapshot of the run in a folder.
func reopened(t *testing.T, dir string) model.Snapshot {
	t.Helper()
	run, err := codec.OpenRun(dir)
	if err != nil {
		t.Fatal(err)
	}
	course, err := codec.OpenHistory(dir)
	if err != nil {
		t.Fatal(err)
	}
	return run.Snapshot(course)
}

// The snapshot of a killed run contains everything that the files of the run contain.
func TestSnapshotOfAKilledRun(t *testing.T) {
	dir := t.TempDir()
	w := create(t, dir)
	tuned := model.AppliedCommand{Call: 5, Tuning: model.Tuning{Smart: 0.8}}
	for _, l := range []model.LogEntry{
		{Event: model.RunStarted{Targets: 3}},
		{At: 1e9, Call: 5, Event: tuned},
		{At: 2e9, Call: 10, Event: model.TargetCovered{Call: 10, Target: "GET /a 200"}},
		{At: 4e9, Call: 20, Event: model.Progress{Call: 20, SetUp: 4, Asked: 9, Used: 0.2, Elapsed: 4e9, Targets: 5}},
	} {
		if err := w.WriteEvent(l); err != nil {
			t.Fatal(err)
		}
	}
	answers := map[model.OpID]map[int]int{"GET /a": {200: 7, 500: 1}, "POST /a": {400: 8}}
	for _, err := range []error{w.WriteSuite(tests), w.WriteFaults(faults), w.WriteAnswers(answers)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got := reopened(t, dir)
	want := model.Summary{
		Calls: 20, SetUp: 4, Targets: 5, Covered: 1, Operations: 0, With2xx: 1, With5xx: 1, Only4xx: 1, Faults: 1, Tests: 1,
		Asked: 9, Elapsed: 4e9, Rate: 5, Cancelled: true,
	}
	want.Budget = header().Limits.Calls
	if d := cmp.Diff(want, got.Summary); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if d := cmp.Diff(answers, got.Grid); d != "" || got.Phase != model.PhaseDone || got.Tuning.Smart != 0.8 ||
		len(got.Marks) != 1 || got.Used != 0.2 {
		t.Errorf("%s, %+v", d, got)
	}
	if len(got.Tests) != 1 || len(got.Faults) != 1 || len(got.Log) != 3 {
		t.Errorf("%+v", got)
	}
}

// The snapshot of a run that ended early contains its summary and the reason. If answers.json is missing, the numbers
// of answers are counted in the tests.
func TestSnapshotOfARunThatFailed(t *testing.T) {
	dir := t.TempDir()
	w := create(t, dir)
	end := model.Summary{Calls: 20, Covered: 1, Trouble: "the service is gone"}
	for _, err := range []error{w.WriteEvent(model.LogEntry{Event: model.RunStopped{Summary: end}}), w.WriteSuite(tests)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got := reopened(t, dir)
	if d := cmp.Diff(end, got.Summary); d != "" || got.Err == nil || got.Err.Error() != end.Trouble {
		t.Errorf("%s, error %v", d, got.Err)
	}
	if got.Grid["GET /a/{id}"][200] != 1 {
		t.Errorf("answers %v", got.Grid)
	}
}
