package search_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/openapi"
	"sonde/runner/search"
)

// library is a service with two collections, whose lists can be filtered, sorted and paged. It does what its spec
// says, except for the faults in ways. ways also names habits that healthy services have, such as "late".
type library struct {
	ways map[string]bool

	mu    sync.Mutex
	made  int
	items map[string][]map[string]any // collection → its elements
	gone  []map[string]any            // deleted books
	at    time.Time                   // time of the last write
	lists map[string][]map[string]any // the lists before the last write
}

func newLibrary(t *testing.T, ways ...string) string {
	t.Helper()
	s := &library{ways: map[string]bool{}}
	for _, w := range ways {
		s.ways[w] = true
	}
	s.reset()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL
}

func (s *library) reset() {
	s.made, s.gone, s.items, s.lists = 0, nil, map[string][]map[string]any{}, map[string][]map[string]any{}
}

func (s *library) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	collection, id, one := strings.Cut(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case r.URL.Path == "/reset":
		s.reset()
	case r.Method == "POST" && !one:
		s.create(w, r, collection)
	case one:
		s.element(w, r, collection, id)
	default:
		s.list(w, r, collection)
	}
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

func (s *library) create(w http.ResponseWriter, r *http.Request, collection string) {
	var item map[string]any
	data, _ := io.ReadAll(r.Body)
	number := map[string]string{"books": "pages", "films": "minutes"}[collection]
	n, isNumber := 0.0, false
	if json.Unmarshal(data, &item) == nil {
		n, isNumber = item[number].(float64)
	}
	if title, _ := item["title"].(string); title == "" || !isNumber || n < 1 {
		reply(w, 422, map[string]any{"title": "not as the document says"})
		return
	}
	s.beforeWrite()
	s.made++
	item["id"] = any(fmt.Sprintf("b%d", s.made))
	if collection == "films" {
		item["id"], item["archived"] = s.made, item["archived"] == true
	}
	s.items[collection] = append(s.items[collection], item)
	w.Header().Set("Location", fmt.Sprintf("/%s/%v", collection, item["id"]))
	reply(w, 201, item)
}

// beforeWrite copies the lists as they are before a write. A service with late lists shows these copies until the lag
// is over.
func (s *library) beforeWrite() {
	if time.Since(s.at) > lag {
		s.lists = map[string][]map[string]any{}
		for name, items := range s.items {
			s.lists[name] = slices.Clone(items)
		}
	}
	s.at = time.Now()
}

const lag = 300 * time.Millisecond

func (s *library) element(w http.ResponseWriter, r *http.Request, collection, id string) {
	at := slices.IndexFunc(s.items[collection], func(item map[string]any) bool { return fmt.Sprint(item["id"]) == id })
	switch {
	case at < 0:
		reply(w, 404, map[string]any{"title": "not found"})
	case r.Method == "DELETE":
		s.beforeWrite()
		s.gone = append(s.gone, s.items[collection][at])
		s.items[collection] = slices.Delete(slices.Clone(s.items[collection]), at, at+1)
		w.WriteHeader(204)
	default:
		reply(w, 200, s.items[collection][at])
	}
}

func (s *library) list(w http.ResponseWriter, r *http.Request, collection string) {
	items, query := slices.Clone(s.items[collection]), r.URL.Query()
	filtered := query.Has("author") || query.Has("genre") || query.Has("archived")
	switch {
	case s.ways["late"] && !filtered && time.Since(s.at) < lag:
		items = slices.Clone(s.lists[collection])
	case s.ways["cached"] && !filtered:
		w.Header().Set("Cache-Control", "max-age=60")
		items = nil
	case s.ways["finds deleted"] && query.Has("genre"):
		items = append(items, s.gone...)
	}
	items = slices.DeleteFunc(items, func(item map[string]any) bool {
		for _, name := range []string{"author", "genre", "archived"} {
			if query.Has(name) && fmt.Sprint(item[name]) != query.Get(name) {
				return true
			}
		}
		hidden := s.ways["hides"] && (item["archived"] == true || item["genre"] == "drama") && !filtered
		return hidden || s.ways["forgets"] && collection == "books" && item["id"] == "b1" || s.ways["forgets all"] && collection == "books"
	})
	if s.ways["newest first"] {
		slices.Reverse(items)
	}
	if s.ways["no order"] {
		rand.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	}
	s.sort(items, cmp.Or(query.Get("sort"), query.Get("sort_by")), query.Get("order") == "desc")
	if s.ways["loses in sorting"] && query.Has("sort") && len(items) > 0 {
		items = items[:len(items)-1]
	}
	total := len(items)
	items, ok := s.page(items, query.Get("offset"), query.Get("page"), cmp.Or(query.Get("limit"), query.Get("per_page")))
	switch {
	case !ok:
		reply(w, 404, map[string]any{"title": "no such page"})
	case collection == "films" && s.ways["no total"]:
		reply(w, 200, map[string]any{"items": items})
	case collection == "films":
		reply(w, 200, map[string]any{"items": items, "total": total})
	default:
		reply(w, 200, items)
	}
}

func (s *library) sort(items []map[string]any, by string, descending bool) {
	name, ok := strings.CutPrefix(by, "-")
	if by == "" || s.ways["does not sort"] {
		return
	}
	slices.SortStableFunc(items, func(a, b map[string]any) int {
		order := cmp.Compare(strings.ToLower(fmt.Sprint(a[name])), strings.ToLower(fmt.Sprint(b[name])))
		if x, isNumber := a[name].(float64); isNumber {
			order = cmp.Compare(x, b[name].(float64))
		}
		if ok || descending {
			order = -order
		}
		if s.ways["archived last"] && a["archived"] != b["archived"] {
			order = map[bool]int{true: 1, false: -1}[a["archived"] == true]
		}
		return order
	})
}

func (s *library) page(items []map[string]any, offset, page, limit string) ([]map[string]any, bool) {
	size, err := strconv.Atoi(limit)
	if err != nil || size < 1 {
		size = 50
		if s.ways["few"] {
			size = 5
		}
	}
	if s.ways["long pages"] {
		size = max(size, 10)
	}
	from, _ := strconv.Atoi(offset)
	if n, err := strconv.Atoi(page); err == nil {
		from = (min(n, 1000) - 1) * min(size, 1000)
	}
	switch {
	case from > 0 && s.ways["shares"]:
		from--
	case from > 0 && s.ways["skips"]:
		from++
	case from >= len(items) && from > 0 && s.ways["last page"]:
		from = max(0, len(items)-size)
	case from >= len(items) && from > 0 && s.ways["no empty page"]:
		return nil, false
	}
	from = min(max(from, 0), len(items))
	return append([]map[string]any{}, items[from:][:min(size, len(items)-from)]...), true
}

// searchLibrary searches one collection of a library and returns the faults of the oracles that compare lists.
func searchLibrary(t *testing.T, collection string, resets bool, ways ...string) []model.Fault {
	t.Helper()
	spec, err := openapi.Load(context.Background(), filepath.Join("..", "testdata", "library", "openapi.yaml"), openapi.Options{})
	if err != nil || len(spec.Problems) > 0 {
		t.Fatalf("error %v, problems %+v", err, spec.Problems)
	}
	spec.Operations = slices.DeleteFunc(spec.Operations, func(op *model.Operation) bool { return !strings.HasPrefix(op.Path, collection) })
	p := model.Plan{
		Spec: spec, Templates: analysis.Analyze(spec, analysis.Options{}).Templates(), BaseURL: newLibrary(t, ways...), Seed: 1,
		Tuning: model.DefaultTuning(), Sampling: model.DefaultSampling(), Limits: model.Limits{Calls: 3000},
	}
	if resets {
		p.Reset = &model.Reset{Method: "POST", Path: "/reset"}
	}
	got := start(t, p, search.Sink{}).Wait()
	if got.Err != nil {
		t.Fatal(got.Err)
	}
	names := []string{"inconsistent-filter", "inconsistent-sort", "inconsistent-pages", "created-not-listed"}
	return slices.DeleteFunc(got.Faults, func(f model.Fault) bool { return !slices.Contains(names, f.Oracle) })
}

// A run finds each relation that the service breaks.
func TestInconsistentListsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("its searches wait for the service: left out by -short")
	}
	for _, c := range []struct {
		ways, want []string
		resets     bool
	}{
		{
			[]string{"finds deleted", "loses in sorting", "skips"},
			[]string{"inconsistent-filter", "inconsistent-pages", "inconsistent-sort"},
			true,
		},
		{[]string{"does not sort", "shares"}, []string{"inconsistent-pages", "inconsistent-sort"}, true},
		{[]string{"forgets all"}, []string{"created-not-listed"}, true},
		{[]string{"finds deleted"}, []string{"inconsistent-filter"}, false},
	} {
		t.Run(fmt.Sprintf("%s resets=%t", strings.Join(c.ways, ", "), c.resets), func(t *testing.T) {
			t.Parallel()
			found := map[string]bool{}
			for _, f := range searchLibrary(t, "/books", c.resets, c.ways...) {
				t.Logf("%s %s %q: expected %s, got %s; %d calls", f.Op, f.Oracle, f.Verdict, f.Expected, f.Text, len(f.Test.Calls))
				if f.Verdict == model.VerdictReproducible {
					found[f.Oracle] = true
				}
			}
			if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A service gets no fault for its lists if it only has habits that healthy services have, too.
func TestConsistentListsHaveNoFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("its searches wait for the service: left out by -short")
	}
	for _, c := range []struct {
		collection string
		resets     bool
		ways       []string
	}{
		{"/books", true, []string{"late", "newest first", "no empty page"}},
		{"/books", true, []string{"no order", "few", "hides"}},
		{"/books", false, []string{"cached", "long pages"}},
		{"/films", true, []string{"archived last", "last page", "no total"}},
		{"/films", false, []string{"long pages", "hides", "late"}},
	} {
		t.Run(fmt.Sprintf("%s %s resets=%t", c.collection, strings.Join(c.ways, ", "), c.resets), func(t *testing.T) {
			t.Parallel()
			for _, f := range searchLibrary(t, c.collection, c.resets, c.ways...) {
				t.Errorf("%s %s %q: expected %s, got %s; by %+v", f.Op, f.Oracle, f.Verdict, f.Expected, f.Text, f.Test)
			}
		})
	}
}
