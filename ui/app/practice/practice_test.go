package practice

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sonde/analysis"
	"sonde/analysis/distil"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
	"sonde/runner/search"
	"sonde/ui/app/usecase"
)

const create, read, broken = "POST /things", "GET /things/{thingId}", "GET /broken"

// service returns the invoker and the values of a test service. The service can create and read things, and /broken always
// fails. The limits apply to all calls.
func service(t *testing.T, limits model.Limits) (*search.Invoker, *match.ValuesTable) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /things", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, `{"thingId":"n1"}`)
	})
	mux.HandleFunc("GET /things/n1", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /broken", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	spec, err := openapi.Parse(t.Context(), "things.yaml", []byte(`openapi: 3.0.3
info: {title: Things, version: "1"}
paths:
  /things:
    post:
      responses:
        "201":
          description: ok
          content: {application/json: {schema: {type: object, properties: {thingId: {type: string}}}}}
  /things/{thingId}:
    get:
      parameters: [{name: thingId, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: ok}}
  /broken: {get: {responses: {"200": {description: ok}}}}
`), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := analysis.Analyze(spec, analysis.Options{})
	plan := model.Plan{Spec: spec, BaseURL: server.URL, Templates: a.Templates(), Tuning: model.DefaultTuning(), Limits: limits}
	invoker, err := search.NewInvoker(t.Context(), plan, a.SeqConnector(), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(invoker.Close)
	return invoker, a.ValuesTable()
}

// newRun returns a run that lists the seqs of the test service by some rules.
func newRun(t *testing.T, limits model.Limits, with model.OpID, rules ...distil.Rule) *Run {
	t.Helper()
	v, table := service(t, limits)
	var listings []*Listing
	for _, rule := range rules {
		l, err := NewListing(t.Context(), table, distil.Options{Rule: rule}, with)
		if err != nil {
			t.Fatal(err)
		}
		listings = append(listings, l)
	}
	return NewRun(v, listings...)
}

// A seq that both rules list is called once, and counts for both. SC also lists seqs of operations that share nothing.
func TestBothRules(t *testing.T) {
	r := newRun(t, model.Limits{}, "", distil.RuleDC, distil.RuleSC)
	if err := r.List(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := r.Snapshot()
	dc, sc := s.Rules[0], s.Rules[1]
	wantDC := usecase.SeqCounts{Listed: 3, Practical: 3, Successful: 2}
	// SC lists the seqs of one, two and three operations in which the read follows the creation. Those that begin with
	// /broken, or that have it before the end, are barred.
	wantSC := usecase.SeqCounts{Listed: 8, Practical: 5, Successful: 2, Barred: 3}
	if dc.SeqCounts != wantDC || sc.SeqCounts != wantSC {
		t.Errorf("got %+v and %+v, want %+v and %+v", dc.SeqCounts, sc.SeqCounts, wantDC, wantSC)
	}
	if dc.Operations != 3 || dc.Reachable != 3 || sc.Operations != 3 || !dc.Done || !sc.Done || dc.GaveUp || !s.Done {
		t.Errorf("got %+v and %+v, done %t", dc, sc, s.Done)
	}
	if dc.Calls >= sc.Calls || sc.Calls != s.Summary.Calls || len(s.Called) != 5 {
		t.Errorf("%d and %d calls, %d were sent for %d seqs", dc.Calls, sc.Calls, s.Summary.Calls, len(s.Called))
	}
	want := []usecase.ObstacleCount{{Obstacle: usecase.Obstacle{Op: broken, Status: 500}, Seqs: 3}}
	if diff := cmp.Diff(want, sc.Reasons); diff != "" || len(dc.Reasons) != 0 {
		t.Errorf("reasons of DC %v, of SC, want and got (-+):\n%s", dc.Reasons, diff)
	}
	for _, l := range s.Rules {
		last := l.Curve[len(l.Curve)-1]
		if last.Practical != l.Practical || last.Operations != 3 || last.Calls > l.Calls {
			t.Errorf("%s: the curve ends at %+v", l.Rule, last)
		}
	}
	if c := r.Comparison(); len(c.Rules) != 2 || len(c.Faults) == 0 || c.Summary.Cancelled {
		t.Errorf("compared %+v", c)
	}
}

// Whatever the budget is, the service gets at most that number of calls, and at any moment the counts of a rule add up.
func TestCountsAtAnyMoment(t *testing.T) {
	for calls := 1; calls <= 12; calls++ {
		r := newRun(t, model.Limits{Calls: calls}, "", distil.RuleDC, distil.RuleSC)
		ctx, cancel := context.WithCancel(t.Context())
		watched := make(chan int)
		go func() { // reads while the run is in progress
			n := 0
			for ; ctx.Err() == nil; n++ {
				if problem := uncounted(r.Snapshot()); problem != "" {
					t.Error(problem)
				}
			}
			watched <- n
		}()
		err := r.List(t.Context())
		cancel()
		if <-watched == 0 && calls > 1 {
			t.Error("no snapshot was read")
		}
		s := r.Snapshot()
		if problem := uncounted(s); problem != "" || s.Summary.Calls > calls {
			t.Errorf("budget %d: %d calls, %s", calls, s.Summary.Calls, problem)
		}
		open := s.Rules[0].Open + s.Rules[1].Open
		if s.UsedUp != (err != nil) || s.UsedUp != (open > 0) {
			t.Errorf("budget %d: error %v, used up %t, %d open", calls, err, s.UsedUp, open)
		}
	}
}

// uncounted describes the first rule whose counts do not add up, or whose curve falls. It returns "" if there is none.
func uncounted(s usecase.ListingSnapshot) string {
	for _, l := range s.Rules {
		if l.Practical+l.Failed+l.Barred+l.Open != l.Listed || l.Successful > l.Practical {
			return fmt.Sprintf("%s: %+v", l.Rule, l.SeqCounts)
		}
		reasons := 0
		for _, why := range l.Reasons {
			reasons += why.Seqs
		}
		if reasons != l.Failed+l.Barred {
			return fmt.Sprintf("%s: reasons for %d seqs, but %+v", l.Rule, reasons, l.SeqCounts)
		}
		falls := func(a, b usecase.ListingPoint) int {
			if a.Calls > b.Calls || a.Practical > b.Practical || a.Operations > b.Operations {
				return 1
			}
			return -1
		}
		if !slices.IsSortedFunc(l.Curve, falls) {
			return fmt.Sprintf("%s: the curve falls: %v", l.Rule, l.Curve)
		}
	}
	return ""
}

// A listing of the seqs with one operation calls the seqs that have this operation, and the shorter seqs with which
// they begin.
func TestSeqsWithOneOperation(t *testing.T) {
	r := newRun(t, model.Limits{}, read, distil.RuleDC)
	if err := r.List(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := r.Snapshot()
	if want := (usecase.SeqCounts{Listed: 1, Practical: 1, Successful: 1}); s.Rules[0].SeqCounts != want {
		t.Errorf("got %+v", s.Rules[0])
	}
	var called []string
	for _, c := range s.Called {
		called = append(called, fmt.Sprint(c.Test.Seq()))
	}
	if diff := cmp.Diff([]string{"[POST /things]", "[POST /things GET /things/{thingId}]"}, called); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
}

// The report has the completed seqs with their statuses. The report of a run that was stopped has the results up to
// then.
func TestReport(t *testing.T) {
	r := newRun(t, model.Limits{}, "", distil.RuleSC)
	if got := r.Progress(); !strings.HasPrefix(got, "  0%") {
		t.Errorf("progress %q", got)
	}
	if err := r.List(t.Context()); err != nil {
		t.Fatal(err)
	}
	report := r.Report()
	if report.Practical != 5 || report.Listed != 8 || report.Share != 5.0/8 || report.UsedUp || report.Summary.Calls < 5 {
		t.Errorf("got %+v", report)
	}
	if got := report.Seqs[2].String(); got != "POST /things 201, GET /things/{thingId} 200" {
		t.Errorf("the third seq is %q", got)
	}
	if got := r.Progress(); !strings.Contains(got, "5 seqs, 5 ran to the end") {
		t.Errorf("progress %q", got)
	}

	r = newRun(t, model.Limits{}, "", distil.RuleDC)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.List(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if report := r.Report(); !report.Summary.Cancelled || report.Open != report.Listed {
		t.Errorf("got %+v", report)
	}
}

// The report of a listing with some operations of a spec counts only these operations.
func TestReportOfSomeOperations(t *testing.T) {
	v, whole := service(t, model.Limits{})
	two := &match.ValuesTable{Ops: whole.Ops[:2], Names: whole.Names, In: whole.In[:2], Need: whole.Need[:2], Out: whole.Out[:2]}
	l, err := NewListing(t.Context(), two, distil.Options{}, "")
	if err != nil {
		t.Fatal(err)
	}
	r := NewRun(v, l)
	if err := r.List(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := r.Report(); got.Summary.Operations != 2 || got.Practical == 0 {
		t.Errorf("%d operations, want 2: %+v", got.Summary.Operations, got)
	}
}

// NewListing returns the error of its context if that was cancelled. A table without operations gives an empty listing.
func TestListingEndsWithItsContext(t *testing.T) {
	_, table := service(t, model.Limits{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, with := range []model.OpID{"", read} {
		if _, err := NewListing(ctx, table, distil.Options{}, with); !errors.Is(err, context.Canceled) {
			t.Errorf("with %q: error %v", with, err)
		}
	}
	if l, err := NewListing(t.Context(), match.NewValuesTable(nil, match.PaperMode), distil.Options{}, ""); err != nil || !l.Empty() {
		t.Errorf("no operations: %+v, error %v", l, err)
	}
}

// After each call, the counts of a tally are the same as if all listed seqs were counted anew, by the results of the
// seqs and of their prefixes.
func TestTally(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		op := rapid.SampledFrom([]model.OpID{"GET /a", "GET /b", "GET /c"})
		listed := rapid.SliceOfDistinct(rapid.SliceOfN(op, 1, 4), func(s []model.OpID) string { return fmt.Sprint(s) }).Draw(t, "listed")
		seqs := make([]model.Seq, len(listed))
		for i, ops := range listed {
			seqs[i] = ops
		}
		results := map[string]usecase.CalledSeq{}
		counts := newTally(seqs)
		for _, seq := range called(seqs) {
			if slices.ContainsFunc(prefixes(seq), func(p model.Seq) bool { return !results[fmt.Sprint(p)].Succeeded }) {
				continue // it is never called
			}
			c := usecase.CalledSeq{Completed: rapid.Bool().Draw(t, "completed")}
			c.Succeeded = c.Completed && rapid.Bool().Draw(t, "succeeded")
			c.Obstacle = usecase.Obstacle{Op: op.Draw(t, "obstacle")}
			results[fmt.Sprint(seq)] = c
			counts.add(seq, c)
			want, reasons := counted(seqs, results)
			if counts.SeqCounts != want {
				t.Fatalf("after %v: got %+v, want %+v", seq, counts.SeqCounts, want)
			}
			if diff := cmp.Diff(reasons, counts.reasons); diff != "" {
				t.Fatalf("after %v, want and got (-+):\n%s", seq, diff)
			}
		}
	})
}

// called returns all seqs that a listing may call: the listed ones and their prefixes, the shortest first.
func called(listed []model.Seq) (all []model.Seq) {
	known := map[string]bool{}
	for _, seq := range listed {
		for _, s := range append(prefixes(seq), seq) {
			if !known[fmt.Sprint(s)] {
				known[fmt.Sprint(s)] = true
				all = append(all, s)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b model.Seq) int { return len(a) - len(b) })
	return all
}

func prefixes(seq model.Seq) (all []model.Seq) {
	for n := 1; n < len(seq); n++ {
		all = append(all, seq[:n])
	}
	return all
}

// counted counts listed seqs by their results. A seq that was not called counts by the result of its longest prefix
// that was called.
func counted(listed []model.Seq, results map[string]usecase.CalledSeq) (n usecase.SeqCounts, reasons map[usecase.Obstacle]int) {
	n.Listed, reasons = len(listed), map[usecase.Obstacle]int{}
	for _, seq := range listed {
		c, called := results[fmt.Sprint(seq)]
		switch {
		case called && c.Completed:
			n.Practical++
			if c.Succeeded {
				n.Successful++
			}
			continue
		case called:
			n.Failed++
			reasons[c.Obstacle]++
			continue
		}
		barred := false
		for _, p := range prefixes(seq) {
			if c, called := results[fmt.Sprint(p)]; called && !c.Succeeded {
				barred = true
				reasons[c.Obstacle]++
			}
		}
		if barred {
			n.Barred++
		} else {
			n.Open++
		}
	}
	return n, reasons
}
