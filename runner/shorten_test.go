package runner_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner"
)

// grudge is a service that fails once it was hit twice since the last reset,
// whatever else was done to it. No call takes anything from another.
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

// What shows a fault is as short as can be, also where no link tells what it
// needs.
func TestFaultsAreShownByFewCalls(t *testing.T) {
	for seed := range uint64(10) {
		got := start(t, grudge(t, 1000, seed), runner.Sink{}).Wait()
		if len(got.Faults) == 0 {
			continue
		}
		f := got.Faults[0]
		if seq := f.Test.Seq(); !slices.Equal(seq, model.Seq{"POST /hit", "POST /hit", "GET /mood"}) || f.Calls != 3 || f.Verdict != model.Reproducible {
			t.Errorf("seed %d: %s by %v", seed, f.Verdict, seq)
		}
	}
}
