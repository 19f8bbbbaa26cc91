package search_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"sonde/model"
	"sonde/runner/search"
)

// market is a service in which one user creates products and another user orders them. It refuses calls without
// credentials.
type market struct {
	mu       sync.Mutex
	products map[string]bool
}

func (m *market) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	user := r.Header.Get("X-Key")
	if user == "" {
		w.WriteHeader(401)
		return
	}
	only := func(name string, h http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if user != name {
				w.WriteHeader(403)
				return
			}
			h(w, r)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /products", only("seller", func(w http.ResponseWriter, _ *http.Request) {
		id := fmt.Sprintf("p%d", 100+len(m.products))
		m.products[id] = true
		w.Header().Set("Location", "/products/"+id)
		w.WriteHeader(201)
	}))
	mux.HandleFunc("POST /products/{id}/orders", only("buyer", func(w http.ResponseWriter, r *http.Request) {
		if !m.products[r.PathValue("id")] {
			w.WriteHeader(404)
			return
		}
		w.WriteHeader(201)
	}))
	mux.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	mux.ServeHTTP(w, r)
}

// marketPlan returns a plan for the market. Its spec declares security for one operation only.
func marketPlan(t *testing.T, users ...string) model.Plan {
	t.Helper()
	s := httptest.NewServer(&market{products: map[string]bool{}})
	t.Cleanup(s.Close)
	step := func(op model.OpID) model.TemplateStep { return model.TemplateStep{Op: op, Min: 1, Max: 1} }
	p := model.Plan{
		Spec: &model.Spec{Source: "market", Operations: []*model.Operation{
			{ID: "GET /health", Method: "GET", Path: "/health", Secured: true},
			{ID: "POST /products", Method: "POST", Path: "/products"},
			{
				ID: "POST /products/{id}/orders", Method: "POST", Path: "/products/{id}/orders",
				Params: []model.Parameter{{Name: "id", In: model.InPath, Required: true, Schema: &model.Schema{Type: "string"}}},
			},
		}},
		Templates: []model.Template{
			{Weight: 1, Steps: []model.TemplateStep{step("GET /health")}},
			{Weight: 1, Steps: []model.TemplateStep{step("POST /products")}},
			{
				Weight: 1, Steps: []model.TemplateStep{step("POST /products"), step("POST /products/{id}/orders")},
				Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: "id"}},
			},
		},
		BaseURL: s.URL, Tuning: model.DefaultTuning(), Limits: model.Limits{Calls: 300}, Seed: 1,
	}
	for _, u := range users {
		p.Users = append(p.Users, model.User{Name: u, Header: "X-Key", Public: u})
	}
	return p
}

// If a spec declares security for one operation only, the calls of all operations have a user. Within a test, one
// user may create what another user needs.
func TestOneUserSetsUpForAnother(t *testing.T) {
	seeds := uint64(5)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		p := marketPlan(t, "buyer", "seller")
		p.Seed = seed
		s := start(t, p, search.Sink{}).Wait()
		if s.Summary.With2xx != 3 {
			t.Errorf("seed %d: %d of 3 operations answered 2xx: %v", seed, s.Summary.With2xx, s.Grid)
		}
		ordered := slices.ContainsFunc(s.Tests, func(x model.Test) bool {
			n := len(x.Calls)
			return n > 1 && x.Calls[n-1].Status == 201 && x.Calls[n-1].User == "buyer" && x.Calls[n-2].User == "seller"
		})
		if !ordered {
			t.Errorf("seed %d: no test in which the buyer orders what the seller made", seed)
		}
		anonymous := 0
		for _, counts := range s.Grid {
			anonymous += counts[401]
		}
		if share := float64(anonymous) / float64(s.Summary.Calls); anonymous == 0 || share > 0.1 {
			t.Errorf("seed %d: %d of %d calls are anonymous; want a few", seed, anonymous, s.Summary.Calls)
		}
	}
}

// A warning suggests another user only after all users were refused.
func TestAllUsersAreTriedBeforeAnotherIsAskedFor(t *testing.T) {
	for name, users := range map[string][]string{"alone": {"buyer"}, "with a friend": {"buyer", "guest"}} {
		t.Run(name, func(t *testing.T) {
			s := start(t, marketPlan(t, users...), search.Sink{}).Wait()
			var got []string
			for _, w := range s.Summary.Warnings {
				if w.Op == "POST /products" {
					got = append(got, w.Text)
				}
			}
			if len(got) != 1 || !strings.HasSuffix(got[0], "configure a user with permission (sonde init, --header)") {
				t.Errorf("warnings %q", got)
			}
		})
	}
}
