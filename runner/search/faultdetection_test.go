package search_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/openapi"
	"sonde/runner/search"
)

// honest is a service that does exactly what its spec says, in ways that a simple oracle might report as faults:
//   - Versions and times change by themselves.
//   - Deleted resources stay readable and are marked as deleted.
//   - Jobs are done later.
//   - Deletes never fail.
//   - Answers depend on the caller.
//
// lies are the names of the promises that the service breaks.
type honest struct {
	lies map[string]bool

	mu       sync.Mutex
	url      string
	made     int
	calls    int
	notes    map[string]map[string]any
	settings map[string]string
	orders   map[string]map[string]any
	drafts   map[string]draft
	jobs     map[string]int // number of reads; negative if cancelled
	links    map[string]bool
}

type draft struct{ user, value string }

func newHonest(t *testing.T, lies ...string) *honest {
	t.Helper()
	s := &honest{lies: map[string]bool{}}
	for _, lie := range lies {
		s.lies[lie] = true
	}
	s.reset()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

func (s *honest) reset() {
	s.notes, s.settings, s.orders = map[string]map[string]any{}, map[string]string{}, map[string]map[string]any{}
	s.drafts, s.jobs, s.links = map[string]draft{}, map[string]int{}, map[string]bool{}
}

// exchange is a request to the service with its user.
type exchange struct {
	http.ResponseWriter
	*http.Request
	user string
	body map[string]any
}

func (x exchange) answer(status int, v any) {
	media := "application/json"
	if status >= 400 {
		media, v = "application/problem+json", map[string]any{"title": fmt.Sprint(v)}
	}
	if v != nil {
		x.Header().Set("Content-Type", media)
	}
	x.WriteHeader(status)
	if v != nil {
		json.NewEncoder(x).Encode(v)
	}
}

func (x exchange) Header() http.Header         { return x.ResponseWriter.Header() }
func (x exchange) Write(b []byte) (int, error) { return x.ResponseWriter.Write(b) }

func (s *honest) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := exchange{ResponseWriter: w, Request: r}
	if r.URL.Path == "/reset" {
		s.reset()
		return
	}
	x.user, _ = strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	_, at := http.DefaultServeMux, strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if s.public(x, at[0]) {
		return
	}
	if x.user != "ann" && x.user != "bob" && !s.lies["open"] {
		x.answer(401, "who are you?")
		return
	}
	if data, _ := io.ReadAll(r.Body); len(data) > 0 && json.Unmarshal(data, &x.body) != nil {
		x.answer(400, "no JSON object")
		return
	}
	id := ""
	if len(at) > 1 {
		id = at[1]
	}
	s.route(x, at[0], id, len(at) > 2)
}

// public answers a request if its path is public, and reports whether the path is public.
func (s *honest) public(x exchange, what string) bool {
	switch what {
	case "health":
		x.Header().Set("Content-Type", "text/plain")
		io.WriteString(x, "ok")
	case "tags":
		if limit := x.URL.Query().Get("limit"); strings.Trim(limit, "-0123456789") != "" {
			x.answer(400, "limit is a number")
		} else {
			x.answer(200, []string{"a", "b"})
		}
	case "l":
		if code := strings.TrimPrefix(x.URL.Path, "/l/"); s.links[code] {
			http.Redirect(x.ResponseWriter, x.Request, "/health", 302)
		} else {
			x.answer(404, "no link")
		}
	default:
		return false
	}
	return true
}

func (s *honest) route(x exchange, what, id string, below bool) {
	s.calls++
	switch what {
	case "notes":
		s.note(x, id)
	case "settings":
		s.setting(x, id)
	case "orders":
		s.order(x, id)
	case "drafts":
		s.draft(x, id, below)
	case "jobs":
		s.job(x, id)
	case "links":
		s.made++
		code := fmt.Sprintf("c%d", s.made)
		s.links[code] = true
		x.Header().Set("Location", "/l/"+code)
		s.create(x, x.body["value"] != nil && text(x.body["value"], 40), nil)
	case "stats":
		x.answer(200, map[string]int{"calls": s.calls})
	case "reports":
		x.answer(503, "later")
	default:
		x.answer(404, "no such path")
	}
}

func (s *honest) create(x exchange, right bool, v any) {
	if !right && !s.lies["accepts"] {
		x.Header().Del("Location")
		x.answer(422, "not as the document says")
		return
	}
	x.answer(201, v)
}

func text(v any, most int) bool {
	t, is := v.(string)
	return is && len([]rune(t)) <= most
}

func isNote(b map[string]any) bool {
	for name, v := range b {
		switch name {
		case "text", "password":
			if !text(v, 80) {
				return false
			}
		case "pinned":
			if _, is := v.(bool); !is {
				return false
			}
		case "version":
			if n, is := v.(float64); !is || n != float64(int64(n)) {
				return false
			}
		case "labels":
			list, is := v.([]any)
			if !is || len(list) > 5 || slices.ContainsFunc(list, func(e any) bool { return !text(e, 1<<20) }) {
				return false
			}
		}
	}
	return text(b["text"], 80)
}

// stored returns a note with the id and with the values of b, in the form in which the service stores and returns
// notes.
func (s *honest) stored(id string, b map[string]any) map[string]any {
	now := time.Now().Format(time.RFC3339Nano)
	n := map[string]any{
		"id":        id,
		"version":   1,
		"createdAt": now,
		"updatedAt": now,
		"deletedAt": nil,
		"reads":     0,
		"labels":    []any{},
		"pinned":    false,
	}
	for _, name := range []string{"text", "labels", "pinned"} {
		if v, has := b[name]; has {
			n[name] = v
		}
	}
	return n
}

func (s *honest) note(x exchange, id string) {
	n, known := s.notes[id]
	switch {
	case id == "" && x.Method == "GET":
		ids := slices.Sorted(maps.Keys(s.notes))
		items := []any{}
		for _, id := range ids {
			items = append(items, s.notes[id])
		}
		x.answer(200, map[string]any{"items": items, "total": len(items)})
	case id == "":
		s.made++
		id := fmt.Sprintf("n%d", s.made)
		if isNote(x.body) {
			s.notes[id] = s.stored(id, x.body)
		}
		x.Header().Set("Location", "/notes/"+id)
		if s.lies["location"] {
			x.Header().Set("Location", "/notes/x"+id)
		}
		s.create(x, isNote(x.body), s.notes[id])
	case !known:
		x.answer(404, "no note "+id)
	case x.Method == "GET":
		n["reads"] = n["reads"].(int) + 1
		x.answer(200, n)
		if s.lies["reading"] {
			delete(s.notes, id)
		}
	case x.Method == "DELETE":
		if !s.lies["delete"] {
			delete(s.notes, id)
		}
		x.answer(204, nil)
	case !isNote(x.body):
		x.answer(422, "no note")
	case x.Request.Header.Get("If-Match") != "" && x.Request.Header.Get("If-Match") != fmt.Sprint(n["version"]):
		x.answer(412, "another version")
	default:
		next := s.stored(id, x.body)
		next["version"], next["createdAt"], next["reads"] = n["version"].(int)+1, n["createdAt"], n["reads"]
		if s.lies["put"] {
			next["text"] = fmt.Sprint(n["text"], "+", next["text"])
		}
		s.notes[id] = next
		x.answer(200, next)
	}
}

func (s *honest) setting(x exchange, key string) {
	value, known := s.settings[key]
	switch {
	case x.Method == "PUT" && (!text(x.body["value"], 40) || len(x.body) > 1):
		x.answer(422, "no value")
	case x.Method == "PUT":
		s.settings[key] = x.body["value"].(string)
		x.answer(map[bool]int{true: 200, false: 201}[known], nil)
	case !known:
		x.answer(404, "not set")
	case x.Method == "GET":
		x.answer(200, map[string]any{"value": value})
	default:
		delete(s.settings, key)
		x.answer(204, nil)
	}
}

func isOrder(b map[string]any) bool {
	n, is := b["quantity"].(float64)
	state, has := b["state"]
	return is && n == float64(int(n)) && n >= 1 && n <= 1000 && (!has || state == "new" || state == "paid")
}

func (s *honest) order(x exchange, id string) {
	o, known := s.orders[id]
	switch {
	case id == "":
		s.made++
		id := fmt.Sprintf("o%d", s.made)
		o := map[string]any{"id": id, "quantity": x.body["quantity"], "state": "new", "open": true}
		if isOrder(x.body) {
			s.orders[id] = o
		}
		x.Header().Set("Location", s.url+"/orders/"+id)
		s.create(x, isOrder(x.body), o)
	case !known:
		x.answer(404, "no order "+id)
	case x.Method == "GET":
		x.answer(200, o)
	case x.Method == "DELETE":
		o["open"] = false
		x.answer(200, nil)
	case !isOrder(x.body):
		x.answer(422, "no order")
	case o["open"] == false:
		x.answer(409, "it is closed")
	default:
		o["quantity"] = x.body["quantity"]
		if state, has := x.body["state"]; has {
			o["state"] = state
		}
		x.answer(200, o)
	}
}

func (s *honest) draft(x exchange, id string, below bool) {
	d, known := s.drafts[id]
	known = known && (d.user == x.user || s.lies["owner"])
	switch {
	case id == "":
		s.made++
		id := fmt.Sprintf("d%d", s.made)
		if text(x.body["value"], 40) && len(x.body) == 1 {
			s.drafts[id] = draft{x.user, x.body["value"].(string)}
		}
		x.Header().Set("Location", "/drafts/"+id)
		s.create(x, s.drafts[id].user != "", nil)
	case below:
		x.answer(200, []string{})
	case x.Method == "DELETE":
		if known {
			delete(s.drafts, id)
		}
		x.answer(204, nil)
	case !known:
		x.answer(404, "no draft "+id)
	default:
		x.answer(200, map[string]any{"value": d.value})
	}
}

func (s *honest) job(x exchange, id string) {
	asked, known := s.jobs[id]
	switch {
	case id == "":
		s.made++
		id := fmt.Sprintf("j%d", s.made)
		s.jobs[id] = 0
		x.Header().Set("Location", "/jobs/"+id)
		x.answer(202, nil)
	case !known:
		x.answer(404, "no job "+id)
	case x.Method == "DELETE":
		s.jobs[id] = -1 << 20 // the job ends after many more reads
		x.answer(202, nil)
	default:
		s.jobs[id]++
		state, result := "waiting", any(nil)
		if asked >= 3 {
			state, result = "done", "x"
		}
		x.answer(200, map[string]any{"state": state, "result": result})
	}
}

// briefly returns a short description of faults.
func briefly(faults []model.Fault) string {
	var all []string
	for _, f := range faults {
		all = append(all, fmt.Sprintf("%s %s %q", f.Op, f.Oracle, f.Verdict))
	}
	return strings.Join(all, "; ")
}

// plan returns the plan of a search of the service.
func (s *honest) plan(t *testing.T, seed uint64, resets bool) model.Plan {
	t.Helper()
	spec, err := openapi.Load(context.Background(), filepath.Join("..", "testdata", "honest", "openapi.yaml"), openapi.Options{})
	if err != nil || len(spec.Problems) > 0 {
		t.Fatalf("error %v, problems %+v", err, spec.Problems)
	}
	p := model.Plan{
		Spec: spec, Templates: analysis.Analyze(spec, analysis.Options{}).Templates(), BaseURL: s.url, Seed: seed,
		Tuning: model.DefaultTuning(), Sampling: model.DefaultSampling(), Limits: model.Limits{Calls: campaignCalls},
		Owners: []model.OwnedResource{{Path: "/drafts/{draftId}"}},
	}
	for _, name := range []string{"ann", "bob"} {
		p.Users = append(p.Users, model.User{Name: name, Header: "Authorization", Public: "Bearer " + name})
	}
	if resets {
		p.Reset = &model.Reset{Method: "POST", Path: "/reset"}
	}
	return p
}

// campaignCalls is the budget, in calls, of a search of the honest service with -campaigns.
const campaignCalls = 4000

// A service that does what its spec says gets no fault of severity error or warning, whatever its style, even with
// security tests.
func TestHonestServiceHasNoFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes several searches: left out by -short")
	}
	seeds, calls := uint64(1), 1200
	if *campaigns {
		seeds, calls = 3, campaignCalls
	}
	for _, resets := range []bool{true, false} {
		for seed := range seeds {
			p := newHonest(t).plan(t, seed+1, resets)
			p.Limits.Calls, p.Security = calls, true
			got := start(t, p, search.Sink{}).Wait()
			if got.Err != nil || got.Summary.With2xx < 18 || got.Summary.Checking == 0 {
				t.Errorf("seed %d: error %v, summary %+v", seed+1, got.Err, got.Summary)
			}
			for _, f := range got.Faults {
				if f.Severity != model.SeverityNote {
					t.Errorf(
						"resets %t, seed %d: %s breaks %s (%s): expected %s, came %s; by %+v", resets, seed+1,
						f.Op, f.Oracle, f.Verdict, f.Expected, f.Text, f.Test,
					)
				}
			}
		}
	}
}

// lie is a promise that the service breaks, and the fault that a search should report for it.
type lie struct {
	name, op, oracle string
	// path is the path below which the search calls operations.
	path string
	// calls is the budget of the search for the lie. It is enough with most seeds.
	calls int
}

// A run finds each lie of the honest service as a reproducible fault, with and without a reset.
func TestLiesAreFound(t *testing.T) {
	for i, l := range []lie{
		{"location", "GET /notes/{noteId}", "dangling-location", "/notes", 600},
		{"put", "GET /notes/{noteId}", "non-idempotent-put", "/notes", 1500},
		{"reading", "GET /notes", "get-with-side-effects", "/notes", 1500},
		{"accepts", "POST /orders", "invalid-request-accepted", "/orders", 600},
		{"delete", "GET /notes/{noteId}", "readable-after-delete", "/notes", 600},
		{"owner", "GET /drafts/{draftId}", "other-users-resource", "/drafts", 600},
		{"open", "", "auth-ignored", "/", 600},
	} {
		for k, resets := range []bool{true, false} {
			if testing.Short() && i%2 != k {
				continue // search for each lie once, half of them with a reset
			}
			t.Run(fmt.Sprintf("%s resets=%t", l.name, resets), func(t *testing.T) {
				t.Parallel()
				seeds := uint64(3) // a short search may miss the lie with one seed and find it with another
				if *campaigns {
					seeds = 1
				}
				var missed []string
				for seed := range seeds {
					faults := l.search(t, seed+1, resets)
					if slices.ContainsFunc(faults, l.isShownBy) {
						return
					}
					missed = append(missed, briefly(faults))
				}
				t.Errorf("%s of %s is not found, but %q", l.oracle, l.op, missed)
			})
		}
	}
}

// isShownBy reports whether f is the fault that a search should report for the lie.
func (l lie) isShownBy(f model.Fault) bool {
	return (l.op == "" || string(f.Op) == l.op) && f.Oracle == l.oracle && f.Verdict == model.VerdictReproducible
}

// search searches the service that breaks the promise of the lie, and returns the faults. It searches only operations
// below the path of the lie, or all operations with -campaigns.
func (l lie) search(t *testing.T, seed uint64, resets bool) []model.Fault {
	t.Helper()
	p := newHonest(t, l.name).plan(t, seed, resets)
	if !*campaigns {
		p.Spec.Operations = slices.DeleteFunc(p.Spec.Operations, func(o *model.Operation) bool {
			return !strings.HasPrefix(o.Path, l.path)
		})
		p.Templates = analysis.Analyze(p.Spec, analysis.Options{}).Templates()
		p.Owners = slices.DeleteFunc(p.Owners, func(o model.OwnedResource) bool { return !strings.HasPrefix(o.Path, l.path) })
		p.Limits.Calls = l.calls
	}
	faults := start(t, p, search.Sink{}).Wait().Faults
	ignored := 0
	for _, f := range faults {
		if f.Oracle == "auth-ignored" {
			ignored++
		}
	}
	if ignored > 1 {
		t.Errorf("a service that requires no credentials has %d faults for it, want 1", ignored)
	}
	return faults
}
