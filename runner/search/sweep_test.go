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
	"sonde/runner/search"
)

// lamps is a service whose lamps are in rooms, which are in houses. It fails for one of sixteen colours. Each lamp must
// have a unique name.
type lamps struct {
	mu    sync.Mutex
	names map[string]bool
	made  int // number of houses, rooms and lamps
}

var colours = strings.Fields("red green blue white black grey brown pink lime teal navy gold plum sand rust mint")

func (s *lamps) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /reset", func(http.ResponseWriter, *http.Request) { s.names, s.made = map[string]bool{}, 0 })
	mux.HandleFunc("POST /houses", func(w http.ResponseWriter, _ *http.Request) { s.create(w, "/houses/") })
	mux.HandleFunc("POST /houses/{id}/rooms", func(w http.ResponseWriter, r *http.Request) { s.within(w, r, "/rooms/") })
	mux.HandleFunc("POST /rooms/{id}/lamps", s.hang)
	mux.ServeHTTP(w, r)
}

func (s *lamps) create(w http.ResponseWriter, path string) {
	s.made++
	w.Header().Set("Location", fmt.Sprint(path, 1000+s.made))
	w.WriteHeader(201)
}

func (s *lamps) within(w http.ResponseWriter, r *http.Request, path string) {
	if id := r.PathValue("id"); id < "1001" || id > fmt.Sprint(1000+s.made) {
		w.WriteHeader(404)
		return
	}
	s.create(w, path)
}

func (s *lamps) hang(w http.ResponseWriter, r *http.Request) {
	var in struct{ Name, Colour string }
	switch {
	case json.NewDecoder(r.Body).Decode(&in) != nil || !slices.Contains(colours, in.Colour):
		w.WriteHeader(400)
	case s.names[in.Name]:
		w.WriteHeader(409)
	case in.Colour == "plum":
		w.WriteHeader(500)
	default:
		s.names[in.Name] = true
		s.within(w, r, "/lamps/")
	}
}

func lampsPlan(t *testing.T, sweep float64) model.Plan {
	t.Helper()
	server := httptest.NewServer(&lamps{names: map[string]bool{}})
	t.Cleanup(server.Close)
	all := []any{}
	for _, c := range colours {
		all = append(all, c)
	}
	lamp := &model.Schema{Type: "object", Closed: true, Properties: []model.Property{
		{Name: "name", Required: true, Schema: &model.Schema{Type: "string", MinLength: 1}},
		{Name: "colour", Required: true, Schema: &model.Schema{Type: "string", Enum: all}},
		{Name: "blinks", Schema: &model.Schema{Type: "boolean"}},
	}}
	id := []model.Parameter{{Name: "id", In: model.InPath, Required: true, Schema: &model.Schema{Type: "string"}}}
	p := plan(server.URL, 150)
	p.Spec = &model.Spec{Source: "lamps", Operations: []*model.Operation{
		{ID: "POST /houses", Method: "POST", Path: "/houses", Responses: []model.Response{{Status: "201"}}},
		{
			ID:        "POST /houses/{id}/rooms",
			Method:    "POST",
			Path:      "/houses/{id}/rooms",
			Params:    id,
			Responses: []model.Response{{Status: "201"}},
		},
		{
			ID: "POST /rooms/{id}/lamps", Method: "POST", Path: "/rooms/{id}/lamps", Params: id, Responses: []model.Response{
				{Status: "201"}, {Status: "400"},
			},
			Body: &model.RequestBody{Required: true, Contents: []model.Content{{Media: "application/json", Schema: lamp}}},
		},
	}}
	p.Templates, p.Users, p.Sampling = analysis.Analyze(p.Spec, analysis.Options{}).Templates(), nil, model.Sampling{Sweep: sweep}
	return p
}

// Within 150 calls, sweeps find the one value of many that makes the last call of a chain fail. Single tests seldom
// find the value. The calls of a sweep that are the first to cover a target are kept as a separate test, unless the
// budget ends first.
func TestSweepsFindAValue(t *testing.T) {
	skipInShort(t, "compares many searches")
	const inTime = 100
	found := func(sweep float64) (n int) {
		for seed := range 16 {
			p := lampsPlan(t, sweep)
			p.Seed = uint64(seed + 1)
			for _, test := range start(t, p, search.Sink{}).Wait().Tests {
				if !slices.Contains(test.Covers, "POST /rooms/{id}/lamps 500") {
					continue
				}
				n++
				if b := test.Lineage; b.Rule == model.FromSweep && b.Call < inTime && len(test.Calls) != 3 {
					t.Errorf("seed %d: a sweep from call %d on is kept whole: %v", p.Seed, b.Call, test.Seq())
				}
			}
		}
		return n
	}
	if with, without := found(0.5), found(0); with < without+4 {
		t.Errorf("found by %d of 16 seeds with sweeps, by %d without", with, without)
	}
}

// Sweeps are made the same way each time.
func TestSweepsRepeat(t *testing.T) {
	first, again := start(t, lampsPlan(t, 0.5), search.Sink{}).Wait(), start(t, lampsPlan(t, 0.5), search.Sink{}).Wait()
	one, _ := json.Marshal(first.Tests)
	two, _ := json.Marshal(again.Tests)
	if len(first.Tests) == 0 || string(one) != string(two) {
		t.Errorf("%d tests:\n%s\n%s", len(first.Tests), one, two)
	}
}
