package main

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// toStart returns a service that is to be started by a tool, and a copy of it that is prepared but not started.
func toStart(t *testing.T) (service, *instance) {
	t.Helper()
	s := served(t)
	s.dir = t.TempDir()
	s.Build = &goBuild{Dir: "/module", Flags: []string{"-tags=a,b", "-coverpkg=x/...,y/..."}}
	s.Run = []string{"{program}", "--data", "{data}"}
	copied, err := s.prepare(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, _, err := copied.end(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s, copied
}

func TestServiceThatToolStarts(t *testing.T) {
	s, copied := toStart(t)
	want := map[string]any{
		"build": map[string]any{"package": ".", "tags": "a,b", "cover": []string{"x/...", "y/..."}},
		"dir":   "/module",
		"run": []string{
			"sh", "-c", `cd "$0" && exec env "$@"`, copied.data, "ADDR=" + copied.at.url.Host, "COMPARE_TEST=service",
			"{binary}", "--data", copied.data,
		},
		"port":  copied.at.url.Port(),
		"ready": map[string]string{"path": readyPath, "timeout": "2m"},
		"stop":  map[string]string{"signal": "TERM"},
	}
	if diff := cmp.Diff(want, copied.sut(s)); diff != "" {
		t.Error(diff)
	}
}

// TestServiceThatToolStartsGetsNewHeaders checks that the proxy replaces headers. The tool sends headers with tokens
// of an earlier copy of the service. The copy that the tool has started has issued new tokens, and must get these.
func TestServiceThatToolStartsGetsNewHeaders(t *testing.T) {
	s, copied := toStart(t)
	p, front := proxied(t, 3, func() {})
	copied.run.Ready = front.URL
	earlier := []user{{Name: "ann", Headers: map[string]string{"Token": "Bearer x"}}}
	p.ready = copied.startedByTool(s, earlier)
	for range 2 { // a service that has crashed is started again
		if got := send(t, http.MethodGet, front.URL+"/v1"+readyPath); got.StatusCode != http.StatusOK {
			t.Fatalf("ready: %s", got.Status)
		}
	}
	p.ready = nil
	if got := send(t, http.MethodPost, front.URL+"/a").Header.Get("X-Asked"); got != "POST /a s3cret" {
		t.Errorf("the service was asked %q", got)
	}
}

func TestToolWaitsForService(t *testing.T) {
	p, front := proxied(t, 1, func() {})
	p.ready = func(context.Context) (map[string]string, error) { return nil, errors.New("not yet") }
	if got := send(t, http.MethodGet, front.URL+readyPath); got.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("before the service is ready: %s", got.Status)
	}
	if n := p.result().Requests; n != 0 {
		t.Errorf("%d requests are counted", n)
	}
}

func TestToolStartsOnlyWhatIsBuilt(t *testing.T) {
	tool := asking("/v1/a")
	tool.starts = true
	_, err := tool.search(t.Context(), served(t), job{requests: 1}, t.TempDir(), false)
	if err == nil || !strings.Contains(err.Error(), "needs a build") {
		t.Errorf("error %v", err)
	}
}
