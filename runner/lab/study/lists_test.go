package study

import (
	"context"
	"errors"
	"testing"
	"time"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

// listed returns a service whose lists have fixed results.
func listed(called CalledList, reached ReachedCode) Service {
	spec := &model.Spec{Operations: []*model.Operation{{ID: "POST /a"}, {ID: "GET /a"}, {ID: "GET /b"}}}
	return Service{
		Name: "a", Budgets: []Series{{Calls: 100, Seeds: []uint64{7}}},
		Copy: func(context.Context, string) (model.Plan, func(), error) {
			return model.Plan{Spec: spec}, func() {}, nil
		},
		List: func(_ context.Context, p model.Plan, name string) (CalledList, error) {
			if p.Limits.Calls != 100 || p.Seed != 7 {
				return CalledList{}, errors.New("other limits or another seed")
			}
			called.Listed = len(name)
			return called, nil
		},
		Count: func(_ context.Context, _ model.Plan, tests []model.Test) (ReachedCode, error) {
			if len(tests) != len(called.Tests) {
				return ReachedCode{}, errors.New("other tests")
			}
			return reached, nil
		},
	}
}

// The result of a run on a list counts the answers to practical seqs, in the order of the calls.
func TestRunOnList(t *testing.T) {
	test := func(calls ...model.Call) model.Test { return model.Test{Calls: calls} }
	create := model.Call{Op: "POST /a", Status: 201}
	service := listed(CalledList{
		SeqCounts: SeqCounts{Practical: 3, Failed: 1, Barred: 2, Open: 4},
		Calls:     90,
		Took:      1500 * time.Millisecond,
		Faults: []model.Fault{
			{Op: "GET /a", Oracle: "server-error", Severity: model.SeverityError, Status: 500},
			{Op: "GET /a", Oracle: "note", Severity: model.SeverityNote},
		},
		Tests: []model.Test{
			test(create), test(create, model.Call{Op: "GET /a", Status: 500}), test(create, model.Call{Op: "GET /a", Status: 404}),
		},
		After: []int{10, 30, 80},
	}, ReachedCode{
		Statements: model.CoverageCount{Covered: 5, All: 20}, Blocks: model.CoverageCount{Covered: 1, All: 4}, Took: time.Second,
	})
	s := Study{Smart: []float64{0}, Lists: []string{"dc", "dc, links only"}, Services: []Service{service}}
	keys := s.RunKeys()
	if len(keys) != 2 || keys[1].Way != "dc, links only" {
		t.Fatalf("got the runs %v", keys)
	}
	got, err := s.Run(t.Context(), keys[0])
	if err != nil {
		t.Fatal(err)
	}
	want := Result{
		RunKey: keys[0], Calls: 90, Operations: 3, Tests: 3, Covered: 3, Codes: 3, With2xx: 1, With4xx: 1, With5xx: 1, Faults: 1,
		Found:      []FoundFault{{Op: "GET /a", Oracle: "server-error", Severity: model.SeverityError, Status: 500}},
		Statements: &model.CoverageCount{Covered: 5, All: 20},
		Curve:      []CurvePoint{{10, 1}, {30, 2}, {80, 3}},
		List: &ListResult{
			SeqCounts:   SeqCounts{Listed: 2, Practical: 3, Failed: 1, Barred: 2, Open: 4},
			Reached:     2,
			Blocks:      model.CoverageCount{Covered: 1, All: 4},
			Seconds:     1.5,
			TestCalls:   5,
			TestSeconds: 1,
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
	for i, m := range ListMeasures {
		want := []float64{25, 25, 2, 1, 2, 3, 1, 2, 4, 90, 1.5, 5, 1}[i]
		if of := m.of(got); of != want {
			t.Errorf("%s: got %v, want %v", m, of, want)
		}
	}
}

// Each list is compared with the first one. The numbers were calculated by hand.
func TestCompareLists(t *testing.T) {
	s := Study{Smart: []float64{0}, Lists: []string{"dc", "sc"}, Services: []Service{
		{Name: "a", Budgets: []Series{{Calls: 100, Seeds: []uint64{1, 2, 3}}}},
	}}
	calls := map[string][]int{"dc": {10, 20, 30}, "sc": {45, 25, 35}}
	l := filled(s, func(key RunKey) Result {
		return Result{
			Calls: calls[key.Way][key.Seed-1], Statements: &model.CoverageCount{Covered: 1, All: 2},
			List: &ListResult{SeqCounts: SeqCounts{Listed: 4}}, Curve: []CurvePoint{},
		}
	})
	got, err := s.Tables(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Lists) != 1 || len(got.Ways) != 0 || len(got.Rows) != 2 || got.Rows[1].Way != "sc" {
		t.Fatalf("got %+v", got)
	}
	c := got.Lists[0]
	if c.Service != "a" || c.Budget != 100 || c.Runs != 3 || len(c.Lists) != 2 || c.Lists[1].Name != "sc" {
		t.Fatalf("got %+v", c)
	}
	figures := map[ListMeasure][2]ListFigure{}
	for i, m := range ListMeasures {
		figures[m] = [2]ListFigure{c.Lists[0].Figures[i], c.Lists[1].Figures[i]}
	}
	same := [2]ListFigure{{Mean: 50, A12: 0.5, P: 1}, {Mean: 50, A12: 0.5, P: 1}}
	if figures[ListStatements] != same {
		t.Errorf("statements: got %+v", figures[ListStatements])
	}
	dc, sc := figures[ListCalls][0], figures[ListCalls][1]
	if dc.Mean != 20 || dc.A12 != 0.5 || sc.Mean != 35 || sc.A12 != 8.0/9 || sc.P <= 0.1 || sc.P >= 0.3 {
		t.Errorf("calls: got %+v and %+v", dc, sc)
	}
}
