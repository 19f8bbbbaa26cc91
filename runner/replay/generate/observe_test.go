package generate_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sonde/model"
	"sonde/runner/replay/generate"
)

// A test expects the whole answer that the service gave, except for values that are compared loosely.
func TestExpectAnswers(t *testing.T) {
	test := func(id string) model.Test {
		calls := []model.Call{{Status: 201}, {Status: 200}}
		return model.Test{ID: id, Calls: calls, Mock: &model.MockTest{Call: 1, Output: []model.Expectation{
			{In: model.InStatus, Comparison: model.CompareEquals, Value: json.RawMessage(`200`)},
			{In: model.InHeader, Name: "Content-Type", Comparison: model.CompareEquals, Value: json.RawMessage(`"application/json"`)},
			{In: model.InHeader, Name: "Location", Comparison: model.CompareEquals, Value: json.RawMessage(`"/a/1"`)},
			{In: model.InBody, Comparison: model.CompareEquals, Value: json.RawMessage(`{"id":1,"at":"2030","n":5}`)},
			{In: model.InBody, Name: "/at", Comparison: model.ComparePresent},
			{In: model.InBody, Name: "/gone", Comparison: model.ComparePresent},
		}}}
	}
	tests := []model.Test{test("r1.1"), test("r1.2"), test("r1.3")}
	asked := generate.WithoutAnswers(tests)
	if got := asked[0]; got.Calls[0].Status != 201 || got.Calls[1].Status != 999 || len(got.Mock.Output) != 4 {
		t.Fatalf("got %+v with %+v", got.Calls, got.Mock.Output)
	}
	if tests[0].Calls[1].Status != 200 || len(tests[0].Mock.Output) != 6 {
		t.Fatal("the given test was changed")
	}
	got := func(id string, in model.Location, name, value string) generate.Difference {
		return generate.Difference{
			Test: "T", ID: id, Oracle: model.OutputOracle, Wanted: -1, In: in, Name: name, Got: json.RawMessage(value),
		}
	}
	all := generate.ExpectAnswers(tests, generate.ReplayRun{Differences: []generate.Difference{
		{Test: "T", ID: "r1.1", Begin: true},
		got("r1.1", model.InStatus, "", `202`), got("r1.1", model.InHeader, "Content-Type", `"text/plain"`),
		got("r1.1", model.InBody, "", `{"id":1,"at":"2031","n":6}`),
		{Test: "T2", ID: "r1.2", Oracle: generate.SetUpOracle},
		got("r1.2", model.InStatus, "", `200`), // its set-up failed
		{Test: "T3", ID: "r1.3", Begin: true},  // no answer
	}})
	if len(all) != 1 || all[0].ID != "r1.1" || all[0].Calls[1].Status != 202 {
		t.Fatalf("got %+v", all)
	}
	want := []model.Expectation{
		{In: model.InStatus, Comparison: model.CompareEquals, Value: json.RawMessage(`202`)},
		{In: model.InHeader, Name: "Content-Type", Comparison: model.CompareEquals, Value: json.RawMessage(`"text/plain"`)},
		{In: model.InBody, Comparison: model.CompareEquals, Value: json.RawMessage(`{"id":1,"at":"2031","n":6}`)},
		{In: model.InBody, Name: "/at", Comparison: model.ComparePresent},
	}
	if diff := cmp.Diff(want, all[0].Mock.Output); diff != "" {
		t.Error(diff)
	}
}
