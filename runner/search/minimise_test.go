package search_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"sonde/model"
	"sonde/runner/search"

	"github.com/google/go-cmp/cmp"
)

// The kept tests are as small as possible: each call and value is needed.
func TestKeptTestsAreMinimal(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes several searches: left out by -short")
	}
	seeds, calls := uint64(2), 1000
	if *campaigns {
		seeds, calls = 5, 2000
	}
	for seed := range seeds {
		p := grudge(t, calls, seed)
		p.Minimise = 0.2
		got := start(t, p, search.Sink{}).Wait()
		want := map[string]string{
			"POST /hit 200": "POST /hit", "GET /mood 200": "GET /mood", "GET /mood 500": "POST /hit POST /hit GET /mood",
			"POST /a 200": "POST /a", "POST /b 200": "POST /b", "POST /c 200": "POST /c",
		}
		for _, test := range got.Tests {
			for _, id := range test.Covers {
				if seq := strings.Trim(fmt.Sprint(test.Seq()), "[]"); len(test.Covers) == 1 && seq != want[id] {
					t.Errorf("seed %d: %s is kept for %s, want %s", seed, seq, id, want[id])
				}
			}
		}
		if s := got.Summary; s.Replayed != s.Tests || s.FlakyTests+s.DroppedChecks > 0 || s.Minimising == 0 ||
			s.Minimising > calls/5 || s.Calls > calls {
			t.Errorf("seed %d: summary %+v", seed, s)
		}
	}
}

// Values that do not matter for a test's targets are as simple as possible.
func TestKeptTestsArePlain(t *testing.T) {
	_, url := serve(t)
	p := plan(url, 1000)
	p.Minimise = 0.2
	bodies := map[string]string{
		"POST /things 201":     `{"size":0}`,
		"POST /things 400":     `{"size":-1}`,
		"GET /things/{id} 200": `{"size":0}`,
		"GET /things/{id} 500": `{"size":13}`,
	}
	for _, test := range start(t, p, search.Sink{}).Wait().Tests {
		first, want := test.Calls[0], bodies[test.Covers[0]]
		if want != "" && first.User != "" && (first.Body == nil || first.Body.Data != want) {
			t.Errorf("%q is covered by %+v, want %s", test.Covers, first.Body, want)
		}
	}
}

// moody returns a plan to search a service whose answers depend on the number of earlier calls. GET /visits returns this
// number. GET /first has another status after 20 calls.
func moody(t *testing.T, calls int) model.Plan {
	t.Helper()
	var visits atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("POST /reset", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /visits", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"visits":%d,"name":"moody"}`, visits.Add(1))
	})
	mux.HandleFunc("GET /first", func(w http.ResponseWriter, _ *http.Request) {
		if visits.Add(1) > 20 {
			w.WriteHeader(410)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	p := plan(server.URL, calls)
	p.Templates, p.Users, p.Minimise, p.Spec = nil, nil, 0.1, &model.Spec{Source: "moody"}
	for _, path := range []string{"/visits", "/first"} {
		p.Spec.Operations = append(p.Spec.Operations, &model.Operation{
			ID: model.OpID("GET " + path), Method: "GET", Path: path, Responses: []model.Response{{Status: "200"}},
		})
	}
	return p
}

// The checks of a kept test held in two plays. If the second play of a test differs, the test is kept and marked as
// flaky.
func TestFlakyAssertionsAreDropped(t *testing.T) {
	var kept []model.SuiteReplayed
	var notes []string
	got := start(t, moody(t, 1000), search.Sink{Emit: func(l model.LogEntry) error {
		switch e := l.Event.(type) {
		case model.SuiteReplayed:
			kept = append(kept, e)
		case model.Note:
			notes = append(notes, e.Text)
		}
		return nil
	}}).Wait()
	flaky := 0
	for _, test := range got.Tests {
		for _, c := range test.Checks {
			if stable := c.Pointer == "/name"; stable != (c.Equals != nil) {
				t.Errorf("%s asserts %+v", test.ID, c)
			}
		}
		if test.Flaky != "" {
			flaky++
			if !cmp.Equal(test.Covers, []string{"GET /first 200"}) ||
				!strings.Contains(test.Flaky, "GET /first, answered 200, and 410 when") {
				t.Errorf("%q is flaky: %s", test.Covers, test.Flaky)
			}
		}
	}
	if s := got.Summary; flaky != 1 || s.FlakyTests != 1 || s.DroppedChecks == 0 || s.Replayed != s.Tests || len(got.Tests) < 2 {
		t.Errorf("summary %+v", s)
	}
	if len(kept) == 0 || kept[0].DroppedChecks == 0 || kept[0].Flaky != 1 || len(notes) == 0 || !strings.Contains(notes[0], "is flaky") {
		t.Errorf("told %+v, %q", kept, notes)
	}
}

// The same seed keeps the same tests, however small the budget is. No more requests are sent than the budget allows.
func TestKeepingRepeats(t *testing.T) {
	for _, calls := range []int{1, 7, 50, 400} {
		p := leakyPlan(t, calls)
		p.Minimise = 0.3
		a := start(t, p, search.Sink{}).Wait()
		p = leakyPlan(t, calls)
		p.Minimise = 0.3
		b := start(t, p, search.Sink{}).Wait()
		if d := cmp.Diff(a.Tests, b.Tests); d != "" || a.Summary.Calls > calls {
			t.Errorf("budget %d: %d calls, tests (-first +second):\n%s", calls, a.Summary.Calls, d)
		}
		if s := a.Summary; float64(s.Minimising) > 0.3*float64(calls) || calls >= 400 && (s.Minimising == 0 || s.Calls < calls-10) {
			t.Errorf("budget %d: summary %+v", calls, s)
		}
	}
}
