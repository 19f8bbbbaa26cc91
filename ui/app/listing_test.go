package app

import (
	"context"
	"errors"
	"slices"
	"testing"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/service"
	"sonde/ui/app/specfile"
	"sonde/ui/app/usecase"
)

// ended waits for the end of a listing and returns its last state.
func ended(t *testing.T, w *Workspace, run usecase.ListingRun) usecase.ListingSnapshot {
	t.Helper()
	<-w.lister.run.ended
	s := run.Snapshot()
	if !s.Done {
		t.Error("a listing that has ended is not done")
	}
	return s
}

// settingsOf returns the settings of a listing of some operations of the demo, at most calls requests.
func settingsOf(w *Workspace, calls int, ops ...model.OpID) usecase.ListingSettings {
	now := w.session.state()
	var part []*model.Operation
	for _, op := range now.spec.Operations {
		if len(ops) == 0 || slices.Contains(ops, op.ID) {
			part = append(part, op)
		}
	}
	return usecase.ListingSettings{Analysis: analysis.Analyze(now.spec, analysis.Options{}).Subset(part), Calls: calls}
}

// A listing counts the seqs by both rules, and its tests can be played again. Afterwards, the service is free.
func TestListing(t *testing.T) {
	w, _ := demoWorkspace(t)
	run, err := w.lister.start(t.Context(), settingsOf(w, 2000, "POST /products", "GET /products/{productId}", "GET /stores"))
	if err != nil {
		t.Fatal(err)
	}
	s := ended(t, w, run)
	if s.Err != nil || len(s.Rules) != 2 || s.Summary.Calls == 0 || s.Summary.Calls > 2000 {
		t.Fatalf("got %+v", s)
	}
	for _, l := range s.Rules {
		if l.Practical+l.Failed+l.Barred != l.Listed || l.Open != 0 || !l.Done || l.Operations != 3 {
			t.Errorf("%s: %+v", l.Rule, l)
		}
	}
	if dc, sc := s.Rules[0], s.Rules[1]; dc.Listed >= sc.Listed || dc.Calls >= sc.Calls {
		t.Errorf("DC has %+v, SC %+v", dc, sc)
	}
	again := slices.IndexFunc(s.Called, func(c usecase.CalledSeq) bool { return c.Succeeded && len(c.Test.Calls) == 2 })
	if again < 0 {
		t.Fatal("no seq of two calls succeeded")
	}
	played, err := w.manual.replay(t.Context(), s.Called[again].Test, usecase.Surroundings{})
	if err != nil || played.Calls[1].Status/100 != 2 {
		t.Errorf("played %+v, error %v", played.Calls, err)
	}
}

// While seqs are called, neither requests nor a search disturb the service. A listing can be stopped, and ends with the
// workspace.
func TestListingUsesTheServiceAlone(t *testing.T) {
	w, _ := demoWorkspace(t)
	s := settingsOf(w, 1<<30)
	run, err := w.lister.start(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.lister.start(t.Context(), s); !errors.Is(err, errListing) {
		t.Errorf("a second listing: error %v", err)
	}
	if _, err := w.search.start(t.Context(), usecase.SearchSettings{Workers: 1}); !errors.Is(err, errListing) {
		t.Errorf("a search: error %v", err)
	}
	if _, err := w.manual.realise(t.Context(), model.Seq{"GET /stores"}, usecase.Surroundings{}); !errors.Is(err, errListing) {
		t.Errorf("a seq: error %v", err)
	}
	run.Stop()
	if last := ended(t, w, run); !errors.Is(last.Err, context.Canceled) || last.UsedUp {
		t.Errorf("error %v, used up %t", last.Err, last.UsedUp)
	}
	run, err = w.lister.start(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	if !run.Snapshot().Done {
		t.Error("the listing continues after the workspace was closed")
	}
}

// Operations that the configuration excludes are not called.
func TestListingLeavesOutExcludedOperations(t *testing.T) {
	w, _ := demoWorkspace(t)
	onlyStores := config.ScopeRule{Paths: []string{"/stores"}, Methods: []string{"GET"}}
	w.session.current.config.Scope = config.OperationScope{Include: []config.ScopeRule{onlyStores}}
	run, err := w.lister.start(t.Context(), settingsOf(w, 100, "GET /stores", "GET /products"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range ended(t, w, run).Called {
		if !slices.Equal(c.Test.Seq(), model.Seq{"GET /stores"}) {
			t.Errorf("%v was called", c.Test.Seq())
		}
	}
	if _, err := w.lister.start(t.Context(), settingsOf(w, 100, "GET /products")); !errors.Is(err, errNoSeqs) {
		t.Errorf("error %v", err)
	}
}

// Without a spec or a service, nothing is called.
func TestListingErrors(t *testing.T) {
	w := New(t.Context(), Options{Specs: &specfile.Loader{}, Source: service.DemoSource})
	t.Cleanup(w.Close)
	if _, err := w.lister.start(t.Context(), usecase.ListingSettings{}); !errors.Is(err, errNoSpec) {
		t.Errorf("error %v", err)
	}
	if _, err := w.Load(t.Context(), service.DemoSource); err != nil {
		t.Fatal(err)
	}
	if _, err := w.lister.start(t.Context(), settingsOf(w, 10)); !errors.Is(err, errNoService) || w.lister.running() {
		t.Errorf("error %v", err)
	}
}
