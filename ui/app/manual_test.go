package app

import (
	"context"
	"errors"
	"slices"
	"testing"

	"sonde/model"
	"sonde/ui/app/service"
	"sonde/ui/app/specfile"
	"sonde/ui/app/suite"
	"sonde/ui/tui/screen"
)

// atDesk is the app's engine on a demo of its own.
func atDesk(t *testing.T) *Workspace {
	t.Helper()
	url, err := service.ServeDemo(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &Workspace{Specs: &specfile.Loader{}, Source: service.DemoSource, Service: service.DemoAt(url)}
	w.leaving, w.leave = context.WithCancel(t.Context())
	t.Cleanup(w.Close)
	if _, err := w.Load(t.Context(), service.DemoSource); err != nil {
		t.Fatal(err)
	}
	return w
}

// drafted is a request as the app's form has it at first, by the admin.
func drafted(t *testing.T, w *Workspace, op model.OpID) screen.RequestDraft {
	t.Helper()
	d, err := w.draft(op, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range d.Test.Calls {
		d.Test.Calls[i].User = "admin"
	}
	return d
}

// answered sends a test, which is to end with a status.
func answered(t *testing.T, w *Workspace, test model.Test, want int) {
	t.Helper()
	s, err := w.send(t.Context(), test, screen.Surroundings{})
	if n := len(s.Test.Calls); err != nil || n == 0 || s.Test.Calls[n-1].Status != want || len(s.Exchanges) != n {
		t.Fatalf("%v was answered %+v, error %v", test.Seq(), s.Test.Calls, err)
	}
}

// Requests by hand go on from each other, one is kept, and finding values begins anew.
func TestDesk(t *testing.T) {
	const create, read = "POST /products", "GET /products/{productId}"
	w := atDesk(t)
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
	kept, err := w.keep(t.Context(), screen.Surroundings{})
	if err != nil || !slices.Equal(kept.Test.Seq(), model.Seq{create, read}) || len(kept.Test.Links) != 1 {
		t.Fatalf("kept %+v, error %v", kept.Test, err)
	}
	again, err := w.replay(t.Context(), kept.Test, screen.Surroundings{})
	if err != nil || again.Origin != model.ByHand || again.Calls[1].Status != 200 || len(again.Checks) == 0 {
		t.Errorf("replayed %+v, error %v", again, err)
	}
	found, err := w.realise(t.Context(), model.Seq{"GET /stores"}, screen.Surroundings{})
	if err != nil || found.Calls[0].Status != 200 {
		t.Errorf("realised %+v, error %v", found, err)
	}
	if d := drafted(t, w, read); d.Ready {
		t.Error("what was reset still gives values")
	}
}

// A document that was read again, or another network, is another service by hand.
func TestDeskAnew(t *testing.T) {
	w := atDesk(t)
	answered(t, w, drafted(t, w, "GET /stores").Test, 200)
	before := w.manual.ManualSession
	answered(t, w, drafted(t, w, "GET /stores").Test, 200)
	if w.manual.ManualSession != before {
		t.Error("the service was raised twice")
	}
	if _, err := w.Load(t.Context(), service.DemoSource); err != nil {
		t.Fatal(err)
	}
	answered(t, w, drafted(t, w, "GET /stores").Test, 200)
	if w.manual.ManualSession == before || w.manual.serves(w.spec, true) {
		t.Error("the service is the one of before")
	}
}

// What cannot be sent is an error, and nothing is called.
func TestNotAtDesk(t *testing.T) {
	w := atDesk(t)
	if _, err := w.draft("GET /nothing", nil); err == nil {
		t.Error("what is not there was drafted")
	}
	test := drafted(t, w, "GET /stores").Test
	over, end := context.WithCancel(t.Context())
	end()
	if _, err := w.send(over, test, screen.Surroundings{}); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: error %v", err)
	}
	w.Service.URL = ""
	if _, err := w.send(t.Context(), test, screen.Surroundings{}); !errors.Is(err, errNoService) {
		t.Errorf("without a service: error %v", err)
	}
	if w.manual != nil || len(w.turnedTo()) > 0 {
		t.Error("a service was raised")
	}
	w.Close()
	if _, err := w.keep(t.Context(), screen.Surroundings{}); !errors.Is(err, context.Canceled) {
		t.Errorf("behind the end: error %v", err)
	}
}

// A search waits for nobody: while it goes on nothing is sent by hand, and before it the
// service is at rest. It begins with what a person put at hosts.
func TestSearchAtDesk(t *testing.T) {
	w := atDesk(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	test := drafted(t, w, "GET /stores").Test
	answered(t, w, test, 200)
	run, err := w.start(t.Context(), screen.SearchSettings{Limits: model.Limits{Calls: 1 << 30}, Tuning: model.DefaultTuning(), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.send(t.Context(), test, screen.Surroundings{}); !errors.Is(err, errBusy) || w.manual.ManualSession != nil {
		t.Errorf("error %v", err)
	}
	run.Stop()
	w.run.Wait()
	answered(t, w, test, 200)

	stub := model.Stub{Host: "a.example:80", Protocol: model.HTTP, Answers: []model.Answer{{Fault: model.NetReset}}}
	s, _, err := w.settings(screen.SearchSettings{Net: true, Stubs: []model.Stub{stub}})
	if err != nil || len(s.Steers) != 1 || s.Steers[0].Stub.Host != stub.Host || s.Steers[0].Asked != 0 {
		t.Errorf("it begins with %+v, error %v", s.Steers, err)
	}
}

// Tests by hand are exported as they were sent: on the network that there was.
func TestExportByHand(t *testing.T) {
	w := atDesk(t)
	if s := w.suite(suite.DefaultFormat, nil); s.Net != nil || s.BaseURL != w.Service.URL {
		t.Errorf("nothing was sent: %+v", s.Net)
	}
	demo := w.Service.Observed(false, true)
	w.manual = &ManualSession{net: &model.VirtualNetwork{Allow: []string{"127.0.0.1:1"}}, service: demo}
	if s := w.suite(suite.DefaultFormat, nil); s.Net != w.manual.net || s.Service == nil || s.Build == nil {
		t.Errorf("by hand: network %+v, service %+v", s.Net, s.Service)
	}
}

// What a person builds has values and links before anything is called, its requests can
// be read, and it is played.
func TestPrepared(t *testing.T) {
	w := atDesk(t)
	test, err := w.prepare(model.Seq{"POST /products", "GET /products/{productId}"})
	if err != nil || len(test.Calls) != 2 || len(test.Links) != 1 || w.manual != nil {
		t.Fatalf("prepared %+v, error %v", test, err)
	}
	if got := w.requests(test); len(got) != 2 || got[1].URL != "/products/{productId of call 1}" {
		t.Errorf("requests %+v", got)
	}
	for i := range test.Calls {
		test.Calls[i].User = "admin"
	}
	if played, err := w.replay(t.Context(), test, screen.Surroundings{}); err != nil || played.Calls[1].Status != 200 {
		t.Errorf("played %+v, error %v", played.Calls, err)
	}
	test.Calls[0].Body = &model.Payload{Media: "application/json", Data: "{}"}
	if played, err := w.replay(t.Context(), test, screen.Surroundings{}); err != nil || len(played.Calls) != 2 ||
		played.Calls[0].Status/100 != 4 || played.Calls[1].Status != 0 || len(played.Links) != 1 {
		t.Errorf("played %+v, error %v", played, err)
	}
	if _, err := w.prepare(model.Seq{"GET /nothing"}); err == nil {
		t.Error("what is not in the spec was prepared")
	}
}
