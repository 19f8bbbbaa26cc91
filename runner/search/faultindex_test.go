package search

import (
	"fmt"
	"slices"
	"testing"

	"sonde/model"
	"sonde/runner/search/oracle"
)

func emptyLedger(t *testing.T) *faultIndex {
	t.Helper()
	j, err := oracle.NewRules(model.Plan{Spec: &model.Spec{}})
	if err != nil {
		t.Fatal(err)
	}
	return newFaultIndex(j)
}

// The number of faults of an operation and an oracle is limited. Further faults are merged into the first fault,
// which counts them.
func TestFaultsOfOneRuleAreBounded(t *testing.T) {
	l := emptyLedger(t)
	for i := range 50 {
		l.record(model.Fault{Op: "GET /a", Oracle: "server-error", Status: 500, Signature: fmt.Sprint("500 x", i), Calls: 1})
	}
	l.record(model.Fault{Op: "GET /b", Oracle: "server-error", Status: 500, Signature: "500 x0", Calls: 1})
	if n := len(l.faults); n != maxSignatures+1 {
		t.Fatalf("%d faults, want %d", n, maxSignatures+1)
	}
	if got, want := l.faults[0].Merged, 50-maxSignatures; got != want {
		t.Errorf("the first fault says that %d are merged, want %d", got, want)
	}
	if l.faults[0].Count != 1 {
		t.Errorf("the first fault came %d times, want once", l.faults[0].Count)
	}
}

// The warnings for invalid requests do not use up the bound for errors, which is as large as the bound for warnings.
func TestWarningsLeaveRoomForErrors(t *testing.T) {
	l := emptyLedger(t)
	record := func(text string, severity model.Severity) {
		for i := range 2 * maxSignatures {
			l.record(model.Fault{Op: "GET /a", Oracle: "server-error", Severity: severity, Signature: fmt.Sprint(text, i), Calls: 1})
		}
	}
	record("invalid", model.SeverityWarning)
	record("valid", model.SeverityError)
	record("more", model.SeverityWarning)
	count := map[model.Severity]int{}
	for _, f := range l.all() {
		count[f.Severity]++
	}
	if count[model.SeverityWarning] != maxSignatures || count[model.SeverityError] != maxSignatures {
		t.Errorf("got faults %v, want %d of each severity", count, maxSignatures)
	}
	if warnings, errors := l.at(0).Merged, l.at(maxSignatures).Merged; warnings != 3*maxSignatures || errors != maxSignatures {
		t.Errorf("%d and %d findings are merged, want %d and %d", warnings, errors, 3*maxSignatures, maxSignatures)
	}
}

// A fault keeps the shortest test of the most severe input, and has the severity of that input.
func TestFaultKeepsTheMostSevereInput(t *testing.T) {
	l := emptyLedger(t)
	shown := func(class model.InputClass, calls int) model.Fault {
		input := model.Input{Class: class}
		return model.Fault{
			Op: "GET /a", Oracle: model.ServerErrorOracle, Status: 500, Signature: "500 x", Calls: calls, Input: input,
			Severity: oracle.SeverityWith(model.ServerErrorOracle, input), Test: &model.Test{Calls: make([]model.Call, calls)},
		}
	}
	for _, step := range []struct {
		fault model.Fault
		class model.InputClass
		calls int
	}{
		{fault: shown(model.InputInvalid, 2), class: model.InputInvalid, calls: 2},
		{fault: shown(model.InputInvalid, 1), class: model.InputInvalid, calls: 1},
		{fault: shown(model.InputValid, 4), class: model.InputValid, calls: 4},
		{fault: shown(model.InputUnknown, 1), class: model.InputValid, calls: 4},
		{fault: shown(model.InputValid, 3), class: model.InputValid, calls: 3},
		{fault: shown("", 1), class: model.InputValid, calls: 3},
	} {
		l.record(step.fault)
		got := l.faults[0]
		want := oracle.SeverityWith(model.ServerErrorOracle, model.Input{Class: step.class})
		if got.Input.Class != step.class || len(got.Test.Calls) != step.calls || got.Severity != want {
			t.Errorf(
				"after %q with %d calls: got %+v, want %q with %d calls",
				step.fault.Input.Class, step.fault.Calls, got, step.class, step.calls,
			)
		}
	}
}

// A suspicion keeps the tests of its first and of its last finding.
func TestSuspicionsKeepTwoTests(t *testing.T) {
	l := emptyLedger(t)
	for _, id := range []string{"first", "second", "last"} {
		l.record(model.Fault{Op: "GET /a", Oracle: "inconsistent-sort", Signature: "lost x", Test: &model.Test{ID: id}})
	}
	l.record(model.Fault{Op: "GET /a", Oracle: "inconsistent-sort", Signature: "lost y", Test: &model.Test{ID: "other"}})
	if l.count() > 0 || len(l.suspicions) != 2 {
		t.Fatalf("%d faults, %d suspicions", l.count(), len(l.suspicions))
	}
	if s := l.suspicions[0]; s.first.Test.ID != "first" || s.last.Test == nil || s.last.Test.ID != "last" {
		t.Errorf("kept %+v", s)
	}
	if s := l.suspicions[1]; s.first.Test.ID != "other" || s.last.Test != nil {
		t.Errorf("kept %+v", s)
	}
}

// Suspicions that are found while others are confirmed are confirmed, too. The last tests follow the first tests of all.
func TestEachSuspicion(t *testing.T) {
	l := emptyLedger(t)
	suspect := func(key string, ids ...string) {
		for _, id := range ids {
			l.record(model.Fault{Op: "GET /a", Oracle: "inconsistent-sort", Signature: key, Test: &model.Test{ID: id}})
		}
	}
	suspect("x", "x first", "x last")
	suspect("y", "y first", "y last")
	suspect("z", "z first", "z last")
	var got []string
	l.eachSuspicion(func(finding model.Fault) {
		got = append(got, finding.Test.ID)
		switch finding.Test.ID {
		case "y first":
			l.recordCertain(finding)
			suspect("during first tests", "p first", "p last")
		case "x last":
			suspect("during last tests", "q first", "q last")
		}
	})
	want := []string{"x first", "y first", "z first", "p first", "x last", "q first", "z last", "p last", "q last"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
