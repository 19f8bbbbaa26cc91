package search_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search"
)

// refusing starts a service that answers each path according to a table, and returns its URL.
func refusing(t *testing.T, answers map[string]string) string {
	t.Helper()
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := answers[r.URL.Path]
		if !ok {
			text = answers["*"]
		}
		status, body, _ := strings.Cut(text, " ")
		code := 0
		fmt.Sscan(status, &code)
		n++
		w.WriteHeader(code)
		fmt.Fprint(w, strings.ReplaceAll(body, "COUNT", fmt.Sprint(n)))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	user := []model.User{{Name: "ann", Header: "X-Key", Public: "key-of-ann"}}
	tests := []struct {
		name    string
		answers map[string]string
		users   []model.User
		path    string
		servers []string
		want    []string // the kind of the warning, and a part of its text
	}{
		{"all is well", map[string]string{"*": "200"}, nil, "", nil, nil},
		{
			"all calls are refused",
			map[string]string{"*": "401"},
			nil, "", nil,
			[]string{
				"auth 100% of the answers are 401 or 403: no user is configured", "no-2xx most often 401",
				"never-2xx configure a user with permission", "never-2xx GET /",
			},
		},
		{
			"the users are not let in",
			map[string]string{"*": "403 <html><title>Go away</title>"},
			user, "", nil,
			[]string{"auth are the credentials of ann right", `no-2xx 403 "Go away"`, "never-2xx GET /", "never-2xx GET /"},
		},
		{
			"too many calls",
			map[string]string{"*": "429 slow down"},
			nil, "", nil,
			[]string{
				"rate the service asked for fewer calls ", `no-2xx 429 "slow down"`,
				"never-2xx the service asks for fewer calls: use --rate", "never-2xx GET /",
			},
		},
		{
			"a path too many",
			map[string]string{"*": "404"},
			nil, "/v1",
			[]string{"http://shop.example/v1"},
			[]string{"path try it without /v1: --url http://127.0.0.1:PORT/", "no-2xx 404", "never-2xx", "never-2xx"},
		},
		{
			"a path too few",
			map[string]string{"*": "404"},
			nil, "",
			[]string{"http://shop.example/", "http://shop.example/v2/"},
			[]string{
				"path the spec names http://shop.example/v2/ as well: try --url http://127.0.0.1:PORT/v2/",
				"no-2xx", "never-2xx", "never-2xx",
			},
		},
		{
			"no path at all",
			map[string]string{"*": "404"},
			nil, "", nil,
			[]string{"path the spec names no other", "no-2xx", "never-2xx", "never-2xx"},
		},
		{
			"one operation never",
			map[string]string{
				"/a": "200",
				"/b": `422 {"errors":[{"code":7,"detail":"line COUNT: quantity must be at most 99"}]}`,
			},
			nil, "", nil,
			[]string{`never-2xx GET /b never answered 2xx; `},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel() // the client waits after 429
			base := refusing(t, tt.answers)
			p := model.Plan{
				Spec: &model.Spec{Source: "x", Servers: tt.servers, Operations: []*model.Operation{
					{ID: "GET /a", Method: "GET", Path: "/a", Secured: true}, {ID: "GET /b", Method: "GET", Path: "/b", Secured: true},
				}},
				BaseURL:  base + tt.path,
				Users:    tt.users,
				OnDenied: model.ContinueWhenDenied,
				Tuning:   model.DefaultTuning(),
				Limits:   model.Limits{Calls: 40},
				Seed:     1,
			}
			got := start(t, p, search.Sink{}).Wait().Summary.Warnings
			if len(got) != len(tt.want) {
				t.Fatalf("got %q, want %q", got, tt.want)
			}
			for i, w := range got {
				kind, text, _ := strings.Cut(tt.want[i], " ")
				port := base[strings.LastIndexByte(base, ':')+1:]
				if string(w.Kind) != kind || !strings.Contains(w.Text, strings.ReplaceAll(text, "PORT", port)) {
					t.Errorf("got %s %q, want %s with %q", w.Kind, w.Text, kind, text)
				}
			}
		})
	}
}

// Messages that differ only in numbers count as one reason, which is quoted in the service's own words.
func TestReasonInTheServicesWords(t *testing.T) {
	base := refusing(
		t,
		map[string]string{"/a": "200", "/b": `422 {"errors":[{"code":7,"detail":"line COUNT: quantity must be at most 99"}]}`},
	)
	p := model.Plan{
		Spec: &model.Spec{
			Source:     "x",
			Operations: []*model.Operation{{ID: "GET /a", Method: "GET", Path: "/a"}, {ID: "GET /b", Method: "GET", Path: "/b"}},
		},
		BaseURL: base, Tuning: model.DefaultTuning(), Limits: model.Limits{Calls: 50}, Seed: 1,
	}
	s := start(t, p, search.Sink{}).Wait()
	calls := s.Grid["GET /b"][422]
	first := fmt.Sprintf("GET /b never answered 2xx; %d of %d answers were 422 ", calls, calls)
	if len(s.Summary.Warnings) != 1 || !strings.HasPrefix(s.Summary.Warnings[0].Text, first) ||
		!strings.HasSuffix(s.Summary.Warnings[0].Text, `: quantity must be at most 99": give an example of its input in the spec`) {
		t.Errorf("got %+v, want one that begins with %s", s.Summary.Warnings, first)
	}
}
