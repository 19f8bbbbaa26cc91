package practice

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/openapi"
	"sonde/runner/search"
	"sonde/runner/target/client"
)

// service returns a listing for a test service. The service can create and read things, and /broken always
// fails.
func service(t *testing.T) *Listing {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /things", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, `{"thingId":"n1"}`)
	})
	mux.HandleFunc("GET /things/n1", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /broken", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	spec, err := openapi.Parse(t.Context(), "things.yaml", []byte(`openapi: 3.0.3
info: {title: Things, version: "1"}
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
  /broken: {get: {responses: {"200": {description: ok}}}}
`), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := analysis.Analyze(spec, analysis.Options{})
	plan := model.Plan{Spec: spec, BaseURL: server.URL, Templates: a.Templates(), Tuning: model.DefaultTuning()}
	invoker, err := search.NewInvoker(t.Context(), plan, a.SeqConnector(), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(invoker.Close)
	return NewListing(invoker)
}

// Each listed seq is counted once: by its own result, or by the result of the longest called prefix.
func TestReport(t *testing.T) {
	const create, read, broken = "POST /things", "GET /things/{thingId}", "GET /broken"
	l := service(t)
	for _, seq := range []model.Seq{{create}, {create, read}, {broken}} {
		if _, _, err := l.Invoke(t.Context(), seq); err != nil {
			t.Fatal(err)
		}
	}
	r := NewReport(l, []model.Seq{{create}, {create, read}, {broken, create}, {create, broken}, {read}},
		fmt.Errorf("end: %w", client.ErrBudget))
	if r.Listed != 5 || r.Practical != 2 || r.Successful != 2 || r.Barred != 1 || r.Failed != 0 || r.Open != 2 {
		t.Errorf("got %+v", r)
	}
	if !r.UsedUp || r.Summary.Cancelled || r.Share != 0.4 || r.Summary.Calls < 4 {
		t.Errorf("used up %t, cancelled %t, share %v, %d calls", r.UsedUp, r.Summary.Cancelled, r.Share, r.Summary.Calls)
	}
	want := ObstacleCount{Obstacle: Obstacle{Op: broken, Status: 500}, Seqs: 1}
	if len(r.Reasons) != 1 || r.Reasons[0] != want {
		t.Errorf("reasons %+v, want %+v", r.Reasons, want)
	}
	if got := r.Seqs[1].String(); got != "POST /things 201, GET /things/{thingId} 200" {
		t.Errorf("the second seq is %q", got)
	}
	if got := l.Progress(); !strings.Contains(got, "3 seqs, ") {
		t.Errorf("progress %q", got)
	}
	if other := NewReport(l, nil, errors.New("broken")); other.UsedUp || other.Open != 0 {
		t.Errorf("nothing listed: %+v", other)
	}
}

func TestAnswerText(t *testing.T) {
	for want, o := range map[string]Obstacle{"answered 404": {Status: 404}, "gave no answer": {}} {
		if got := o.AnswerText(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
