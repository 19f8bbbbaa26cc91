package generate_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/replay/generate"
)

// charge returns a test of an operation that answers with a number and makes two payments, each with
// its own key.
func charge(t *testing.T) model.Test {
	rec := recording(served("POST", "/charge", `{"a":1}`, 200, `{"seq":7,"sum":1,"tag":"k-1"}`,
		sentTo("pay.example:80", "POST", "/pay", `{"key":"a","n":1}`, 200, `{"ok":1}`),
		sentTo("pay.example:80", "POST", "/pay", `{"key":"b","n":1}`, 200, `{"ok":2}`)))
	return of(t, generate.Tests(rec, spec("POST /charge"), generate.Options{}), "POST /charge", 200)
}

// replayRun returns a replay with differences. Each difference is a list of the oracle, the index of the outward
// call, the kind of location, its name, and the value.
func replayRun(passed bool, differences ...[]any) generate.ReplayRun {
	r := generate.ReplayRun{Passed: map[string]bool{}}
	for _, o := range model.MockOracles {
		name := "TestCharge_" + strings.ToUpper(string(o))
		r.Passed[name] = passed
		r.Differences = append(r.Differences, generate.Difference{Test: name, ID: "r1", Begin: true})
		for _, d := range differences {
			if d[0] == o {
				r.Passed[name] = false
				r.Differences = append(
					r.Differences,
					generate.Difference{
						Test:   name,
						ID:     "r1",
						Oracle: o,
						Wanted: d[1].(int),
						In:     d[2].(model.Location),
						Name:   d[3].(string),
						Got:    json.RawMessage(d[4].(string)),
						What:   d[3].(string) + " differs",
					},
				)
			}
		}
	}
	return r
}

func TestLearnsWhatDiffersBetweenReplays(t *testing.T) {
	const oo, po = model.OutputOracle, model.ParameterOracle
	replays := []generate.ReplayRun{
		replayRun(
			true, []any{oo, -1, model.InBody, "/seq", "1"}, []any{oo, -1, model.InBody, "/sum", "2"},
			[]any{po, 0, model.InBody, "/key", `"x"`}, []any{po, 1, model.InBody, "/key", `"y"`},
		),
		replayRun(
			true, []any{oo, -1, model.InBody, "/seq", "2"}, []any{oo, -1, model.InBody, "/sum", "2"},
			[]any{oo, -1, model.InBody, "/tag", `"k-22"`}, []any{po, 0, model.InBody, "/key", `"z"`},
			[]any{po, 1, model.InBody, "/key", `"u"`},
		),
	}
	test := generate.LoosenVarying([]model.Test{charge(t)}, replays)[0]
	want := []string{"status  equals", "body  equals", `body /seq type "integer"`, `body /tag pattern "k-\\d+"`}
	if got := lines(test.Mock.Output); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	for i, why := range map[int]string{2: "was 1, then 2 when played again", 3: "was k-1, then k-22 when played again"} {
		if got := test.Mock.Output[i].Why; got != why {
			t.Errorf("because it %s", got)
		}
	}
	if len(test.Stubs) != 1 || test.Stubs[0].Match.JSON != `{"n":1}` || len(test.Stubs[0].Answers) != 2 {
		t.Errorf("stubs %+v", test.Stubs)
	}
	for _, w := range test.Mock.ExpectedCalls {
		if got := lines(w.Params); w.Stub != 0 ||
			!slices.Contains(got, `body /key type "string"`) && !slices.Contains(got, `body /key pattern "[a-z]"`) {
			t.Errorf("wanted %q of stub %d", got, w.Stub)
		}
	}
}

// If a value was expected to differ from the recorded one, but all replays have the recorded value, then the value must
// be equal. If some replay has another value, the value may vary.
func TestRecordedValueIsExpected(t *testing.T) {
	const oo, po = model.OutputOracle, model.ParameterOracle
	const id = "8a43804a-8db9-4d3c-b761-9e888b8fbb54"
	rec := recording(served("POST", "/charge", `{"a":1}`, 200, `{"receipt":"`+id+`","sum":1}`,
		sentTo("pay.example:80", "POST", "/pay", `{"key":"`+id+`"}`, 200, `{"ok":1}`)))
	test := of(t, generate.Tests(rec, spec("POST /charge"), generate.Options{}), "POST /charge", 200)
	receipt := lines(test.Mock.Output)[2]
	if !strings.HasPrefix(receipt, "body /receipt pattern") {
		t.Fatalf("got %q", receipt)
	}
	same := []any{oo, -1, model.InBody, "/receipt", `"` + id + `"`}
	other := []any{oo, -1, model.InBody, "/receipt", `"r-1"`}
	for _, c := range []struct {
		name    string
		replays []generate.ReplayRun
		fixed   bool
	}{
		{"the recorded value", []generate.ReplayRun{replayRun(true, same), replayRun(true, same)}, true},
		{"another value", []generate.ReplayRun{replayRun(true, same), replayRun(true, other)}, false},
		{"an expected value", []generate.ReplayRun{replayRun(true, same), replayRun(true)}, false},
		{"the same other value", []generate.ReplayRun{replayRun(true, other), replayRun(true, other)}, false},
	} {
		got := lines(generate.LoosenVarying([]model.Test{test}, c.replays)[0].Mock.Output)
		if fixed := slices.Equal(got, []string{"status  equals", "body  equals"}); fixed != c.fixed {
			t.Errorf("%s: got %q", c.name, got)
		}
	}
	asked := []any{po, 0, model.InBody, "/key", `"` + id + `"`}
	fixed := generate.LoosenVarying([]model.Test{test}, []generate.ReplayRun{replayRun(true, asked), replayRun(true, asked)})[0]
	if got := lines(fixed.Mock.ExpectedCalls[0].Params); len(got) != 2 || got[1] != "body  equals" {
		t.Errorf("the parameters are %q", got)
	}
}

// A different status is not loosened, and neither is a value that a replay did not reach.
func TestStatusesAreNotLoosened(t *testing.T) {
	before := charge(t)
	replays := []generate.ReplayRun{
		replayRun(
			true, []any{model.OutputOracle, -1, model.InStatus, "", "500"},
			[]any{model.OutputOracle, -1, model.InBody, "", `{"error":1}`},
		),
		replayRun(true, []any{model.CallOracle, 0, model.Location("calls"), "1", "[]"}),
		replayRun(true),
	}
	after := generate.LoosenVarying([]model.Test{before}, replays)[0]
	if got, want := lines(after.Mock.Output), lines(before.Mock.Output); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestResults(t *testing.T) {
	const oo, po, co = model.OutputOracle, model.ParameterOracle, model.CallOracle
	wrong := []any{oo, -1, model.InBody, "/sum", "2"}
	late := []any{po, 0, model.InBody, "/n", "2"}
	runs := []generate.ReplayRun{replayRun(true, wrong, late), replayRun(true, wrong)}
	for i := range runs {
		runs[i].Passed["TestCharge_CO"] = false
		runs[i].Differences = append(
			runs[i].Differences,
			generate.Difference{Test: "TestCharge_CO", ID: "r1", Oracle: generate.SetUpOracle, Wanted: -1, What: "set-up"},
		)
		runs[i].Passed["TestOther"] = true
	}
	got := map[string]generate.Result{}
	for _, x := range generate.Results(runs) {
		got[x.Function] = x
	}
	for name, want := range map[string]generate.Outcome{
		"TestCharge_OO": generate.OutcomeIncomplete,
		"TestCharge_PO": generate.OutcomeFlaky,
		"TestCharge_CO": generate.OutcomeUnhandled,
		"TestOther":     generate.OutcomeMimics,
	} {
		if got[name].Outcome != want || got[name].Runs != 2 {
			t.Errorf("%s: got %+v, want %s", name, got[name], want)
		}
	}
	if oo := got["TestCharge_OO"]; oo.Failed != 2 || oo.Test != "r1" ||
		!slices.Equal(oo.Differences, []string{"/sum differs"}) {
		t.Errorf("got %+v", oo)
	}
	s := generate.Suite{
		Tests:      []model.Test{charge(t)},
		Operations: []generate.OperationCount{{ID: "POST /charge", Seen: 1, Shapes: 1, Bytes: 99}},
	}
	rows, total := generate.TableRows(s, generate.Results(runs), model.MockOracles, false)
	want := generate.TableRow{
		Operation:  "POST /charge",
		Seen:       1,
		Shapes:     1,
		Tests:      3,
		Bytes:      99,
		Hosts:      1,
		Calls:      1,
		Stubs:      2,
		OO:         2,
		PO:         2,
		CO:         2,
		Incomplete: 1,
		Unhandled:  1,
		Flaky:      1,
	}
	if len(rows) != 1 || rows[0] != want || total.Tests != 3 {
		t.Errorf("got %+v", rows)
	}
}

func TestReadDifferences(t *testing.T) {
	all, err := generate.ReadDifferences(
		strings.NewReader(
			"{\"test\":\"T\",\"id\":\"r1\",\"begin\":true}\nnonsense\n" +
				"{\"test\":\"T\",\"id\":\"r1\",\"oracle\":\"oo\",\"wanted\":-1,\"in\":\"body\",\"got\":1}\n{\"test\":\"T\",\"id",
		),
	)
	if err != nil || len(all) != 2 || all[1].Wanted != -1 {
		t.Errorf("got %+v, %v", all, err)
	}
}
