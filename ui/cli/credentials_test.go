package cli_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// guard returns a service that answers 401 without the credential "bearer t0k3n-of-ann", "basic ann:open
// sesame" or "key k3y-of-ann". It echoes the credential that it received. POST /login gives ann the token.
func guard() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/things", func(w http.ResponseWriter, r *http.Request) {
		name, password, _ := r.BasicAuth()
		auth, key := r.Header.Get("Authorization"), r.Header.Get("X-Key")
		w.Header().Set("Content-Type", "application/json")
		if auth != "Bearer t0k3n-of-ann" && key != "k3y-of-ann" && (name != "ann" || password != "open sesame") {
			w.WriteHeader(http.StatusUnauthorized)
		}
		fmt.Fprintf(w, `{"authorization":%q,"key":%q,"password":%q}`, auth, key, password)
	})
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.FormValue("username") != "ann" || r.FormValue("password") != "open sesame" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		fmt.Fprint(w, `{"access_token":"t0k3n-of-ann"}`)
	})
	return mux
}

const guardSpec = `openapi: 3.0.3
info: {title: Things, version: "1"}
paths:
  /things:
    get: {responses: {'200': {description: ok}, '401': {description: who}}}
    post: {responses: {'200': {description: ok}, '401': {description: who}}}
`

// guarded is a script command that starts a guard. It sets the variable GUARD to the URL, and writes the spec to
// things.yaml.
func guarded(ts *testscript.TestScript, _ bool, _ []string) {
	s := httptest.NewServer(guard())
	ts.Defer(s.Close)
	ts.Setenv("GUARD", s.URL)
	ts.Check(os.WriteFile(ts.MkAbs("things.yaml"), []byte(guardSpec), 0o600))
}

// Sonde asks for a password on the terminal. The password is sent but not shown.
func TestPasswordIsAskedFor(t *testing.T) {
	s := httptest.NewServer(guard())
	t.Cleanup(s.Close)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "things.yaml"), []byte(guardSpec), 0o600); err != nil {
		t.Fatal(err)
	}
	binary := program(t)
	args := []string{"search", "things.yaml", "--url", s.URL, "--user", "ann"}
	term := begin(t, command(t, dir, binary, append(args, "--calls", "20", "-o", "run")...), 120, 30)
	keys(t, term, "", "password of ann:", "open sesame"+enter, "2 with a 2xx", "", "--user ann")
	wantNone(t, "the screen", strings.Join(term.Lines(), "\n"), "open sesame")
	wantNowhere(t, filepath.Join(dir, "run"), "open sesame", "YW5uOm9wZW4gc2VzYW1l")

	// After ctrl-C at the question, the terminal echoes again.
	term = begin(t, command(t, dir, "sh", "-c", "trap : INT; "+binary+" search things.yaml --url "+s.URL+" --user ann; stty -a"), 120, 30)
	keys(t, term, "", "password of ann:", "\x03", "sonde: interrupted", "", " echo ")
}
