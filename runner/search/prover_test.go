package search_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"sonde/analysis"
	"sonde/export"
	"sonde/model"
	"sonde/model/openapi"
	"sonde/runner/search"

	"github.com/google/go-cmp/cmp"
)

// pantryPlan returns a plan for the pantry at a URL, without a reset.
func pantryPlan(t *testing.T, url string, seed uint64, calls int) model.Plan {
	t.Helper()
	spec, err := openapi.Load(context.Background(), filepath.Join("..", "testdata", "pantry", "openapi.yaml"), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return model.Plan{
		Spec:      spec,
		Templates: analysis.Analyze(spec, analysis.Options{}).Templates(),
		BaseURL:   url,
		Seed:      seed,
		Minimise:  model.DefaultMinimise,
		Tuning:    model.DefaultTuning(),
		Sampling:  model.DefaultSampling(),
		Limits:    model.Limits{Calls: calls},
	}
}

// selfContained returns the tests that do not depend on earlier state. An export contains only these tests.
func selfContained(tests []model.Test) []model.Test {
	return slices.DeleteFunc(slices.Clone(tests), func(t model.Test) bool { return t.EarlierState != "" })
}

// exported builds Go tests and returns a function that runs them against a URL.
func exported(t *testing.T, tests []model.Test) func(url string, args ...string) (string, error) {
	t.Helper()
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("skipped: the go command is not installed:", err)
	}
	dir := t.TempDir()
	if _, err := export.WriteGoFile(dir, export.Suite{Title: "Pantry", Tests: tests}, false); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(tool, "test", "-c", "-o", "suite.test", export.TestsFileName)
	c.Dir, c.Env = dir, append(os.Environ(), "GOFLAGS=-ldflags=-w", "GOWORK=off", "GOPROXY=off")
	if output, err := c.CombinedOutput(); err != nil {
		t.Fatalf("go test -c: %v\n%s", err, output)
	}
	return func(url string, args ...string) (string, error) {
		c := exec.Command(filepath.Join(dir, "suite.test"), args...)
		c.Env = append(os.Environ(), "SONDE_BASE_URL="+url)
		output, err := c.CombinedOutput()
		return string(output), err
	}
}

// The exported suite of a search without a reset passes twice in a row and then in another order. It does so on the
// service as the search left it, and on fresh services.
func TestSuiteWithoutResetIsSound(t *testing.T) {
	skipInShort(t, "builds the exported tests")
	t.Parallel()
	seeds := uint64(1)
	if *campaigns {
		seeds = 2
	}
	for seed := uint64(3); seed < 3+seeds; seed++ { // with other seeds, the budget may be too small to play a test again
		left := httptest.NewServer(newPantry())
		defer left.Close()
		got := start(t, pantryPlan(t, left.URL, seed, 4000), search.Sink{}).Wait()
		tests := selfContained(got.Tests)
		if s := got.Summary; !s.NoReset || s.EarlierState != len(got.Tests)-len(tests) || s.EarlierState == 0 || s.Calls > 4000 {
			t.Errorf("seed %d: summary %+v", seed, s)
		}
		wantSelfContained(t, seed, got.Tests)
		suite := exported(t, tests)
		passes := func(name, url string) {
			for _, args := range [][]string{{"-test.count=2"}, {"-test.shuffle=7"}} {
				if output, err := suite(url, args...); err != nil {
					t.Errorf("seed %d, %s, %q: %v\n%s", seed, name, args, err, failures(output))
				}
			}
		}
		passes("left behind", left.URL)
		for _, name := range []string{"fresh", "started again"} {
			service := httptest.NewServer(newPantry())
			passes(name, service.URL)
			service.Close()
		}
	}
}

// wantSelfContained checks which targets are covered by self-contained tests.
func wantSelfContained(t *testing.T, seed uint64, tests []model.Test) {
	t.Helper()
	why := map[string]string{}
	for _, test := range tests {
		for _, id := range test.Covers {
			why[id] = test.EarlierState
		}
	}
	for _, id := range []string{
		"POST /items 201", "POST /items 409", "GET /items/{itemId} 200", "DELETE /items/{itemId} 204", "PUT /tags/{tag} 201",
		"POST /login 200", "POST /login 401", "POST /orders 201", "GET /orders/{orderId} 200", "GET /orders/{orderId} 404",
	} {
		if reason, covered := why[id]; !covered || reason != "" {
			t.Errorf("seed %d: %s is covered %t by a test that depends on earlier state: %s", seed, id, covered, reason)
		}
	}
	for _, id := range []string{"POST /slots 201", "POST /slots 409", "GET /inbox 204", "GET /report 500"} {
		if reason, covered := why[id]; covered && reason == "" {
			t.Errorf("seed %d: the test of %s does not say that it depends on earlier state", seed, id)
		}
	}
}

// A fault that is caused by what many tests left in the service is not reproducible. A fault that recurs with fresh
// values is reproducible.
func TestFaultOfLeftovers(t *testing.T) {
	service := httptest.NewServer(newPantry())
	defer service.Close()
	verdicts := map[model.OpID]model.Verdict{}
	for _, f := range start(t, pantryPlan(t, service.URL, 1, 4000), search.Sink{}).Wait().Faults {
		if f.Oracle == model.ServerErrorOracle {
			verdicts[f.Op] = f.Verdict
		}
	}
	want := map[model.OpID]model.Verdict{"GET /report": model.VerdictEarlierState, "POST /items": model.VerdictReproducible}
	if d := cmp.Diff(want, verdicts); d != "" {
		t.Errorf("verdicts (-want +got):\n%s", d)
	}
}

// Two runs with the same seed keep the same tests, also without a reset.
func TestRunWithoutResetRepeats(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes several searches: left out by -short")
	}
	var runs [2][]model.Test
	for i := range runs {
		service := httptest.NewServer(newPantry())
		defer service.Close()
		runs[i] = start(t, pantryPlan(t, service.URL, 5, 600), search.Sink{}).Wait().Tests
	}
	if d := cmp.Diff(runs[0], runs[1]); d != "" {
		t.Errorf("tests (-first +second):\n%s", d)
	}
}

// failures returns the lines of a test's output about failures.
func failures(output string) string {
	var all []string
	for line := range strings.Lines(output) {
		if !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- PASS") {
			all = append(all, line)
		}
	}
	return strings.Join(all, "")
}

// shelf is a service with a list of things. The names of things are always null, which violates the spec. When the
// service has more than 20 things and accepts a thing whose label begins with a letter from m on, it gets stuck: it
// refuses all later things with status 500.
func shelf() http.Handler {
	mux := http.NewServeMux()
	var mu sync.Mutex
	var things []map[string]any
	stuck := false
	answer := func(w http.ResponseWriter, status int, v any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(v)
	}
	mux.HandleFunc("POST /things", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var thing struct{ Label, Colour string }
		if json.NewDecoder(r.Body).Decode(&thing) != nil || len(thing.Label) < 6 {
			answer(w, 400, map[string]any{})
			return
		}
		if stuck {
			answer(w, 500, map[string]any{})
			return
		}
		stuck = len(things) > 20 && thing.Label[0] >= 'm'
		things = append(things, map[string]any{"label": thing.Label, "name": nil})
		answer(w, 201, map[string]any{"label": thing.Label})
	})
	mux.HandleFunc("GET /things", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		answer(w, 200, append([]map[string]any{}, things...))
	})
	return mux
}

// A fault that occurs only after an earlier test has changed the service's state gets the verdict EarlierState. If
// the faulty answer shows a thing that another test created, the run tries a test that creates this thing itself.
func TestFaultsOfAState(t *testing.T) {
	text := &model.Schema{Type: "string", MinLength: 6}
	label := &model.Schema{Type: "object", Required: []string{"label"}, Properties: []model.Property{{Name: "label", Schema: text}}}
	item := &model.Schema{
		Type:       "object",
		Properties: []model.Property{{Name: "label", Schema: text}, {Name: "name", Schema: &model.Schema{Type: "string"}}},
	}
	contents := func(s *model.Schema) []model.Content { return []model.Content{{Media: "application/json", Schema: s}} }
	spec := &model.Spec{Operations: []*model.Operation{
		{
			ID: "POST /things", Method: "POST", Path: "/things", Body: &model.RequestBody{Required: true, Contents: contents(label)},
			Responses: []model.Response{{Status: "201"}, {Status: "400"}},
		},
		{
			ID: "GET /things", Method: "GET", Path: "/things",
			Responses: []model.Response{{Status: "200", Contents: contents(&model.Schema{Type: "array", Items: item})}},
		},
	}}
	server := httptest.NewServer(shelf())
	defer server.Close()
	got := start(t, model.Plan{
		Spec:      spec,
		Templates: analysis.Analyze(spec, analysis.Options{}).Templates(),
		BaseURL:   server.URL,
		Seed:      1,
		Minimise:  model.DefaultMinimise,
		Tuning:    model.DefaultTuning(),
		Sampling:  model.DefaultSampling(),
		Limits:    model.Limits{Calls: 800},
	}, search.Sink{}).Wait()
	verdicts := map[string]model.Verdict{}
	for _, f := range got.Faults {
		verdicts[string(f.Op)+" "+f.Oracle] = f.Verdict
	}
	for _, name := range []string{"POST /things server-error", "GET /things schema"} {
		if verdicts[name] != model.VerdictEarlierState {
			t.Errorf("%s: verdict %q of %v", name, verdicts[name], verdicts)
		}
	}
}

// A fault of one value, which the service itself names, is reproducible: it needs neither fresh values nor what other tests
// left in the service.
func TestFaultOfAValue(t *testing.T) {
	text := &model.Schema{Type: "string"}
	page := &model.Schema{Type: "object", Properties: []model.Property{{Name: "cursor", Schema: text}}}
	spec := &model.Spec{Operations: []*model.Operation{{
		ID: "GET /pages", Method: "GET", Path: "/pages",
		Params:    []model.Parameter{{Name: "cursor", In: model.InQuery, Schema: text}},
		Responses: []model.Response{{Status: "200", Contents: []model.Content{{Media: "application/json", Schema: page}}}, {Status: "400"}},
	}}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		next := map[string]string{"": "c-5e1f0a", "c-5e1f0a": "c-77d02b"}
		switch cursor := r.URL.Query().Get("cursor"); {
		case cursor == "c-77d02b":
			http.Error(w, "{}", http.StatusInternalServerError)
		case next[cursor] != "":
			fmt.Fprintf(w, `{"cursor": %q}`, next[cursor])
		default:
			http.Error(w, "{}", http.StatusBadRequest)
		}
	}))
	defer server.Close()
	got := start(t, model.Plan{
		Spec:      spec,
		Templates: analysis.Analyze(spec, analysis.Options{}).Templates(),
		BaseURL:   server.URL,
		Seed:      1,
		Minimise:  model.DefaultMinimise,
		Tuning:    model.DefaultTuning(),
		Sampling:  model.DefaultSampling(),
		Limits:    model.Limits{Calls: 800},
	}, search.Sink{}).Wait()
	verdicts := map[string]model.Verdict{}
	for _, f := range got.Faults {
		verdicts[f.Oracle] = f.Verdict
	}
	if verdicts[model.ServerErrorOracle] != model.VerdictReproducible {
		t.Errorf("got %v", verdicts)
	}
}

// queue is a service whose things have unique ranks. A thing without a rank gets the rank that follows the last rank.
// This fails if the last rank has an invalid form.
func queue() http.Handler {
	mux := http.NewServeMux()
	var mu sync.Mutex
	ranks := []string{"a0"}
	mux.HandleFunc("POST /things", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var thing struct{ Label, Rank string }
		last := ranks[len(ranks)-1]
		switch err := json.NewDecoder(r.Body).Decode(&thing); {
		case err != nil || thing.Label == "":
			wrong(w, 400, "a label is missing")
			return
		case thing.Rank == "" && last[0] != 'a':
			wrong(w, 500, "invalid rank")
			return
		case thing.Rank == "":
			thing.Rank = "a" + strconv.Itoa(len(ranks))
		case slices.Contains(ranks, thing.Rank):
			wrong(w, 400, "another thing has this rank")
			return
		}
		ranks = append(ranks, thing.Rank)
		writeJSON(w, 201, map[string]any{"label": thing.Label, "rank": thing.Rank})
	})
	return mux
}

// If a call succeeded when the service was in its first state and fails now, earlier tests have caused the fault. If
// a test needs a value that an earlier test created, the test creates the value itself, or says that it depends on
// earlier state.
func TestFaultOfAnEarlierValue(t *testing.T) {
	text := &model.Schema{Type: "string"}
	thing := &model.Schema{
		Type:       "object",
		Required:   []string{"label"},
		Properties: []model.Property{{Name: "label", Schema: text}, {Name: "rank", Schema: text}},
	}
	spec := &model.Spec{Operations: []*model.Operation{{
		ID: "POST /things", Method: "POST", Path: "/things",
		Body:      &model.RequestBody{Contents: []model.Content{{Media: "application/json", Schema: thing}}},
		Responses: []model.Response{{Status: "201"}, {Status: "400"}},
	}}}
	seeds := uint64(1)
	if *campaigns {
		seeds = 3
	}
	for seed := uint64(1); seed <= seeds; seed++ {
		left := httptest.NewServer(queue())
		defer left.Close()
		got := start(t, model.Plan{
			Spec:      spec,
			Templates: analysis.Analyze(spec, analysis.Options{}).Templates(),
			BaseURL:   left.URL,
			Seed:      seed,
			Minimise:  model.DefaultMinimise,
			Tuning:    model.DefaultTuning(),
			Sampling:  model.DefaultSampling(),
			Limits:    model.Limits{Calls: 600},
		}, search.Sink{}).Wait()
		found := false
		for _, f := range got.Faults {
			if f.Oracle == model.ServerErrorOracle {
				found = true
				if f.Verdict != model.VerdictEarlierState {
					t.Errorf("seed %d: %s %d: verdict %q", seed, f.Op, f.Status, f.Verdict)
				}
			}
		}
		if !found {
			t.Errorf("seed %d: no server error of %d faults", seed, len(got.Faults))
		}
		if testing.Short() {
			return // building the exported tests takes long
		}
		fresh := httptest.NewServer(queue())
		defer fresh.Close()
		if output, err := exported(t, selfContained(got.Tests))(fresh.URL); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, failures(output))
		}
	}
}
