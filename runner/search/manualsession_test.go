package search_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/search"
)

// hand returns a session for the things, or for the service of a plan.
func hand(t *testing.T, p model.Plan) *search.ManualSession {
	t.Helper()
	h, err := search.NewManualSession(t.Context(), p, pathLinks)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// sends sends a test, checks the statuses of the answers and returns the result.
func sends(t *testing.T, h *search.ManualSession, test model.Test, want ...int) search.ManualResult {
	t.Helper()
	s, err := h.Send(t.Context(), test)
	if got := answers(s.Test); err != nil || !slices.Equal(got, want) {
		t.Fatalf("%v answered %v, want %v, error %v", test.Seq(), got, want, err)
	}
	return s
}

func answers(t model.Test) (all []int) {
	for _, c := range t.Calls {
		all = append(all, c.Status)
	}
	return all
}

func calls(all ...model.Call) model.Test {
	return model.Test{Origin: model.OriginManual, Calls: all}
}

// alone returns a draft without the calls that create what its last call needs.
func alone(d *search.Drafts, op model.OpID, h *search.ManualSession) model.Test {
	t, _ := d.Draft(op, nil, h)
	return calls(t.Calls[len(t.Calls)-1])
}

// sized returns a call that creates a thing.
func sized(size int) model.Call {
	return model.Call{Op: create, User: "ann", Body: &model.Payload{Media: "application/json", Data: fmt.Sprintf(`{"size":%d}`, size)}}
}

// The first draft has the calls that create what its last call needs. The created things stay in the service, and
// later drafts use the values of earlier answers.
func TestManualRequestsUseEarlierAnswers(t *testing.T) {
	service, url := serve(t)
	p := plan(url, 0)
	h, d := hand(t, p), search.NewDrafts(p)
	first, ready := d.Draft(read, nil, nil)
	if got := first.Seq(); ready || !slices.Equal(got, model.Seq{create, read}) || first.Calls[0].User != "ann" {
		t.Fatalf("drafted %+v", first)
	}
	sends(t, h, first, 201, 200)
	next, ready := d.Draft(read, nil, h)
	if !ready || next.Calls[1].Args[0].Value != "1001" {
		t.Fatalf("drafted %+v, ready %t", next, ready)
	}
	sends(t, h, calls(next.Calls[1]), 200)
	if service.resets.Load() != 0 {
		t.Error("what was sent by hand was reset")
	}
}

// The values in answers are those that inputs of other operations may take, the newest first. A reset removes them.
func TestSeenValues(t *testing.T) {
	_, url := serve(t)
	p := plan(url, 0)
	h := hand(t, p)
	if got := h.SeenValues(read); len(got) != 0 {
		t.Errorf("saw %+v before the first request", got)
	}
	sends(t, h, calls(sized(1)), 201)
	h.SeenValues(read)
	sends(t, h, calls(sized(2)), 201)
	got := h.SeenValues(read)
	if len(got) != 1 || got[0].In != model.InPath || got[0].Name != "id" || !slices.Equal(got[0].Values, []string{"1002", "1001"}) {
		t.Errorf("saw %+v", got)
	}
	if _, err := h.Replay(t.Context(), calls(sized(3))); err != nil {
		t.Fatal(err)
	}
	sends(t, h, calls(sized(4)), 201)
	if got := h.SeenValues(read); len(got) != 1 || len(got[0].Values) != 2 {
		t.Errorf("saw %+v after a reset", got)
	}
}

// A draft leaves out earlier calls from which no link takes a value.
func TestDraftAlone(t *testing.T) {
	_, url := serve(t)
	p := plan(url, 0)
	p.Templates[1].Links = nil
	if got, ready := search.NewDrafts(p).Draft(read, nil, nil); ready || !slices.Equal(got.Seq(), model.Seq{read}) {
		t.Errorf("drafted %+v", got)
	}
}

// A draft takes its values from the shortest test in which the operation succeeded.
func TestDraftOfATest(t *testing.T) {
	_, url := serve(t)
	d := search.NewDrafts(plan(url, 0))
	tests := []model.Test{calls(sized(1), sized(2)), calls(sized(7)), calls(sized(-1))}
	for i, status := range []int{201, 201, 400} {
		last := len(tests[i].Calls) - 1
		tests[i].Calls[last].Status = status
	}
	got, _ := d.Draft(create, tests, nil)
	if len(got.Calls) != 1 || got.Calls[0].Body.Data != `{"size":7}` || got.Calls[0].Status != 0 || got.Origin != model.OriginManual {
		t.Errorf("drafted %+v", got)
	}
	if tests[1].Calls[0].Status != 201 {
		t.Error("the test was changed")
	}
}

// KeepLast keeps the last request and the requests from which it takes values. It plays them on the service in its
// first state.
func TestKeepLast(t *testing.T) {
	service, url := serve(t)
	p := plan(url, 0)
	h, d := hand(t, p), search.NewDrafts(p)
	sends(t, h, calls(sized(5)), 201)
	sends(t, h, calls(sized(-5)), 400)
	sends(t, h, calls(sized(6)), 201)
	sends(t, h, alone(d, read, h), 200)
	sends(t, h, alone(d, read, h), 200)
	if got := h.SentOperations(); len(got) != 2 {
		t.Errorf("may repeat %q", got)
	}
	s, err := h.KeepLast(t.Context(), nil)
	got := s.Test
	if err != nil || !slices.Equal(answers(got), []int{201, 200}) || got.Calls[0].Body.Data != `{"size":6}` {
		t.Fatalf("kept %+v, error %v", got, err)
	}
	if len(got.Links) != 1 || got.Links[0].Header != "Location" || len(got.Checks) == 0 ||
		got.Origin != model.OriginManual || len(s.Exchanges) != 2 {
		t.Errorf("kept %+v", s)
	}
	if service.resets.Load() == 0 {
		t.Error("it was not played from the first state")
	}
	sends(t, h, alone(d, read, h), 200) // checks that only the kept requests were sent since the reset
}

// If the last request needs an earlier request although no link connects them, KeepLast keeps that request, too, and
// no other.
func TestKeepLastWithUnlinkedCalls(t *testing.T) {
	open := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/reset":
			open = false
		case r.URL.Path == "/open":
			open = true
		case r.URL.Path == "/look" && !open:
			w.WriteHeader(http.StatusConflict)
		}
	}))
	defer server.Close()
	p := plan(server.URL, 0)
	p.Users, p.Spec = nil, &model.Spec{}
	for _, path := range []string{"/open", "/noise", "/look"} {
		p.Spec.Operations = append(p.Spec.Operations, &model.Operation{ID: model.OpID("POST " + path), Method: "POST", Path: path})
	}
	h := hand(t, p)
	for _, path := range []string{"/noise", "/open", "/noise", "/look"} {
		sends(t, h, calls(model.Call{Op: model.OpID("POST " + path)}), 200)
	}
	s, err := h.KeepLast(t.Context(), nil)
	if want := (model.Seq{"POST /open", "POST /look"}); err != nil || !slices.Equal(s.Test.Seq(), want) ||
		!slices.Equal(answers(s.Test), []int{200, 200}) {
		t.Errorf("kept %v answered %v, error %v", s.Test.Seq(), answers(s.Test), err)
	}
}

// A request without an answer can be cancelled. Then another request can be sent.
func TestManualRequestIsCancelled(t *testing.T) {
	hangs := make(chan bool, 2)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err == nil && <-hangs {
			<-r.Context().Done()
		}
	}))
	defer server.Close()
	hangs <- true
	h := hand(t, plan(server.URL, 0))
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if s, err := h.Send(ctx, calls(sized(1))); !errors.Is(err, context.Canceled) || len(s.Exchanges) > 0 {
		t.Errorf("got %+v, error %v", s, err)
	}
	hangs <- false
	sends(t, h, calls(sized(1)), 200)
}

// A service that ends is reported as a fault, and restarted for the next request.
func TestManualSessionRestartsTheService(t *testing.T) {
	p := fragile(t, 0, "/exit")
	h, d := hand(t, p), search.NewDrafts(p)
	sends(t, h, calls(model.Call{Op: create}), 201)
	s := sends(t, h, calls(model.Call{Op: "POST /exit"}), 0)
	if len(s.Faults) != 1 || s.Faults[0].Oracle != string(model.ServiceDied) {
		t.Errorf("faults %+v", s.Faults)
	}
	if got, ready := d.Draft(read, nil, h); ready {
		t.Errorf("drafted %+v of a service that began anew", got)
	}
	sends(t, h, calls(model.Call{Op: create}), 201)
}
