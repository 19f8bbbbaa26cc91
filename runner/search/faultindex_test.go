package search

import (
	"fmt"
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
