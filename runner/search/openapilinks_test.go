package search_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/openapi"
	"sonde/runner/search"
)

// jobs is an API in which only the links of the spec connect operations: a job's ticket names its outcome, and a
// header of the outcome names the page with its log.
const jobs = `{"openapi":"3.0.3","info":{"title":"Jobs","version":"1"},"paths":{
"/jobs":{"post":{"operationId":"start","responses":{"201":{"description":"started",
		"content":{"application/json":{"schema":{"type":"object","properties":{
			"ticket":{"type":"object","properties":{"ref":{"type":"string"}}}}}}},
  "links":{"outcome":{"operationId":"outcome","parameters":{"handle":"$response.body#/ticket/ref"}}}}}}},
"/outcomes/{handle}":{"get":{"operationId":"outcome",
	"parameters":[{"name":"handle","in":"path","required":true,"schema":{"type":"string"}}],
	"responses":{"200":{"description":"done","links":{"log":{"operationId":"log",
		"parameters":{"page":"$response.header.X-Log"}}}},"404":{"description":"none"}}}},
"/log":{"get":{"operationId":"log","parameters":[{"name":"page","in":"query","required":true,"schema":{"type":"string"}}],
  "responses":{"200":{"description":"read"},"404":{"description":"none"}}}}}}`

// jobService accepts only the handles and pages that it has returned.
func jobService() http.Handler {
	known, next := map[string]bool{}, 0
	tell := func(kind string) string {
		next++
		value := fmt.Sprintf("%s-%d-%x", kind, next, 7919*next)
		known[value] = true
		return value
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /jobs", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		json.NewEncoder(w).Encode(map[string]any{"ticket": map[string]string{"ref": tell("h")}})
	})
	mux.HandleFunc("GET /outcomes/{handle}", func(w http.ResponseWriter, r *http.Request) {
		if !known[r.PathValue("handle")] {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("X-Log", tell("p"))
	})
	mux.HandleFunc("GET /log", func(w http.ResponseWriter, r *http.Request) {
		if !known[r.URL.Query().Get("page")] {
			w.WriteHeader(http.StatusNotFound)
		}
	})
	return mux
}

// A search follows the links of the spec, and its kept tests have these links.
func TestDocumentsLinks(t *testing.T) {
	server := httptest.NewServer(jobService())
	defer server.Close()
	spec, err := openapi.Parse(context.Background(), "jobs.json", []byte(jobs), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := model.Plan{
		Spec:      spec,
		Templates: analysis.Analyze(spec, analysis.Options{}).Templates(),
		BaseURL:   server.URL,
		Tuning:    model.DefaultTuning(),
		Limits:    model.Limits{Calls: 200},
		Seed:      1,
	}
	got := start(t, p, search.Sink{}).Wait()
	if got.Err != nil || got.Summary.Covered != 5 {
		t.Fatalf("error %v, covered %d of 5 targets", got.Err, got.Summary.Covered)
	}
	want := map[string]model.Link{
		"GET /outcomes/{handle} 200": {Pointer: "/ticket/ref", In: model.InPath, Name: "handle"},
		"GET /log 200":               {From: 1, To: 2, Header: "X-Log", In: model.InQuery, Name: "page"},
	}
	for _, test := range got.Tests {
		for _, id := range test.Covers {
			if link, ok := want[id]; ok {
				if id == "GET /outcomes/{handle} 200" {
					link.To = 1
				}
				if len(test.Links) == 0 || test.Links[len(test.Links)-1] != link {
					t.Errorf("%s is covered with the links %+v, want %+v last", id, test.Links, link)
				}
				delete(want, id)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("no test covers %v", want)
	}
}
