package app

import (
	"context"
	"errors"
	"slices"
	"testing"

	"sonde/model"
	"sonde/ui/app/service"
	"sonde/ui/app/specfile"
	"sonde/ui/app/usecase"
)

// demoWorkspace returns a workspace with its own demo, and the demo's URL.
func demoWorkspace(t *testing.T) (w *Workspace, url string) {
	t.Helper()
	url, err := service.ServeDemo(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w = New(t.Context(), Options{
		Specs:   &specfile.Loader{},
		Source:  service.DemoSource,
		Service: service.DemoAt(url),
	})
	t.Cleanup(w.Close)
	if _, err := w.Load(t.Context(), service.DemoSource); err != nil {
		t.Fatal(err)
	}
	return w, url
}

// drafted returns the request with which the app's form for an operation begins. The admin sends all its calls.
func drafted(t *testing.T, w *Workspace, op model.OpID) usecase.RequestDraft {
	t.Helper()
	d, err := w.manual.draft(op, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range d.Test.Calls {
		d.Test.Calls[i].User = "admin"
	}
	return d
}

// answered sends a test and checks the status of its last call.
func answered(t *testing.T, w *Workspace, test model.Test, want int) {
	t.Helper()
	s, err := w.manual.send(t.Context(), test, usecase.Surroundings{})
	if n := len(s.Test.Calls); err != nil || n == 0 || s.Test.Calls[n-1].Status != want || len(s.Exchanges) != n {
		t.Fatalf("%v was answered %+v, error %v", test.Seq(), s.Test.Calls, err)
	}
}

// A manual request uses resources that earlier requests created, and can be kept as a test. When values are found for
// a seq, the service is reset.
func TestManualCalls(t *testing.T) {
	const create, read = "POST /products", "GET /products/{productId}"
	w, _ := demoWorkspace(t)
	first := drafted(t, w, read)
	if seq := first.Test.Seq(); first.Ready || !slices.Equal(seq, model.Seq{create, read}) || !slices.Contains(first.Users, "admin") {
		t.Fatalf("drafted %+v", first)
	}
	answered(t, w, first.Test, 200)
	next := drafted(t, w, read)
	next.Test.Calls, next.Test.Links = next.Test.Calls[1:], nil
	if !next.Ready {
		t.Errorf("drafted %+v", next)
	}
	answered(t, w, next.Test, 200)
	kept, err := w.manual.keep(t.Context(), usecase.Surroundings{})
	if err != nil || !slices.Equal(kept.Test.Seq(), model.Seq{create, read}) || len(kept.Test.Links) != 1 {
		t.Fatalf("kept %+v, error %v", kept.Test, err)
	}
	again, err := w.manual.replay(t.Context(), kept.Test, usecase.Surroundings{})
	if err != nil || again.Origin != model.OriginManual || again.Calls[1].Status != 200 || len(again.Checks) == 0 {
		t.Errorf("replayed %+v, error %v", again, err)
	}
	found, err := w.manual.realise(t.Context(), model.Seq{"GET /stores"}, usecase.Surroundings{})
	if err != nil || found.Calls[0].Status != 200 {
		t.Errorf("realised %+v, error %v", found, err)
	}
	if d := drafted(t, w, read); d.Ready {
		t.Error("what was reset still gives values")
	}
}

// The service is started again after the document was reloaded.
func TestManualServiceAfterLoad(t *testing.T) {
	w, _ := demoWorkspace(t)
	answered(t, w, drafted(t, w, "GET /stores").Test, 200)
	before := w.manual.up.ManualSession
	answered(t, w, drafted(t, w, "GET /stores").Test, 200)
	if w.manual.up.ManualSession != before {
		t.Error("the service was started twice")
	}
	if _, err := w.Load(t.Context(), service.DemoSource); err != nil {
		t.Fatal(err)
	}
	answered(t, w, drafted(t, w, "GET /stores").Test, 200)
	if w.manual.up.ManualSession == before || w.manual.up.serves(w.session.state().version, needs{net: true}) {
		t.Error("the service was not started again")
	}
}

// A request that cannot be sent is an error, and the service is not called.
func TestManualCallErrors(t *testing.T) {
	w, _ := demoWorkspace(t)
	if _, err := w.manual.draft("GET /nothing", nil); err == nil {
		t.Error("what is not there was drafted")
	}
	test := drafted(t, w, "GET /stores").Test
	over, end := context.WithCancel(t.Context())
	end()
	if _, err := w.manual.send(over, test, usecase.Surroundings{}); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: error %v", err)
	}
	w.session.current.service.URL = ""
	if _, err := w.manual.send(t.Context(), test, usecase.Surroundings{}); !errors.Is(err, errNoService) {
		t.Errorf("without a service: error %v", err)
	}
	if w.manual.up != nil || len(w.manual.calledHosts()) > 0 {
		t.Error("a service was started")
	}
	w.Close()
	if _, err := w.manual.keep(t.Context(), usecase.Surroundings{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after Close: error %v", err)
	}
}

// Before a spec is loaded, neither a search nor a recording starts.
func TestNoSpec(t *testing.T) {
	w := New(t.Context(), Options{Service: service.DemoAt("http://127.0.0.1:1")})
	t.Cleanup(w.Close)
	if _, err := w.search.start(t.Context(), usecase.SearchSettings{}); !errors.Is(err, errNoSpec) {
		t.Errorf("a search: error %v", err)
	}
	if _, err := w.recorder.start(t.Context(), usecase.RecordSettings{}); !errors.Is(err, errNoSpec) {
		t.Errorf("a recording: error %v", err)
	}
}

// During a search no manual request can be sent. The search stops the service for manual requests, and
// begins with the stubs that the user injected.
func TestSearchExcludesManualCalls(t *testing.T) {
	w, _ := demoWorkspace(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	test := drafted(t, w, "GET /stores").Test
	answered(t, w, test, 200)
	run, err := w.search.start(t.Context(), usecase.SearchSettings{
		Limits:  model.Limits{Calls: 1 << 30},
		Tuning:  model.DefaultTuning(),
		Workers: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.manual.send(t.Context(), test, usecase.Surroundings{}); !errors.Is(err, errBusy) || w.manual.up.ManualSession != nil {
		t.Errorf("error %v", err)
	}
	run.Stop()
	w.search.latest().Wait()
	answered(t, w, test, 200)

	stub := model.Stub{Host: "a.example:80", Protocol: model.HTTP, Answers: []model.Answer{{Fault: model.NetReset}}}
	s, _, err := w.session.settings(usecase.SearchSettings{Net: true, Stubs: []model.Stub{stub}})
	if err != nil || len(s.Commands) != 1 || s.Commands[0].Stub.Host != stub.Host || s.Commands[0].Asked != 0 {
		t.Errorf("it begins with %+v, error %v", s.Commands, err)
	}
}

// A seq has values and links before any request is sent. Its requests can be displayed, and it can be
// played.
func TestPrepareAndReplay(t *testing.T) {
	w, _ := demoWorkspace(t)
	test, err := w.manual.prepare(model.Seq{"POST /products", "GET /products/{productId}"})
	if err != nil || len(test.Calls) != 2 || len(test.Links) != 1 || w.manual.up != nil {
		t.Fatalf("prepared %+v, error %v", test, err)
	}
	if got := w.manual.requests(test); len(got) != 2 || got[1].URL != "/products/{productId of call 1}" {
		t.Errorf("requests %+v", got)
	}
	for i := range test.Calls {
		test.Calls[i].User = "admin"
	}
	if played, err := w.manual.replay(t.Context(), test, usecase.Surroundings{}); err != nil || played.Calls[1].Status != 200 {
		t.Errorf("played %+v, error %v", played.Calls, err)
	}
	test.Calls[0].Body = &model.Payload{Media: "application/json", Data: "{}"}
	if played, err := w.manual.replay(t.Context(), test, usecase.Surroundings{}); err != nil || len(played.Calls) != 2 ||
		played.Calls[0].Status/100 != 4 || played.Calls[1].Status != 0 || len(played.Links) != 1 {
		t.Errorf("played %+v, error %v", played, err)
	}
	if _, err := w.manual.prepare(model.Seq{"GET /nothing"}); err == nil {
		t.Error("what is not in the spec was prepared")
	}
	path := model.Template{
		Steps: []model.TemplateStep{{Op: "POST /products", Min: 1, Max: 1}, {Op: "GET /products/{productId}", Min: 1, Max: 1}},
		Links: []model.Link{{From: 0, Pointer: "/productId", To: 1, In: model.InPath, Name: "productId"}},
	}
	if test, err := w.manual.draftTemplate(path); err != nil || len(test.Calls) != 2 || !slices.Contains(test.Links, path.Links[0]) {
		t.Errorf("of a template: %+v, error %v", test, err)
	}
	path.Steps[0].Op = "GET /nothing"
	if _, err := w.manual.draftTemplate(path); err == nil {
		t.Error("a template of what is not in the spec was drafted")
	}
}
