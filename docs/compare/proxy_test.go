package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sonde/model"
	"sonde/model/route"
)

// proxied returns a proxy for a service with two operations. The service returns each request in a header
// of its answer.
func proxied(t *testing.T, limit int, full func()) (*proxy, *httptest.Server) {
	t.Helper()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Asked", r.Method+" "+r.RequestURI+" "+r.Header.Get("Authorization"))
		w.Header().Add("X-Fault", r.URL.Query().Get("fault"))
		w.Header().Add("X-Fault", "F09")
		w.WriteHeader(http.StatusTeapot)
	}))
	t.Cleanup(service.Close)
	at, err := url.Parse(service.URL)
	if err != nil {
		t.Fatal(err)
	}
	spec := &model.Spec{Operations: []*model.Operation{
		{ID: "GET /a/{id}", Method: "GET", Path: "/a/{id}"}, {ID: "POST /a", Method: "POST", Path: "/a"},
	}}
	p := newProxy(backend{url: at}, route.New(spec), limit, full)
	front := httptest.NewServer(p)
	t.Cleanup(front.Close)
	return p, front
}

func send(t *testing.T, method, url string) *http.Response {
	t.Helper()
	r, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer x")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	return res
}

func TestProxy(t *testing.T) {
	full := 0 // protected by the proxy's lock
	p, front := proxied(t, 4, func() { full++ })
	for _, c := range []struct{ method, target string }{
		{"GET", "/a/x%2Fy?fault=F01,%20F02&bad=%zz;"}, {"GET", "/a/1"}, {"POST", "/__reset"}, {"PUT", "/a"},
	} {
		res := send(t, c.method, front.URL+c.target)
		if got, want := res.Header.Get("X-Asked"), c.method+" "+c.target+" Bearer x"; res.StatusCode != http.StatusTeapot || got != want {
			t.Errorf("%d, the service was asked %q, want %q", res.StatusCode, got, want)
		}
	}
	if got := p.result(); full != 0 || got.Requests != 4 {
		t.Errorf("%d requests, %d times full; want 4, 0", got.Requests, full)
	}
	for range 2 {
		if res := send(t, "POST", front.URL+"/a"); res.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("one too many is answered %d", res.StatusCode)
		}
	}
	want := result{
		Pairs:    map[string]bool{"GET /a/{id} 418": true},
		Faults:   map[string]bool{"F01": true, "F02": true, "F09": true},
		Requests: 4,
	}
	if diff := cmp.Diff(want, p.result()); diff != "" {
		t.Error(diff)
	}
	if full != 1 {
		t.Errorf("%d times full, want 1", full)
	}
}

// If the service gives no answer, the proxy gives none.
func TestProxyOfNothing(t *testing.T) {
	gone := httptest.NewServer(nil)
	at, err := url.Parse(gone.URL)
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	p := newProxy(backend{url: at}, route.New(&model.Spec{}), 1, func() {})
	front := httptest.NewServer(p)
	defer front.Close()
	if res, err := http.Get(front.URL); err == nil {
		t.Errorf("answered %d", res.StatusCode)
	}
	if got := p.result(); got.Requests != 1 || len(got.Pairs) != 0 {
		t.Errorf("%d requests, pairs %v; want 1 and none", got.Requests, got.Pairs)
	}
}

func TestBackendByPrefix(t *testing.T) {
	at := func(host string) *url.URL { return &url.URL{Scheme: "http", Host: host} }
	b := backend{url: at("usual"), prefixes: map[string]*url.URL{"/admin/": at("admin"), "/admin/keys/": at("keys")}}
	for path, want := range map[string]string{"/": "usual", "/admin": "usual", "/admin/x": "admin", "/admin/keys/1": "keys"} {
		if got := b.find(path).Host; got != want {
			t.Errorf("%s goes to %s, want %s", path, got, want)
		}
	}
}

// With a journal, the proxy records bodies without changing them.
func TestJournal(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(err)
		}
		w.WriteHeader(http.StatusCreated)
		w.Write(body)
	}))
	defer service.Close()
	at, err := url.Parse(service.URL)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "exchanges.ndjson")
	spec := &model.Spec{Operations: []*model.Operation{{ID: "POST /a", Method: "POST", Path: "/a"}}}
	p := newProxy(backend{url: at}, route.New(spec), 9, func() {})
	if p.journal, err = newJournal(file); err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(p)
	long := strings.Repeat("x", excerptBytes+1)
	for _, body := range []string{"short", long, ""} {
		res, err := http.Post(front.URL+"/a?b=1", "text/plain", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(res.Body); err != nil || string(got) != body {
			t.Errorf("got %d bytes and %v, want %d", len(got), err, len(body))
		}
		res.Body.Close()
	}
	front.Close()
	if err := p.journal.close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got []exchange
	for line := range strings.Lines(string(text)) {
		var x exchange
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatal(err)
		}
		got = append(got, x)
	}
	x := exchange{Method: "POST", URL: "/a?b=1", Op: "POST /a", Status: 201}
	var want []exchange
	for _, body := range []string{"short", long[:excerptBytes], ""} {
		x.Sent, x.Answer = body, body
		want = append(want, x)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
