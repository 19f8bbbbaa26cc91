package study

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// filled returns a log with a result for each run.
func filled(s Study, result func(RunKey) Result) *Log {
	l := &Log{done: map[RunKey]Result{}}
	for _, key := range s.RunKeys() {
		r := result(key)
		r.RunKey = key
		l.done[key] = r
	}
	return l
}

// The expected numbers were calculated by hand, from samples of three runs each.
func TestTables(t *testing.T) {
	s := Study{Smart: []float64{0, 0.6, 1}, Services: []Service{
		{Name: "a", Budgets: []Series{{Calls: 100, Seeds: []uint64{1, 2, 3}}}},
		{
			Name: "b", Budgets: []Series{{Calls: 100, Seeds: []uint64{1, 2, 3}}}, Endpoints: 4,
			Size: func(context.Context) *model.SourceSize { return &model.SourceSize{Files: 2, Lines: 90} },
		},
	}}
	covered := map[string]map[float64][]int{
		"a": {0: {10, 20, 30}, 0.6: {45, 25, 35}, 1: {10, 20, 30}},
		"b": {0: {8, 8, 8}, 0.6: {8, 8, 8}, 1: {6, 4, 2}},
	}
	l := filled(s, func(key RunKey) Result {
		n := int(key.Seed)
		return Result{
			Operations: 4, Tests: 2 * n, Codes: 3 + n, With2xx: n, With4xx: 1, With5xx: 4 - n,
			Covered: covered[key.Service][key.Smart][n-1], Code: 2 * n,
			Faults: n, Mutants: &MutationScore{Killed: n, Mutants: 8},
			Marks: [][]string{nil, {"F01"}, {"F01", "F02"}}[n-1], Curve: []CurvePoint{{10, 1}, {50, n + 1}},
		}
	})
	got, err := s.Tables(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	if got.Chosen != 1 || got.Runs != 18 || len(got.Rows) != 2 {
		t.Fatalf("got %+v", got)
	}
	artifacts := []Artifact{{Name: "a"}, {Name: "b", Size: &model.SourceSize{Files: 2, Lines: 90}, Endpoints: 4}}
	if diff := cmp.Diff(artifacts, got.Services); diff != "" {
		t.Errorf("services: want and got (-+):\n%s", diff)
	}
	a := got.Rows[0].Settings[1]
	curve := a.Curve
	a.Curve = nil
	want := Setting{
		Runs:          3,
		Operations:    4,
		Tests:         4,
		Codes:         1.25,
		With2xx:       2,
		With4xx:       1,
		With5xx:       2,
		Most5xx:       3,
		Covered:       35,
		Code:          4,
		Faults:        2,
		Marks:         1,
		MutationScore: 25,
		AllMarks:      2,
		Gain:          0.75,    // (35 - 20) / 20
		A12:           8.0 / 9, // of nine pairs, only 25 against 30 is not greater
		P:             2 * 0.1, // two of twenty orders have a U of 8 or more
	}
	if diff := cmp.Diff(want, a); diff != "" {
		t.Errorf("a with 0.6: want and got (-+):\n%s", diff)
	}
	for calls, n := range map[int]float64{0: 0, 9: 0, 10: 1, 49: 1, 50: 3, 100: 3} {
		if curve[calls] != n {
			t.Errorf("curve after %d calls: got %v, want %v", calls, curve[calls], n)
		}
	}
	for _, same := range []Setting{got.Rows[0].Settings[0], got.Rows[0].Settings[2], got.Rows[1].Settings[1]} {
		if same.Gain != 0 || same.A12 != 0.5 || same.P != 1 {
			t.Errorf("no difference to the base: %+v", same)
		}
	}
	if b := got.Rows[1].Settings[2]; b.Gain != -0.5 || b.A12 != 0 {
		t.Errorf("b with 1: %+v", b)
	}
	if !slices.Equal(got.Gains, []float64{0, 0.375, -0.25}) {
		t.Errorf("average improvements %v", got.Gains)
	}
}

// Black-box and white-box runs with the same P are compared by each measure.
func TestComparisons(t *testing.T) {
	s := Study{
		Smart:    []float64{0, 0.6},
		White:    []bool{false, true},
		Services: []Service{{Name: "a", Budgets: []Series{{Calls: 9, Seeds: []uint64{1, 2, 3}}}}},
	}
	got, err := s.Tables(t.Context(), filled(s, func(key RunKey) Result {
		r := Result{Statements: &model.CoverageCount{Covered: 10 * int(key.Seed), All: 50}, Codes: 4, Marks: []string{"F01"}}
		if key.White && key.Smart > 0 {
			r.Statements.Covered += 15
			r.Faults = 1
		}
		return r
	}))
	if err != nil || len(got.Rows) != 2 || got.Rows[0].Mode != "black" || got.Rows[1].Mode != "white" || got.Runs != 12 {
		t.Fatalf("error %v, got %+v", err, got)
	}
	want := []Comparison{
		{
			Service: "a",
			Budget:  9,
			Runs:    3,
			Figures: []MeasureFigure{
				{Black: 40, White: 40, A12: 0.5, P: 1},
				{Black: 4, White: 4, A12: 0.5, P: 1},
				{Black: 0, White: 0, A12: 0.5, P: 1},
				{Black: 0, White: 0, A12: 0.5, P: 1},
				{Black: 1, White: 1, A12: 0.5, P: 1},
				{Black: 0, White: 0, A12: 0.5, P: 1}, // not judged by mutants
			},
		},
		// The samples are 50, 70, 90 and 20, 40, 60. The first value is greater in eight of the nine pairs, so
		// U is 8. In two of the twenty possible orders, U is 8 or more.
		{
			Service: "a",
			Budget:  9,
			Smart:   0.6,
			Runs:    3,
			Figures: []MeasureFigure{
				{Black: 40, White: 70, A12: 8.0 / 9, P: 0.2},
				{Black: 4, White: 4, A12: 0.5, P: 1},
				{Black: 0, White: 0, A12: 0.5, P: 1},
				{Black: 0, White: 1, A12: 1, P: got.Comparisons[1].Figures[3].P},
				{Black: 1, White: 1, A12: 0.5, P: 1},
				{Black: 0, White: 0, A12: 0.5, P: 1}, // not judged by mutants
			},
		},
	}
	if diff := cmp.Diff(want, got.Comparisons, cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
}

// Ways of sampling are compared with the first one, for each P and each mode.
func TestWays(t *testing.T) {
	s := Study{
		Smart:    []float64{0, 0.6},
		White:    []bool{false, true},
		Ways:     []Way{{Name: "paper"}, {Name: "+ echo", Sampling: model.Sampling{Echo: 0.3}}},
		Services: []Service{{Name: "a", Budgets: []Series{{Calls: 9, Seeds: []uint64{1, 2, 3}}}}},
	}
	got, err := s.Tables(t.Context(), filled(s, func(key RunKey) Result {
		r := Result{Covered: 10 * int(key.Seed), Statements: new(model.CoverageCount)}
		if key.Way == "+ echo" && key.White {
			r.Covered += 15
		}
		return r
	}))
	if err != nil || len(got.Rows) != 4 || len(got.Ways) != 4 || len(got.Comparisons) != 4 || got.Runs != 24 {
		t.Fatalf("error %v, got %+v", err, got)
	}
	if r := got.Rows[2]; r.Way != "+ echo" || r.Mode != "black" || got.Comparisons[2].Way != "+ echo" {
		t.Errorf("got %+v", r)
	}
	// The samples are 25, 35, 45 and 10, 20, 30. The first value is greater in eight of the nine pairs.
	want := WayComparison{Service: "a", Budget: 9, Mode: "white", Smart: 0.6, Runs: 3, Ways: []WayFigure{
		{Name: "paper", Covered: 20, A12: 0.5, P: 1},
		{Name: "+ echo", Covered: 35, Gain: 0.75, A12: 8.0 / 9, P: 0.2},
	}}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })
	if diff := cmp.Diff(want, got.Ways[3], near); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
	for _, f := range got.Ways[1].Ways {
		if f.Covered != 20 || f.Gain != 0 || f.A12 != 0.5 || f.P != 1 {
			t.Errorf("black-box: %+v", f)
		}
	}
}

// Table 3 compares the suites of the highest budget with the service's own tests.
func TestManualTests(t *testing.T) {
	service := Service{
		Name:    "a",
		Budgets: []Series{{Calls: 9, Seeds: []uint64{1, 2}}, {Calls: 90, Seeds: []uint64{1, 2}}},
		Count:   func(context.Context, model.Plan, []model.Test) (c ReachedCode, err error) { return },
		Manual: func(context.Context) (ManualCoverage, error) {
			return ManualCoverage{Total: 30, Unit: -1, HTTP: 20}, nil
		},
	}
	s := Study{Smart: []float64{0, 0.6}, White: []bool{true}, Services: []Service{service}}
	l := filled(s, func(key RunKey) Result {
		covered := 10 * int(key.Seed)
		if key.Budget == 90 && key.Smart > 0 {
			covered *= 2
		}
		return Result{Statements: &model.CoverageCount{Covered: covered, All: 50}}
	})
	got, err := s.Tables(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	want := []ManualRow{{Service: "a", Best: 0.8, Mean: 0.6, Total: 0.6, Unit: math.NaN(), HTTP: 0.4}}
	if diff := cmp.Diff(want, got.Manual, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
	s.Services[0].Manual = func(context.Context) (ManualCoverage, error) { return ManualCoverage{}, errors.New("TestX fails") }
	got, err = s.Tables(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	if m := got.Manual[0]; m.Failure != "the tests of a: TestX fails" || !math.IsNaN(m.Total) || m.Best != 0.8 {
		t.Errorf("got the row %+v, want one without the figures of the service's own tests", m)
	}
}

// If the base covers nothing, Gain is NaN, and so is the mean in Gains.
func TestNoGain(t *testing.T) {
	s := Study{Smart: []float64{0, 1}, Services: []Service{{Name: "a", Budgets: []Series{{Calls: 5, Seeds: []uint64{1}}}}}}
	got, err := s.Tables(t.Context(), filled(s, func(key RunKey) Result { return Result{Covered: int(key.Smart)} }))
	if err != nil || !math.IsNaN(got.Rows[0].Settings[1].Gain) || !math.IsNaN(got.Gains[1]) || got.Chosen != 1 {
		t.Errorf("got %+v and error %v", got, err)
	}
}

func TestTablesOfAnUnfinishedStudy(t *testing.T) {
	s := Study{Smart: []float64{0, 1}, Services: []Service{{Name: "a", Budgets: []Series{{Calls: 5, Seeds: []uint64{1, 2}}}}}}
	l := filled(s, func(RunKey) Result { return Result{} })
	delete(l.done, RunKey{Service: "a", Budget: 5, Smart: 1, Seed: 2, White: false})
	if _, err := s.Tables(t.Context(), l); !errors.Is(err, errUnfinished) {
		t.Errorf("got error %v", err)
	}
}

// Each run of a study is made once, and runs with the first seeds come first.
func TestRunKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Study{Smart: rapid.SliceOfNDistinct(rapid.Float64Range(0, 1), 1, 4, rapid.ID[float64]).Draw(t, "smart")}
		s.White = rapid.SampledFrom([][]bool{nil, {true}, {false, true}}).Draw(t, "white")
		for _, name := range rapid.SliceOfNDistinct(rapid.StringN(1, 3, 9), 0, 3, rapid.ID[string]).Draw(t, "ways") {
			s.Ways = append(s.Ways, Way{Name: name})
		}
		want := 0
		for _, name := range rapid.SliceOfNDistinct(rapid.StringN(1, 3, 9), 1, 3, rapid.ID[string]).Draw(t, "services") {
			service := Service{Name: name}
			for _, calls := range rapid.SliceOfNDistinct(rapid.IntRange(1, 99), 1, 3, rapid.ID[int]).Draw(t, "budgets") {
				seeds := rapid.SliceOfNDistinct(rapid.Uint64(), 1, 5, rapid.ID[uint64]).Draw(t, "seeds")
				service.Budgets = append(service.Budgets, Series{calls, seeds})
				want += len(seeds) * len(s.Smart) * max(1, len(s.White)) * max(1, len(s.Ways))
			}
			s.Services = append(s.Services, service)
		}
		seen := map[RunKey]bool{}
		last := 0
		for _, key := range s.RunKeys() {
			at := slices.IndexFunc(s.service(key.Service).Budgets, func(b Series) bool { return b.Calls == key.Budget })
			turn := slices.Index(s.service(key.Service).Budgets[at].Seeds, key.Seed)
			if turn < last {
				t.Fatalf("%v comes after a later seed", key)
			}
			last, seen[key] = turn, true
		}
		if len(seen) != want || s.RunCount() != want {
			t.Fatalf("%d cells, %d different, want %d", s.RunCount(), len(seen), want)
		}
	})
}
