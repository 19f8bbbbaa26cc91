package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// shelf starts a service whose things can be read only after they were created. For GET /broken it closes
// the connection without an answer.
func shelf(t *testing.T) (url string, asked *atomic.Int64) {
	t.Helper()
	asked = new(atomic.Int64)
	things := map[string]bool{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /things", func(w http.ResponseWriter, _ *http.Request) {
		id := fmt.Sprintf("n%d", len(things))
		things[id] = true
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"thingId":%q}`, id)
	})
	mux.HandleFunc("GET /things/{id}", func(w http.ResponseWriter, r *http.Request) {
		if !things[r.PathValue("id")] {
			http.NotFound(w, r)
		}
	})
	mux.HandleFunc("GET /broken", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

// shelfSpec writes a spec for the shelf. The spec has /gone, which the service does not have.
func shelfSpec(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shelf.yaml")
	text := `openapi: 3.0.3
info: {title: Shelf, version: "1"}
paths:
  /things:
    post:
      responses:
        "201":
          description: ok
          content: {application/json: {schema: {type: object, properties: {thingId: {type: string}}}}}
  /things/{thingId}:
    get:
      parameters: [{name: thingId, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: ok}}
  /gone/{thingId}:
    get:
      parameters: [{name: thingId, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: ok}}
  /broken:
    get: {responses: {"200": {description: ok}}}
`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// seqs runs sonde seqs on the shelf.
func seqs(t *testing.T, spec, url string, args ...string) (code int, out, errs string) {
	t.Helper()
	return run(t, append([]string{"seqs", spec, "--url", url, "--values", "shallow", "--match", "name"}, args...)...)
}

func TestSeqsThatAreCalled(t *testing.T) {
	url, asked := shelf(t)
	code, out, errs := seqs(t, shelfSpec(t), url)
	want := `POST /things 201
POST /things 201, GET /things/{thingId} 200
POST /things 201, GET /gone/{thingId} 404
POST /things 201, GET /things/{thingId} 200, GET /gone/{thingId} 404
`
	if code != 1 || out != want {
		t.Errorf("exit code %d, printed\n%s", code, out)
	}
	for _, say := range []string{
		"practical: 4 of 6 listed seqs (67%), 2 of them with 2xx throughout",
		"1 broke off, 1 begins with one that did not succeed:",
		"  1 seq: GET /broken gave no answer",
		"fault: GET /broken no-answer after 1 call: the server closed the connection without answering",
		"  1 seq: GET /gone/{thingId} answered 404",
		fmt.Sprintf("%d calls sent, 0 of them to set up", asked.Load()),
	} {
		if !strings.Contains(errs, say) {
			t.Errorf("%q was not said in\n%s", say, errs)
		}
	}
}

// With --rule both, a seq that both rules list is called only once. The reported number of calls is the number of
// requests that the service received.
func TestSeqsByBothRules(t *testing.T) {
	url, asked := shelf(t)
	code, out, errs := seqs(t, shelfSpec(t), url, "--rule", "both")
	for _, want := range []string{"DC ", "SC\n", "\nlisted ", "\npractical ", "4 (67%)", "\nbarred ", "\nopen ", "\noperations "} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if sent := fmt.Sprintf("%d calls sent", asked.Load()); code != 1 || !strings.Contains(errs, sent) || !strings.Contains(errs, "SC: ") {
		t.Errorf("exit code %d, errors\n%s", code, errs)
	}
	var got struct {
		Rules   []practiceJSON
		Summary struct{ Calls int }
	}
	_, text, _ := seqs(t, shelfSpec(t), url, "--rule", "both", "--json")
	if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Rules) != 2 {
		t.Fatalf("error %v: %s", err, text)
	}
	for _, r := range got.Rules {
		if r.Practical+r.Failed+r.Barred+r.Open != r.Listed || r.Open > 0 {
			t.Errorf("got %+v", r)
		}
	}
	if dc, sc := got.Rules[0], got.Rules[1]; dc.Listed != 6 || sc.Listed != 14 || sc.Practical != dc.Practical || sc.Failed != 3 {
		t.Errorf("DC %+v, SC %+v", dc, sc)
	}
	if code, _, errs := run(t, "seqs", shelfSpec(t), "--rule", "both"); code != 2 || !strings.Contains(errs, "add --url URL, or --demo") {
		t.Errorf("without a service: exit code %d, errors %q", code, errs)
	}
}

type practiceJSON struct {
	Seqs []struct {
		Operations []string
		Statuses   []int
	}
	Listed, Practical, Successful, Failed, Barred, Open int
	Share                                               float64
	Reasons                                             []struct {
		Op           string
		Status, Seqs int
	}
	UsedUp  bool `json:"budget_used_up"`
	Faults  []struct{ Oracle string }
	Summary struct {
		Calls  int
		With2x int `json:"with_2xx"`
	}
}

// For any budget, the service receives at most that many requests. The summary counts all listed seqs, and
// says whether the budget was too small.
func TestSeqsWithinBudget(t *testing.T) {
	spec := shelfSpec(t)
	enough := false
	for calls := 1; calls <= 40; calls++ {
		url, asked := shelf(t)
		code, out, _ := seqs(t, spec, url, "--json", "--calls", fmt.Sprint(calls))
		var got practiceJSON
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		sent := int(asked.Load())
		if sent > calls || got.Summary.Calls != sent {
			t.Errorf("budget %d: %d arrived, %d are reported", calls, sent, got.Summary.Calls)
		}
		if got.Listed != 6 || got.Practical+got.Failed+got.Barred+got.Open != got.Listed || got.Practical != len(got.Seqs) {
			t.Errorf("budget %d: %+v", calls, got)
		}
		want := 0
		switch {
		case got.Summary.With2x == 0:
			want = 3
		case slices.ContainsFunc(got.Faults, func(f struct{ Oracle string }) bool { return f.Oracle == "no-answer" }):
			want = 1
		}
		if got.UsedUp != (got.Open > 0) || code != want {
			t.Errorf("budget %d: exit code %d, %+v", calls, code, got)
		}
		enough = !got.UsedUp
	}
	if !enough {
		t.Error("40 calls were not enough")
	}
}

// If sonde seqs finds a fault, or if the service refuses all calls, the exit code is the same as that of sonde
// search.
func TestSeqsExitCodes(t *testing.T) {
	for _, c := range []struct {
		name     string
		statuses []int
		want     int
		wantErrs string
	}{
		{"clean", []int{200}, 0, "practical: 1 of 1 listed seq (100%)"},
		{"a fault after a success", []int{500, 200}, 1, "fault: GET /a 500 after 1 call"},
		{"no 2xx at all", []int{401}, 3, "is a log-in missing?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := 0
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.statuses[min(n, len(c.statuses)-1)])
				n++
			}))
			defer s.Close()
			code, _, errs := run(t, "seqs", spec(t), "--url", s.URL)
			if code != c.want || !strings.Contains(errs, c.wantErrs) {
				t.Errorf("exit code %d, want %d; errors %q", code, c.want, errs)
			}
		})
	}
}

// If nearly all of the first calls are refused, sonde seqs stops.
func TestSeqsThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		flags    []string
		wantErrs string
		calls    int
	}{
		{nil, "50 of the first 50 calls were answered 401 or 403: no user is configured; give --header", 50},
		{[]string{"--keep-going"}, "is a log-in missing?", 60},
	} {
		calls := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			calls++
			w.WriteHeader(http.StatusUnauthorized)
		}))
		defer s.Close()
		code, _, errs := run(t, append([]string{"seqs", spec(t), "--url", s.URL, "--tries", "60"}, c.flags...)...)
		if code != 3 || !strings.Contains(errs, c.wantErrs) || calls != c.calls {
			t.Errorf("flags %q: exit code %d after %d calls, want 3 after %d; errors %q", c.flags, code, calls, c.calls, errs)
		}
	}
}

// If all operations need values from each other, no seq can be called.
func TestSeqsWithoutABeginning(t *testing.T) {
	url, asked := shelf(t)
	path := filepath.Join(t.TempDir(), "circle.yaml")
	text := `swagger: "2.0"
info: {title: Circle, version: "1"}
paths:
  /hens:
    get:
      parameters: [{name: egg, in: query, type: string, required: true}]
      responses: {200: {description: ok, schema: {type: array, items: {type: object, properties: {hen: {type: string}}}}}}
  /eggs:
    get:
      parameters: [{name: hen, in: query, type: string, required: true}]
      responses: {200: {description: ok, schema: {type: array, items: {type: object, properties: {egg: {type: string}}}}}}
`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := seqs(t, path, url); code != 2 || !strings.Contains(errs, "there is no seq to call") || asked.Load() > 0 {
		t.Errorf("exit code %d, said %q, %d arrived", code, errs, asked.Load())
	}
}

// goer starts a service that gives one answer. For all later requests, it closes the connection.
func goer(t *testing.T) (url string) {
	t.Helper()
	gone := false
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if gone {
			panic(http.ErrAbortHandler)
		}
		gone = true
		s.Listener.Close()
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// If the service stops answering, sonde seqs prints the seqs so far and ends.
func TestSeqsOfAServiceThatGoes(t *testing.T) {
	code, out, errs := run(t, "seqs", manyPaths(t), "--url", goer(t))
	if code != 3 || out != "GET /p0 200\n" || !strings.Contains(errs, "stopped answering") {
		t.Errorf("exit code %d, printed %q and %q", code, out, errs)
	}
}

// If the service stops answering, sonde export --try writes the tests so far and ends.
func TestExportOfAServiceThatGoes(t *testing.T) {
	dir := t.TempDir()
	tries := filepath.Join(dir, "seqs.txt")
	if err := os.WriteFile(tries, []byte("GET /p0\nGET /p1\nGET /p2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := run(t, "export", manyPaths(t), "--url", goer(t), "--try", tries, "-o", dir)
	if code != 3 || !strings.Contains(out, "1 test in ") || !strings.Contains(errs, "seq 2 of 3: ") {
		t.Errorf("exit code %d, printed %q and %q", code, out, errs)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "sonde_test.go")); err != nil || !strings.Contains(string(text), `"/p0"`) {
		t.Errorf("the first is not written: %v", err)
	}
}

// Ctrl-C prints the seqs so far. Before that, a line on the terminal shows the progress.
func TestInterruptedSeqs(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes whole searches: left out by -short")
	}
	service := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/p0" {
			<-r.Context().Done()
		}
	}))
	defer service.Close()
	s, _ := app(t, 100, 30, "seqs", manyPaths(t), "--url", service.URL)
	keys(t, s, "", "1 seq, 1 ran to the end", "\x03", "stopped: 7 of 8 listed seqs were not reached")
	if code, err := s.Wait(patience); code != 0 || err != nil {
		t.Errorf("exit code %d, error %v", code, err)
	}
	if err := s.WaitFor("GET /p0 200", patience); err != nil {
		t.Error(err)
	}
}

// manyPaths writes a spec with the paths /p0 to /p7.
func manyPaths(t *testing.T) string {
	t.Helper()
	text := "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n"
	for i := range 8 {
		text += fmt.Sprintf("  /p%d: {get: {responses: {'200': {description: ok}}}}\n", i)
	}
	path := filepath.Join(t.TempDir(), "many.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
