package search_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/openapi"
	"sonde/runner/search"
)

// rotating is a service that gives its caller a new token, and then refuses the old token.
type rotating struct {
	mu       sync.Mutex
	token    string
	notes    int
	rotated  []int // number of requests before each rotation
	changed  int   // number of changes of the password
	requests int
}

func (s *rotating) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	switch {
	case r.Header.Get("Authorization") != s.token:
		w.WriteHeader(401)
	case r.Method == "POST" && r.URL.Path == "/me/reset-token":
		s.rotated = append(s.rotated, s.requests)
		s.token = fmt.Sprint("token ", len(s.rotated))
		json.NewEncoder(w).Encode(map[string]string{"token": s.token})
	case r.Method == "PUT":
		s.changed++
		w.WriteHeader(204)
	case r.Method == "POST":
		s.notes++
		w.WriteHeader(201)
		json.NewEncoder(w).Encode(map[string]int{"id": s.notes})
	default:
		json.NewEncoder(w).Encode(map[string]int{"notes": s.notes})
	}
}

// A search without a reset replaces the only token of its user after all other tests. The refusals that follow do not
// make the run fail.
func TestLastOperationsComeLast(t *testing.T) {
	const calls = 600
	for _, muted := range []bool{false, true} {
		service := &rotating{token: "first"}
		server := httptest.NewServer(service)
		p := plan(server.URL, calls)
		p.Spec, p.Templates, p.Reset = &model.Spec{Source: "notes"}, nil, nil
		p.Users = []model.User{{Name: "ann", Header: "Authorization", Public: "first"}}
		for _, id := range []string{"POST /notes", "GET /notes", "PUT /me/password", "POST /me/reset-token"} {
			method, path, _ := strings.Cut(id, " ")
			op := &model.Operation{
				ID: model.OpID(id), Method: method, Path: path, Secured: true, Responses: []model.Response{{Status: "default"}},
			}
			p.Spec.Operations = append(p.Spec.Operations, op)
			p.Templates = append(p.Templates, model.Template{Weight: 1, Steps: []model.TemplateStep{{Op: op.ID, Min: 1, Max: 1}}})
		}
		if muted {
			p.Commands = []model.AppliedCommand{{Command: model.Command{Priority: &model.Priority{
				Kind: model.PriorityMuted, Ops: []model.OpID{"POST /me/reset-token"},
			}}}}
		}
		got := start(t, p, search.Sink{}).Wait()
		server.Close()
		if got.Err != nil || got.Denied != nil {
			t.Errorf("muted %t: error %v, denied %v", muted, got.Err, got.Denied)
		}
		switch {
		case service.changed < 2:
			t.Errorf("muted %t: the password was changed %d times, want by each of its two last tests", muted, service.changed)
		case muted && len(service.rotated) > 0:
			t.Errorf("a muted operation was called after %d requests", service.rotated)
		case !muted && (len(service.rotated) != 1 || service.rotated[0] < calls*95/100):
			t.Errorf("the token was replaced after %d of %d requests", service.rotated, calls)
		case !muted && !slices.ContainsFunc(got.Summary.Warnings, func(w model.Warning) bool { return w.Kind == model.WarnUser }):
			t.Errorf("warnings %v: none that the user was ended", got.Summary.Warnings)
		}
	}
}

// directory is a service whose answer to the creation of a member does not identify the new member.
type directory struct {
	mu       sync.Mutex
	members  []string
	requests int
	deleted  []int // number of requests before each deletion
}

func (s *directory) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	name := strings.TrimPrefix(r.URL.Path, "/members/")
	switch i := slices.Index(s.members, name); {
	case r.Header.Get("Authorization") != "first":
		w.WriteHeader(401)
	case r.Method == "POST":
		s.members = append(s.members, fmt.Sprint("member-", s.requests))
		w.WriteHeader(204)
	case r.Method == "GET":
		w.Header().Set("Content-Type", "application/json")
		all := []map[string]string{}
		for _, name := range s.members {
			all = append(all, map[string]string{"name": name})
		}
		json.NewEncoder(w).Encode(all)
	case i < 0:
		w.WriteHeader(404)
	default:
		s.members = slices.Delete(s.members, i, i+1)
		s.deleted = append(s.deleted, s.requests)
		w.WriteHeader(204)
	}
}

const members = `{"openapi":"3.0.3","info":{"title":"members","version":"1"},"paths":{
	"/members":{
		"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":
			{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}}}}}}},
		"post":{"responses":{"204":{"description":""}}}},
	"/members/{name}":{"delete":{"parameters":[{"name":"name","in":"path","required":true,"schema":{"type":"string"}}],
		"responses":{"204":{"description":""}}}}}}`

// A search without a reset may find a member that it has not created. It tries to delete such a member only at its
// end, and only if the operation has not succeeded in another way.
func TestWithheldTestsComeLast(t *testing.T) {
	const calls = 400
	for _, muted := range []bool{false, true} {
		service := &directory{members: []string{"ann", "bob"}}
		server := httptest.NewServer(service)
		p := plan(server.URL, calls)
		spec, err := openapi.Parse(t.Context(), "members", []byte(members), openapi.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p.Spec, p.Templates, p.Reset = spec, analysis.Analyze(spec, analysis.Options{}).Templates(), nil
		p.Users = []model.User{{Name: "ann", Header: "Authorization", Public: "first"}}
		p.Sampling = model.DefaultSampling()
		if muted {
			p.Commands = []model.AppliedCommand{{Command: model.Command{Priority: &model.Priority{
				Kind: model.PriorityMuted, Ops: []model.OpID{"DELETE /members/{name}"},
			}}}}
		}
		got := start(t, p, search.Sink{}).Wait()
		server.Close()
		if got.Err != nil {
			t.Errorf("muted %t: %v", muted, got.Err)
		}
		isAbout := func(w model.Warning) bool { return w.Op == "DELETE /members/{name}" }
		switch {
		case muted && len(service.deleted) > 0:
			t.Errorf("a muted operation deleted members after %d requests", service.deleted)
		case !muted && (len(service.deleted) == 0 || service.deleted[0] < service.requests*95/100):
			t.Errorf("members were deleted after %d of %d requests, want only at the end", service.deleted, service.requests)
		case !muted && slices.ContainsFunc(got.Summary.Warnings, isAbout):
			t.Errorf("warnings %v: want none about the deletion, which has succeeded", got.Summary.Warnings)
		}
	}
}
