package export

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/model"

	"pgregory.net/rapid"
)

// answerFault returns a fault that the answer of a test with one call shows.
func answerFault(op model.OpID, status int, oracle string, severity model.Severity, signature string) model.Fault {
	args := []model.Arg{{In: model.InQuery, Name: "q", Value: signature}}
	return model.Fault{
		Op: op, Status: status, Oracle: oracle, Severity: severity, Signature: signature, Text: signature, Expected: "else",
		Test: &model.Test{Calls: []model.Call{{Op: op, Status: status, Args: args}}},
	}
}

// The tests of faults are grouped by operation and status. The most severe groups come first, and server errors before other
// faults. A group is numbered in the comments of its tests.
func TestFaultsAreGrouped(t *testing.T) {
	const failed, warned = model.SeverityError, model.SeverityWarning
	s := Suite{Title: "Shop", BaseURL: "http://127.0.0.1:1", Faults: []model.Fault{
		answerFault("GET /a", 200, "undeclared-content-type", warned, "GET /a json"),
		answerFault("GET /a", 200, "auth-ignored", failed, "anonymous"),
		answerFault("GET /z", 500, "stack-trace", warned, "Go: goroutine 1 [running]:"),
		answerFault("POST /b", 500, model.ServerErrorOracle, failed, "500 nil map"),
		answerFault("GET /z", 500, model.ServerErrorOracle, failed, "500 index"),
		answerFault("GET /b", 500, model.ServerErrorOracle, failed, "500 index"),
		answerFault("POST /b", 502, model.ServerErrorOracle, failed, "502 gone"),
		answerFault("POST /b", 500, model.ServerErrorOracle, failed, "500 index"),
		answerFault("DELETE /c", 204, "undeclared-status", model.SeverityNote, "note"),
	}}
	_, faults := s.SplitFaults()
	var got []string
	for _, test := range faults.Tests {
		f := faults.shown[test.ID]
		got = append(got, fmt.Sprintf("%s %s %s %d/%d", test.ID, f.Op, f.Signature, f.place, f.size))
	}
	want := []string{
		"f6 GET /b 500 index 1/1", "f8 POST /b 500 index 1/2", "f4 POST /b 500 nil map 2/2", "f7 POST /b 502 gone 1/1",
		"f5 GET /z 500 index 1/2", "f3 GET /z Go: goroutine 1 [running]: 2/2", "f2 GET /a anonymous 1/1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	text, err := GoFile(faults)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "POST /b answers 500 with 2 faults; this is number "); n != 2 {
		t.Errorf("%d comments number the group:\n%s", n, text)
	}
}

// The faults of a group are together, and no group has a more severe fault than the group before it.
func TestFaultOrder(t *testing.T) {
	severities := []model.Severity{model.SeverityError, model.SeverityWarning, model.SeverityNote}
	oracles := []string{model.ServerErrorOracle, "stack-trace", "schema"}
	rapid.Check(t, func(t *rapid.T) {
		faults := rapid.SliceOf(rapid.Custom(func(t *rapid.T) model.Fault {
			return model.Fault{
				Op:       model.OpID(rapid.SampledFrom([]string{"GET /a", "POST /a", "GET /b"}).Draw(t, "operation")),
				Oracle:   rapid.SampledFrom(oracles).Draw(t, "oracle"),
				Severity: rapid.SampledFrom(severities).Draw(t, "severity"),
				Status:   rapid.SampledFrom([]int{0, 200, 500, 503}).Draw(t, "status"),
			}
		})).Draw(t, "faults")
		order := faultOrder(faults)
		if sorted := slices.Sorted(slices.Values(order)); len(sorted) != len(faults) || len(slices.Compact(sorted)) != len(faults) {
			t.Fatalf("%v does not have each of %d faults once", order, len(faults))
		}
		ended, worst, last := map[faultGroup]bool{}, map[faultGroup]int{}, 0
		for _, f := range faults {
			g := groupOf(f)
			if r, known := worst[g]; !known || severityRank(f.Severity) < r {
				worst[g] = severityRank(f.Severity)
			}
		}
		for n, i := range order {
			g := groupOf(faults[i])
			if n > 0 && g != groupOf(faults[order[n-1]]) {
				ended[groupOf(faults[order[n-1]])] = true
			}
			if ended[g] || worst[g] < last {
				t.Fatalf("group %+v is in two pieces, or follows a less severe one: %v", g, order)
			}
			last = worst[g]
		}
	})
}

// Tests of declared server errors come last, grouped by operation and status.
func TestServerErrorsComeLast(t *testing.T) {
	var s Suite
	for i, status := range []int{503, 200, 500, 404, 503} {
		op := model.OpID([]string{"GET /b", "GET /a"}[i%2])
		s.Tests = append(s.Tests, model.Test{ID: fmt.Sprint("t", i), Calls: []model.Call{{Op: op, Status: status}}})
	}
	s.Tests[1].Calls = append(s.Tests[1].Calls, model.Call{Op: "GET /a", Status: 500, AnyStatus: true})
	tests, _ := s.SplitFaults()
	var got []string
	for _, t := range tests.Tests {
		got = append(got, t.ID)
	}
	if want := "t1 t3 t2 t0"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
