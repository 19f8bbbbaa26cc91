package study

import (
	"testing"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

// The result and its curve count the targets in the source together with the other targets. The curve has at most one
// point for each number of calls.
func TestResultCountsTheSource(t *testing.T) {
	o := &observer{marks: map[string]bool{}}
	for _, e := range []model.Event{
		model.TargetCovered{Call: 2, Target: "GET /a 200"},
		model.CodeCovered{Call: 2, Targets: 30},
		model.Note{Call: 3},
		model.CodeCovered{Call: 7, Targets: 4},
		model.TargetCovered{Call: 9, Target: "GET /a 404"},
		model.TargetCovered{Call: 9, Target: "GET /b 200"},
	} {
		if err := o.observeEvent(model.LogEntry{Event: e}); err != nil {
			t.Fatal(err)
		}
	}
	got := newResult(RunKey{Service: "a", White: true}, model.Snapshot{Summary: model.Summary{Covered: 3}}, o)
	want := []CurvePoint{{2, 31}, {7, 35}, {9, 37}}
	if diff := cmp.Diff(want, got.Curve); diff != "" || got.Covered != 37 || got.Code != 34 {
		t.Errorf("covered %d, in the source %d, curve (-want +got):\n%s", got.Covered, got.Code, diff)
	}
}
