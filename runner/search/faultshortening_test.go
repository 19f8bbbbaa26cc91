package search_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search"
)

// grudge is the plan for a service that fails after one operation was called twice since the last
// reset, whatever else was called. Its calls have no links.
func grudge(t *testing.T, calls int, seed uint64) model.Plan {
	t.Helper()
	hits := 0
	mux := http.NewServeMux()
	mux.HandleFunc("POST /reset", func(http.ResponseWriter, *http.Request) { hits = 0 })
	mux.HandleFunc("POST /hit", func(http.ResponseWriter, *http.Request) { hits++ })
	mux.HandleFunc("GET /mood", func(w http.ResponseWriter, _ *http.Request) {
		if hits >= 2 {
			w.WriteHeader(500)
		}
	})
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	p := plan(server.URL, calls)
	p.Templates, p.Users, p.Seed, p.Spec = nil, nil, seed, &model.Spec{Source: "grudge"}
	for _, id := range []string{"POST /hit", "GET /mood", "POST /a", "POST /b", "POST /c"} {
		method, path, _ := strings.Cut(id, " ")
		p.Spec.Operations = append(p.Spec.Operations, &model.Operation{
			ID: model.OpID(id), Method: method, Path: path, Responses: []model.Response{{Status: "200"}},
		})
	}
	return p
}

// The test of a fault is as short as possible, even if no link shows which calls it needs.
func TestFaultsAreShownByFewCalls(t *testing.T) {
	seeds, calls, found := uint64(3), 600, 0
	if *campaigns {
		seeds, calls = 10, 1000
	}
	for seed := range seeds {
		got := start(t, grudge(t, calls, seed), search.Sink{}).Wait()
		if len(got.Faults) == 0 {
			continue
		}
		found++
		f := got.Faults[0]
		if seq := f.Test.Seq(); !slices.Equal(seq, model.Seq{"POST /hit", "POST /hit", "GET /mood"}) ||
			f.Calls != 3 || f.Verdict != model.VerdictReproducible {
			t.Errorf("seed %d: %s by %v", seed, f.Verdict, seq)
		}
	}
	if found == 0 {
		t.Errorf("no seed of %d finds the fault", seeds)
	}
}

// chained is the plan for a service with a resource of 30 parts. Once the resource exists, the calls of all parts
// fail. A search makes these calls only after many unrelated calls.
func chained(t *testing.T, reset bool) model.Plan {
	t.Helper()
	made := 0
	mux := http.NewServeMux()
	mux.HandleFunc("POST /things", func(w http.ResponseWriter, _ *http.Request) {
		made++
		w.Header().Set("Location", fmt.Sprintf("/things/%d", made))
		w.WriteHeader(201)
	})
	mux.HandleFunc("GET /things/{id}/{part}", func(w http.ResponseWriter, r *http.Request) {
		if n, err := strconv.Atoi(r.PathValue("id")); err != nil || n < 1 || n > made {
			w.WriteHeader(404)
			return
		}
		w.WriteHeader(500)
	})
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	p := plan(server.URL, 1000)
	p.Users, p.Templates, p.Spec.Source = nil, nil, "chained"
	if !reset {
		p.Reset = nil
	}
	create, responses := *p.Spec.Operations[0], []model.Response{{Status: "200"}, {Status: "404"}}
	create.Secured, create.Body = false, nil
	p.Spec.Operations = []*model.Operation{&create, {ID: "GET /a", Method: "GET", Path: "/a", Responses: responses}}
	for i := range 30 {
		path := fmt.Sprintf("/things/{id}/part%d", i)
		op := model.OpID("GET " + path)
		p.Spec.Operations = append(p.Spec.Operations, &model.Operation{
			ID: op, Method: "GET", Path: path, Responses: responses,
			Params: []model.Parameter{{Name: "id", In: model.InPath, Required: true, Schema: &model.Schema{Type: "string"}}},
		})
		p.Templates = append(p.Templates, model.Template{
			Steps: []model.TemplateStep{{Op: "GET /a", Min: 12, Max: 12}, {Op: "POST /things", Min: 1, Max: 1}, {Op: op, Min: 1, Max: 1}},
			Links: []model.Link{{From: 1, To: 2, In: model.InPath, Name: "id"}}, Weight: 1,
		})
	}
	return p
}

// If there are many faults, each fault's test still has only the calls that the fault needs. This holds even if the
// budget is too small for repeating all faults, and even without a reset.
func TestManyFaultsAreShownByFewCalls(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes several searches: left out by -short")
	}
	for _, reset := range []bool{true, false} {
		got := start(t, chained(t, reset), search.Sink{}).Wait()
		if len(got.Faults) < 10 {
			t.Fatalf("reset %t: %d faults, want at least 10", reset, len(got.Faults))
		}
		for _, f := range got.Faults {
			if f.Calls != 2 || len(f.Test.Calls) != 2 {
				t.Errorf("reset %t: %s by %d calls: %v", reset, f.Op, f.Calls, f.Test.Seq())
			}
		}
	}
}

// keeper is the plan for a service that still has a thing after it was deleted. A test of it has 12 unrelated calls. The
// budget for checking faults is too small to leave these out one by one.
func keeper(t *testing.T, reset bool) model.Plan {
	t.Helper()
	made := 0
	mux := http.NewServeMux()
	mux.HandleFunc("POST /reset", func(http.ResponseWriter, *http.Request) { made = 0 })
	mux.HandleFunc("POST /things", func(w http.ResponseWriter, _ *http.Request) {
		made++
		w.Header().Set("Location", fmt.Sprintf("/things/%d", made))
		w.WriteHeader(201)
	})
	mux.HandleFunc("/things/{id}", func(w http.ResponseWriter, r *http.Request) {
		if n, err := strconv.Atoi(r.PathValue("id")); err != nil || n < 1 || n > made {
			w.WriteHeader(404)
			return
		}
		if r.Method == "DELETE" {
			w.WriteHeader(204)
		}
	})
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	p := plan(server.URL, 300)
	p.Users, p.Spec.Source = nil, "keeper"
	if !reset {
		p.Reset = nil
	}
	create, read, remove := *p.Spec.Operations[0], p.Spec.Operations[1], *p.Spec.Operations[1]
	create.Secured, create.Body = false, nil
	remove.ID, remove.Method, remove.Responses = "DELETE /things/{id}", "DELETE", []model.Response{{Status: "204"}, {Status: "404"}}
	other := &model.Operation{ID: "GET /a", Method: "GET", Path: "/a", Responses: []model.Response{{Status: "200"}}}
	p.Spec.Operations = []*model.Operation{&create, read, &remove, other}
	steps, links := []model.TemplateStep{{Op: create.ID, Min: 1, Max: 1}}, []model.Link{}
	for _, op := range []model.OpID{read.ID, remove.ID, read.ID} {
		steps = append(steps, model.TemplateStep{Op: other.ID, Min: 4, Max: 4}, model.TemplateStep{Op: op, Min: 1, Max: 1})
		links = append(links, model.Link{From: 0, To: len(steps) - 1, In: model.InPath, Name: "id"})
	}
	p.Templates = []model.Template{{Steps: steps, Links: links, Weight: 1}}
	return p
}

// The test of a fault that shows only by several answers has the calls with these answers, and no others.
func TestComparedCallsAreKept(t *testing.T) {
	for _, reset := range []bool{true, false} {
		got := start(t, keeper(t, reset), search.Sink{}).Wait()
		at := slices.IndexFunc(got.Faults, func(f model.Fault) bool { return f.Oracle == "readable-after-delete" })
		if at < 0 {
			t.Fatalf("reset %t: the fault is not found", reset)
		}
		f := got.Faults[at]
		want := model.Seq{"POST /things", "GET /things/{id}", "DELETE /things/{id}", "GET /things/{id}"}
		if seq := f.Test.Seq(); !slices.Equal(seq, want) || f.Verdict != model.VerdictReproducible {
			t.Errorf("reset %t: %s by %v", reset, f.Verdict, seq)
		}
	}
}
