package search

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/openapi"
	"sonde/runner/target/client"
)

// proving returns the reducer of a run without a reset, and a test that calls some paths. The service answers GET
// requests with a handler.
func proving(t *testing.T, h http.HandlerFunc, paths string) (*reducer, model.Test) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	const document = `{"openapi":"3.0.0","info":{"title":"t","version":"1"},
		"paths":{"/a":{"get":{}},"/b":{"get":{}},"/c":{"get":{}},"/e":{"get":{}}}}`
	ctx := context.Background()
	spec, err := openapi.Parse(ctx, "t.json", []byte(document), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := newTestbed(ctx, model.Plan{
		Spec: spec, Templates: analysis.Analyze(spec, analysis.Options{}).Templates(), BaseURL: server.URL, Seed: 1,
		Tuning: model.DefaultTuning(), Sampling: model.DefaultSampling(), Limits: model.Limits{Calls: 100},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.pool.stop)
	k := newReducer(newScheduler(c, nil), 100)
	test := model.Test{}
	for _, path := range strings.Fields(paths) {
		test.Calls = append(test.Calls, model.Call{Op: model.OpID("GET " + path)})
	}
	p, ok := k.play(ctx, test)
	if !ok {
		t.Fatal("the test was not played")
	}
	for _, r := range p.results[:len(p.results)-1] { // all calls but the last are unstable
		k.judge.history.noteStatus(k.judge.history.answers, k.judge.history.requestKey("", r.Exchange.Request), 418)
	}
	return k, p.test
}

// A test that needs all of its unstable calls is not self-contained, however many of its other calls were removed.
func TestNeededUnstableCall(t *testing.T) {
	k, test := proving(t, func(http.ResponseWriter, *http.Request) {}, "/a /b /c /e")
	p := &prover{reducer: k, ctx: context.Background(), covers: []string{"GET /c 200"}}
	got, why := p.makeSelfContained(test)
	if want := "call 1, GET /c, was answered with other statuses during the run"; why != want || len(got.Calls) != 2 {
		t.Errorf("got %d calls, %q; want 2, %q", len(got.Calls), why, want)
	}
}

// A change of a resource explains other statuses of this resource, of the resources above it and of those below it.
// It does not explain other statuses of its siblings.
func TestChangesExplainRelatedStatuses(t *testing.T) {
	for path, want := range map[string]int{"/tags/red": -1, "/tags": -1, "/tags/red/size?unit=m": -1, "/tags/green": 1, "/tagsets": 1} {
		h := newHistory(naming{})
		test := model.Test{Calls: []model.Call{{Op: "PUT /tags/{tag}"}, {Op: "PUT /other"}}}
		request := model.Request{Op: "PUT /other", Method: "PUT", URL: path}
		results := []client.CallResult{
			{Exchange: model.Exchange{
				Request: model.Request{Op: "PUT /tags/{tag}", Method: "PUT", URL: "/tags/red"}, Reply: model.Reply{Status: 201},
			}},
			{Exchange: model.Exchange{Request: request, Reply: model.Reply{Status: 200}}},
		}
		for _, status := range []int{200, 201} {
			h.noteStatus(h.firstAnswers, h.requestKey("", request), status)
		}
		if got := h.unstableCall(test, results); got != want {
			t.Errorf("PUT %s after PUT /tags/red: got %d, want %d", path, got, want)
		}
	}
}

// The prover notices a call that fails because of earlier tests, even if it has removed unstable calls before.
func TestFailingCallAfterUnstableCalls(t *testing.T) {
	k, test := proving(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/e" {
			w.WriteHeader(404)
		}
	}, "/a /b /c /e")
	k.judge.history.observeVerdicts(model.Test{Calls: []model.Call{{Op: "GET /e", Status: 200}}}, nil)
	p := &prover{reducer: k, ctx: context.Background()}
	got, why := p.makeSelfContained(test)
	if want := "call 1, GET /e, answered 404, as do calls now that succeeded earlier"; why != want || len(got.Calls) != 1 {
		t.Errorf("got %d calls, %q; want 1, %q", len(got.Calls), why, want)
	}
}

// controlsFor also returns a test with all calls before the control, because one of them may be why the control
// succeeded.
func TestControlsHaveAllCallsBeforeThem(t *testing.T) {
	h := newHistory(naming{})
	test := model.Test{Calls: []model.Call{
		{Op: "POST /tags", Status: 201},
		{Op: "PUT /size", Status: 200},
		{Op: "GET /tags/{tag}", Status: 200},
		{Op: "GET /tags", Status: 200},
	}, Links: []model.Link{{From: 0, To: 2, In: model.InPath, Name: "tag"}}}
	fault := model.Fault{Op: "GET /tags", Oracle: "schema", Calls: 4}
	h.observeVerdicts(test, []model.Fault{fault})
	operations := func(op model.OpID, fault faultKey) (all []string) {
		for _, c := range h.controlsFor(model.Call{Op: op}, fault) {
			all = append(all, fmt.Sprint(c.Seq()))
		}
		return all
	}
	want := []string{"[POST /tags GET /tags/{tag}]", "[POST /tags PUT /size GET /tags/{tag}]"}
	if got := operations("GET /tags/{tag}", faultKey{}); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := operations("POST /tags", faultKey{}); !slices.Equal(got, []string{"[POST /tags]"}) {
		t.Errorf("the first call: got %q", got)
	}
	if got := operations("GET /tags", keyOf(fault)); got != nil {
		t.Errorf("a call with the fault: got %q", got)
	}
}

// If the budget is too small to play a fault's test again, EarlierState says that the test was not proven.
func TestFaultWithoutBudgetToRepeat(t *testing.T) {
	k, test := proving(t, func(http.ResponseWriter, *http.Request) {}, "/e")
	c := newFaultChecker(k.player.scheduler, 0)
	c.judge.faults.faults = []model.Fault{{Op: "GET /e", Status: 200, Test: &test}}
	c.replaySameValues(context.Background(), 0)
	if got := c.judge.faults.faults[0].Test.EarlierState; got != notProven {
		t.Errorf("got %q, want %q", got, notProven)
	}
}
