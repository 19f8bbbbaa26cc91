package cli

import (
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"sonde/model/codec"
)

// ownAPI is the specification of the service that describingDriver starts.
const ownAPI = `{"openapi": "3.0.3", "info": {"title": "Mine", "version": "1"}, "servers": [{"url": "http://HOST"}],
	"paths": {"/me": {"get": {"responses": {"200": {"description": "the user"}, "401": {"description": "who?"}}}}}}`

// describingDriver starts a server that is both a driver and its service, and returns its URL. The driver reports the
// specification of the service, and auth as the users of the service.
func describingDriver(t *testing.T, auth string) string {
	t.Helper()
	results := `{"targets": []}`
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method + " " + r.URL.Path {
		case "GET /controller":
			io.WriteString(w, `{"protocol": 1, "name": "mine", "running": true, "spec": "/openapi.json", "auth": `+auth+`}`)
		case "POST /controller/start":
			io.WriteString(w, `{"url": "http://`+r.Host+`"}`)
		case "POST /controller/results", "GET /controller/targets", "POST /controller/targets":
			io.WriteString(w, results)
		case "GET /openapi.json":
			io.WriteString(w, strings.Replace(ownAPI, "HOST", r.Host, 1))
		case "GET /me":
			if r.Header.Get("Authorization") != "Bearer hush-1" {
				w.WriteHeader(http.StatusUnauthorized)
			}
		default:
			io.WriteString(w, "{}")
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// A search takes the specification and the users from the driver. The secrets of the users are not stored, and the run
// can be repeated.
func TestDriverGivesSpecAndUsers(t *testing.T) {
	t.Chdir(t.TempDir())
	url := describingDriver(t, `[{"name": "ann", "bearer": "hush-1"}]`)
	if err := os.WriteFile("sonde.yaml", []byte("sut: {driver: "+url+"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := sonde(t, 0, "check", "--sut")
	if !strings.Contains(text, "of the driver, at "+url+"/openapi.json") || !strings.Contains(text, "of the driver: ann") {
		t.Error(text)
	}
	if text := sonde(t, 0, "search", "--calls", "40", "-o", "run"); !strings.Contains(text, "2 of 2 covered") {
		t.Error(text)
	}
	if text := sonde(t, 0, "search", "--replay", "run", "-o", "again"); !strings.Contains(text, "the same tests as in run") {
		t.Error(text)
	}
	read, err := codec.OpenRun("run")
	if err != nil || len(read.Users) != 1 || read.Users[0].Sends[0].Value != "Bearer ${SONDE_ANN_TOKEN}" || read.Args[0] == "-" {
		t.Errorf("%v, %+v", err, read.RunHeader)
	}
	err = fs.WalkDir(os.DirFS("run"), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.Contains(fileOf(t, "run", path), "hush-1") {
			t.Errorf("the secret is in %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// If a driver describes a user with ${SHOP_KEY}, Sonde does not send the value of this environment variable.
func TestDriverWithHostileUsers(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("SHOP_KEY", "hush-2")
	url := describingDriver(t, `[{"name": "ann", "bearer": "${SHOP_KEY}"}]`)
	if err := os.WriteFile("sonde.yaml", []byte("sut: {driver: "+url+"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := sonde(t, 2, "search", "--calls", "40", "-o", "run")
	if !strings.Contains(text, "a text refers to an environment variable: a driver gives the value itself") ||
		strings.Contains(text, "hush-2") {
		t.Error(text)
	}
}
