package search_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"sonde/model"
	"sonde/runner/search"
)

// forgetful starts a service that closes each connection after a number of answers, without announcing it. In the
// worst case, as here, the service reads one more request and then closes the connection without answering this
// request.
func forgetful(t *testing.T, answers int64, h http.Handler) string {
	type counter struct{}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Context().Value(counter{}).(*atomic.Int64).Add(1) > answers {
			abort(w, r)
		}
		h.ServeHTTP(w, r)
	}))
	s.Config.ConnContext = func(ctx context.Context, _ net.Conn) context.Context {
		return context.WithValue(ctx, counter{}, new(atomic.Int64))
	}
	s.Start()
	t.Cleanup(s.Close)
	return s.URL
}

// A search of a service that closes connections finds the same as a search of a service that keeps connections open.
// It reports no call without an answer.
func TestForgottenConnectionsAreNoFaults(t *testing.T) {
	for _, answers := range []int64{1, 3} {
		got := start(t, plan(forgetful(t, answers, &things{sizes: map[string]int{}}), 600), search.Sink{}).Wait()
		faults := byKind(got)
		if _, ok := faults["GET /things/{id} 500"]; got.Err != nil || got.Summary.Unanswered > 0 || len(faults) != 1 || !ok {
			t.Errorf(
				"%d answers: error %v, %d unanswered (%s), faults %+v", answers, got.Err, got.Summary.Unanswered,
				got.Summary.NoAnswer, faults,
			)
		}
	}
}

// Only the call that closes its connection without an answer is reported, even if the service also closes connections
// after other calls.
func TestCallsWithoutAnswerAreFaults(t *testing.T) {
	for _, method := range []string{"GET", "POST"} {
		healthy := &things{sizes: map[string]int{}}
		p := plan(forgetful(t, 3, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/drop" {
				abort(w, r)
			}
			healthy.ServeHTTP(w, r)
		})), 600)
		drop := model.OpID(method + " /drop")
		p.Spec.Operations = append(
			p.Spec.Operations,
			&model.Operation{ID: drop, Method: method, Path: "/drop", Responses: []model.Response{{Status: "200"}}},
		)
		got := start(t, p, search.Sink{}).Wait()
		var dropped []model.Fault
		for _, f := range got.Faults {
			if strings.HasSuffix(f.Label(), string(model.NoAnswer)) {
				dropped = append(dropped, f)
			}
		}
		if got.Err != nil || len(dropped) != 1 {
			t.Fatalf("error %v, faults %+v", got.Err, dropped)
		}
		if f := dropped[0]; f.Op != drop || f.Verdict != model.VerdictReproducible || f.Calls != 1 {
			t.Errorf("%s is %s after %d calls", f.Op, f.Verdict, f.Calls)
		}
	}
}
