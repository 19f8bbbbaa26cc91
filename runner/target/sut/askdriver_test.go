package sut

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"sonde/model"
)

// describedService is a service with a driver that describes it. Both have the same address.
type describedService struct {
	info  string // the answer to GET /controller once the service runs; {own} is the address
	spec  http.HandlerFunc
	asked []string
}

// ask serves the service and its driver, and asks the driver.
func (s *describedService) ask(t *testing.T, withSpec bool) (DriverAnswer, string, error) {
	t.Helper()
	running := false
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked = append(s.asked, r.Method+" "+r.URL.Path)
		switch r.Method + " " + r.URL.Path {
		case "GET /controller":
			if info := strings.ReplaceAll(s.info, "{own}", server.URL); running || !strings.Contains(info, server.URL) {
				io.WriteString(w, info)
			} else {
				io.WriteString(w, `{"protocol": 1}`)
			}
		case "POST /controller/start":
			running = true
			io.WriteString(w, `{"url": "`+server.URL+`/v1"}`)
		case "POST /controller/stop":
			running = false
			io.WriteString(w, `{}`)
		default:
			s.spec(w, r)
		}
	}))
	t.Cleanup(server.Close)
	answer, err := AskDriver(context.Background(), model.Plan{Driver: &model.Driver{URL: server.URL}}, Options{}, withSpec)
	return answer, server.URL, err
}

// To get the users, AskDriver does not need the service. To get the specification, it has the driver start the
// service and, in the end, stop it. The port of the service is removed from the specification.
func TestAskDriver(t *testing.T) {
	const info = `{"protocol": 1, "name": "shop", "spec": "/api.json", "auth": [{"name": "ann"}], "authTemplate": {}}`
	s := describedService{info: info, spec: func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"servers": ["http://`+r.Host+`/v1"]}`)
	}}
	answer, _, err := s.ask(t, false)
	want := DriverAnswer{Name: "shop", Auth: []byte(`[{"name": "ann"}]`), AuthTemplate: []byte("{}")}
	if err != nil || !reflect.DeepEqual(answer, want) || strings.Join(s.asked, ",") != "GET /controller" {
		t.Errorf("%v, %+v after %q", err, answer, s.asked)
	}
	for _, place := range []string{"/api.json", "{own}/api.json"} {
		s.info, s.asked = strings.Replace(info, "/api.json", place, 1), nil
		answer, own, err := s.ask(t, true)
		if err != nil || string(answer.Spec) != `{"servers": ["http://127.0.0.1/v1"]}` || answer.SpecURL != own+"/api.json" ||
			len(answer.Auth) == 0 {
			t.Errorf("%s: %v, %s from %s", place, err, answer.Spec, answer.SpecURL)
		}
		asked := strings.Join(s.asked, ",")
		if !strings.HasSuffix(asked, "POST /controller/start,GET /controller,GET /api.json,POST /controller/stop") {
			t.Errorf("%s: asked %s", place, asked)
		}
	}
	s.info = `{"protocol": 1}`
	if answer, _, err := s.ask(t, true); err != nil || answer.SpecURL != "" {
		t.Errorf("without a specification: %v, %+v", err, answer)
	}
}

// A specification is fetched only from a host that may be called, and only if it is whole.
func TestAskDriverErrors(t *testing.T) {
	serve := func(status int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, text)
		}
	}
	broken := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "10")
		io.WriteString(w, "half")
	}
	for _, c := range []struct {
		name, place string
		spec        http.HandlerFunc
		want        string
	}{
		{"elsewhere", "https://shop.example/api.json", nil, "add --allow-host shop.example"},
		{"a file", "file:///etc/passwd", nil, "is not the URL of a service"},
		{"no place", "http://[::1", nil, "which is neither a path nor a URL"},
		{"no answer", "http://127.0.0.1:1/api.json", nil, "cannot be fetched"},
		{"refused", "/api.json", serve(404, ""), "the answer is 404"},
		{"broken off", "/api.json", broken, "breaks off"},
	} {
		s := describedService{info: `{"protocol": 1, "spec": "` + c.place + `"}`, spec: c.spec}
		if _, _, err := s.ask(t, true); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %s", c.name, err, c.want)
		}
		if last := s.asked[len(s.asked)-1]; last != "POST /controller/stop" {
			t.Errorf("%s: the last request is %s", c.name, last)
		}
	}
	secret := describedService{info: `{"protocol": 1, "auth": [{"bearer": "hush"}`}
	if _, _, err := secret.ask(t, false); err == nil || strings.Contains(err.Error(), "hush") {
		t.Errorf("an answer that is not JSON: got error %v", err)
	}
}
