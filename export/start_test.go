package export

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sonde/model"
)

// sharedDir returns a folder for binaries that several tests share. TestMain removes the folder.
var sharedDir = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "export") })

func TestMain(m *testing.M) {
	// Run more parallel tests than cores, because parallel tests wait most of the time. The flag -parallel
	// takes precedence, because it is parsed later.
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	// Linking without debug information is faster. With -trimpath, Go need not compile the same files again
	// in another folder.
	if err := os.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -ldflags=-w -trimpath")); err != nil {
		panic(err)
	}
	// The tools of Go are faster with more memory.
	if err := os.Setenv("GOGC", cmp.Or(os.Getenv("GOGC"), "400")); err != nil {
		panic(err)
	}
	code := m.Run()
	if dir, err := sharedDir(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// fragileBinary builds the fragile service and returns its path.
var fragileBinary = sync.OnceValues(func() (string, error) {
	dir, err := sharedDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "fragile.exe")
	if output, err := exec.Command("go", "build", "-o", path, "sonde/runner/testdata/fragile").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, output)
	}
	return path, nil
})

// fragileService returns how to start the fragile service with additional arguments.
func fragileService(t *testing.T, args ...string) *model.Service {
	t.Helper()
	LeaveOutIfShort(t)
	path, err := fragileBinary()
	if err != nil {
		t.Fatal(err)
	}
	return &model.Service{
		Command: append([]string{path, "--addr", "127.0.0.1:{port}"}, args...),
		Ready:   model.ReadinessCheck{Path: "health", Status: 200, Timeout: 20 * time.Second},
	}
}

// thing returns a test that passes only on a service in its initial state.
func thing(id string) model.Test {
	return model.Test{ID: id, Calls: []model.Call{
		{Op: "GET /things/{id}", Args: []model.Arg{inPath("id", "1000")}, Status: 404},
		{Op: "POST /things", Status: 201},
		{Op: "GET /things/{id}", Args: []model.Arg{inPath("id", "1000")}, Status: 200},
	}}
}

// started returns a suite that starts the fragile service.
func started(t *testing.T, reset *model.Reset) Suite {
	return Suite{
		BaseURL: "http://127.0.0.1:{port}", Service: fragileService(t), Reset: reset,
		Tests: []model.Test{thing("t1"), thing("t2")},
	}
}

// built writes a suite and builds its tests. It returns the folder.
func built(t *testing.T, s Suite) string {
	t.Helper()
	LeaveOutIfShort(t)
	wantSound(t, s)
	dir := write(t, s)
	buildTests(t, dir, "suite.test")
	return dir
}

// runBuilt runs the binary that built has made.
func runBuilt(t *testing.T, dir string, env []string, args ...string) (string, error) {
	t.Helper()
	env = append(append(os.Environ(), "SONDE_BASE_URL="), env...)
	return run(t, dir, env, filepath.Join(dir, "suite.test"), append([]string{"-test.v"}, args...)...)
}

func wantPasses(t *testing.T, want int, output string, err error) {
	t.Helper()
	if got := strings.Count(output, "\n--- PASS: "); err != nil || got != want {
		t.Errorf("go test: %v, %d passes, want %d:\n%s", err, got, want, output)
	}
}

// resets returns suites that reset the fragile service in each way.
func resets(t *testing.T) map[string]Suite {
	all := map[string]Suite{}
	path := fragileService(t).Command[0]
	for name, reset := range map[string]*model.Reset{
		"by a request": {
			Method: "POST",
			Path:   "/reset",
			Header: map[string]string{"X-Key": "${FRAGILE_KEY}"},
			Body:   jsonBody(`{"all":true}`),
		},
		"by a command": {Command: []string{path, "--post", "http://127.0.0.1:{port}/reset"}},
		"by restart":   {Restart: true},
	} {
		s := started(t, reset)
		if reset.Path != "" {
			s.Service.Env = map[string]string{"RESET_KEY": "${FRAGILE_KEY}"}
		}
		all[name] = s
	}
	return all
}

// Each kind of reset restores the initial state of the service before each test, also if the tests run a
// second time.
func TestStartedServiceIsReset(t *testing.T) {
	LeaveOutIfShort(t)
	t.Parallel()
	for name, s := range resets(t) {
		t.Run(name, func(t *testing.T) {
			var env []string
			if s.Reset.Path != "" {
				env = []string{"FRAGILE_KEY=hush"}
			}
			output, err := runBuilt(t, built(t, s), env, "-test.count=2")
			wantPasses(t, 4, output, err)
		})
	}
}

// surroundings returns a suite that checks the environment of the fragile service.
func surroundings(t *testing.T) Suite {
	s := started(t, nil)
	s.Service.Env = map[string]string{"URL": "http://127.0.0.1:{port}/x", "SECRET": "<${FRAGILE_SECRET}>"}
	s.Dir = "../here"
	s.Tests = []model.Test{
		{ID: "about", Calls: []model.Call{{Op: "GET /about", Status: 200}}, Checks: []model.Check{
			equal(0, "/secret", `"<a b>"`), equal(0, "/port", `"never"`), equal(0, "/url", `"never"`), equal(0, "/dir", `"never"`),
		}},
		{ID: "exit", Calls: []model.Call{{Op: "POST /exit", Status: 200}}},
		thing("t1"),
	}
	return s
}

// The service gets its folder, its environment and its port. Its output is shown if a test fails. If a test
// kills the service, it is started again for the next test.
func TestStartedServiceHasItsEnvironment(t *testing.T) {
	LeaveOutIfShort(t)
	t.Parallel()
	s := surroundings(t)
	dir := built(t, s)
	if err := os.Mkdir(filepath.Join(dir, s.Dir), 0o755); err != nil {
		t.Fatal(err)
	}
	output, err := runBuilt(t, dir, []string{"FRAGILE_SECRET=a b"})
	_, rest, _ := strings.Cut(output, `at "/port", got "`)
	port, _, _ := strings.Cut(rest, `"`)
	for _, want := range []string{
		`at "/url", got "http://127.0.0.1:` + port + `/x"`, "/here\"", "POST /exit got no answer: EOF", "the service ended: exit status 3",
		"the service printed:\n", "giving up\n", "--- PASS: TestGetThing",
	} {
		if err == nil || port == "" || !strings.Contains(output, want) || strings.Contains(output, `at "/secret"`) {
			t.Errorf("%v, port %q, want %q in\n%s", err, port, want, output)
		}
	}
	output, err = runBuilt(t, dir, nil)
	if want := "the service cannot be started: set FRAGILE_SECRET in the environment, for SECRET\n"; err == nil ||
		!strings.Contains(output, want) {
		t.Errorf("%v, want %s in\n%s", err, want, output)
	}
}

// stubborn returns a suite whose service does not stop by itself.
func stubborn(t *testing.T) Suite {
	s := started(t, nil)
	s.Service.Command = []string{"sh", "-c", strings.Join(s.Service.Command, " ") + " --stubborn; true"}
	s.Service.Stop = model.ShutdownOptions{Signal: "INT", Timeout: 300 * time.Millisecond}
	s.Tests = []model.Test{
		{ID: "child", Calls: []model.Call{{Op: "POST /child", Status: 418}}},
		{ID: "slow", Calls: []model.Call{{Op: "POST /slow", Status: 200}}},
	}
	return s
}

// After the tests, the service and all processes that it started have ended, even the child of a shell that
// ignores the end of its parent.
func TestStartedServiceIsStopped(t *testing.T) {
	LeaveOutIfShort(t)
	if runtime.GOOS == "windows" {
		t.Skip("it takes a shell")
	}
	dir := built(t, stubborn(t))
	t.Parallel() // waits for a timeout
	for name, args := range map[string][]string{"at the end": {"-test.run=Child"}, "out of time": {"-test.timeout=6s"}} {
		output, err := runBuilt(t, dir, nil, args...)
		_, rest, _ := strings.Cut(output, "got 200 with body ")
		child, _, _ := strings.Cut(rest, "\n")
		if err == nil || child == "" || strings.Contains(output, "the tests ran out of time: -timeout is 6s") != (name == "out of time") {
			t.Fatalf("%s: %v\n%s", name, err, output)
		}
		if !refusesConnections(child) {
			t.Errorf("%s: the service's child still listens on %s", name, child)
		}
	}
}

// refusesConnections reports whether an address refuses connections within five seconds. A killed process may take a
// moment to end.
func refusesConnections(addr string) bool {
	for range 100 {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			return true
		}
		conn.Close()
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

// dying returns a suite whose service exits before it is ready.
func dying(t *testing.T) Suite {
	s := started(t, nil)
	s.Service = fragileService(t, "--die", "no database")
	return s
}

// If a service ends before it is ready, the error has one clear line and the output of the service.
func TestStartedServiceDoesNotGetReady(t *testing.T) {
	LeaveOutIfShort(t)
	t.Parallel()
	output, err := runBuilt(t, built(t, dying(t)), nil)
	want := `" "--die" "no database"] ended before it was ready: exit status 4; it printed:` + "\nstarting\n [31mno database\n"
	if err == nil || !strings.Contains(output, want) || !strings.HasPrefix(output, `the service ["`) {
		t.Errorf("%v, want %q in:\n%s", err, want, output)
	}
}

// unstartable returns a suite whose service cannot be started and is reset by a command.
func unstartable(t *testing.T) Suite {
	suite := served()
	suite.Service = fragileService(t)
	suite.Reset = &model.Reset{Command: []string{suite.Service.Command[0], "--post", "http://127.0.0.1:{port}/__reset"}}
	suite.Service.Command[0] = "no-such-program"
	return suite
}

// If SONDE_BASE_URL is set, no service is started, and reset commands get the port of this URL.
func TestBaseURLWinsOverStarting(t *testing.T) {
	LeaveOutIfShort(t)
	t.Parallel()
	s := newService(t)
	suite := unstartable(t)
	dir := built(t, suite)
	output, err := runBuilt(t, dir, []string{"SONDE_BASE_URL=" + s.URL}, "-test.count=2")
	wantPasses(t, 2*len(suite.Tests), output, err)
	broken := httptest.NewServer(http.NotFoundHandler())
	defer broken.Close()
	output, err = runBuilt(t, dir, []string{"SONDE_BASE_URL=" + broken.URL})
	if err == nil || !strings.Contains(output, `failed: exit status 1: no luck: <nil>`) {
		t.Errorf("a reset that fails: %v\n%s", err, output)
	}
}

// A base URL with the placeholder {port} counts as missing if the tests do not start the service.
func TestPortIsNeverLiteral(t *testing.T) {
	text, err := GoFile(Suite{BaseURL: "http://127.0.0.1:{port}/v1", Tests: []model.Test{refused()}, Reset: &model.Reset{Restart: true}})
	if err != nil || !strings.Contains(string(text), `const defaultURL = ""`) || strings.Contains(string(text), "reset(t") {
		t.Errorf("%v in\n%s", err, text)
	}
}

// safe returns a service that accepts all kinds of credentials. A token is valid until the next reset, and for at
// most three calls.
func safe(t *testing.T) *service {
	s := newService(t)
	mux := http.NewServeMux()
	token, left, made := 0, 0, false
	mux.HandleFunc("POST /__reset", func(http.ResponseWriter, *http.Request) { left = 0 })
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		var sent map[string]string
		if json.NewDecoder(r.Body).Decode(&sent) != nil || sent["user"] != "eve" || sent["pass/word"] != `a"b` {
			failure(w, 403, "no such user")
			return
		}
		token, left = token+1, 3
		respond(w, 200, map[string]any{"access": map[string]any{"token": fmt.Sprint("t", token)}})
	})
	mux.HandleFunc("POST /form", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("user") != "kim" || r.FormValue("pw") != "c&d" || r.Header.Get("X-Client") != "id-7" {
			failure(w, 403, "no such user")
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "s1"})
		w.Header().Set("X-Csrf", "x1")
		http.Redirect(w, r, "/home", http.StatusFound)
	})
	mux.HandleFunc("POST /text", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "raw token") })
	mux.HandleFunc("GET /basic", func(w http.ResponseWriter, r *http.Request) {
		if name, password, _ := r.BasicAuth(); name != "gil" || password != `p"w` {
			failure(w, 403, "no such user")
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "g", Value: "2", Path: "/"})
		http.SetCookie(w, &http.Cookie{Name: "h", Value: "3="})
		http.SetCookie(w, &http.Cookie{Name: "gone", MaxAge: -1})
		now := time.Now()
		http.SetCookie(w, &http.Cookie{Name: "past", Value: "deleted", Expires: time.Unix(1, 0)})
		http.SetCookie(w, &http.Cookie{Name: "recent", Value: "deleted", Expires: now.AddDate(-1, 0, 0)})
		w.Header().Add("Set-Cookie", "dashes=deleted; expires=Thu, 01-Jan-2004 00:00:01 GMT")
		http.SetCookie(w, &http.Cookie{Name: "old", Value: "4", Expires: time.Unix(1, 0), MaxAge: 60}) // Max-Age has precedence
		http.SetCookie(w, &http.Cookie{Name: "next", Value: "5", Expires: now.AddDate(1, 0, 0)})
		w.Header().Add("Set-Cookie", "soon=6; expires=soon")
		w.Header().Set("X-Gil", "g 1")
	})
	mux.HandleFunc("POST /users", func(w http.ResponseWriter, r *http.Request) {
		if made {
			failure(w, 409, "there already")
			return
		}
		made = r.FormValue("name") == "amy" && r.FormValue("pw") == "p&w"
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, r *http.Request) {
		name, password, _ := r.BasicAuth()
		cookie := r.Header.Get("Cookie")
		switch {
		case r.Header.Get("Authorization") == fmt.Sprint("Bearer t", token) && left > 0:
			left--
		case name == "bob" && password == "b:c" && r.URL.Query().Get("key") == "k&1" && r.URL.Query().Get("a") == "1":
		case r.Header.Get("X-Api-Key") == "k2" && cookie == "own=1; tenant=t2":
		case cookie == "sid=s1" && r.Header.Get("X-Token") == "csrf x1":
		case r.Header.Get("X-Raw") == "raw token":
		case made && name == "amy" && password == "p&w":
		case r.Header.Get("X-Gil") == "t g 1" && hasCookies(r, "g=2", "h=3=", "next=5", "old=4", "own=1", "soon=6"):
		default:
			failure(w, 401, "no key")
			return
		}
		respond(w, 200, []string{})
	})
	s.Config.Handler = mux
	return s
}

// hasCookies reports whether a request has exactly these cookies, in any order.
func hasCookies(r *http.Request, want ...string) bool {
	got := strings.Split(r.Header.Get("Cookie"), "; ")
	slices.Sort(got)
	return slices.Equal(got, want)
}

// keyholders returns users with all kinds of credentials.
func keyholders(elsewhere string) []model.User {
	sends := func(in model.Location, name, value string) model.Credential {
		return model.Credential{In: in, Name: name, Value: value}
	}
	return []model.User{
		{
			Name: "bob",
			Sends: []model.Credential{
				{In: model.InHeader, Name: "Authorization", Value: "bob:${BOB_PASSWORD}", Basic: true},
				sends(model.InQuery, "key", "${BOB_KEY}"),
			},
		},
		{
			Name:  "pat",
			Sends: []model.Credential{sends(model.InHeader, "X-Api-Key", "${PAT_KEY}"), sends(model.InCookie, "tenant", "t${PAT_TENANT}")},
		},
		{Name: "eve", Login: &model.Login{
			Method: "POST", Path: "/login", Body: &model.Payload{Media: "application/json"},
			Fields: []model.LoginField{{Name: "user", Value: "eve"}, {Name: "pass/word", Value: "${EVE_PASSWORD}"}},
			Token:  &model.LoginToken{Pointer: "/access/token", In: model.InHeader, Name: "Authorization", Template: "Bearer {token}"},
		}},
		{Name: "kim", Login: &model.Login{
			Method: "POST", URL: elsewhere + "/form", Headers: []model.Credential{sends(model.InHeader, "X-Client", "id-${KIM_CLIENT}")},
			Body:   &model.Payload{Media: "application/x-www-form-urlencoded"},
			Fields: []model.LoginField{{Name: "user", Value: "kim"}, {Name: "pw", Value: "c&${KIM_END}"}}, Cookies: true,
			Token: &model.LoginToken{Header: "X-Csrf", In: model.InHeader, Name: "X-Token", Template: "csrf {token}"},
		}},
		{Name: "ray", Login: &model.Login{
			Method: "POST", Path: "/text", Body: &model.Payload{Media: "text/plain", Data: "${RAY_PAYLOAD}"},
			Token: &model.LoginToken{In: model.InHeader, Name: "X-Raw", Template: "{token}"},
		}},
	}
}

var keys = []string{
	"BOB_PASSWORD=b:c", "BOB_KEY=k&1", "PAT_KEY=k2", "PAT_TENANT=2", `EVE_PASSWORD=a"b`, "KIM_CLIENT=7", "KIM_END=d", "RAY_PAYLOAD=x",
}

// Each user authenticates in its own way. Each test logs in again, and renews a log-in that expires within the test.
// SONDE_BASE_URL names the service.
func TestUsersProveThemselves(t *testing.T) {
	t.Parallel()
	s := safe(t)
	suite := Suite{Reset: &model.Reset{Method: "POST", Path: "/__reset"}, Users: keyholders(s.URL)}
	for _, u := range suite.Users {
		call := model.Call{Op: "GET /keys", User: u.Name, Args: []model.Arg{inQuery("a", "1")}, Status: 200}
		if u.Name == "pat" {
			call.Args = append(call.Args, model.Arg{In: model.InCookie, Name: "own", Value: "1"})
		}
		suite.Tests = append(suite.Tests, model.Test{ID: u.Name, Calls: []model.Call{call, call, call, call, call}})
	}
	suite.Tests = append(suite.Tests, model.Test{ID: "anonymous", Calls: []model.Call{{Op: "GET /keys", Status: 401}}})
	dir := built(t, suite)
	env := append([]string{"SONDE_BASE_URL=" + s.URL}, keys...)
	output, err := runBuilt(t, dir, env, "-test.count=2")
	wantPasses(t, 12, output, err)
	for name, want := range map[string]string{
		"BOB_KEY":      "set BOB_KEY in the environment",
		"EVE_PASSWORD": "set EVE_PASSWORD in the environment",
	} {
		output, err := runBuilt(t, dir, append(env, name+"="))
		if err == nil || !strings.Contains(output, want) || strings.Count(output, "--- FAIL") != 1 {
			t.Errorf("without %s: %v, want one failure with %q in\n%s", name, err, want, output)
		}
	}
	output, err = runBuilt(t, dir, append(env, "EVE_PASSWORD=wrong"))
	if want := `POST /login: the log-in was answered 403 with body {"error":"no such user"}`; err == nil ||
		!strings.Contains(output, want) {
		t.Errorf("a wrong password: %v, want %s in\n%s", err, want, output)
	}
	text, _ := os.ReadFile(filepath.Join(dir, TestsFileName))
	for _, want := range []string{
		"// Set BOB_PASSWORD and BOB_KEY to the credentials of the user \"bob\".\n",
		`withJSON(` + "`{\"pass/word\": `+secret(t, \"EVE_PASSWORD\").json()+`, \"user\": \"eve\"}`)",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}
