package record

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestInFlight(t *testing.T) {
	var f inFlight
	if !f.wait(0) {
		t.Error("the zero value has something in flight")
	}
	first, second := f.begin(), f.begin()
	first()
	if f.wait(time.Millisecond) {
		t.Error("it does not wait for the second")
	}
	time.AfterFunc(time.Millisecond, second)
	if !f.wait(far) {
		t.Error("it does not notice the end")
	}
	third := f.begin()
	if f.wait(time.Millisecond) {
		t.Error("it cannot be used again")
	}
	third()
}

// Close returns when all exchanges in flight were reported.
func TestCloseReportsWhatIsInFlight(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits")
	}
	t.Parallel() // the test waits for real time
	mute := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	s := monitor(t, Options{}, []string{serve(t, mute)}, func(outs []string) http.Handler {
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			ask(http.DefaultClient, r, outs[0], "/charge", "Traceparent")
		})
	})
	go func() { _, _, _ = try(clientFor(t), "GET", s.in+"/products", "") }()
	until(t, "the call", func() bool {
		s.outwardInFlight.mu.Lock()
		defer s.outwardInFlight.mu.Unlock()
		return s.outwardInFlight.open == 1
	})
	s.Close()
	served, sent, _ := s.sink.all()
	if len(served) != 1 || len(sent) != 1 {
		t.Fatalf("%d served, %d sent", len(served), len(sent))
	}
	if sent[0].Err == nil || strings.Contains(sent[0].Err.Error(), "127.0.0.1") {
		t.Errorf("the call ended with %v", sent[0].Err)
	}
}
