package search

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sonde/model"
)

// The report of a panic has the place where it occurred, not only the place where receive noticed it.
func TestPanicOfAJobTellsWhere(t *testing.T) {
	var l workQueue
	l.open(t.Context(), []*worker{{}})
	l.dispatch(&job{cancel: func() {}})
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, "(*worker).play") {
			t.Errorf("got %q, want the stack of who played", text)
		}
	}()
	l.receive() // the worker has no service
	t.Error("it went well")
}

// If one worker panics while another worker still plays, the other worker is stopped before the run ends. Otherwise
// the other worker would call a service that is being stopped.
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
	busy, err := newWorker(p, nil, 0, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	e := &scheduler{
		plan:  p,
		pool:  &workerPool{plan: p, budget: &budget{limits: p.Limits}, workers: []*worker{{}, busy}},
		code:  &codeTracker{},
		hosts: &hostRegistry{},
	}
	e.queue.open(t.Context(), e.pool.workers)
	for range e.pool.workers {
		e.dispatch(&job{test: model.Test{Calls: []model.Call{{Op: op.ID}}}})
	}
	<-asked
	func() {
		defer func() { _ = recover() }()
		defer e.closeQueue()
		e.queue.receive()
	}()
	if e.pool.budget.calls != 1 || e.pool.budget.reserved != 0 {
		t.Errorf("%d calls are counted and %d are given away, want 1 and 0", e.pool.budget.calls, e.pool.budget.reserved)
	}
	<-left
}
