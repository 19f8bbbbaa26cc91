package runner

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/mio"
)

// What is reported of a panic tells where it happened, not where it was noticed.
func TestPanicOfAJobTellsWhere(t *testing.T) {
	var l line
	l.open(t.Context(), []*caller{{}})
	l.add(&job{cancel: func() {}})
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, "(*caller).play") {
			t.Errorf("got %q, want the stack of who played", text)
		}
	}()
	l.next() // the caller has no service
	t.Error("it went well")
}

// Who still plays when another panics is stopped before the run ends: it would
// call a service that is being stopped.
func TestPanicOfAJobStopsTheOthers(t *testing.T) {
	asked, left := make(chan bool, 1), make(chan bool, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- true
		<-r.Context().Done()
		left <- true
	}))
	defer server.Close()
	op := &model.Operation{ID: "GET /a", Method: "GET", Path: "/a"}
	p := model.Plan{Spec: &model.Spec{Operations: []*model.Operation{op}}, BaseURL: server.URL, Limits: model.Limits{Calls: 10}}
	busy, err := newCaller(p, nil, 0, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	e := &engine{crew: &crew{plan: p, budget: &budget{limits: p.Limits}, callers: []*caller{{}, busy}}}
	e.line.open(t.Context(), e.callers)
	for range e.callers {
		e.send(mio.Asked[*trial]{Individual: &trial{kept: &trial{test: model.Test{Calls: []model.Call{{Op: op.ID}}}}}})
	}
	<-asked
	func() {
		defer func() { _ = recover() }()
		defer e.leave()
		e.line.next()
	}()
	if e.budget.calls != 1 || e.budget.out != 0 {
		t.Errorf("%d calls are counted and %d are given away, want 1 and 0", e.budget.calls, e.budget.out)
	}
	<-left
}
