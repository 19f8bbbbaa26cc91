package search_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/openapi"
	"sonde/runner/search"
)

// Whatever characters a spec has in its paths, names and media types, a request can be made.
func TestControlCharactersAreSent(t *testing.T) {
	asked := map[string]bool{}
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked[r.URL.Path] = true }))
	defer s.Close()
	spec, err := openapi.Parse(context.Background(), "odd", []byte(`{"openapi":"3.0.3","info":{"title":"t","version":"1"},"paths":{
		"/a\u0000b/c\nd":{"get":{"responses":{"200":{"description":""}}}},
				"/e\u007f/{x\u0001}":{"post":{"parameters":[
					{"name":"x\u0001","in":"path","required":true,"schema":{"type":"string","enum":["f\u0002"]}},
					{"name":"q\u0003","in":"query","required":true,"schema":{"type":"string"}},
					{"name":"h\u0004","in":"header","required":true,"schema":{"type":"string"}},
			{"name":"c\u0005","in":"cookie","required":true,"schema":{"type":"string"}}],
						"requestBody":{"required":true,"content":{"text/plain\n":{"schema":{"type":"string"}}}},
						"responses":{"200":{"description":""}}}}}}`), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := start(
		t,
		model.Plan{Spec: spec, BaseURL: s.URL, Seed: 1, Tuning: model.DefaultTuning(), Limits: model.Limits{Calls: 60}},
		search.Sink{},
	).Wait()
	if got.Err != nil || got.Summary.Unanswered > 0 || got.Summary.With2xx != 2 || !asked["/a\x00b/c\nd"] || !asked["/e\x7f/f\x02"] {
		t.Errorf("error %v, %d unanswered (%s), asked %v", got.Err, got.Summary.Unanswered, got.Summary.NoAnswer, asked)
	}
}

// odd is an operation whose requests cannot be sent.
func odd() *model.Operation {
	return &model.Operation{ID: "BAD METHOD /things", Method: "BAD METHOD", Path: "/things", Responses: []model.Response{{Status: "200"}}}
}

// An operation whose requests cannot be sent is no longer part of the search after a few tries. A note gives the
// reason, and the operation has no fault for it.
func TestUnsendableOperationsAreGivenUp(t *testing.T) {
	_, url := serve(t)
	p := plan(url, 300)
	p.Spec.Operations = append(p.Spec.Operations, odd())
	p.Templates = append(p.Templates, model.Template{Steps: []model.TemplateStep{{Op: odd().ID, Min: 1, Max: 1}}, Weight: 1})
	var notes []string
	got := start(t, p, search.Sink{Emit: func(l model.LogEntry) error {
		if n, ok := l.Event.(model.Note); ok {
			notes = append(notes, n.Text)
		}
		return nil
	}}).Wait()
	if got.Err != nil || got.Summary.With2xx != 2 || got.Summary.Calls > 300 || got.Summary.Unanswered < 3 || got.Summary.Unanswered > 50 {
		t.Errorf("error %v, summary %+v", got.Err, got.Summary)
	}
	if _, ok := byKind(got)["BAD METHOD /things"+silent]; ok || len(notes) != 1 ||
		!strings.Contains(
			notes[0],
			`BAD METHOD /things is no longer part of the search: the request cannot be sent: net/http: invalid method`,
		) {
		t.Errorf("notes %q, faults %+v", notes, got.Faults)
	}
}

// A search that can send nothing ends and gives the reason.
func TestNothingCanBeSent(t *testing.T) {
	_, url := serve(t)
	p := plan(url, 60)
	p.Spec.Operations, p.Templates = []*model.Operation{odd()}, nil
	got := start(t, p, search.Sink{}).Wait()
	if got.Err == nil || !strings.Contains(got.Err.Error(), "no operation is left that can be called") || got.Summary.Calls == 0 {
		t.Errorf("error %v, summary %+v", got.Err, got.Summary)
	}
}
