package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain makes the test binary act as a service if COMPARE_TEST is "service", and as a tool that searches a service
// if it is "tool".
func TestMain(m *testing.M) {
	switch os.Getenv("COMPARE_TEST") {
	case "service":
		serve()
	case "tool":
		ask(os.Args[1], os.Args[2])
	default:
		os.Exit(m.Run())
	}
}

// serve answers requests that have the token in the file token with 200, and other requests with 401. GET /quit ends
// the process.
func serve() {
	token, err := os.ReadFile("token")
	if err != nil {
		panic(err)
	}
	http.ListenAndServe(os.Getenv("ADDR"), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/quit" {
			os.Exit(0)
		}
		if r.Header.Get("Token") != strings.TrimSpace(string(token)) {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
}

// ask sends GET requests with a token to a URL until one gets no answer or is refused by the proxy.
func ask(url, token string) {
	for {
		r, err := http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			panic(err)
		}
		r.Header.Set("Token", token)
		answer, err := http.DefaultClient.Do(r)
		if err != nil || answer.StatusCode == http.StatusServiceUnavailable {
			return
		}
		answer.Body.Close()
	}
}

// served returns a service that this test binary runs. Its prepare script writes the token, and the log-in
// of its user prints the token.
func served(t *testing.T) service {
	t.Helper()
	dir := t.TempDir()
	spec := `{openapi: 3.0.0, info: {title: a, version: "1"}, servers: [{url: /v1}], paths: {` +
		`/a: {get: {responses: {"200": {description: ok}}}}, /quit: {get: {responses: {"200": {description: ok}}}}}}`
	if err := os.WriteFile(filepath.Join(dir, "api.yaml"), []byte(spec), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := newService(t.Context(), entry{
		Name: "served", Half: tuned, Spec: filepath.Join(dir, "api.yaml"), Run: []string{os.Args[0]}, Ready: "/",
		Env:     map[string]string{"COMPARE_TEST": "service", "ADDR": "127.0.0.1:{port}"},
		Prepare: "echo s3cret > token",
		Users:   []user{{Name: "ann", Login: `echo "Token: $(cat {data}/token)"`}},
	}, dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// asking returns a tool that calls one path with the token of the only user.
func asking(path string) tool {
	return tool{name: "asking", command: func(t target, _ job) ([]string, error) {
		return []string{"env", "COMPARE_TEST=tool", os.Args[0], t.url + path, t.users[0].Headers["Token"]}, nil
	}}
}

func TestSearch(t *testing.T) {
	s := served(t)
	for _, c := range []struct {
		name, path string
		job        job
		pairs      []string
		crashes    bool
		late       bool
	}{
		{"until the requests are used up", "/v1/a", job{requests: 4, limit: time.Minute}, []string{"GET /a 200"}, false, false},
		{"until the time is over", "/v1/a", job{requests: 1 << 30, limit: 300 * time.Millisecond}, []string{"GET /a 200"}, false, true},
		{"until the service ends and answers no more", "/quit", job{requests: 4, limit: time.Minute}, nil, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			r, err := asking(c.path).search(t.Context(), s, c.job, dir, true)
			if err != nil {
				t.Fatal(err)
			}
			var pairs []string
			for pair := range r.Pairs {
				pairs = append(pairs, pair)
			}
			if !slices.Equal(pairs, c.pairs) || (r.Crashes > 0) != c.crashes || r.Late != c.late || r.Requests == 0 || r.Took == 0 {
				t.Errorf("got %+v", r)
			}
			if !c.late && !c.crashes && r.Requests != c.job.requests {
				t.Errorf("%d requests, want %d", r.Requests, c.job.requests)
			}
			for _, file := range []string{"service.log", "tool.log", "exchanges.ndjson"} {
				if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestSearchFails(t *testing.T) {
	j := job{requests: 4, limit: time.Minute}
	lazy := tool{command: func(target, job) ([]string, error) { return []string{"true"}, nil }}
	_, err := lazy.search(t.Context(), served(t), j, t.TempDir(), false)
	if err == nil || !strings.Contains(err.Error(), "sent no request") {
		t.Errorf("without a request: %v", err)
	}
	for want, change := range map[string]func(*service){
		"prepare: exit status 3: no disk":      func(s *service) { s.Prepare = "echo no disk >&2; exit 3" },
		"printed no header":                    func(s *service) { s.Users[0].Login = "true" },
		`printed "hello", which is not`:        func(s *service) { s.Users[0].Login = "echo hello" },
		"the service ended before it answered": func(s *service) { s.Run = []string{"true"} },
	} {
		s := served(t)
		change(&s)
		_, err := asking("/").search(t.Context(), s, j, t.TempDir(), false)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
}

func TestPlayJudgesTheExitCode(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a shell")
	}
	for code, ok := range map[string]bool{"0": true, "1": true, "2": false} {
		err := play(context.Background(), []string{"sh", "-c", "echo said; exit " + code}, t.TempDir())
		if (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "said") {
			t.Errorf("exit code %s: error %v", code, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"-seeds 0": "-seeds 0", "-requests 0": "-requests 0", "-time -1s": "-time -1s", "a.yaml b.yaml": "at most one configuration",
	} {
		if _, err := parse(strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", args, err)
		}
	}
	o, err := parse([]string{"-requests", "7", "-services", "a,b", "-em", "em.jar", "x.yaml"})
	got := fmt.Sprintln(o.requests, o.seeds, o.services, o.tools, o.config)
	if want := "7 10 [a b] [sonde schemathesis evomaster] x.yaml\n"; err != nil || got != want {
		t.Errorf("got %s, want %s (%v)", got, want, err)
	}
}

func TestNewToolsRefuses(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for name, want := range map[string]string{
		"schemathesis": "there is no Schemathesis", "evomaster": "there is no EvoMaster", "cats": `-tools: "cats" is not`,
	} {
		o := options{tools: []string{name}, st: "st", em: "evomaster.jar"}
		if _, err := o.newTools(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
