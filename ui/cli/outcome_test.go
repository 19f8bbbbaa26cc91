package cli_test

import (
	"bytes"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/ui/cli"
)

// run runs a command line in this process.
func run(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	var o, e bytes.Buffer
	code = cli.Main(args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

// spec writes a spec of one operation with a base path.
func spec(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "spec.yaml")
	text := "swagger: '2.0'\ninfo: {title: T, version: '1'}\nbasePath: /api\npaths: {/a: {get: {responses: {200: {description: ok}}}}}\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSearchExitCodes(t *testing.T) {
	for _, c := range []struct {
		name     string
		status   int
		want     int
		wantErrs string
		calls    string
		flags    []string
	}{
		{"clean", 200, 0, "", "5", nil},
		{"nothing but faults", 500, 3, "was answered 2xx", "5", nil},
		{"no 2xx at all is never success", 401, 3, "is a log-in missing?", "5", nil},
		{
			"the first calls are refused", 401, 3,
			"50 of the first 50 calls were answered 401 or 403: no user is configured; give --header", "20000",
			nil,
		},
		{"the first of few calls are refused", 403, 3, "20 of the first 20 calls were answered 401 or 403", "100", nil},
		{"refused, but told to go on", 401, 3, "none of 100 calls", "100", []string{"--keep-going"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := map[string]bool{}
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked[r.URL.Path] = true
				w.WriteHeader(c.status)
			}))
			defer s.Close()
			code, _, errs := run(t, append([]string{"search", spec(t), "--url", s.URL, "--calls", c.calls}, c.flags...)...)
			if code != c.want || !strings.Contains(errs, c.wantErrs) {
				t.Errorf("exit code %d, want %d; errors %q", code, c.want, errs)
			}
			if !asked["/api/a"] || len(asked) != 1 {
				t.Errorf("asked %v, want only the spec's base path", asked)
			}
		})
	}
}

// A path in --url, even if it is only a slash, replaces the base path of the spec.
func TestURLWithAPathWinsOverTheSpecs(t *testing.T) {
	for _, c := range []struct{ suffix, want string }{{"/", "/a"}, {"/v2", "/v2/a"}, {"/v2/", "/v2/a"}} {
		asked := ""
		s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = r.URL.Path }))
		run(t, "search", spec(t), "--url", s.URL+c.suffix, "--calls", "1")
		s.Close()
		if asked != c.want {
			t.Errorf("--url …%s asked for %s, want %s", c.suffix, asked, c.want)
		}
	}
}

// If all calls are answered with 404, the output names the base path of the spec as a likely reason, and
// says what to do.
func TestAll404NamesTheBasePath(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	if _, out, errs := run(
		t, "search", spec(t), "--url", s.URL, "--calls", "5",
	); !strings.Contains(errs, "end --url in / to leave it out") || !strings.Contains(out, s.URL+"/api") {
		t.Errorf("said %q and %q", out, errs)
	}
	if _, _, errs := run(t, "search", spec(t), "--url", s.URL+"/", "--calls", "5"); strings.Contains(errs, "behind the URL") {
		t.Errorf("said %q", errs)
	}
}

// Log messages of net/http about unusual services must not reach the screen.
func TestStandardLoggerIsSilent(t *testing.T) {
	run(t, "version")
	if log.Writer() != io.Discard {
		t.Error("the standard logger would write on the terminal")
	}
}
