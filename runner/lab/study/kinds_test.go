package study

import (
	"testing"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

// The faults that make runs fail are counted by their inputs. A row has the faults of all runs with the same service and budget.
func TestKinds(t *testing.T) {
	fault := func(class model.InputClass, constraint string, severity model.Severity) model.Fault {
		return model.Fault{Severity: severity, Input: model.Input{Class: class, Constraint: constraint, Place: "body"}}
	}
	kinds := faultKinds([]model.Fault{
		fault(model.InputInvalid, "minimum", model.SeverityWarning), fault(model.InputValid, "", model.SeverityError),
		fault(model.InputInvalid, "enum", model.SeverityWarning), fault(model.InputInvalid, "minimum", model.SeverityWarning),
		fault(model.InputUnknown, "", model.SeverityWarning), fault(model.InputValid, "", model.SeverityNote),
		fault("", "", model.SeverityError),
	})
	want := []FaultKind{
		{Class: model.InputValid, Faults: 1},
		{Class: model.InputUnknown, Faults: 1},
		{Class: model.InputInvalid, Constraint: "enum", Faults: 1},
		{Class: model.InputInvalid, Constraint: "minimum", Faults: 2},
		{Faults: 1},
	}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("of a run: -want +got\n%s", diff)
	}
	s := Study{Smart: []float64{0, 1}, Services: []Service{
		{Name: "a", Budgets: []Series{{Calls: 5, Seeds: []uint64{1}}}}, {Name: "b", Budgets: []Series{{Calls: 5, Seeds: []uint64{1}}}},
	}}
	rows := s.kindRows(filled(s, func(key RunKey) Result {
		if key.Service == "b" {
			return Result{}
		}
		return Result{Kinds: []FaultKind{{Class: model.InputValid, Faults: 1 + int(key.Smart)}}}
	}))
	wantRows := []KindRow{{Service: "a", Budget: 5, Faults: 3, Kinds: []FaultKind{{Class: model.InputValid, Faults: 3}}}}
	if diff := cmp.Diff(wantRows, rows); diff != "" {
		t.Errorf("of a study: -want +got\n%s", diff)
	}
}
