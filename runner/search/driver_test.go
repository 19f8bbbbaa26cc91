package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/target/driver"
)

// fakeDriver is a driver for tests, together with its service. /a covers two lines. /near has a parameter n: the
// nearer n is to 0, the nearer the call comes to a branch in a third line.
type fakeDriver struct {
	*httptest.Server
	// odd may answer a request instead of the driver. It returns false if it has not answered, so that the driver
	// must answer.
	odd func(path string, w http.ResponseWriter) bool

	mu         sync.Mutex
	service    *httptest.Server
	starts     int
	best, test map[string]float64
	requested  []string // IDs of the targets in the last request for results
	busy       bool
}

func newFakeDriver(t testing.TB) *fakeDriver {
	s := &fakeDriver{best: map[string]float64{}, test: map[string]float64{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.drive))
	t.Cleanup(func() {
		s.Server.CloseClientConnections()
		s.Server.Close()
		s.stop()
	})
	return s
}

// newFakeObserver returns a fake driver, the driver's client, and an observer that uses this client.
func newFakeObserver(t testing.TB) (*fakeDriver, *driver.Driver, *driverObserver) {
	t.Helper()
	s, d := newFakeDriver(t), driver.New(driver.Options{})
	if err := d.Connect(s.URL); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return s, d, newDriverObserver(d)
}

// serve answers a request to a service that the driver started.
func (s *fakeDriver) serve(service *httptest.Server, r *http.Request) {
	if r.URL.Path == "/exit" {
		os.Exit(3)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.URL.Path {
	case "/a":
		s.test["shop.py:1"], s.test["shop.py:2"] = 1, 1
	case "/near":
		n := 0
		fmt.Sscan(r.URL.Query().Get("n"), &n)
		s.test["shop.py:9:true"] = max(s.test["shop.py:9:true"], 1/(1+float64(max(n, -n))))
	case "/die":
		go end(service)
		if s.service == service { // the driver may already have started another service
			s.service = nil
		}
		panic(http.ErrAbortHandler)
	}
}

func (s *fakeDriver) stop() {
	s.mu.Lock()
	service := s.service
	s.service = nil
	s.mu.Unlock()
	end(service)
}

func end(service *httptest.Server) {
	if service != nil {
		service.CloseClientConnections()
		service.Close()
	}
}

func (s *fakeDriver) start() any {
	s.stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.starts++
	clear(s.best)
	clear(s.test)
	service := httptest.NewUnstartedServer(nil)
	service.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { s.serve(service, r) })
	service.Start()
	s.service = service
	return map[string]string{"url": service.URL}
}

func (s *fakeDriver) results(ids []string) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requested = ids
	all := []model.Score{}
	for id, h := range s.test {
		if h > s.best[id] || slices.Contains(ids, id) {
			all = append(all, model.Score{Target: id, H: h})
		}
	}
	return driverResults(s.busy, all...)
}

// driverResults returns results in the format of a driver.
func driverResults(busy bool, all ...model.Score) any {
	list := []map[string]any{}
	for _, sc := range all {
		list = append(list, map[string]any{"id": sc.Target, "h": sc.H})
	}
	return map[string]any{"targets": list, "busy": busy}
}

func (s *fakeDriver) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, h := range s.test {
		s.best[id] = max(s.best[id], h)
	}
	clear(s.test)
}

func (s *fakeDriver) running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.service != nil
}

func (s *fakeDriver) drive(w http.ResponseWriter, r *http.Request) {
	var asked struct{ IDs []string }
	_ = json.NewDecoder(r.Body).Decode(&asked)
	if s.odd != nil && s.odd(r.Method+" "+r.URL.Path, w) {
		return
	}
	var out any = struct{}{}
	switch r.Method + " " + r.URL.Path {
	case "GET /controller":
		out = driver.Info{Protocol: driver.Protocol, Name: "fake driver", Running: s.running()}
	case "POST /controller/start":
		out = s.start()
	case "POST /controller/stop":
		s.stop()
	case "POST /controller/begin":
		s.begin()
	case "POST /controller/results":
		out = s.results(asked.IDs)
	case "GET /controller/targets":
		out = targetsOf("shop.py:1", "shop.py:2", "shop.py:3")
	case "POST /controller/targets":
		out = targetsOf(asked.IDs...)
	}
	_ = json.NewEncoder(w).Encode(out)
}

// targetsOf returns descriptions of IDs of the form FILE:LINE or FILE:LINE:KIND.
func targetsOf(ids ...string) any {
	list := []driver.Target{}
	for _, id := range ids {
		parts := strings.Split(id+"::", ":")
		t := driver.Target{ID: id, Kind: parts[2], File: parts[0], Package: "shop"}
		fmt.Sscan(parts[1], &t.Line)
		list = append(list, t)
	}
	return map[string]any{"targets": list}
}

func (s *fakeDriver) plan(paths ...string) model.Plan {
	p := model.Plan{
		Spec: &model.Spec{}, Driver: &model.Driver{URL: s.URL}, Seed: 1,
		Tuning: model.DefaultTuning(), Limits: model.Limits{Calls: 300}, Minimise: model.DefaultMinimise,
	}
	for _, path := range paths {
		op := &model.Operation{ID: model.OpID("GET " + path), Method: "GET", Path: path, Responses: []model.Response{{Status: "200"}}}
		if path == "/near" {
			op.Params = []model.Parameter{{Name: "n", In: model.InQuery, Required: true, Schema: &model.Schema{Type: "integer"}}}
		}
		p.Spec.Operations = append(p.Spec.Operations, op)
		p.Templates = append(p.Templates, model.Template{Steps: []model.TemplateStep{{Op: op.ID, Min: 1, Max: 1}}, Weight: 1})
	}
	return p
}

// driven runs a search with a driver and returns its last snapshot and coverage profile.
func driven(t *testing.T, p model.Plan) (last model.Snapshot, profile string) {
	t.Helper()
	run, err := New(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	run.Start(context.Background(), Sink{SaveCode: func(text []byte, _ []model.TestTargets) error {
		profile = string(text)
		return nil
	}})
	return run.Wait(), profile
}

// A search with a driver uses the driver's results, shows the driver's targets, and resets the service through the
// driver.
func TestSearchByDriver(t *testing.T) {
	s := newFakeDriver(t)
	last, profile := driven(t, s.plan("/a", "/near"))
	c := last.Summary.Code
	if last.Err != nil || len(last.Summary.Warnings) > 0 || c == nil || c.Targets != 4 || c.Covered != 3 || c.SetUp != 0 {
		t.Fatalf("%v, %v, %+v", last.Err, last.Summary.Warnings, c)
	}
	statements, branches := c.Totals()
	wantStatements, wantBranches := model.CoverageCount{Covered: 2, All: 3}, model.CoverageCount{Covered: 1, All: 1}
	if statements != wantStatements || branches != wantBranches {
		t.Errorf("%v statements, %v branches", statements, branches)
	}
	if want := "./shop.py:1.1,1.4096 1 1\n"; !strings.Contains(profile, want) || strings.Contains(profile, ":9.") {
		t.Errorf("got %q, want a line %q and none of a branch", profile, want)
	}
	code := 0
	for _, test := range last.Tests {
		code += test.Code
	}
	if code != 3 || last.Source.Files[0].Package != "shop" || last.Summary.Targets != 2 {
		t.Errorf("tests are kept for %d places; %+v; %d targets besides", code, last.Source.Files, last.Summary.Targets)
	}
	if s.running() {
		t.Error("the service still runs")
	}
}

func TestDriverBlind(t *testing.T) {
	p := newFakeDriver(t).plan("/a")
	p.Driver.Blind = true
	last, profile := driven(t, p)
	if c := last.Summary.Code; last.Err != nil || c.Covered != 2 || last.Tests[0].Code != 0 ||
		!strings.Contains(profile, "shop.py:2.1,2.4096 1 1") {
		t.Errorf("%v, %+v, %s", last.Err, c, profile)
	}
}

// Each misbehaviour of a driver is reported in one line, and no test is lost.
func TestHostileDrivers(t *testing.T) {
	write := func(path, text string) func(string, http.ResponseWriter) bool {
		return func(asked string, w http.ResponseWriter) bool {
			if asked == path {
				io.WriteString(w, text)
			}
			return asked == path
		}
	}
	refuse := func(path string) func(string, http.ResponseWriter) bool {
		return func(asked string, w http.ResponseWriter) bool {
			if asked == path {
				http.Error(w, `{"error": "no\n\u001b[31mdatabase"}`, 500)
			}
			return asked == path
		}
	}
	const results, targets = "POST /controller/results", "POST /controller/targets"
	tests := []struct {
		name    string
		odd     func(path string, w http.ResponseWriter) bool
		err     string // of the run, "" for none
		warning string // of the run, "" for none
		covered int    // number of covered targets of the source
	}{
		{
			"garbage", write(results, "<html>\x1b[31m"), "",
			"is not the JSON of docs/driver.md (invalid character '<' looking for beginning of value): <html> [31m; " +
				"the run continues as black-box",
			0,
		},
		{"broken off", write(results, `{"targets": [{"id"`), "", "is not the JSON", 0},
		{"a score above 1", write(results, `{"targets": [{"id": "x", "h": 7}, {"id": "shop.py:1", "h": 1}]}`), "", "0 IDs and ", 1},
		{"a score that is no number", write(results, `{"targets": [{"id": "x", "h": "NaN"}]}`), "", "is not the JSON", 0},
		{
			"an ID like a target of ours",
			write(results, `{"targets": [{"id": "GET /a 200", "h": 1}, {"id": "", "h": 1}]}`), "",
			`first the ID "GET /a 200"`, 0,
		},
		{"unknown IDs", write(targets, `{}`), "", "", 3},
		{"IDs that cannot be looked up", refuse(targets), "", "", 3},
		{"no list", refuse("GET /controller/targets"), "", "", 3},
		{"a refusal", refuse(results), "", `answered 500: "no  [31mdatabase"; the run continues as black-box`, 0},
		{"100 MB", func(path string, w http.ResponseWriter) bool {
			if path == results {
				block := []byte(strings.Repeat(" ", 1<<20))
				for range 100 {
					if _, err := w.Write(block); err != nil {
						break
					}
				}
			}
			return path == results
		}, "", "answered with more than 32 MB", 0},
		{"another protocol", write("GET /controller", `{"protocol": 2}`), "speaks protocol 2, this Sonde speaks 1", "", 0},
		{"no URL", write("POST /controller/start", `{}`), "has no url", "", 0},
		{
			"a URL of another host", write("POST /controller/start", `{"url": "http://sonde.example"}`),
			"add --allow-host sonde.example", "", 0,
		},
		{"no service at the URL", write("POST /controller/start", `{"url": "http://127.0.0.1:1"}`), "which accepts no connection", "", 0},
		{"no reset", refuse("POST /controller/reset"), `reset "POST /controller/reset" failed`, "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newFakeDriver(t)
			s.odd = tt.odd
			last, _ := driven(t, s.plan("/a", "/near"))
			said := ""
			for _, w := range last.Summary.Warnings {
				if w.Kind == model.WarnDriver {
					said += w.Text
				}
			}
			if err := fmt.Sprint(cmp.Or(last.Err, fmt.Errorf("none"))); !strings.Contains(err, cmp.Or(tt.err, "none")) ||
				strings.ContainsAny(err, "\n\x1b") {
				t.Errorf("got the error %q, want %q", err, tt.err)
			}
			if !strings.Contains(said, tt.warning) || tt.warning == "" && said != "" || strings.ContainsAny(said, "\n\x1b") {
				t.Errorf("got the warning %q, want %q", said, tt.warning)
			}
			if last.Summary.Code.Covered != tt.covered || tt.err == "" && len(last.Tests) < 2 {
				t.Errorf("%d covered, want %d; %d tests", last.Summary.Code.Covered, tt.covered, len(last.Tests))
			}
			for _, test := range last.Tests {
				if test.Flaky != "" {
					t.Errorf("%s is flaky: %s", test.ID, test.Flaky)
				}
			}
		})
	}
}

// A run ends if its driver ends, unless Sonde has started the driver. The tests that were found before are kept.
func TestDriverDies(t *testing.T) {
	s := newFakeDriver(t)
	var asked atomic.Int32
	s.odd = func(string, http.ResponseWriter) bool {
		if asked.Add(1) < 100 {
			return false
		}
		panic(http.ErrAbortHandler)
	}
	last, _ := driven(t, s.plan("/a", "/near"))
	if last.Err == nil || !strings.Contains(last.Err.Error(), "see the driver's log, then start it again") ||
		strings.Contains(last.Err.Error(), "\n") {
		t.Errorf("got %v", last.Err)
	}
	if len(last.Tests) < 2 || last.Summary.Code.Covered < 2 {
		t.Errorf("%d tests, %+v", len(last.Tests), last.Summary.Code)
	}
}

// A run finds the service again if the driver starts it at another address.
func TestDrivenServiceMoves(t *testing.T) {
	s := newFakeDriver(t)
	last, _ := driven(t, s.plan("/a", "/die"))
	if last.Err != nil || last.Summary.Restarts == 0 || s.starts != last.Summary.Restarts+1 || last.Summary.Code.Covered != 2 {
		t.Errorf("%v, %d restarts, %d starts, %+v", last.Err, last.Summary.Restarts, s.starts, last.Summary.Code)
	}
	if len(last.Faults) == 0 || last.Faults[0].Op != "GET /die" || last.Faults[0].Oracle != string(model.ServiceDied) {
		t.Errorf("%+v", last.Faults)
	}
}

func TestDriverWithManyTargets(t *testing.T) {
	if testing.Short() {
		t.Skip("it reports many targets: left out by -short")
	}
	const many = 10_000
	ids := make([]string, many)
	for i := range ids {
		ids[i] = fmt.Sprintf("pkg%d/file%d.py:%d", i%10, i%1000, i)
	}
	text, err := json.Marshal(targetsOf(ids...))
	if err != nil {
		t.Fatal(err)
	}
	s := newFakeDriver(t)
	s.odd = func(path string, w http.ResponseWriter) bool {
		if path == "GET /controller/targets" {
			w.Write(text)
		}
		return path == "GET /controller/targets"
	}
	last, _ := driven(t, s.plan("/a"))
	if c := last.Summary.Code; last.Err != nil || c.Targets != many+2 || c.Covered != 2 {
		t.Errorf("%v, %d targets, %d covered", last.Err, c.Targets, c.Covered)
	}
}

// A driver that Sonde does not start has only one copy of the service.
func TestDriverHasOneCopy(t *testing.T) {
	p := newFakeDriver(t).plan("/a")
	p.Workers = 2
	if _, err := New(context.Background(), p); err != ErrSharedDriver {
		t.Errorf("got %v", err)
	}
}

// The observer asks the driver for two kinds of targets: targets that were reached and not covered, and covered
// targets that are wanted. It ignores other covered targets in the driver's results.
func TestDriverObserverRequestsTargets(t *testing.T) {
	ctx := context.Background()
	s, d, obs := newFakeObserver(t)
	if _, err := d.Start(ctx); err != nil {
		t.Fatal(err)
	}
	for i, step := range []struct {
		test      map[string]float64
		ask       string // "+x" or "-x"
		requested []string
		scores    string
	}{
		{map[string]float64{"a": 1, "b": .5}, "", []string{}, "[{a 1 0} {b 0.5 0}]"},
		{map[string]float64{"a": 1, "b": .3}, "", []string{"a", "b"}, "[{a 1 0} {b 0.3 0}]"},
		{map[string]float64{"a": 1, "c": .1}, "-a", []string{"b"}, "[{c 0.1 0}]"},
		{map[string]float64{"a": 1}, "+a", []string{"b", "c", "a"}, "[{a 1 0}]"},
		{map[string]float64{"a": 1, "b": .6}, "-a", []string{"b", "c"}, "[{b 0.6 0}]"},
	} {
		if step.ask != "" {
			obs.setWanted(0, step.ask[1:], step.ask[0] == '+')
		}
		if err := obs.begin(ctx); err != nil {
			t.Fatal(err)
		}
		s.test = step.test
		scores, err := obs.settled(ctx)
		if got := fmt.Sprint(scores); err != nil || got != step.scores || !slices.Equal(s.requested, step.requested) {
			t.Errorf("%d: %v, asked for %v, told of %v; want %v, %v", i, err, s.requested, got, step.requested, step.scores)
		}
	}
}

// The observer waits for a busy service for a limited time. What the service covers after the wait is credited to the
// previous test.
func TestDriverObserverWaits(t *testing.T) {
	ctx := context.Background()
	s, _, obs := newFakeObserver(t)
	s.test, s.busy = map[string]float64{"a": 1, "b": .2}, true
	start := time.Now()
	if scores, err := obs.settled(ctx); err != nil || len(scores) != 2 || time.Since(start) < maxBusyTime {
		t.Errorf("%v, %v after %v", scores, err, time.Since(start))
	}
	s.mu.Lock()
	s.test["b"], s.test["c"], s.busy = .4, 1, false
	s.mu.Unlock()
	if scores, err := obs.lateScores(ctx); err != nil || fmt.Sprint(scores) != "[{b 0.4 0} {c 1 0}]" {
		t.Errorf("late: %v, %v", scores, err)
	}
	if scores, err := obs.lateScores(ctx); err != nil || scores != nil {
		t.Errorf("later: %v, %v", scores, err)
	}
}

// init turns the test binary into a driver if its environment has a port.
func init() {
	if port := os.Getenv("SONDE_TEST_DRIVER"); port != "" {
		s := &fakeDriver{best: map[string]float64{}, test: map[string]float64{}}
		panic(http.ListenAndServe("127.0.0.1:"+port, http.HandlerFunc(s.drive)))
	}
}

// A driver that Sonde has started is restarted when it ends, and is asked for the same wanted targets again. Each
// worker has a driver.
func TestDriverIsStartedAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped in short mode: it starts processes")
	}
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := newFakeDriver(t).plan("/a", "/exit")
	p.Workers, p.Limits.Calls = 2, 60
	p.Driver = &model.Driver{
		URL: "http://127.0.0.1:" + model.PortPlaceholder,
		Run: &model.Service{Command: []string{self}, Env: map[string]string{"SONDE_TEST_DRIVER": model.PortPlaceholder}},
	}
	last, _ := driven(t, p)
	if c := last.Summary.Code; last.Err != nil || last.Summary.Restarts == 0 || c.Covered != 2 || c.Targets != 3 {
		t.Errorf("%v, %d restarts, %+v", last.Err, last.Summary.Restarts, c)
	}
	if len(last.Faults) == 0 || last.Faults[0].Op != "GET /exit" ||
		!strings.Contains(last.Faults[0].Text, "the driver of the service: service died: exit status 3") {
		t.Errorf("%+v", last.Faults)
	}
}

// A reset of the plan takes precedence over the reset by the driver.
func TestDrivenReset(t *testing.T) {
	for _, by := range []model.Reset{{Method: "POST", Path: "/reset"}, {Restart: true}} {
		s := newFakeDriver(t)
		var asked atomic.Int32
		s.odd = func(path string, _ http.ResponseWriter) bool {
			if path == "POST /controller/reset" {
				asked.Add(1)
			}
			return false
		}
		p := s.plan("/a")
		p.Reset, p.Limits.Calls = &by, 30
		last, _ := driven(t, p)
		if last.Err != nil || asked.Load() > 0 || (last.Summary.SetUp > 0) != (by.Path != "") || (s.starts > 1) != by.Restart {
			t.Errorf("%s: %v, %d resets by the driver, %d to set up, %d starts", by, last.Err, asked.Load(), last.Summary.SetUp, s.starts)
		}
	}
}

// The number of targets that a driver may report is bounded.
func TestDriverTargetsAreBounded(t *testing.T) {
	s := newFakeDriver(t)
	plan := s.plan("/a")
	pool := &workerPool{plan: plan, budget: &budget{}}
	e := newScheduler(&testbed{plan: plan, pool: pool, judge: newJudge(plan, nil, false), code: newCodeTracker(plan, pool, nil)}, nil)
	e.code.coverage.ids = make([]string, maxCodeTargets-1) // as many IDs as if the driver had reported them
	e.code.coverage.numbers = make([]int, maxCodeTargets-1)
	e.code.coverage.covered, e.code.coverage.reach.positions = make([]bool, maxCodeTargets-1), make([]filePosition, maxCodeTargets-1)
	d := driver.New(driver.Options{})
	if err := d.Connect(s.URL); err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	p := &played{testCoverage: testCoverage{codeScores: []model.Score{{Target: "a:1", H: 1}, {Target: "b:1", H: 1}}}}
	e.code.resolveTargets(context.Background(), &worker{driver: d}, p)
	if len(e.code.coverage.ids) != maxCodeTargets || len(p.codeScores) != 1 || p.codeScores[0].Target != "a:1" ||
		e.code.coverage.indexOf(p.codeScores[0].Number) != maxCodeTargets-1 {
		t.Errorf("%d targets, %+v", len(e.code.coverage.ids), p.codeScores)
	}
}
