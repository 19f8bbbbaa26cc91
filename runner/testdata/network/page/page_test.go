package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"sonde/runner/testdata/services/serve"
)

// says returns a host that gives the same answer to every request.
func says(status int, kind, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		io.WriteString(w, text)
	}
}

// visit starts the service with one host for all of its requests.
func visit(t *testing.T, host http.Handler) (get func(target string) (int, string)) {
	t.Helper()
	outside := httptest.NewServer(host)
	t.Cleanup(outside.Close)
	r := newReader()
	r.site, r.weather = outside.URL, outside.URL
	at := httptest.NewServer(serve.Handler(r.operations(), r.reset))
	t.Cleanup(at.Close)
	return func(target string) (int, string) {
		res, err := http.Get(at.URL + target)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return res.StatusCode, strings.TrimSpace(string(text) + " " + res.Header.Get("X-Fault"))
	}
}

func TestPages(t *testing.T) {
	const html, json = "text/html; charset=utf-8", "application/json"
	for _, c := range []struct {
		target     string
		host       http.Handler
		status     int
		has, fault string
	}{
		{"/check?path=/", says(200, html, "<html>\n"), 200, `"kind":"html"`, ""},
		{"/check?path=/", says(200, html, "<?xml?>"), 200, `"kind":"xml"`, ""},
		{"/check?path=/", says(200, html, ""), 500, "internal error", "F01"},
		{"/check?path=x", says(200, html, ""), 400, "path:", ""},
		{"/check?path=/", says(404, html, ""), 404, "", ""},
		{"/check?path=/", says(429, html, ""), 503, "break", ""},
		{"/check?path=/", says(500, html, ""), 503, "fails", ""},
		{"/check?path=/", says(200, html, strings.Repeat("x", mostBytes+1)), 424, "larger", ""},
		{"/title?path=/", says(200, html, "<title>a  &amp; b</title>"), 200, `"a \u0026 b"`, ""},
		{"/title?path=/", says(200, html, "<title>a"), 500, "", "F02"},
		{"/title?path=/", says(200, "text/plain", "# a\nb"), 200, `"title":"a"`, ""},
		{"/title?path=/", says(200, json, `{"page":{"meta":{"titles":{"en":"a"}}}}`), 200, `"title":"a"`, ""},
		{"/title?path=/", says(200, json, `{`), 424, "no JSON", ""},
		{"/title?path=/", says(302, html, ""), 424, "nobody knows where", ""},
		{"/title?path=/", http.RedirectHandler("/", 302), 424, "to itself", ""},
		{"/title?path=/", http.RedirectHandler("http://other.example/", 302), 424, "not ours", ""},
		{"/weather/Oslo", says(200, json, `{"status":"ok","current":{"temperature":-1}}`), 200, "gloves", ""},
		{"/weather/Oslo?unit=fahrenheit", says(200, json, `{"status":"ok","current":{"temperature":10}}`), 200, `"temperature":50`, ""},
		{"/weather/Oslo", says(200, json, `{"status":"ok"}`), 500, "", "F03"},
		{"/weather/Oslo", says(200, json, `{"status":"alert"}`), 500, "", "F04"},
		{"/weather/Oslo", says(200, json, `{"status":"renamed","city":"x"}`), 424, "renamed", ""},
		{"/weather/Oslo", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(2 * patience) }), 503, "in time", ""},
		{"/weather/Oslo", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), 503, "hangs up", ""},
	} {
		status, text := visit(t, c.host)(c.target)
		if status != c.status || !strings.Contains(text, c.has) || !strings.HasSuffix(text, c.fault) {
			t.Errorf("%s answered %d %s, want %d %s %s", c.target, status, text, c.status, c.has, c.fault)
		}
	}
}

// A page is stored and requested again by its ETag. It is stale if the host fails, and removed if the
// host no longer has it.
func TestCopies(t *testing.T) {
	turn, abort := 0, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	turns := []http.HandlerFunc{
		func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("ETag", `"1"`)
			io.WriteString(w, "one")
		},
		func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("If-None-Match") != `"1"` {
				t.Errorf("asked with %v", r.Header)
			}
			w.WriteHeader(http.StatusNotModified)
		},
		abort, abort, // two, because the client repeats a request on a used connection
		says(410, "", ""), says(304, "", ""),
	}
	get := visit(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		turn++
		turns[turn-1](w, r)
	}))
	for _, want := range []string{"200 kept", "200 unchanged", "200 stale", "404 there is no", "424 since never"} {
		status, text := get("/copies?path=/")
		if code, part, _ := strings.Cut(want, " "); fmt.Sprint(status) != code || !strings.Contains(text, part) {
			t.Errorf("answered %d %s, want %s", status, text, want)
		}
	}
}
