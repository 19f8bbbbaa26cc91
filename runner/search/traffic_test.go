package search_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search"
)

// checkTraffic checks that the traffic belongs to the tests, with one exchange for each call.
func checkTraffic(t *testing.T, tests []model.Test, traffic []model.PlayedTest) {
	t.Helper()
	if len(traffic) != len(tests) || len(tests) == 0 {
		t.Fatalf("traffic of %d tests, want %d, and some", len(traffic), len(tests))
	}
	for i, p := range traffic {
		if p.Test.ID != tests[i].ID || len(p.Exchanges) != len(p.Test.Calls) {
			t.Errorf("test %s with %d calls: traffic of %s, %d exchanges", tests[i].ID, len(tests[i].Calls), p.Test.ID, len(p.Exchanges))
			continue
		}
		for k, x := range p.Exchanges {
			if c := p.Test.Calls[k]; x.Reply.Status != c.Status || x.Request.Op != c.Op || x.At.IsZero() {
				t.Errorf("%s, call %d, %s %d: exchange %+v", p.Test.ID, k, c.Op, c.Status, x)
			}
		}
	}
}

// The sink gets the exchanges of the kept tests. Long bodies and headers are cut. There are no credentials, even if
// the service returns them.
func TestTraffic(t *testing.T) {
	const most = 16 << 10
	s := &things{sizes: map[string]int{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Echo", r.Header.Get("Authorization"))
		w.Header().Set("X-Much", strings.Repeat("m", most))
		if r.Method == "GET" && strings.HasPrefix(r.URL.Path, "/things/") {
			defer fmt.Fprint(w, strings.Repeat(r.Header.Get("Authorization")+" ", most))
		}
		s.ServeHTTP(w, r)
	}))
	defer server.Close()
	p := plan(server.URL, 200)
	p.Users = []model.User{{Name: "ann", Header: "Authorization", Public: "Bearer very-secret"}}
	var tests []model.Test
	var traffic []model.PlayedTest
	start(t, p, search.Sink{
		SaveTests:   func(all []model.Test) error { tests = all; return nil },
		SaveTraffic: func(all []model.PlayedTest) error { traffic = all; return nil },
	}).Wait()
	checkTraffic(t, tests, traffic)
	cut := 0
	for _, p := range traffic {
		for _, x := range p.Exchanges {
			if text := fmt.Sprintf("%s %v %v", x.Reply.Body, x.Reply.Header, x.Request); strings.Contains(text, "very-secret") {
				t.Errorf("%s %s holds the credential: %.300s", p.Test.ID, x.Request.Op, text)
			}
			if len(x.Reply.Body) > most || len(fmt.Sprint(x.Reply.Header)) > 2*most {
				t.Errorf("%s %s keeps %d bytes", p.Test.ID, x.Request.Op, len(x.Reply.Body))
			}
			if x.Reply.Truncated {
				cut++
			}
		}
	}
	if cut == 0 {
		t.Error("nothing is said to be cut")
	}
}

// If a test is kept only because the service died after it, its exchanges are kept, too.
func TestTrafficOfAServiceThatDies(t *testing.T) {
	var tests []model.Test
	var traffic []model.PlayedTest
	p := fragile(t, 300, "/full")
	// POST /full succeeds at first, so another test covers its success. The test that ends the service is kept only
	// for this end.
	p.Templates = append(p.Templates, model.Template{Steps: []model.TemplateStep{{Op: "POST /full", Min: 1, Max: 1}}, Weight: 1})
	got := start(t, p, search.Sink{
		SaveTests:   func(all []model.Test) error { tests = all; return nil },
		SaveTraffic: func(all []model.PlayedTest) error { traffic = all; return nil },
	}).Wait()
	if got.Err != nil || got.Summary.Restarts == 0 {
		t.Fatalf("error %v, restarts %d", got.Err, got.Summary.Restarts)
	}
	if f := byKind(got)["POST /full"+died]; !keeps(got, f) {
		t.Errorf("no test is kept for %+v", f)
	}
	checkTraffic(t, tests, traffic)
}

// The run ends with the error of the sink.
func TestTrafficThatCannotBeWritten(t *testing.T) {
	_, url := serve(t)
	got := start(t, plan(url, 100), search.Sink{SaveTraffic: func([]model.PlayedTest) error { return fmt.Errorf("disk full") }}).Wait()
	if got.Err == nil || !strings.Contains(got.Err.Error(), "disk full") {
		t.Errorf("error %v", got.Err)
	}
}
