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
	found := foundFaults([]model.Fault{
		fault(model.InputInvalid, "minimum", model.SeverityWarning), fault(model.InputValid, "", model.SeverityError),
		fault(model.InputInvalid, "enum", model.SeverityWarning), fault(model.InputInvalid, "minimum", model.SeverityWarning),
		fault(model.InputUnknown, "", model.SeverityWarning), fault(model.InputValid, "", model.SeverityNote),
		fault("", "", model.SeverityError),
	})
	s := Study{Smart: []float64{0, 1}, Services: []Service{
		{Name: "a", Budgets: []Series{{Calls: 5, Seeds: []uint64{1}}}}, {Name: "b", Budgets: []Series{{Calls: 5, Seeds: []uint64{1}}}},
	}}
	rows := s.kindRows(filled(s, func(key RunKey) Result {
		switch {
		case key.Service == "b":
			return Result{}
		case key.Smart == 1:
			return Result{Found: found[1:2]}
		}
		return Result{Found: found}
	}))
	want := []KindRow{{Service: "a", Budget: 5, Faults: 7, Kinds: []FaultKind{
		{Class: model.InputValid, Faults: 2},
		{Class: model.InputUnknown, Faults: 1},
		{Class: model.InputInvalid, Constraint: "enum", Faults: 1},
		{Class: model.InputInvalid, Constraint: "minimum", Faults: 2},
		{Faults: 1},
	}}}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// A fault has one row with the number of runs that found it, for each P. Faults with equal operations, oracles and
// signatures are the same fault. The row shows the most severe class of inputs.
func TestFaultRows(t *testing.T) {
	fault := func(op model.OpID, signature string, class model.InputClass) FoundFault {
		return FoundFault{Op: op, Oracle: "status 500", Signature: signature, Input: model.Input{Class: class}}
	}
	s := Study{Smart: []float64{0, 1}, Services: []Service{
		{Name: "a", Budgets: []Series{{Calls: 5, Seeds: []uint64{1, 2}}}}, {Name: "b", Budgets: []Series{{Calls: 5, Seeds: []uint64{1}}}},
	}}
	rows := s.faultRows(filled(s, func(key RunKey) Result {
		r := Result{Found: []FoundFault{fault("GET /b", "nil map", model.InputInvalid)}}
		if key.Service == "a" && key.Smart == 1 {
			r.Found = append(r.Found, fault("GET /a", "nil map", model.InputValid))
		}
		if key.Seed == 2 {
			r.Found[0].Input.Class = model.InputValid
		}
		return r
	}))
	want := []FaultRow{
		{Service: "a", Budget: 5, FoundFault: fault("GET /b", "nil map", model.InputValid), Runs: []int{2, 2}},
		{Service: "a", Budget: 5, FoundFault: fault("GET /a", "nil map", model.InputValid), Runs: []int{0, 2}},
		{Service: "b", Budget: 5, FoundFault: fault("GET /b", "nil map", model.InputInvalid), Runs: []int{1, 1}},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
