package app

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/service"
	"sonde/ui/app/specfile"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	"github.com/google/go-cmp/cmp"
)

const thingSpec = `openapi: 3.0.3
info: {title: Things, version: "1"}
paths:
  /things:
    get:
      parameters:
        - {name: q, in: query, schema: {type: string, example: "${SONDE_TEST_GIVEN}"}}
      responses: {"200": {description: ok}}
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}
      responses: {"201": {description: made}}
`

// thingService is a service that records its requests.
type thingService struct {
	*httptest.Server
	mu   sync.Mutex
	seen []*http.Request
}

func newThingService(t *testing.T) *thingService {
	t.Helper()
	s := &thingService{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.seen = append(s.seen, r)
		s.mu.Unlock()
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusCreated)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// last returns the last request, and forgets all.
func (s *thingService) last(t *testing.T) *http.Request {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.seen) == 0 {
		t.Fatal("no request came")
	}
	r := s.seen[len(s.seen)-1]
	s.seen = nil
	return r
}

// thingWorkspace returns a workspace with a configuration of three environments besides its top level: staging and
// production, which have services, and remote, whose host is not allowed.
func thingWorkspace(t *testing.T) (w *Workspace, local, staging, production *thingService) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("SONDE_TEST_STAGING", "staging-secret")
	local, staging, production = newThingService(t), newThingService(t), newThingService(t)
	file := fmt.Sprintf(`spec: things.yaml
url: %s
auth: [{name: ann, bearer: "${SONDE_TEST_LOCAL}"}]
reset: POST /things
environments:
  staging:
    url: %s
    headers: {X-Tenant: "${tenant}"}
    users: [{name: ann, bearer: "${SONDE_TEST_STAGING}"}]
    variables: {tenant: "t 1", key: "${SONDE_TEST_STAGING}"}
  production: {url: %s, production: true}
  remote: {url: "https://api.example.com"}
`, local.URL, staging.URL, production.URL)
	t.Setenv("SONDE_TEST_LOCAL", "local-secret")
	for name, text := range map[string]string{config.FileName: file, "things.yaml": thingSpec} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := config.Load(config.FileName)
	if err != nil {
		t.Fatal(err)
	}
	w = New(t.Context(), Options{
		Specs: &specfile.Loader{}, Source: "things.yaml", Config: service.Configuration{Config: c, Path: config.FileName},
	})
	t.Cleanup(w.Close)
	if _, err := w.Load(t.Context(), "things.yaml"); err != nil {
		t.Fatal(err)
	}
	return w, local, staging, production
}

// thingCall returns a request of the user.
func thingCall(op model.OpID, user string, args ...model.Arg) model.Test {
	return model.Test{Origin: model.OriginManual, Calls: []model.Call{{Op: op, User: user, Args: args}}}
}

func inQuery(value string) model.Arg { return model.Arg{In: model.InQuery, Name: "q", Value: value} }

// Requests by hand, searches and exports call the service of the environment that is current, with its headers and its
// users.
func TestUseEnvironment(t *testing.T) {
	w, local, staging, production := thingWorkspace(t)
	answered(t, w, thingCall("GET /things", "ann"), 200)
	if got := local.last(t).Header.Get("Authorization"); got != "Bearer local-secret" {
		t.Errorf("sent %q", got)
	}
	host, users, err := w.environments.use(t.Context(), "staging")
	want := screen.Service{URL: staging.URL, Environment: "staging", HasEnvironments: true}
	if err != nil || host != want || !slices.Equal(users, []string{"ann"}) {
		t.Fatalf("got %+v, users %q, error %v", host, users, err)
	}
	answered(t, w, thingCall("GET /things", "ann"), 200)
	r := staging.last(t)
	if r.Header.Get("X-Tenant") != "t 1" || r.Header.Get("Authorization") != "Bearer staging-secret" {
		t.Errorf("sent %q", r.Header)
	}
	settings, _, err := w.session.settings(usecase.SearchSettings{})
	if args := strings.Join(settings.CommandArgs(), " "); err != nil || !strings.Contains(args, "--env staging") {
		t.Errorf("a search has %s, error %v", args, err)
	}
	made := w.session.suite(w.exporter.serviceFor(nil))
	if made.BaseURL != staging.URL || len(made.Headers) != 1 {
		t.Errorf("an export has %q with %v", made.BaseURL, made.Headers)
	}
	host, _, err = w.environments.use(t.Context(), "production")
	if err != nil || !host.Production || !host.NoReset || host.URL != production.URL {
		t.Errorf("got %+v, error %v", host, err)
	}
}

// A call that waits while the user switches to another environment is not sent there.
func TestCallWaitsDuringSwitch(t *testing.T) {
	w, local, _, production := thingWorkspace(t)
	answered(t, w, thingCall("GET /things", ""), 200)
	local.last(t)
	w.calling.Lock()
	ended := make(chan error)
	go func() {
		_, err := w.manual.send(t.Context(), thingCall("POST /things", ""), usecase.Surroundings{})
		ended <- err
	}()
	time.Sleep(50 * time.Millisecond) // the call has begun
	next, err := config.LoadEnvironment(config.FileName, "production")
	if err != nil {
		t.Fatal(err)
	}
	w.session.setService(service.Configuration{Config: next, Path: config.FileName}, serviceState{})
	w.calling.Unlock()
	if err := <-ended; !errors.Is(err, errSwitched) {
		t.Errorf("got %v", err)
	}
	if len(local.seen)+len(production.seen) > 0 {
		t.Error("a request was sent")
	}
}

// The users of a service in production are created before the first call, if the configuration says so.
func TestServiceThatCreatesUsers(t *testing.T) {
	w, _, _, _ := thingWorkspace(t)
	c := w.session.state().config
	if ConfiguredService(c, "", service.Network{}).CreatesUsers {
		t.Error("users are created without createUsers")
	}
	c.Users = []model.User{{Name: "ann", Creates: []model.Login{{Path: "/users"}}}}
	if !ConfiguredService(c, "", service.Network{}).CreatesUsers {
		t.Error("nothing says that users are created")
	}
}

// A user who was added in one environment is not sent to another, and is there again later.
func TestUsersStayInTheirEnvironment(t *testing.T) {
	w, _, _, _ := thingWorkspace(t)
	form := annWithToken(w)
	form.Name = "typed"
	if err := w.logins.add(form); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		environment string
		want        []string
	}{{"staging", []string{"ann"}}, {"default", []string{"ann", "typed"}}, {"staging", []string{"ann"}}} {
		_, users, err := w.environments.use(t.Context(), step.environment)
		if err != nil || !slices.Equal(users, step.want) {
			t.Errorf("%s: users %q, want %q, error %v", step.environment, users, step.want, err)
		}
	}
	if err := w.logins.add(form); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.logins.write("typed"); err == nil || !strings.Contains(err.Error(), "users of environment staging stay in memory") {
		t.Errorf("got %v", err)
	}
}

func TestListEnvironments(t *testing.T) {
	w, local, staging, production := thingWorkspace(t)
	if _, _, err := w.environments.use(t.Context(), "staging"); err != nil {
		t.Fatal(err)
	}
	all, err := w.environments.all()
	want := []screen.Environment{
		{Name: "default", Address: local.URL, Users: []string{"ann"}},
		{Name: "staging", Address: staging.URL, Users: []string{"ann"}, Current: true},
		{Name: "production", Address: production.URL, Users: []string{"ann"}, Production: true},
		{Name: "remote", Address: "https://api.example.com", Users: []string{"ann"}},
	}
	same := slices.EqualFunc(all, want, func(a, b screen.Environment) bool { return fmt.Sprint(a) == fmt.Sprint(b) })
	if err != nil || !same {
		t.Errorf("got %+v, error %v", all, err)
	}
	w.session.current.config.Path = ""
	if _, err := w.environments.all(); err == nil || !strings.Contains(err.Error(), "add the section environments") {
		t.Errorf("without a file: %v", err)
	}
}

// The environment stays if the new one cannot be used: it is unknown, its host is not allowed, or the service is in use.
func TestEnvironmentIsNotChanged(t *testing.T) {
	w, _, _, _ := thingWorkspace(t)
	for name, want := range map[string]string{
		"stagin": `there is no environment "stagin"`,
		"remote": "https://api.example.com is not on this machine: add allow-host: [api.example.com] to sonde.yaml",
	} {
		if _, _, err := w.environments.use(t.Context(), name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	settings := usecase.SearchSettings{Limits: model.Limits{Calls: 1_000_000}, Tuning: model.DefaultTuning(), Workers: 1}
	run, err := w.search.start(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.environments.use(t.Context(), "staging"); err == nil || err.Error() != errBusy.Error() {
		t.Errorf("during a search: %v", err)
	}
	run.Stop()
	w.search.stop()
	if _, _, err := w.environments.use(t.Context(), "staging"); err != nil {
		t.Errorf("after the search: %v", err)
	}
}

// A request by hand takes variables from the environment of the configuration, and from the process environment only
// those that the user typed. A secret is not shown.
func TestVariablesOfRequests(t *testing.T) {
	w, _, staging, _ := thingWorkspace(t)
	t.Setenv("SONDE_TEST_GIVEN", "given-secret")
	t.Setenv("SONDE_TEST_TYPED", "typed-secret")
	if _, _, err := w.environments.use(t.Context(), "staging"); err != nil {
		t.Fatal(err)
	}
	w.manual.variables.allow([]string{"SONDE_TEST_TYPED", "SONDE_TEST_MISSING"})
	for _, tt := range []struct{ typed, sent, shown string }{
		{"${tenant}", "t 1", "/things?q=t%201"},
		{"${key}", "staging-secret", "/things?q=***"},
		{"${SONDE_TEST_TYPED}", "typed-secret", "/things?q=***"},
		{"${SONDE_TEST_GIVEN}", "${SONDE_TEST_GIVEN}", "/things?q=%24%7BSONDE_TEST_GIVEN%7D"},
	} {
		s, err := w.manual.send(t.Context(), thingCall("GET /things", "", inQuery(tt.typed)), usecase.Surroundings{})
		if err != nil {
			t.Fatal(err)
		}
		if got := staging.last(t).URL.Query().Get("q"); got != tt.sent {
			t.Errorf("%s: sent %q, want %q", tt.typed, got, tt.sent)
		}
		if got := s.Exchanges[0].Request.URL; got != tt.shown {
			t.Errorf("%s: shown %q, want %q", tt.typed, got, tt.shown)
		}
		if got := s.Test.Calls[0].Args[0].Value; got != tt.typed {
			t.Errorf("%s: kept as %q", tt.typed, got)
		}
	}
	_, err := w.manual.send(t.Context(), thingCall("GET /things", "", inQuery("${SONDE_TEST_MISSING}")), usecase.Surroundings{})
	if err == nil || !strings.Contains(err.Error(), "${SONDE_TEST_MISSING} has no value: set SONDE_TEST_MISSING in the environment") {
		t.Errorf("got %v", err)
	}
	found := thingCall("GET /things", "", inQuery("${tenant}"))
	found.Origin = model.OriginSearched
	answered(t, w, found, 200)
	if got := staging.last(t).URL.Query().Get("q"); got != "${tenant}" {
		t.Errorf("a test of a search sent %q", got)
	}
}

// A test by hand is exported with the values of variables, but not with those of the process environment.
func TestVariablesInExports(t *testing.T) {
	w, _, _, _ := thingWorkspace(t)
	if _, _, err := w.environments.use(t.Context(), "staging"); err != nil {
		t.Fatal(err)
	}
	public, secret := thingCall("GET /things", "", inQuery("${tenant}")), thingCall("GET /things", "", inQuery("${key}"))
	public.ID, secret.ID = "h1", "h2"
	public.Calls[0].Status, secret.Calls[0].Status = 200, 200
	text, err := w.exporter.preview("curl", "", []model.Test{public})
	if err != nil || !strings.Contains(text, "q=t%201") || !strings.Contains(text, "X-Tenant: t 1") {
		t.Errorf("error %v in\n%s", err, text)
	}
	_, err = w.exporter.preview("curl", "", []model.Test{public, secret})
	if err == nil || !strings.Contains(err.Error(), "test h2 has ${key}, which comes from the environment") {
		t.Errorf("got %v", err)
	}
}

// Without a configuration, the environments are the addresses that the spec suggests. One of them becomes the service.
func TestAddressesOfTheSpec(t *testing.T) {
	t.Chdir(t.TempDir())
	things := newThingService(t)
	server := things.URL + "/v1/"
	servers := `servers: [{url: "` + server + `"}, {url: "http://192.0.2.1/"}, {url: "http://{host}/"}]`
	text := strings.Replace(thingSpec, "paths:", servers+"\npaths:", 1)
	if err := os.WriteFile("things.yaml", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w := New(t.Context(), Options{Specs: &specfile.Loader{}, Source: "things.yaml"})
	t.Cleanup(w.Close)
	if _, err := w.Load(t.Context(), "things.yaml"); err != nil {
		t.Fatal(err)
	}
	all, err := w.environments.all()
	want := []screen.Environment{
		{Name: "server 1", Address: things.URL + "/v1"}, {Name: "server 2", Address: "http://192.0.2.1"},
	}
	if d := cmp.Diff(want, all); d != "" || err != nil {
		t.Fatalf("%v, -want +got:\n%s", err, d)
	}
	if _, _, err := w.environments.use(t.Context(), "server 2"); err == nil || !strings.Contains(err.Error(), "--allow-host 192.0.2.1") {
		t.Errorf("a remote host: %v", err)
	}
	host, _, err := w.environments.use(t.Context(), "server 1")
	if err != nil || host.URL != things.URL+"/v1" {
		t.Fatalf("got %+v, %v", host, err)
	}
	answered(t, w, thingCall("GET /things", ""), 200)
	if r := things.last(t); r.URL.Path != "/v1/things" {
		t.Errorf("sent to %s", r.URL)
	}
	if all, _ := w.environments.all(); len(all) != 2 || !all[0].Current || all[0].Name != "now" {
		t.Errorf("got %+v", all)
	}
}
