package search_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"sonde/model"
	"sonde/runner/search"
)

// A resumed run keeps its tests and faults, even those that it cannot find again, and uses only the rest of its budget.
func TestResume(t *testing.T) {
	service, url := serve(t)
	p := plan(url, 600)
	first := start(t, p, search.Sink{}).Wait()
	lost := model.Test{ID: "t9999", Calls: []model.Call{{Op: "POST /things", Status: 409}}, Covers: []string{"POST /things 409"}}
	before := service.requests.Load()
	p.Limits.Calls = 1000
	p.Resume = &model.ResumeState{Tests: append(first.Tests, lost), Faults: first.Faults, Ended: true, Last: model.Progress{
		Call:       600,
		SetUp:      first.Summary.SetUp,
		Asked:      first.Summary.Asked,
		Checking:   7,
		Minimising: 9,
		Unanswered: 2,
		NoAnswer:   "GET /a: gone",
		Restarts:   3,
	}}
	played := map[string]bool{}
	got := start(t, p, search.Sink{SaveTraffic: func(all []model.PlayedTest) error {
		for _, p := range all {
			played[p.Test.ID] = len(p.Exchanges) > 0
		}
		return nil
	}}).Wait()
	if sent := int(service.requests.Load() - before); sent > 400 || sent < 390 || got.Summary.Calls != 600+sent {
		t.Errorf("%d calls were left and %d sent; summary %+v", 400, sent, got.Summary)
	}
	if got.Summary.Covered < first.Summary.Covered+1 || got.Summary.Asked <= first.Summary.Asked || len(got.Faults) < len(first.Faults) {
		t.Errorf("came to %+v, was at %+v", got.Summary, first.Summary)
	}
	if s := got.Summary; s.Checking < 7 || s.Minimising < 9 || s.Unanswered < 2 || s.NoAnswer != "GET /a: gone" || s.Restarts != 3 {
		t.Errorf("what was counted before is not: %+v", s)
	}
	for _, test := range got.Tests {
		if len(test.Covers) == 0 || !played[test.ID] {
			t.Errorf("%s covers %v, traffic %t", test.ID, test.Covers, played[test.ID])
		}
	}
	if got.Curve[0].Calls != 600 || got.Curve[0].Covered != first.Summary.Covered+1 {
		t.Errorf("the curve begins at %+v", got.Curve[0])
	}
}

// A resumed run recognises earlier faults by their messages: a message that differs only in a value is not a new
// fault.
func TestResumeRecognisesFaults(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /files/{id}", func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "file "+r.PathValue("id")+" is gone", http.StatusInternalServerError)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	get := model.OpID("GET /files/{id}")
	known := model.Fault{
		ID: "f1", Op: get, Oracle: model.ServerErrorOracle, Severity: model.SeverityError,
		Status: 500, Signature: "500 file q is gone", Calls: 1,
		Test:      &model.Test{Calls: []model.Call{{Op: get, Args: []model.Arg{{In: model.InPath, Name: "id", Value: "q"}}, Status: 500}}},
		Exchanges: []model.ExchangeExcerpt{{URL: "/files/q", Status: 500, Body: "file q is gone\n"}},
	}
	p := plan(server.URL, 200)
	p.Users, p.Reset = nil, nil
	p.Spec.Operations = []*model.Operation{{
		ID: get, Method: "GET", Path: "/files/{id}", Responses: []model.Response{{Status: "200"}},
		Params: []model.Parameter{
			{Name: "id", In: model.InPath, Required: true, Schema: &model.Schema{Type: "string", Enum: []any{"x", "y", ";"}}},
		},
	}}
	p.Templates = []model.Template{{Steps: []model.TemplateStep{{Op: get, Min: 1, Max: 1}}, Weight: 1}}
	p.Resume = &model.ResumeState{Faults: []model.Fault{known}, Ended: true, Last: model.Progress{Call: 10, Asked: 10}}
	got := start(t, p, search.Sink{}).Wait()
	for _, f := range got.Faults {
		if f.Oracle == model.ServerErrorOracle && f.Signature != known.Signature {
			t.Errorf("another fault: %q", f.Signature)
		}
	}
	if got.Faults[0].Count < 10 {
		t.Errorf("the fault came %d times", got.Faults[0].Count)
	}
}

// The last event of a killed run may be older than its last kept test. New tests get IDs that no kept test has, and
// the budget includes all requests that are known to have been sent. The targets for a next server error are not
// counted.
func TestResumeOfAKilledRun(t *testing.T) {
	service, url := serve(t)
	p := plan(url, 600)
	kept := model.Test{
		ID:      "t777",
		Calls:   []model.Call{{Op: "POST /things", Status: 409}},
		Covers:  []string{"POST /things 409"},
		Lineage: &model.TestLineage{Call: 590},
	}
	before := service.requests.Load()
	p.Resume = &model.ResumeState{Tests: []model.Test{kept}, Last: model.Progress{Call: 500, SetUp: 100, Asked: 100}}
	r, err := search.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Snapshot().Summary; s.Targets != 5 || s.Covered != 1 {
		t.Errorf("%d of %d targets, want 1 of the 4 that are declared and itself", s.Covered, s.Targets)
	}
	r.Start(t.Context(), search.Sink{})
	got := r.Wait()
	if sent := int(service.requests.Load() - before); sent > 10 || got.Summary.Calls != 590+sent {
		t.Errorf("10 calls were left and %d sent; summary %+v", sent, got.Summary)
	}
	if got.Summary.Asked <= 777 {
		t.Errorf("the last test had the number %d, and 777 was taken", got.Summary.Asked)
	}
}

// A resumed run also counts requests that a killed run may have sent after its last event.
func TestResumeKeepsTheBudget(t *testing.T) {
	_, url := serve(t)
	for name, c := range map[string]struct {
		ended      bool
		call, want int
	}{"killed": {false, 5000, 5020}, "killed near its end": {false, 19_990, 20_000}, "ended": {true, 5000, 5000}} {
		t.Run(name, func(t *testing.T) {
			p := plan(url, 20_000)
			p.Resume = &model.ResumeState{Ended: c.ended, Last: model.Progress{Call: c.call}}
			r, err := search.New(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Snapshot().Summary.Calls; got != c.want {
				t.Errorf("%d calls have left, want %d", got, c.want)
			}
		})
	}
}

// In a resumed run, a tuned parameter continues from the value that the user set.
func TestResumeOfATunedRun(t *testing.T) {
	_, url := serve(t)
	p := plan(url, 1000)
	p.Tuning.Focus = 1
	change := model.TuningChange{Knob: model.KnobRandom, Value: 0.8}
	p.Commands = []model.AppliedCommand{{Call: 500, Asked: 90, Command: model.Command{Change: &change}}}
	p.Resume = &model.ResumeState{Ended: true, Last: model.Progress{Call: 750, Asked: 120}}
	r, err := search.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Snapshot().Applied.Random; got != 0.4 {
		t.Errorf("P_r is %v, want 0.4: half of what it was set to at the half of its way", got)
	}
}
