package export_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

// loggedIn returns a suite with all kinds of log-ins. It has a test for each user, a test of two users and
// an anonymous call, and a test with a cookie session.
func loggedIn(url string) export.Suite {
	in := func(name, value string) model.Credential {
		return model.Credential{In: model.InHeader, Name: name, Value: value}
	}
	gil := model.User{Name: "gil", Login: &model.Login{
		Method:  "GET",
		Path:    "/basic",
		Headers: []model.Credential{{In: model.InHeader, Name: "Authorization", Value: "gil:${GIL_PASSWORD}", Basic: true}},
		Cookies: true,
		Token:   &model.LoginToken{Header: "X-Gil", In: model.InHeader, Name: "X-Gil", Template: "t {token}"},
	}}
	amy := model.User{Name: "amy", Sends: []model.Credential{in("Authorization", "amy:${AMY_PASSWORD}")}, Creates: []model.Login{{
		Method: "POST", Path: "/users", Body: &model.Payload{Media: "application/x-www-form-urlencoded"},
		Fields: []model.LoginField{{Name: "name", Value: "amy"}, {Name: "pw", Value: "${AMY_PASSWORD}"}},
	}}}
	amy.Sends[0].Basic = true
	s := export.Suite{
		BaseURL: "http://127.0.0.1:1",
		Reset:   &model.Reset{Method: "POST", Path: "/__reset"},
		Users:   append(export.Keyholders(url), gil, amy),
	}
	for _, u := range s.Users {
		call := model.Call{Op: "GET /keys", User: u.Name, Args: []model.Arg{{In: model.InQuery, Name: "a", Value: "1"}}, Status: 200}
		if u.Name == "pat" || u.Name == "gil" {
			call.Args = append(call.Args, model.Arg{In: model.InCookie, Name: "own", Value: "1"})
		}
		s.Tests = append(s.Tests, model.Test{ID: u.Name, Calls: []model.Call{call, call, call}})
	}
	by := func(user string, status int) model.Call {
		return model.Call{Op: "GET /keys", User: user, Status: status}
	}
	s.Tests = append(s.Tests,
		model.Test{ID: "several", Calls: []model.Call{by("ray", 200), by("", 401), by("eve", 200)}},
		model.Test{ID: "mixed", Calls: []model.Call{by("kim", 200), by("", 401)}})
	return s
}

// runs has, by format, a function that runs exported tests of a suite with log-ins. dir is the folder of the tests,
// and url is the URL of the service.
var runs = map[string]func(t *testing.T, dir, url string, env []string) (string, error){
	"curl": func(t *testing.T, dir, url string, env []string) (string, error) {
		return runCurl(t, dir, append(env, "SONDE_BASE_URL="+url))
	},
	"pytest": func(t *testing.T, dir, url string, env []string) (string, error) {
		return runPytest(t, dir, append(env, "SONDE_BASE_URL="+url)...)
	},
	"node": func(t *testing.T, dir, url string, env []string) (string, error) {
		return runNode(t, dir, append(env, "SONDE_BASE_URL="+url)...)
	},
	"k6": func(t *testing.T, dir, url string, env []string) (string, error) {
		return runK6(t, dir, append(env, "SONDE_BASE_URL="+url)...)
	},
	"junit5": func(t *testing.T, dir, url string, env []string) (string, error) {
		return runJava(t, dir, append(env, "SONDE_BASE_URL="+url)...)
	},
	"hurl": func(t *testing.T, dir, url string, env []string) (string, error) {
		args := []string{"--test", "--no-color", "--variable", "base_url=" + url}
		for _, pair := range env {
			args = append(args, "--secret", pair)
		}
		return outcome(t, dir, nil, "hurl", append(args, "sonde.hurl")...)
	},
	"http": func(t *testing.T, dir, url string, env []string) (string, error) {
		return sendAll(t, dir, "sonde.http", url, env...)
	},
	"bruno": func(t *testing.T, dir, url string, env []string) (string, error) {
		return bruRun(t, filepath.Join(dir, "sonde_bruno"), url, env)
	},
	"postman": func(t *testing.T, dir, url string, env []string) (string, error) {
		args := []string{"run", "--color", "off", "--env-var", "base_url=" + url}
		for _, pair := range env {
			args = append(args, "--env-var", pair)
		}
		return outcome(t, dir, nil, "newman", append(args, "sonde.postman_collection.json")...)
	},
}

// Suites log in their users again after each reset. Secrets come only from the environment.
func TestSuitesLogIn(t *testing.T) {
	t.Parallel()
	for name, run := range runs {
		t.Run(name, func(t *testing.T) {
			s := export.Safe(t)
			suite := loggedIn(s.URL)
			dir, made := written(t, name, suite)
			want := len(suite.Tests)
			if name == "hurl" { // Hurl sends cookies with each call
				want--
			}
			if len(made.Tests) != want {
				t.Errorf("got %v, want %d tests: %s", made.Tests, want, strings.Join(made.Omissions, "\n"))
			}
			env := append(slices.Clone(export.Keys), `GIL_PASSWORD=p"w`, "AMY_PASSWORD=p&w")
			if output, err := run(t, dir, s.URL, env); err != nil {
				t.Fatalf("%v in\n%s\n%s", err, output, made.Text)
			}
			suite.Tests = slices.DeleteFunc(suite.Tests, func(t model.Test) bool { return t.ID != "amy" && t.ID != "eve" })
			dir, made = written(t, name, suite)
			if output, err := run(t, dir, s.URL, env); err != nil {
				t.Fatalf("again, with a user that is there already: %v in\n%s\n%s", err, output, made.Text)
			}
			if output, err := run(t, dir, s.URL, append(env, "EVE_PASSWORD=wrong")); err == nil {
				t.Errorf("it passes with a wrong password:\n%s", output)
			}
		})
	}
}

// tokens is a service whose users log in and receive tokens.
type tokens struct {
	*httptest.Server
	mu     sync.Mutex
	logins int
	valid  map[string]int // for each token, the number of remaining uses
	uses   int            // number of uses of a new token
	stale  int            // status of calls without a valid token
}

func newTokens(t *testing.T, uses, stale int) *tokens {
	s := &tokens{valid: map[string]int{}, uses: uses, stale: stale}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, _ *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.logins++
		token := fmt.Sprint("t", s.logins)
		s.valid[token] = s.uses
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"token": %q}`, token)
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(s.use(r, 200)) })
	mux.HandleFunc("GET /never", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(s.use(r, 401)) })
	mux.HandleFunc("POST /logout", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(s.use(r, 204))
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.valid, r.Header.Get("X-Token"))
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// use uses the token of a call once and returns status. If the token is not valid, it returns s.stale.
func (s *tokens) use(r *http.Request, status int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	token := r.Header.Get("X-Token")
	if s.valid[token] == 0 {
		return s.stale
	}
	s.valid[token]--
	return status
}

// suite returns a suite whose tests are calls of one user with the given statuses.
func (s *tokens) suite(tests ...[]model.Call) export.Suite {
	all := export.Suite{BaseURL: s.URL, Users: []model.User{{Name: "Ann B.", Login: &model.Login{
		Method: "POST", Path: "/login", Body: &model.Payload{Media: "application/json"},
		Fields: []model.LoginField{{Name: "password", Value: "${ANN_PASSWORD}"}},
		Token:  &model.LoginToken{Pointer: "/token", In: model.InHeader, Name: "X-Token", Template: "{token}"},
	}}}}
	for i, calls := range tests {
		for j := range calls { // makes the tests distinct
			calls[j].User = "Ann B."
			calls[j].Args = []model.Arg{{In: model.InQuery, Name: "n", Value: fmt.Sprint(i)}}
		}
		all.Tests = append(all.Tests, model.Test{ID: fmt.Sprint("t", i), Calls: calls})
	}
	return all
}

// inGo runs a suite as Go tests. The first run builds them.
func inGo(t *testing.T, dir, url string, env []string) (string, error) {
	if _, err := os.Stat(filepath.Join(dir, goBinary)); err != nil {
		buildGo(t, dir)
	}
	return runGo(t, dir, append(env, "SONDE_BASE_URL="+url))
}

// withGo returns the functions that run the tests of each format: those in runs, and inGo for the format go.
func withGo() map[string]func(t *testing.T, dir, url string, env []string) (string, error) {
	all := maps.Clone(runs)
	all["go"] = inGo
	return all
}

// endsSession returns a suite in which one test ends the session.
func (s *tokens) endsSession() export.Suite {
	key, stale := model.Call{Op: "GET /keys", Status: 200}, model.Call{Op: "GET /keys", Status: 403}
	out := model.Call{Op: "POST /logout", Status: 204}
	return s.suite([]model.Call{key, key}, []model.Call{key}, []model.Call{key, out, stale}, []model.Call{key}, []model.Call{key})
}

// usesSession returns a suite that uses one session for several calls, some of which are refused.
func (s *tokens) usesSession() export.Suite {
	key, never := model.Call{Op: "GET /keys", Status: 200}, model.Call{Op: "GET /never", Status: 401}
	return s.suite([]model.Call{key}, []model.Call{never, key, key}, []model.Call{key}, []model.Call{never})
}

// All tests share a log-in, except a test that ends the session and the test after it.
func TestSuitesLogInOnce(t *testing.T) {
	t.Parallel()
	for name, run := range withGo() {
		t.Run(name, func(t *testing.T) {
			s := newTokens(t, 100, 403)
			dir, made := written(t, name, s.endsSession())
			if output, err := run(t, dir, s.URL, []string{"ANN_PASSWORD=x"}); err != nil {
				t.Fatalf("%v in\n%s\n%s", err, output, made.Text)
			}
			if s.logins != 3 && name != "junit5" || s.logins > 3 { // JUnit chooses the order of tests
				t.Errorf("%d log-ins, want 3: the first, that of the test that logs out, and the next", s.logins)
			}
		})
	}
}

// If the service refuses a session, the tests log in again, unless they expect the refusal.
func TestSuitesRenewSessions(t *testing.T) {
	for _, name := range []string{"go", "pytest", "node", "junit5", "k6"} {
		t.Run(name, func(t *testing.T) {
			s := newTokens(t, 2, 401)
			dir, made := written(t, name, s.usesSession())
			if output, err := withGo()[name](t, dir, s.URL, []string{"ANN_PASSWORD=x"}); err != nil {
				t.Fatalf("%v in\n%s\n%s", err, output, made.Text)
			}
			if s.logins < 2 || s.logins > 3 {
				t.Errorf("%d log-ins, want one for each two calls", s.logins)
			}
		})
	}
}

// If the service refuses to create a user with a 4xx, the test fails, unless an earlier test created the
// same user.
func TestSuitesWantUsersMade(t *testing.T) {
	for name, run := range runs {
		t.Run(name, func(t *testing.T) {
			refusals := 0
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == "POST" {
					refusals++
					w.WriteHeader(http.StatusUnprocessableEntity)
				}
			}))
			t.Cleanup(s.Close)
			suite := loggedIn(s.URL)
			suite.Reset = nil
			suite.Tests = slices.DeleteFunc(suite.Tests, func(t model.Test) bool { return t.ID != "amy" })
			dir, made := written(t, name, suite)
			if output, err := run(t, dir, s.URL, []string{"AMY_PASSWORD=p&w"}); err == nil || refusals == 0 {
				t.Errorf("%v after %d refusals, want a failure in\n%s\n%s", err, refusals, output, made.Text)
			}
		})
	}
}

// If a format cannot log in a user, its file says what to do instead. A workflow, for example, cannot take
// cookies.
func TestFilesThatCannotLogInSaySo(t *testing.T) {
	for _, f := range format.Formats {
		made, err := f.Generate(loggedIn("http://127.0.0.1:1"))
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		for user, by := range map[string]bool{"eve": false, "kim": f.Name == "arazzo"} {
			text := fmt.Sprintf("The user %q is not logged in: set SONDE_TOKEN_%s to what the log-in gives.", user, strings.ToUpper(user))
			if said := strings.Contains(strings.Join(made.Omissions, "\n"), text); said != by {
				t.Errorf("%s: says %t that %s is not logged in, want %t: %s", f.Name, said, user, by, made.Omissions)
			}
		}
	}
}

// documentOf returns the file of a format as decoded JSON.
func documentOf(t *testing.T, name string, s export.Suite) map[string]any {
	t.Helper()
	_, made := written(t, name, s)
	var all map[string]any
	if err := json.Unmarshal(made.Text, &all); err != nil {
		t.Fatalf("%v in\n%s", err, made.Text)
	}
	return all
}

func TestArazzoLogsIn(t *testing.T) {
	s := newTokens(t, 1, 401)
	all := documentOf(t, "arazzo", s.suite([]model.Call{{Op: "GET /keys", Status: 200}}))
	steps := all["workflows"].([]any)[0].(map[string]any)["steps"].([]any)
	got := []any{
		steps[0].(map[string]any)["requestBody"], steps[0].(map[string]any)["outputs"],
		steps[1].(map[string]any)["parameters"].([]any)[1],
	}
	want := []any{
		map[string]any{"contentType": "application/json", "payload": map[string]any{"password": "$inputs.ANN_PASSWORD"}},
		map[string]any{"annBToken": "$response.body#/token"},
		map[string]any{"name": "X-Token", "in": "header", "value": "$steps.call1.outputs.annBToken"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestHARBeginsWithTheLogIn(t *testing.T) {
	s := newTokens(t, 1, 401)
	key := model.Call{Op: "GET /keys", Status: 200}
	entries := documentOf(t, "har", s.suite([]model.Call{key}, []model.Call{key}))["log"].(map[string]any)["entries"].([]any)
	var got []string
	for _, e := range entries {
		request := e.(map[string]any)["request"].(map[string]any)
		got = append(got, fmt.Sprintf("%s %s", request["method"], strings.TrimPrefix(request["url"].(string), s.URL)))
	}
	want := []string{"POST /login", "GET /keys?n=0", "GET /keys?n=1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// After an update, log-ins are still before the tests.
func TestPostmanIsUpdatedWithTheLogInFirst(t *testing.T) {
	s := newTokens(t, 1, 401)
	suite := s.suite([]model.Call{{Op: "GET /keys", Status: 200}})
	before := suite
	before.Users = nil
	before.Tests = []model.Test{{ID: "t9", Calls: []model.Call{{Op: "GET /never", Status: 401}}}}
	suite.Tests = append(suite.Tests, before.Tests...)
	f, err := format.Named("postman")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, each := range []export.Suite{before, suite} {
		if _, _, err := f.Write(dir, each, false); err != nil {
			t.Fatal(err)
		}
	}
	var all struct{ Item []struct{ Name string } }
	if err := json.Unmarshal([]byte(readFile(t, dir, f.TestsFile)), &all); err != nil || all.Item[0].Name != "LogIn" {
		t.Errorf("%v, want the log-in first of %v", err, all.Item)
	}
}
