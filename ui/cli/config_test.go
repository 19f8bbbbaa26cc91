package cli_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// vault starts a service that requires a log-in. Each token is valid for ten calls. The service echoes the
// secrets that it receives in as many places as possible.
func vault(t *testing.T) (url string, requests, logins *atomic.Int64) {
	t.Helper()
	requests, logins = new(atomic.Int64), new(atomic.Int64)
	var left atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.URL.Path == "/v1/login" {
			var sent struct{ Name, Password string }
			if json.NewDecoder(r.Body).Decode(&sent) != nil || sent.Password != "open sesame" {
				w.WriteHeader(403)
				fmt.Fprintf(w, "no %s", sent.Password)
				return
			}
			left.Store(10)
			fmt.Fprintf(w, `{"token":"token-%08d"}`, logins.Add(1))
			return
		}
		if r.Header.Get("Authorization") != fmt.Sprintf("Bearer token-%08d", logins.Load()) || left.Add(-1) < 0 {
			w.WriteHeader(401)
			fmt.Fprintf(w, `{"error":"bad %s"}`, r.Header.Get("Authorization"))
			return
		}
		w.Header().Set("X-Token", r.Header.Get("Authorization"))
		fmt.Fprintf(w, `{"token":%q,"name":"gold"}`, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	}))
	t.Cleanup(s.Close)
	return s.URL, requests, logins
}

// vaultConfig writes a spec and a configuration for the vault, and returns their folder. If password
// is empty, the configuration reads it from the environment.
func vaultConfig(t *testing.T, url, password string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"spec.yaml": `openapi: 3.0.3
info: {title: Vault, version: "1"}
servers: [{url: /v1}]
components: {securitySchemes: {jwt: {type: http, scheme: bearer}}}
security: [{jwt: []}]
paths:
  /gold: {get: {responses: {'200': {description: ok}, '401': {description: no}}}}
  /silver: {post: {responses: {'200': {description: ok}}}}
`,
		"sonde.yaml": `spec: spec.yaml
url: ` + url + `
auth:
  - name: ann
    loginEndpointAuth:
      payloadUserPwd: {username: ann, password: "` + password + `"}
authTemplate:
  loginEndpointAuth:
    endpoint: /login
    verb: POST
    payloadUserPwd: {usernameField: name, passwordField: password}
    token: {extractFrom: body, extractSelector: /token, sendIn: header, sendName: Authorization, sendTemplate: "Bearer {token}"}
`,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "sonde.yaml")
}

func TestSearchLogsIn(t *testing.T) {
	t.Setenv("ANN_PASSWORD", "open sesame")
	for name, password := range map[string]string{"from the environment": "${ANN_PASSWORD}", "from the file": "open sesame"} {
		t.Run(name, func(t *testing.T) {
			url, requests, logins := vault(t)
			folder := filepath.Join(t.TempDir(), "run")
			code, out, errs := run(t, "search", "--config", vaultConfig(t, url, password), "--calls", "200", "-o", folder)
			if code != 0 || !strings.Contains(out, "2 with a 2xx") {
				t.Fatalf("exit code %d, output %s, errors %s", code, out, errs)
			}
			if got := requests.Load(); got != 200 {
				t.Errorf("%d requests arrived, want the budget of 200", got)
			}
			if !strings.Contains(out, fmt.Sprintf("200 (%d to set up)", logins.Load())) || logins.Load() < 10 {
				t.Errorf("%d log-ins arrived; output %s", logins.Load(), out)
			}
			wantNowhere(t, folder, "open sesame", "open+sesame", "token-0")
			wantNone(t, "the output", out+errs, "open sesame", "token-0")
		})
	}
}

// A run that ignored the configuration also ignores it when it is repeated.
func TestRepeatIgnoresTheConfiguration(t *testing.T) {
	url, _, _ := vault(t)
	t.Chdir(filepath.Dir(vaultConfig(t, url, "open sesame")))
	_, out, _ := run(t, "search", "spec.yaml", "--config", "", "--url", url, "--calls", "20", "-o", "run")
	if !strings.Contains(out, "--config '' --calls 20") {
		t.Errorf("output %s", out)
	}
	if _, out, errs := run(t, "search", "--replay", "run", "-o", "again"); strings.Contains(errs, "settings from") ||
		!strings.Contains(errs, "the same tests as in run") {
		t.Errorf("output %s, errors %s", out, errs)
	}
}

// wantNowhere fails the test if a file in a folder contains one of the secrets.
func wantNowhere(t *testing.T, folder string, secrets ...string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		wantNone(t, path, string(text), secrets...)
		return err
	})
	if err != nil || files < 3 {
		t.Errorf("%d files in %s: %v", files, folder, err)
	}
}

func wantNone(t *testing.T, where, text string, secrets ...string) {
	t.Helper()
	for _, s := range secrets {
		if strings.Contains(text, s) {
			t.Errorf("%q is in %s", s, where)
		}
	}
}

func TestSearchWithAWrongPassword(t *testing.T) {
	url, requests, _ := vault(t)
	folder := filepath.Join(t.TempDir(), "run")
	code, _, errs := run(t, "search", "--config", vaultConfig(t, url, "open barley"), "--calls", "200", "-o", folder)
	want := `sonde: user "ann" cannot log in: POST /login answered 403: no ***`
	if code != 3 || !strings.Contains(errs, want) {
		t.Errorf("exit code %d, want 3; errors %q, want %q", code, errs, want)
	}
	if got := requests.Load(); got != 1 {
		t.Errorf("%d requests arrived, want 1", got)
	}
	wantNowhere(t, folder, "open barley")
	code, _, errs = run(t, "seqs", "--config", vaultConfig(t, url, "open barley"), "--calls", "200")
	if code != 3 || !strings.Contains(errs, want) {
		t.Errorf("seqs: exit code %d, want 3; errors %q", code, errs)
	}
}

// If a run seems to be set up wrongly, a warning says what to do.
func TestSearchWarns(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(401)
		fmt.Fprint(w, `{"message":"\u001b[31mno token"}`)
	}))
	defer s.Close()
	code, out, errs := run(t, "search", spec(t), "--url", s.URL, "--calls", "50", "--keep-going")
	for _, want := range []string{
		"warning 100% of the answers are 401 or 403: no user is configured: use --header or --user, or write auth " +
			"into sonde.yaml (sonde init begins one)",
		`answers were 401 "[31mno token": configure a user with permission (sonde init, --header)`,
	} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("%q is not in %s", want, out)
		}
	}
	if code != 3 || strings.Contains(out, "\x1b") || !strings.Contains(errs, "none of 50 calls") {
		t.Errorf("exit code %d, output %q, errors %q", code, out, errs)
	}
	code, out, _ = run(t, "search", spec(t), "--url", s.URL, "--calls", "50", "--keep-going", "--json")
	var got struct {
		Summary struct{ Warnings []struct{ Kind string } }
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 3 ||
		fmt.Sprint(got.Summary.Warnings) != "[{auth} {no-2xx} {never-2xx}]" {
		t.Errorf("exit code %d, warnings %v, %v", code, got.Summary.Warnings, err)
	}
}
