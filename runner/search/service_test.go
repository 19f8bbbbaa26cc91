package search_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/analysis"
	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/openapi"
	"sonde/runner/search"

	"github.com/google/go-cmp/cmp"
)

// campaigns makes some tests search with more seeds and larger budgets, for .ci/full.
var campaigns = flag.Bool("campaigns", false, "search with more seeds and larger budgets")

// skipInShort skips a test that takes too long for go test -short.
func skipInShort(t *testing.T, reason string) {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped in short mode: it " + reason)
	}
}

// program builds a package's command.
func program(t *testing.T, pkg string) string {
	t.Helper()
	skipInShort(t, "builds a service")
	return search.BuildOnce(t, pkg, func(path string) error {
		out, err := exec.Command("go", "build", "-o", path, pkg).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	})
}

// fragile returns the plan of a search that starts the fragile service. ops are the operations that the search may call
// in addition to the operations on things.
func fragile(t *testing.T, calls int, ops ...string) model.Plan {
	p := plan("", calls)
	p.Users = nil
	p.Spec.Operations[0].Body, p.Spec.Operations[0].Secured = nil, false // no credentials are needed
	for _, path := range ops {
		p.Spec.Operations = append(p.Spec.Operations, &model.Operation{
			ID: model.OpID("POST " + path), Method: "POST", Path: path, Responses: []model.Response{{Status: "200"}},
		})
	}
	p.Service = &model.Service{
		Command: []string{program(t, "sonde/runner/testdata/fragile"), "--addr", "127.0.0.1:{port}"},
		Ready:   model.ReadinessCheck{Path: "/health", Timeout: time.Minute},
		Log:     filepath.Join(t.TempDir(), "service.log"),
	}
	return p
}

// died, hangs and silent are the labels of faults without an answer.
const died, hangs, silent = " " + string(model.ServiceDied), " " + string(model.ServiceHangs), " " + string(model.NoAnswer)

// reasonText returns the text of a fault, which describes what the service did.
func reasonText(f model.Fault) string { return f.Text }

// byKind returns the faults of a run by operation and label.
func byKind(s model.Snapshot) map[string]model.Fault {
	m := map[string]model.Fault{}
	for _, f := range s.Faults {
		m[fmt.Sprintf("%s %s", f.Op, f.Label())] = f
	}
	return m
}

// keeps reports whether a test is kept for a fault and calls the operation of the fault.
func keeps(s model.Snapshot, f model.Fault) bool {
	return slices.ContainsFunc(s.Tests, func(t model.Test) bool {
		return slices.Contains(t.Covers, fmt.Sprintf("%s %s", f.Op, f.Label())) && slices.Contains(t.Seq(), f.Op)
	})
}

// A service that ends is restarted, and the run continues to its end. Each way of ending is a separate fault with the
// test that caused it.
func TestServiceThatDies(t *testing.T) {
	t.Parallel()
	p := fragile(t, 500, "/exit", "/panic", "/late", "/drop")
	var log []byte
	got := start(t, p, search.Sink{SaveTests: func([]model.Test) (err error) { log, err = os.ReadFile(p.Service.Log); return err }}).Wait()
	s := got.Summary
	if got.Err != nil || s.Calls < 499 || s.Restarts < 3 || s.With2xx < 2 {
		t.Fatalf("error %v, summary %+v", got.Err, s)
	}
	faults := byKind(got)
	texts := map[string]string{
		"POST /exit" + died:   `service died: exit status 3, "giving up"`,
		"POST /panic" + died:  `service died: exit status 2, "panic: boom"`,
		"POST /late" + died:   `service died: exit status 5, "listening with"`,
		"POST /drop" + silent: "the server closed the connection without answering",
	}
	for name, text := range texts {
		f, ok := faults[name]
		if !ok || reasonText(f) != text || f.Calls < 1 || f.At < 1 || !keeps(got, f) {
			t.Errorf("%s: fault %+v, kept %t", name, f, keeps(got, f))
		}
	}
	if s.Faults != len(faults) || len(got.Faults) != len(faults) {
		t.Errorf("faults %+v, the summary says %d", got.Faults, s.Faults)
	}
	for name, f := range faults {
		if texts[name] == "" {
			t.Errorf("%s: fault %+v", name, f)
		}
	}
	// The last restart may be cut short by the end of the budget.
	if n := strings.Count(string(log), "sonde: started on port") - 1; n != s.Restarts && n != s.Restarts+1 {
		t.Errorf("the log has %d restarts, the summary %d", n, s.Restarts)
	}
}

// A run notices and restarts a service that hangs.
func TestServiceThatHangs(t *testing.T) {
	p := fragile(t, 30, "/hang")
	p.Timeout = 300 * time.Millisecond
	p.Spec.Operations = p.Spec.Operations[2:]
	p.Templates, p.Reset = nil, nil
	p.Limits.Calls = 8
	got := start(t, p, search.Sink{}).Wait()
	f, ok := byKind(got)["POST /hang"+hangs]
	if got.Err != nil || !ok || !strings.HasPrefix(reasonText(f), "service hangs: GET /health gets no answer either") ||
		!keeps(got, f) || got.Summary.Restarts < 2 {
		t.Errorf("error %v, faults %+v, summary %+v", got.Err, got.Faults, got.Summary)
	}
}

// A started service has ended when the run is over, however the run ends.
func TestServiceEndsWithTheRun(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(*search.Run)
		emit func(model.LogEntry) error
		err  string
	}{
		{name: "its budget", end: func(*search.Run) {}},
		{name: "a person", end: func(r *search.Run) { r.Stop() }},
		{name: "a panic", end: func(*search.Run) {}, emit: func(l model.LogEntry) error {
			if _, ok := l.Event.(model.TargetCovered); ok {
				panic("boom")
			}
			return nil
		}, err: "boom"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := fragile(t, 200, "/child")
			r := start(t, p, search.Sink{Emit: c.emit})
			until(t, func() bool { s := r.Snapshot(); return s.Summary.Calls > 5 || s.Phase == model.PhaseDone })
			c.end(r)
			got := r.Wait()
			if (got.Err != nil) != (c.err != "") || got.Err != nil && !strings.Contains(got.Err.Error(), c.err) {
				t.Errorf("error %v", got.Err)
			}
			if port := startedOn(t, p); !isRefused(port) {
				t.Errorf("something listens on port %s", port)
			}
		})
	}
}

// startedOn returns the port in the log.
func startedOn(t *testing.T, p model.Plan) string {
	t.Helper()
	log, err := os.ReadFile(p.Service.Log)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(log), "sonde: started on port ")
	port, _, _ := strings.Cut(rest, ":")
	return port
}

func isRefused(port string) bool {
	res, err := http.Get("http://127.0.0.1:" + port + "/health")
	if err == nil {
		res.Body.Close()
	}
	return err != nil
}

// A service that cannot be started ends the run with an error of one line.
func TestServiceThatDoesNotStart(t *testing.T) {
	p := fragile(t, 100)
	p.Service.Command = append(p.Service.Command, "--die", "no database")
	var events []model.Event
	got := start(t, p, search.Sink{Emit: func(l model.LogEntry) error { events = append(events, l.Event); return nil }}).Wait()
	var gone *search.UnreachableError
	if !errors.As(got.Err, &gone) || !strings.Contains(got.Err.Error(), "no database") || got.Summary.Calls != 0 ||
		got.Phase != model.PhaseDone {
		t.Errorf("error %v, summary %+v", got.Err, got.Summary)
	}
	if _, ok := events[len(events)-1].(model.RunStopped); !ok {
		t.Errorf("events %+v", events)
	}
	if _, err := search.NewInvoker(context.Background(), p, pathLinks, 1); err == nil || !strings.Contains(err.Error(), "no database") {
		t.Errorf("the invoker's error %v", err)
	}
	p.Service.Command = nil
	if _, err := search.New(context.Background(), p); err == nil || !strings.Contains(err.Error(), "no command") {
		t.Errorf("error %v", err)
	}
}

// If each reset ends the service, the run ends with an error instead of blaming the tests forever.
func TestResetThatKills(t *testing.T) {
	p := fragile(t, 100)
	p.Reset = &model.Reset{Method: "POST", Path: "/exit"}
	got := start(t, p, search.Sink{}).Wait()
	var gone *search.UnreachableError
	if !errors.As(got.Err, &gone) || !strings.Contains(got.Err.Error(), `no test can begin, several times in a row: reset "POST /exit"`) ||
		len(got.Faults) != 0 {
		t.Errorf("error %v, faults %+v", got.Err, got.Faults)
	}
}

// All requests are counted, whatever the budget is.
func TestBudgetWithService(t *testing.T) {
	for calls := 1; calls <= 12; calls++ {
		p := fragile(t, calls, "/exit")
		got := start(t, p, search.Sink{}).Wait()
		if s := got.Summary; got.Err != nil || s.Calls > calls || s.Calls < calls-1 || s.SetUp < 1 {
			t.Errorf("budget %d: error %v, summary %+v", calls, got.Err, s)
		}
	}
}

// An invoker starts the service, resets it by a restart, and stops it.
func TestInvokeStartsTheService(t *testing.T) {
	p := fragile(t, 0, "/exit")
	p.Reset = &model.Reset{Restart: true}
	v := invoker(t, p, 1)
	for _, c := range []struct {
		seq      model.Seq
		statuses []int
	}{
		{model.Seq{create, read}, []int{201, 200}},
		{model.Seq{"POST /exit"}, []int{0}},
		{model.Seq{create, read}, []int{201, 200}},
	} {
		a, err := v.Invoke(context.Background(), c.seq)
		if err != nil || !slices.Equal(statuses(a), c.statuses) {
			t.Errorf("%v: statuses %v, error %v", c.seq, statuses(a), err)
		}
	}
	if f := v.Faults(); len(f) != 1 || f[0].Label() != string(model.ServiceDied) || v.Summary().Restarts != 1 {
		t.Errorf("faults %+v, summary %+v", f, v.Summary())
	}
	v.Close()
	if port := startedOn(t, p); !isRefused(port) {
		t.Errorf("something listens on port %s", port)
	}
}

func abort(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// In services that Sonde did not start, a run finds two kinds of faults without an answer: a closed connection, and a
// call without any answer.
func TestNoAnswer(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits: left out by -short")
	}
	for _, c := range []struct {
		name, text string
		two        bool // the server uses HTTP/2
		answer     http.HandlerFunc
	}{
		{"closed", "the server closed the connection without answering", false, abort},
		{"a stream that is closed", "the server closed the connection without answering", true, abort},
		{"never", "no answer in time", false, hang},
		{"never on a stream", "no answer in time", true, hang},
		{"no HTTP", `the answer is not HTTP: net/http: HTTP/1.x transport connection broken: ` +
			`malformed HTTP response "nonsense"`, false, func(
			w http.ResponseWriter, _ *http.Request,
		) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				conn.Write([]byte("nonsense\r\n"))
				conn.Close()
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := serve(t)
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if c.two != (r.ProtoMajor == 2) {
					t.Errorf("asked by %s", r.Proto)
				}
				if r.Method == "GET" {
					c.answer(w, r)
					return
				}
				s.ServeHTTP(w, r)
			}))
			server.EnableHTTP2 = c.two
			if c.two {
				server.StartTLS()
			} else {
				server.Start()
			}
			defer server.Close()
			p := plan(server.URL, 12)
			p.Insecure = true
			p.Timeout = 200 * time.Millisecond
			got := start(t, p, search.Sink{}).Wait()
			f, ok := byKind(got)["GET /things/{id}"+silent]
			if got.Err != nil || !ok || reasonText(f) != c.text || !keeps(got, f) {
				t.Errorf("error %v, faults %+v, kept %t", got.Err, got.Faults, keeps(got, f))
			}
		})
	}
}

// demoPlan returns the plan of a search that starts the demo.
func demoPlan(t *testing.T, calls int) model.Plan {
	t.Helper()
	spec, err := openapi.Parse(context.Background(), "demo", demo.Specification(), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := model.Plan{
		Spec:      spec,
		Templates: analysis.Analyze(spec, analysis.Options{}).Templates(),
		Seed:      1,
		Tuning:    model.DefaultTuning(),
		Limits:    model.Limits{Calls: calls},
		Reset:     &model.Reset{Method: "POST", Path: "/__reset"},
		Service: &model.Service{
			Command: []string{program(t, "sonde/assets/demo/server"), "--addr", "127.0.0.1:{port}"},
			Ready:   model.ReadinessCheck{Path: "/health", Timeout: time.Minute},
		},
	}
	for _, u := range demo.Users() {
		p.Users = append(p.Users, model.User{Name: u.Name, Header: "Authorization", Public: "Bearer " + u.Token})
	}
	return p
}

func TestSearchStartsTheDemo(t *testing.T) {
	t.Parallel()
	const calls = 800
	got := start(t, demoPlan(t, calls), search.Sink{}).Wait()
	s := got.Summary
	if got.Err != nil || s.Calls < calls-1 || s.Restarts != 0 || s.Unanswered != 0 || s.With2xx < s.Operations/2 || s.Faults == 0 {
		t.Errorf("error %v, summary %+v", got.Err, s)
	}
	again := start(t, demoPlan(t, calls), search.Sink{}).Wait()
	if diff := cmp.Diff(got.Tests, again.Tests); diff != "" {
		t.Errorf("the same search of another process gave another suite:\n%s", diff)
	}
}

// If the reset of a service is a restart, the service is restarted before a test only if something may have changed.
func TestSearchRestartsTheDemo(t *testing.T) {
	p := demoPlan(t, 60)
	p.Reset = &model.Reset{Restart: true}
	got := start(t, p, search.Sink{}).Wait()
	if s := got.Summary; got.Err != nil || s.Restarts != 0 || s.SetUp < 5 || s.With2xx == 0 {
		t.Errorf("error %v, summary %+v", got.Err, s)
	}
}

// A body of another media type covers a declared 415.
func TestOtherMediaTypes(t *testing.T) {
	s, _ := serve(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if media := r.Header.Get("Content-Type"); r.URL.Path == "/things" && media != "" && media != "application/json" {
			w.WriteHeader(http.StatusUnsupportedMediaType)
			return
		}
		s.ServeHTTP(w, r)
	}))
	defer server.Close()
	p := plan(server.URL, 500)
	p.Spec.Operations[0].Responses = append(p.Spec.Operations[0].Responses, model.Response{Status: "415"})
	p.Sampling.Invalid = 0.3
	if got := start(t, p, search.Sink{}).Wait(); !keepsFor(got.Tests, "POST /things 415") {
		t.Errorf("no test sends another media type; answers %v", got.Grid["POST /things"])
	}
}
