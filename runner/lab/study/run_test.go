package study_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"sonde/analysis"
	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/openapi"
	"sonde/runner/lab/study"
	"sonde/runner/search"

	"github.com/google/go-cmp/cmp"
)

// shop returns the demo as a service of a study. copies counts the copies of the service that runs start.
func shop(t *testing.T, copies *atomic.Int64) study.Service {
	t.Helper()
	spec, err := openapi.Parse(t.Context(), "demo", demo.Specification(), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan := model.Plan{
		Spec:      spec,
		Templates: analysis.Analyze(spec, analysis.Options{}).Templates(),
		Reset:     &model.Reset{Method: "POST", Path: "/__reset"},
		Tuning:    model.DefaultTuning(),
		Minimise:  model.DefaultMinimise,
	}
	for _, u := range demo.Users() {
		plan.Users = append(plan.Users, model.User{Name: u.Name, Header: "Authorization", Public: "Bearer " + u.Token})
	}
	return study.Service{
		Name: "demo", Digest: "d", Budgets: []study.Series{{Calls: 150, Seeds: []uint64{1, 2, 3}}, {Calls: 400, Seeds: []uint64{4}}},
		Copy: func(context.Context, string) (model.Plan, func(), error) {
			copies.Add(1)
			server := httptest.NewServer(demo.NewShop(demo.Config{Reveal: true}))
			own := plan
			own.BaseURL = server.URL
			return own, server.Close, nil
		},
	}
}

// results returns the lines of a log, sorted.
func results(t *testing.T, folder string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, study.LogName))
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(strings.Lines(string(data)))
}

func do(ctx context.Context, t *testing.T, s study.Study, folder string, jobs int) (study.Tables, error) {
	t.Helper()
	l, err := study.OpenLog(folder, s, "v")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := s.RunAll(ctx, l, jobs); err != nil {
		return study.Tables{}, err
	}
	return s.Tables(ctx, l)
}

// A study has the same results for any number of jobs, and after it was stopped and continued. No
// run is made twice.
func TestStudyOfTheDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes whole searches: left out by -short")
	}
	var copies atomic.Int64
	s := study.Study{Smart: []float64{0, 0.6}, Services: []study.Service{shop(t, &copies)}}
	one, other := t.TempDir(), t.TempDir()
	want, err := do(t.Context(), t, s, one, 1)
	if err != nil || copies.Load() != 8 {
		t.Fatalf("%d runs, error %v", copies.Load(), err)
	}
	for _, row := range want.Rows {
		for _, set := range row.Settings {
			if last := set.Curve[study.CurveSteps]; last != set.Covered || set.Code != 0 {
				t.Errorf("%d calls: the curve ends at %v, want %v; in the source: %v", row.Budget, last, set.Covered, set.Code)
			}
		}
		if base, smart := row.Settings[0], row.Settings[1]; smart.Covered <= base.Covered || base.Covered == 0 ||
			smart.With2xx < 10 || smart.AllMarks == 0 {
			t.Errorf("%d calls: base %+v, P=0.6 %+v", row.Budget, base, smart)
		}
	}

	ctx, stop := context.WithCancel(t.Context())
	stopping, copied := s, s.Services[0].Copy
	stopping.Services = slices.Clone(s.Services)
	stopping.Services[0].Copy = func(c context.Context, way string) (model.Plan, func(), error) {
		if copies.Load() == 8+4 {
			stop()
		}
		return copied(c, way)
	}
	if _, err := do(ctx, t, stopping, other, 2); !errors.Is(err, context.Canceled) {
		t.Fatalf("got error %v", err)
	}
	there := len(results(t, other)) - 1
	if there < 2 || there > 5 {
		t.Fatalf("%d runs before the stop", there)
	}
	copies.Store(0)
	got, err := do(t.Context(), t, s, other, 2)
	if err != nil || int(copies.Load()) != 8-there {
		t.Fatalf("%d runs after %d, error %v", copies.Load(), there, err)
	}
	if diff := cmp.Diff(results(t, one), results(t, other)); diff != "" {
		t.Errorf("other results:\n%s", diff)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("other tables:\n%s", diff)
	}
}

// If one run fails, the other runs are still made. If all runs fail, the study ends early.
func TestStudyThatFails(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for _, c := range []struct {
		fails func(n int64) bool
		there int
		want  string
	}{
		{func(n int64) bool { return n == 2 }, 3, "not all runs could be made (1 failed); the first: demo with 400 calls, P=0, seed 4: "},
		{func(n int64) bool { return n > 1 }, 1, "demo with 400 calls, P=0, seed 4: "},
		{func(int64) bool { return true }, 0, "demo with 150 calls, P=0, seed 1: "},
	} {
		var copies atomic.Int64
		service := shop(t, &copies)
		copied := service.Copy
		service.Copy = func(ctx context.Context, way string) (model.Plan, func(), error) {
			p, end, err := copied(ctx, way)
			if c.fails(copies.Load()) {
				p.BaseURL = gone.URL
			}
			return p, end, err
		}
		folder := t.TempDir()
		_, err := do(t.Context(), t, study.Study{Smart: []float64{0}, Services: []study.Service{service}}, folder, 1)
		var unreachable *search.UnreachableError
		if !errors.As(err, &unreachable) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got error %v, want %s", err, c.want)
		}
		if n := len(results(t, folder)) - 1; n != c.there {
			t.Errorf("%d results, want %d: %s", n, c.there, c.want)
		}
		if c.there == 0 && copies.Load() != 3 {
			t.Errorf("%d runs were tried, want 3", copies.Load())
		}
	}
}
