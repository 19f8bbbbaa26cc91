package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

// Bodies of more than 64 KiB are compared as a whole. They are in files beside the tests.
func TestLargeBodies(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds tests")
	}
	var changed atomic.Bool
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		last := 9
		if changed.Load() {
			last = 8
		}
		switch r.URL.Path {
		case "/list":
			all := make([]int, 100_000)
			all[90_000] = last
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(map[string]any{"all": all})
		case "/text":
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, strings.Repeat("a line\n", 20_000), last)
		default:
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Write(append(make([]byte, 100_000), 0xff, byte(last)))
		}
	}))
	t.Cleanup(service.Close)
	spec := filepath.Join(t.TempDir(), "openapi.yaml")
	text := "openapi: 3.0.3\ninfo: {title: Large, version: '1'}\npaths:\n"
	for _, path := range []string{"/list", "/text", "/bytes"} {
		text += "  " + path + ": {get: {responses: {'200': {description: ok}}}}\n"
	}
	if err := os.WriteFile(spec, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := recording(t, "--spec", spec, "--serial", "--in", "127.0.0.1:0="+service.URL)
	for _, path := range []string{"/list", "/text", "/bytes"} {
		get(t, r.in+path)
	}
	r.ended(t, 0)
	code, printed := generated(t, nil, r.folder, 0)
	if n := strings.Count(code, `(content(t, "testdata/body-`); n != 3 || len(code) > 100_000 {
		t.Errorf("%d bodies are in files, and the tests have %d bytes", n, len(code))
	}
	file := regexp.MustCompile(`(?m)^(.*)/sonde_test\.go$`).FindStringSubmatch(printed)
	if file == nil {
		t.Fatalf("no folder of tests in %s", printed)
	}
	played := func() string {
		c := exec.Command("go", "test", "-count=1", ".")
		c.Dir = file[1]
		c.Env = append(os.Environ(), "SONDE_BASE_URL="+service.URL)
		if err := os.WriteFile(filepath.Join(c.Dir, "go.mod"), []byte("module tests\n\ngo 1.24\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		out, _ := c.CombinedOutput()
		return string(out)
	}
	if out := played(); !strings.HasPrefix(out, "ok") {
		t.Errorf("the tests fail: %s", out)
	}
	changed.Store(true)
	if out := played(); strings.Count(out, "--- FAIL: Test") != 3 || !strings.Contains(out, "body /all/90000: want 9, got 8") {
		t.Errorf("the tests do not notice a change at the end: %s", out)
	}
}
