package search_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"sonde/model"
	"sonde/runner/search"

	"github.com/google/go-cmp/cmp"
)

// leaky is a service of notes with many faults: deleted notes can still be read, refused writes take effect,
// every user reads everything, and every seventh listing fails.
type leaky struct {
	mu    sync.Mutex
	notes map[string]string
	lists int // number of listings; a reset does not change it
}

func (s *leaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /reset", func(http.ResponseWriter, *http.Request) { s.notes = map[string]string{} })
	mux.HandleFunc("GET /notes", func(w http.ResponseWriter, _ *http.Request) {
		s.lists++
		if s.lists%7 == 0 {
			w.WriteHeader(500)
		}
	})
	mux.HandleFunc("POST /notes", func(w http.ResponseWriter, _ *http.Request) {
		id := fmt.Sprint(len(s.notes) + 1)
		s.notes[id] = `{"text":"first"}`
		w.Header().Set("Location", "/notes/"+id)
		w.WriteHeader(201)
	})
	mux.HandleFunc("/notes/{id}", s.note)
	mux.ServeHTTP(w, r)
}

func (s *leaky) note(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if s.notes[id] == "" {
		w.WriteHeader(404)
		return
	}
	switch r.Method {
	case "GET":
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, s.notes[id])
	case "DELETE":
		w.WriteHeader(204)
	case "PUT":
		body, _ := io.ReadAll(r.Body)
		s.notes[id] = string(body)
		w.WriteHeader(409)
	}
}

func leakyPlan(t *testing.T, calls int) model.Plan {
	t.Helper()
	server := httptest.NewServer(&leaky{notes: map[string]string{}})
	t.Cleanup(server.Close)
	text := &model.Schema{Type: "string"}
	body := &model.RequestBody{Name: "body", Required: true, Contents: []model.Content{{Media: "application/json", Schema: &model.Schema{
		Type: "object", Properties: []model.Property{{Name: "text", Required: true, Schema: text}},
	}}}}
	spec := &model.Spec{Source: "notes"}
	p := plan(server.URL, calls)
	p.Spec, p.Templates = spec, nil
	p.Users = []model.User{{Name: "ann", Header: "Authorization", Public: "a"}, {Name: "bob", Header: "Authorization", Public: "b"}}
	p.Owners = []model.OwnedResource{{Path: "/notes/{id}"}}
	for i, id := range []string{"POST /notes", "GET /notes", "GET /notes/{id}", "DELETE /notes/{id}", "PUT /notes/{id}"} {
		method, path, _ := strings.Cut(id, " ")
		op := &model.Operation{
			ID:        model.OpID(id),
			Method:    method,
			Path:      path,
			Secured:   true,
			Responses: []model.Response{{Status: "default"}},
		}
		tpl := model.Template{Weight: 1, Steps: []model.TemplateStep{{Op: "POST /notes", Min: 1, Max: 1}}}
		if strings.Contains(path, "{id}") {
			op.Params = []model.Parameter{{Name: "id", In: model.InPath, Required: true, Schema: text}}
			tpl.Links = []model.Link{{From: 0, To: 1, In: model.InPath, Name: "id"}}
		}
		if method == "PUT" {
			op.Body = body
		}
		if i > 0 {
			tpl.Steps = append(tpl.Steps, model.TemplateStep{Op: op.ID, Min: 1, Max: 1})
		}
		spec.Operations, p.Templates = append(spec.Operations, op), append(p.Templates, tpl)
	}
	return p
}

// A run finds faults that only follow-up tests show, within their share of the budget, and repeats each fault.
func TestFollowUpsFindFaults(t *testing.T) {
	const calls = 1000
	checked := 0
	got := start(t, leakyPlan(t, calls), search.Sink{Emit: func(l model.LogEntry) error {
		if _, ok := l.Event.(model.FaultChecked); ok {
			checked++
		}
		return nil
	}}).Wait()
	if got.Err != nil {
		t.Fatal(got.Err)
	}
	verdicts, counting := map[string]model.Verdict{}, 0
	for _, f := range got.Faults {
		name := string(f.Op) + " " + f.Oracle
		if f.Oracle == "auth-ignored" {
			name = "some operation auth-ignored" // reported once, for the first operation that the search calls so
		}
		verdicts[name] = f.Verdict
		if f.Test == nil || len(f.Test.Calls) != f.Calls || f.Test.Calls[f.Calls-1].Op != f.Op {
			t.Errorf("%s %s is shown by %+v", f.Op, f.Oracle, f.Test)
		}
		if f.CountsAsFailure() {
			counting++
		}
	}
	for name, want := range map[string]model.Verdict{
		"GET /notes/{id} readable-after-delete":     model.VerdictReproducible,
		"GET /notes/{id} write-refused-but-applied": model.VerdictReproducible,
		"GET /notes/{id} other-users-resource":      model.VerdictReproducible,
		"some operation auth-ignored":               model.VerdictReproducible,
		"GET /notes server-error":                   model.VerdictFlaky,
	} {
		if verdict, found := verdicts[name]; !found || verdict != want {
			t.Errorf("%s: verdict %q, found %t, want %q", name, verdict, found, want)
		}
	}
	if s := got.Summary; s.Checking == 0 || s.Checking > calls/10 || s.Faults != counting || s.Flaky == 0 ||
		s.Calls > calls || checked != len(got.Faults) {
		t.Errorf("summary %+v, %d faults checked", s, checked)
	}
}

// The same seed gives the same result, however small the budget is.
func TestCheckingRepeats(t *testing.T) {
	for _, calls := range []int{1, 7, 20, 50, 333} {
		a, b := start(t, leakyPlan(t, calls), search.Sink{}).Wait(), start(t, leakyPlan(t, calls), search.Sink{}).Wait()
		if d := cmp.Diff(a.Faults, b.Faults); d != "" || a.Summary.Calls > calls {
			t.Errorf("budget %d: %d calls, faults (-first +second):\n%s", calls, a.Summary.Calls, d)
		}
		if d := cmp.Diff(a.Tests, b.Tests); d != "" {
			t.Errorf("budget %d: tests (-first +second):\n%s", calls, d)
		}
	}
}

// With a reset, the reason why a fault was not repeated is never that other tests changed the state.
func TestReasonAtTheLimit(t *testing.T) {
	unrepeated := 0
	for calls := 20; calls < 320; calls += 25 {
		p := leakyPlan(t, calls)
		p.Minimise = model.DefaultMinimise // budget is left after the calls for checking
		for _, f := range start(t, p, search.Sink{}).Wait().Faults {
			if f.Unrepeated != "" {
				unrepeated++
			}
			if f.Unrepeated != "" && f.Unrepeated != "no calls left" {
				t.Errorf("budget %d: %s %s was not repeated: %s", calls, f.Op, f.Oracle, f.Unrepeated)
			}
		}
	}
	if unrepeated == 0 {
		t.Error("each fault was repeated, so the test shows nothing")
	}
}

// Checks and follow-up tests can be left out, each without the other.
func TestSkippedChecks(t *testing.T) {
	for name, s := range map[string]model.Sampling{
		"both": {}, "no checks": {SkipChecks: 1}, "no follow-ups": {SkipFollowUps: 1}, "neither": {SkipChecks: 1, SkipFollowUps: 1},
	} {
		p := leakyPlan(t, 2000)
		p.Sampling = s
		last := start(t, p, search.Sink{}).Wait()
		verdicts, deleted := 0, false
		for _, f := range last.Faults {
			if f.Verdict != "" {
				verdicts++
			} else if s.SkipChecks > 0 && f.Unrepeated != "its check was skipped (--skip-checks)" {
				t.Errorf("%s: %s %s was not repeated: %q", name, f.Op, f.Oracle, f.Unrepeated)
			}
			deleted = deleted || f.Oracle == "readable-after-delete"
		}
		n := last.Summary.Checking
		if (verdicts > 0) != (s.SkipChecks == 0) || deleted != (s.SkipFollowUps == 0) || (n == 0) != (name == "neither") {
			t.Errorf("%s: %d verdicts, a deleted note was read: %t, %d calls to check", name, verdicts, deleted, n)
		}
	}
}
