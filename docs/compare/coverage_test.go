package main

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestReadProfile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "profile")
	profile := "mode: set\na/b.go:1.2,3.4 3 1\na/b.go:5.2,6.4 2 0\na/b.go:1.2,3.4 3 0\na/c.go:1.2,3.4 5 7\n"
	if err := os.WriteFile(file, []byte(profile), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readProfile(file)
	if want := (coverage{Reached: 8, Total: 10}); err != nil || got != want {
		t.Errorf("got %+v, want %+v (%v)", got, want, err)
	}
	if percent, ok := got.percent(); !ok || percent != 80 {
		t.Errorf("%v%%, %v", percent, ok)
	}
	if _, ok := (coverage{}).percent(); ok {
		t.Error("no statements have a percentage")
	}
}

// shopSource is a service that crashes at GET /crash. No other request ends the service.
const shopSource = `package main

import (
	"net/http"
	"os"
)

func main() {
	http.ListenAndServe(os.Args[1], http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/crash" {
			go func() { panic("crash") }()
			select {}
		}
		if r.URL.Path == "/rare" {
			w.WriteHeader(418)
		}
	}))
}
`

// The coverage of a Go service is known even if it crashes or does not end at a signal.
func TestCoverageOfAService(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a service")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":   "module shop\n\ngo 1.26\n",
		"api.yaml": "{openapi: 3.0.0, info: {title: a, version: '1'}, paths: {}}",
		"main.go":  shopSource,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e := entry{
		Name: "shop", Half: tuned, Spec: filepath.Join(dir, "api.yaml"), Build: &goBuild{Dir: dir}, Stop: "INT",
		Run: []string{"{program}", "127.0.0.1:{port}"}, Ready: "/",
	}
	s, err := newService(t.Context(), e, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	i, err := s.start(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	counters(t, i, 1)
	if res, err := http.Get(i.at.url.String() + "/crash"); err == nil {
		t.Errorf("the crash is answered %d", res.StatusCode)
	}
	i.revive(t.Context())
	if res := send(t, "GET", i.at.url.String()+"/rare"); res.StatusCode != http.StatusTeapot {
		t.Errorf("after the crash: %d", res.StatusCode)
	}
	counters(t, i, 2)
	got, crashes, err := i.end(t.Context())
	if want := (coverage{Reached: 4, Total: 7}); err != nil || got != want || crashes != 1 {
		t.Errorf("got %+v and %d crashes, want %+v and 1 (%v)", got, crashes, want, err)
	}
	if _, err := os.Stat(i.data); err == nil {
		t.Error("the data is still there")
	}
}

// counters waits until the running service has written new counters of its coverage, and has at least n files of
// them.
func counters(t *testing.T, i *instance, n int) {
	t.Helper()
	pattern := filepath.Join(i.covered, "covcounters.*")
	before, _ := filepath.Glob(pattern)
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if len(files) >= n && !slices.Equal(files, before) {
			return
		}
	}
	t.Fatal("the service writes no coverage while it runs")
}
