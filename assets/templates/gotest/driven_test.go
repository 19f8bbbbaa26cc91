package gotest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// fakeDriver is a driver whose answers the tests set. It has no service.
type fakeDriver struct {
	answers map[string]string // by method and path below /controller; "" means {}
	refuses string            // the request that the fake driver answers with 500
	asked   []string
}

// use returns the driver with which exported tests call the fake driver.
func (f *fakeDriver) use(t *testing.T) *driver {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		what := strings.TrimSpace(r.Method + " " + strings.TrimPrefix(r.URL.Path, "/controller"))
		f.asked = append(f.asked, what)
		if what == f.refuses {
			w.WriteHeader(500)
		}
		io.WriteString(w, f.answers[what])
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { defaultURL = "" })
	return &driver{url: s.URL + "/", path: "/v1"}
}

// A driver starts the service at first, and again if it has ended. It resets the service before each test.
func TestDriverStartsAndResets(t *testing.T) {
	f := &fakeDriver{answers: map[string]string{
		"GET": `{"protocol": 1, "running": true, "new": []}`, "POST /start": `{"url": "http://127.0.0.1:8080"}`, "POST /reset": "{}",
	}}
	d := f.use(t)
	if err := d.start(); err != nil || defaultURL != "http://127.0.0.1:8080/v1" {
		t.Fatalf("%v, the service is at %q", err, defaultURL)
	}
	d.reset(t)
	f.answers["GET"], f.answers["POST /start"] = `{"protocol": 1}`, `{"url": "http://localhost:8081/"}`
	d.reset(t)
	d.restart(t)
	d.stopService()
	want := "GET,POST /start,GET,POST /reset,GET,POST /start,POST /reset,GET,POST /start,POST /start,POST /stop"
	if got := strings.Join(f.asked, ","); got != want || defaultURL != "http://localhost:8081" {
		t.Errorf("got %s, the service is at %q\nwant %s", got, defaultURL, want)
	}
}

// Without a driver, because SONDE_BASE_URL is set, nothing is reset.
func TestDriverNotInUse(t *testing.T) {
	f := &fakeDriver{}
	d := f.use(t)
	d.reset(t)
	d.restart(t)
	d.stopService()
	if len(f.asked) > 0 {
		t.Errorf("the driver was asked %q", f.asked)
	}
}

// The error of a request to the driver says what was asked, and why the request failed.
func TestDriverErrors(t *testing.T) {
	for _, c := range []struct {
		name, info, start, refuses, want string
	}{
		{"other protocol", `{"protocol": 2}`, "", "", "speaks protocol 2, these tests speak 1"},
		{"not JSON", "<html>\x1b", "", "", "asked GET /controller, gave an answer that is not JSON: invalid character"},
		{"refused", `{"protocol": 1}`, `{"error": "no database"}`, "POST /start", `start, answered 500: {"error": "no database"}`},
		{"no URL", `{"protocol": 1}`, `{}`, "", `the service is at "", which is not a URL`},
		{"far", `{"protocol": 1}`, `{"url": "http://shop.example/"}`, "", "which is neither this machine nor the driver's"},
		{"not a URL", `{"protocol": 1}`, `{"url": "http://[::1"}`, "", "which is not a URL"},
	} {
		f := &fakeDriver{answers: map[string]string{"GET": c.info, "POST /start": c.start}, refuses: c.refuses}
		if err := f.use(t).start(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %s", c.name, err, c.want)
		}
	}
	gone := &driver{url: "http://127.0.0.1:1"}
	if err := gone.start(); err == nil || !strings.Contains(err.Error(), "asked GET /controller, gave no answer") {
		t.Errorf("gone: got error %v", err)
	}
}
