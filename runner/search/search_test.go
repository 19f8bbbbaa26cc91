package search_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/search"

	"github.com/google/go-cmp/cmp"
)

// things is a small service: a collection whose members have a size. Reading a thing of size 13 is a fault.
type things struct {
	mu       sync.Mutex
	mux      *http.ServeMux
	sizes    map[string]int
	next     int
	requests atomic.Int64
	resets   atomic.Int64
}

func (s *things) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests.Add(1)
	if s.mux == nil {
		s.mux = http.NewServeMux()
		s.mux.HandleFunc("POST /reset", func(http.ResponseWriter, *http.Request) {
			s.resets.Add(1)
			s.sizes, s.next = map[string]int{}, 0
		})
		s.mux.HandleFunc("POST /things", s.create)
		s.mux.HandleFunc("GET /things/{id}", s.read)
	}
	s.mux.ServeHTTP(w, r)
}

func (s *things) create(w http.ResponseWriter, r *http.Request) {
	var body struct{ Size int }
	if json.NewDecoder(r.Body).Decode(&body) != nil || body.Size < 0 || r.Header.Get("Authorization") == "" {
		w.WriteHeader(400)
		return
	}
	s.next++
	id := fmt.Sprint(1000 + s.next)
	s.sizes[id] = body.Size
	w.Header().Set("Location", "/things/"+id)
	w.WriteHeader(201)
}

func (s *things) read(w http.ResponseWriter, r *http.Request) {
	size, ok := s.sizes[r.PathValue("id")]
	switch {
	case !ok:
		w.WriteHeader(404)
	case size == 13:
		w.WriteHeader(500)
		fmt.Fprint(w, "\x1b[31mbad luck\n")
	default:
		fmt.Fprintf(w, `{"id":%q,"size":%d}`, r.PathValue("id"), size)
	}
}

func plan(url string, calls int) model.Plan {
	low, high := -20.0, 20.0
	size := model.Property{Name: "size", Required: true, Schema: &model.Schema{Type: "integer", Min: &low, Max: &high}}
	thing := []model.Content{
		{Media: "application/json", Schema: &model.Schema{Type: "object", Properties: []model.Property{size}}},
	}
	spec := &model.Spec{Source: "things", Operations: []*model.Operation{
		{
			ID: "POST /things", Method: "POST", Path: "/things", Secured: true,
			Body:      &model.RequestBody{Name: "body", Required: true, Contents: thing},
			Responses: []model.Response{{Status: "201"}, {Status: "400"}},
		},
		{
			ID: "GET /things/{id}", Method: "GET", Path: "/things/{id}",
			Params:    []model.Parameter{{Name: "id", In: model.InPath, Required: true, Schema: &model.Schema{Type: "string"}}},
			Responses: []model.Response{{Status: "200"}, {Status: "404"}},
		},
	}}
	return model.Plan{
		Spec: spec, BaseURL: url, Seed: 1, Tuning: model.DefaultTuning(), Limits: model.Limits{Calls: calls},
		Users: []model.User{{Name: "ann", Header: "Authorization", Public: "x"}},
		Reset: &model.Reset{Method: "POST", Path: "/reset"},
		Templates: []model.Template{
			{Steps: []model.TemplateStep{{Op: "POST /things", Min: 1, Max: 1}}, Weight: 1},
			{
				Steps: []model.TemplateStep{{Op: "POST /things", Min: 1, Max: 1}, {Op: "GET /things/{id}", Min: 1, Max: 1}},
				Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: "id"}}, Weight: 1,
			},
		},
	}
}

func start(t *testing.T, p model.Plan, s search.Sink) *search.Run {
	t.Helper()
	r, err := search.New(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	r.Start(context.Background(), s)
	return r
}

func serve(t *testing.T) (*things, string) {
	s := &things{sizes: map[string]int{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, server.URL
}

func TestRunCoversWhatThereIs(t *testing.T) {
	const calls = 1000
	service, url := serve(t)
	var saved []model.Test
	var events []model.Event
	got := start(t, plan(url, calls), search.Sink{
		SaveTests: func(tests []model.Test) error { saved = tests; return nil },
		Emit:      func(l model.LogEntry) error { events = append(events, l.Event); return nil },
	}).Wait()
	var covers []string
	for _, test := range got.Tests {
		covers = append(covers, test.Covers...)
	}
	slices.Sort(covers)
	want := []string{"GET /things/{id} 200", "GET /things/{id} 404", "GET /things/{id} 500", "POST /things 201", "POST /things 400"}
	if !slices.Equal(covers, want) {
		t.Errorf("covered %q, want %q", covers, want)
	}
	if text := got.Newest[model.OpStatus{Op: "GET /things/{id}", Status: 500}]; !strings.Contains(text, "bad luck") {
		t.Errorf("the newest 500 begins with %q", text)
	}
	s := got.Summary
	if s.Covered != 5 || s.Targets != 5 || s.With2xx != 2 || s.With5xx != 1 || s.Faults != 1 || got.Phase != model.PhaseDone {
		t.Errorf("summary %+v, phase %s", s, got.Phase)
	}
	if asked := int(service.requests.Load()); asked != s.Calls || asked > calls {
		t.Errorf("%d requests arrived, summary says %d, budget %d", asked, s.Calls, calls)
	}
	if int(service.resets.Load()) != s.SetUp {
		t.Errorf("%d resets arrived, summary says %d", service.resets.Load(), s.SetUp)
	}
	if f := got.Faults[0]; f.Text != "[31mbad luck" || f.Calls != 2 || f.Op != "GET /things/{id}" {
		t.Errorf("fault %+v", f)
	}
	if d := cmp.Diff(got.Tests, saved); d != "" {
		t.Errorf("saved other tests than shown:\n%s", d)
	}
	if _, ok := events[len(events)-1].(model.RunStopped); !ok {
		t.Errorf("last event is %T", events[len(events)-1])
	}
}

func TestKeptTestSaysWhatHolds(t *testing.T) {
	_, url := serve(t)
	for _, test := range start(t, plan(url, 400), search.Sink{}).Wait().Tests {
		if !slices.Contains(test.Covers, "GET /things/{id} 200") {
			continue
		}
		if len(test.Calls) != 2 || len(test.Links) != 1 || test.Links[0].Header != "Location" {
			t.Errorf("test %+v, want a creation that gives its Location to a read", test)
		}
		if c := test.Checks; len(c) != 2 || c[0].Pointer != "/id" || c[0].Equals != nil || c[1].Pointer != "/size" || c[1].Equals == nil {
			t.Errorf("checks %+v, want the presence of an id and the value of a size", c)
		}
	}
}

func TestSameSeedSameSuite(t *testing.T) {
	var suites [2][]byte
	for i := range suites {
		_, url := serve(t)
		data, err := json.Marshal(start(t, plan(url, 300), search.Sink{}).Wait().Tests)
		if err != nil {
			t.Fatal(err)
		}
		suites[i] = data
	}
	if string(suites[0]) != string(suites[1]) {
		t.Errorf("two runs differ:\n%s\n%s", suites[0], suites[1])
	}
}

// The summary of a run with enough calls has a forecast, which is also in the run's last event.
func TestRunHasAForecast(t *testing.T) {
	for calls, want := range map[int]bool{400: false, 1500: true} {
		_, url := serve(t)
		var stopped *model.Forecast
		got := start(t, plan(url, calls), search.Sink{Emit: func(e model.LogEntry) error {
			if end, ok := e.Event.(model.RunStopped); ok {
				stopped = end.Summary.Forecast
			}
			return nil
		}}).Wait()
		f := got.Summary.Forecast
		if (f != nil) != want {
			t.Fatalf("%d calls: got %+v", calls, f)
		}
		if want && (stopped == nil || *stopped != *f || f.High > 10) {
			t.Errorf("%d calls: got %+v and in the event %+v", calls, f, stopped)
		}
	}
}

func TestBudgetIsStrict(t *testing.T) {
	for _, calls := range []int{1, 2, 3, 7, 50} {
		service, url := serve(t)
		got := start(t, plan(url, calls), search.Sink{}).Wait()
		if asked := int(service.requests.Load()); asked > calls || asked != got.Summary.Calls {
			t.Errorf("budget %d: %d requests arrived, summary says %d", calls, asked, got.Summary.Calls)
		}
	}
}

func TestTimeIsABudget(t *testing.T) {
	_, url := serve(t)
	p := plan(url, 0)
	p.Limits = model.Limits{Time: 50 * time.Millisecond}
	if got := start(t, p, search.Sink{}).Wait(); got.Used != 1 || got.Summary.Calls == 0 {
		t.Errorf("used %v after %d calls", got.Used, got.Summary.Calls)
	}
}

func TestSteering(t *testing.T) {
	_, url := serve(t)
	p := plan(url, 0)
	p.Limits = model.Limits{Time: time.Hour}
	run := start(t, p, search.Sink{})
	until(t, func() bool { return run.Snapshot().Summary.Calls > 20 })
	run.Pause()
	until(t, func() bool { return run.Snapshot().Phase == model.PhasePaused })
	held := run.Snapshot().Summary.Calls
	run.Tune(model.TuningChange{Knob: model.KnobSmart, Value: 0.9})
	until(t, func() bool { return run.Snapshot().Tuning.Smart == 0.9 })
	if s := run.Snapshot(); len(s.Marks) != 1 || s.Marks[0].Call != held || s.Summary.Calls != held {
		t.Errorf("paused at call %d: marks %+v, now at %d", held, s.Marks, s.Summary.Calls)
	}
	run.Resume()
	until(t, func() bool { return run.Snapshot().Summary.Calls > held })
	run.Stop()
	if s := run.Wait(); !s.Summary.Cancelled || s.Phase != model.PhaseDone || s.Err != nil {
		t.Errorf("stopped run: %+v, error %v", s.Summary, s.Err)
	}
}

func until(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain")
		}
	}
}

func TestServiceThatGoesAway(t *testing.T) {
	for _, reset := range []*model.Reset{nil, {Method: "POST", Path: "/reset"}} {
		server := httptest.NewServer(&things{sizes: map[string]int{}})
		p := plan(server.URL, 0)
		p.Limits, p.Reset = model.Limits{Time: time.Hour}, reset
		var events []model.Event
		run := start(t, p, search.Sink{Emit: func(l model.LogEntry) error { events = append(events, l.Event); return nil }})
		until(t, func() bool { return run.Snapshot().Summary.Calls > 20 })
		server.CloseClientConnections()
		server.Close()
		got := run.Wait()
		var gone *search.UnreachableError
		if !errors.As(got.Err, &gone) || len(got.Tests) == 0 {
			t.Errorf("reset %v: error %v with %d tests kept", reset, got.Err, len(got.Tests))
		}
		if end, ok := events[len(events)-1].(model.RunStopped); !ok || !strings.Contains(end.Summary.Trouble, "stopped answering") {
			t.Errorf("reset %v: the last event is %+v", reset, events[len(events)-1])
		}
	}
}

// A handler that panics closes its connection. The run continues.
func TestServiceThatDropsConnections(t *testing.T) {
	s, url := serve(t)
	dropping := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "GET" {
			panic(http.ErrAbortHandler)
		}
		s.ServeHTTP(w, r)
	}))
	defer dropping.Close()
	p := plan(url, 200)
	p.BaseURL = dropping.URL
	got := start(t, p, search.Sink{}).Wait()
	if got.Err != nil || got.Summary.Calls < 198 {
		t.Errorf("ended after %d calls: %v", got.Summary.Calls, got.Err)
	}
	if s := got.Summary; s.Unanswered == 0 || !strings.HasPrefix(s.NoAnswer, "GET /things/{id}: ") {
		t.Errorf("%d calls unanswered, the first to %q", s.Unanswered, s.NoAnswer)
	}
}

// Whenever the budget ends, the kept tests are complete.
func TestEveryBudgetLeavesWholeTests(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes a search for each budget: left out by -short")
	}
	for calls := range 40 {
		_, url := serve(t)
		got := start(t, plan(url, calls+1), search.Sink{}).Wait()
		for _, test := range got.Tests {
			for _, l := range test.Links {
				if l.To >= len(test.Calls) {
					t.Fatalf("budget %d: %s has %d calls and a link to call %d", calls+1, test.ID, len(test.Calls), l.To)
				}
			}
		}
	}
}

func TestTimeEndsAHangingCall(t *testing.T) {
	hold := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hold }))
	defer server.Close()
	defer close(hold)
	p := plan(server.URL, 0)
	p.Limits, p.Timeout, p.Reset = model.Limits{Time: 50 * time.Millisecond}, time.Hour, nil
	got := start(t, p, search.Sink{}).Wait()
	if got.Summary.Elapsed > time.Minute || got.Summary.Cancelled || got.Err != nil {
		t.Errorf("summary %+v, error %v", got.Summary, got.Err)
	}
}

// A panic in Sonde ends the run like any other error: the terminal can be restored, and the tests so far are kept.
func TestPanicEndsTheRun(t *testing.T) {
	_, url := serve(t)
	var saved []model.Test
	covered := 0
	got := start(t, plan(url, 1000), search.Sink{
		Emit: func(l model.LogEntry) error {
			if _, ok := l.Event.(model.TargetCovered); ok {
				covered++
			}
			if covered == 3 {
				covered = 0
				panic("boom")
			}
			return nil
		},
		SaveTests: func(tests []model.Test) error { saved = tests; return nil },
	}).Wait()
	if got.Phase != model.PhaseDone || got.Err == nil || !strings.Contains(got.Err.Error(), "boom") || len(saved) == 0 {
		t.Errorf("phase %s, error %.80v, %d tests saved", got.Phase, got.Err, len(saved))
	}
}

// Without a reset, a search prefers tests that create the resources that they need. It avoids tests that use
// resources of other tests.
func TestWithoutResetTestsStandAlone(t *testing.T) {
	service, url := serve(t)
	for id := range 40 { // resources of others, which are easily found
		service.sizes[fmt.Sprint(id)] = 1
	}
	p := plan(url, 600)
	p.Reset = nil
	p.Spec.Operations[1].Params[0].Schema = &model.Schema{Type: "string", Enum: []any{"1", "2", "nothing"}}
	for _, test := range start(t, p, search.Sink{}).Wait().Tests {
		if slices.Contains(test.Covers, "GET /things/{id} 200") && len(test.Links) == 0 {
			t.Errorf("kept a test that needs what others left behind: %+v", test.Calls)
		}
	}
}

func TestStopBeforeStart(t *testing.T) {
	_, url := serve(t)
	r, err := search.New(context.Background(), plan(url, 1000))
	if err != nil {
		t.Fatal(err)
	}
	r.Stop()
	r.Stop()
	r.Start(context.Background(), search.Sink{})
	if got := r.Wait(); !got.Summary.Cancelled {
		t.Errorf("summary %+v", got.Summary)
	}
}

func TestNewRefuses(t *testing.T) {
	_, url := serve(t)
	for _, c := range []struct {
		name   string
		change func(*model.Plan)
		want   string
	}{
		{"no limit", func(p *model.Plan) { p.Limits = model.Limits{} }, "needs a limit"},
		{"no operation", func(p *model.Plan) { p.Spec = &model.Spec{Source: "empty.json"} }, `"empty.json" has no operation`},
		{"no service", func(p *model.Plan) { p.BaseURL = "http://127.0.0.1:1" }, "does not answer"},
		{"a strange host", func(p *model.Plan) { p.BaseURL = "http://shop.example" }, "--allow-host"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := plan(url, 10)
			c.change(&p)
			if _, err := search.New(context.Background(), p); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestResetThatFailsEndsTheRun(t *testing.T) {
	_, url := serve(t)
	p := plan(url, 100)
	p.Reset = &model.Reset{Method: "POST", Path: "/nothing"}
	if got := start(t, p, search.Sink{}).Wait(); got.Err == nil || !strings.Contains(got.Err.Error(), "answered 404") {
		t.Errorf("error %v", got.Err)
	}
}

func TestFillTemplate(t *testing.T) {
	_, url := serve(t)
	p := plan(url, 0)
	got, err := realise(t, p, p.Templates[1])
	if err != nil || len(got.Calls) != 2 || got.Calls[1].Status != 200 || got.Origin != model.OriginDistilled {
		t.Errorf("test %+v, error %v", got, err)
	}
}

// If a seq cannot be completed, the error names the call that failed and has the service's message.
func TestFillTemplateIncomplete(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "GET" {
			w.WriteHeader(409)
			fmt.Fprint(w, `{"message":"not before noon"}`)
		}
	}))
	defer server.Close()
	p := plan(server.URL, 0)
	p.Reset = nil
	seq := p.Templates[1]
	seq.Steps = append(seq.Steps, seq.Steps[0])
	got, err := realise(t, p, seq)
	var unfinished *search.IncompleteError
	want := `GET /things/{id} answered 409 "not before noon", and none of 50 tries got further`
	if !errors.As(err, &unfinished) || err.Error() != want || got.Calls[0].Status != 200 {
		t.Errorf("test %+v, error %v, want %s", got, err, want)
	}
}

// Reads and refused calls change nothing. If all tests have only such calls, the service is reset only once in
// maxUnchangedTests tests, unless the plan resets it before every test, or before some.
func TestNoResetWhereNothingChanged(t *testing.T) {
	for _, c := range []struct {
		ops         []int
		every       float64
		least, most float64 // resets per test
	}{
		{[]int{1}, 0, 0.09, 0.12},
		{[]int{1}, 0.5, 0.4, 0.7},
		{[]int{1}, 1, 1, 1.1},
		{[]int{0}, 0, 0.3, 0.95}, // most of these calls create something, and some are refused
	} {
		service, url := serve(t)
		p := plan(url, 400)
		var ops []*model.Operation
		for _, i := range c.ops {
			ops = append(ops, p.Spec.Operations[i])
		}
		p.Spec.Operations, p.Templates, p.Sampling.EveryReset = ops, nil, c.every
		got := start(t, p, search.Sink{}).Wait()
		if share := float64(service.resets.Load()) / float64(got.Summary.Asked); share < c.least || share > c.most {
			t.Errorf("%s, every reset %g: %d resets for %d tests", ops[0].ID, c.every, service.resets.Load(), got.Summary.Asked)
		}
	}
}
