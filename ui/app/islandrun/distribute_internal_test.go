package islandrun

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/campaign"
	"sonde/runner/campaign/campaigntest"
	"sonde/runner/campaign/islands"
	"sonde/runner/search"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/service"
	"sonde/ui/app/usecase"
)

// demoSearch returns the settings of a search of the demo that can be divided into islands.
func demoSearch() searchrun.Settings {
	var s searchrun.Settings
	s.Service.Name = service.DemoSource
	s.Limits.Calls = 1000
	s.Islands.Number = 4
	s.Seed = 7
	s.Minimise = 0.1
	return s
}

// A search that cannot be divided into islands is refused. The error says what to change.
func TestCheck(t *testing.T) {
	if err := check(demoSearch()); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*searchrun.Settings){
		"--calls instead of --time": func(s *searchrun.Settings) { s.Limits.Time = time.Second },
		"leave out --workers":       func(s *searchrun.Settings) { s.Workers = 2 },
		"see sonde init":            func(s *searchrun.Settings) { s.Service.Name = "shop" },
		"does not say how to start": func(s *searchrun.Settings) { s.Service.Name, s.Config.Path = "shop", "sonde.yaml" },
		"leave out --url":           func(s *searchrun.Settings) { s.URL = "http://127.0.0.1:1" },
		"leave out --env":           func(s *searchrun.Settings) { s.Config.Environment = "staging" },
		"leave out net":             func(s *searchrun.Settings) { s.Network.On = true },
		"needs at least 20 calls":   func(s *searchrun.Settings) { s.Limits.Calls = 80 },
	} {
		s := demoSearch()
		change(&s)
		if err := check(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

// The islands share the part of the budget that is not reserved for minimising, playing tests again, and security
// tests.
func TestShareOf(t *testing.T) {
	s := demoSearch()
	for _, c := range []struct {
		white, security bool
		want            int
	}{{want: 205}, {white: true, want: 187}, {security: true, want: 180}} {
		s.Security = c.security
		if got := shareOf(s, c.white); got != c.want {
			t.Errorf("%+v: got %d", c, got)
		}
	}
}

// Each island has its own seed and the setup of the whole campaign. The results of workers are stored by island, and
// Failures has the reason of each failed unit.
func TestDistribute(t *testing.T) {
	store, _ := campaigntest.Serve(t)
	d, err := Distribute(t.Context(), store, demoSearch())
	if err != nil {
		t.Fatal(err)
	}
	about, err := d.Describe()
	if err != nil || about.Kind != CampaignKind || about.Units != 4 || len(about.Setup) == 0 {
		t.Errorf("got %+v, error %v", about, err)
	}
	seeds := map[uint64]bool{}
	work := d.Work()
	for unit := range 4 {
		payload, err := work.Payload(unit)
		sent, ok := payload.(sentIsland)
		if err != nil || !ok || sent.Island != unit || sent.Setup.Share != 205 || sent.Setup.Every != 20 || sent.Setup.Islands != 4 {
			t.Errorf("unit %d is %+v, error %v", unit, payload, err)
		}
		seeds[sent.Settings.Seed] = true
	}
	if len(seeds) != 4 || !seeds[7] || d.MaxCalls() != 820 {
		t.Errorf("seeds %v, at most %d calls", seeds, d.MaxCalls())
	}
	value, err := json.Marshal(found{Kept: []search.Migrant{kept("t1", 2, "a")}, Last: model.Progress{Call: 205}})
	if err != nil {
		t.Fatal(err)
	}
	if err := work.Handle(2, value); err != nil || d.results[2].Last.Call != 205 || d.results[2].Kept[0].Test.ID != "t1" {
		t.Errorf("got %+v, error %v", d.results[2], err)
	}
	if err := work.Handle(1, json.RawMessage(`[]`)); err == nil || d.results[1] != nil {
		t.Errorf("an unreadable result: error %v", err)
	}
	if err := work.Fail(3, "no worker has Go"); err != nil {
		t.Fatal(err)
	}
	if got := d.Failures(); len(got) != 1 || got[0] != "island 4 ended early: no worker has Go" {
		t.Errorf("failures %q", got)
	}
}

// What an island has stored can be read by the worker that continues it and by the coordinator.
func TestKeep(t *testing.T) {
	store, _ := campaigntest.Serve(t)
	i := &island{
		task: campaign.Task{Store: store, Campaign: campaign.Description{ID: "c"}},
		unit: sentIsland{Island: 1, Setup: islands.Setup{Islands: 2, Share: 50}},
	}
	i.found = found{Kept: []search.Migrant{kept("t1", 2, "a")}, Faults: []model.Fault{{ID: "f1"}}, Last: model.Progress{Asked: 3}}
	if err := i.keep(t.Context()); err != nil {
		t.Fatal(err)
	}
	next := &island{task: i.task, unit: i.unit}
	if err := next.restore(t.Context()); err != nil || len(next.found.Kept) != 1 || next.found.Faults[0].ID != "f1" {
		t.Fatalf("got %+v, error %v", next.found, err)
	}
	if r := next.resumeState(40); r.Last.Call != 40 || r.Last.Asked != 3 || len(r.Tests) != 1 || r.Tests[0].ID != "t1" {
		t.Errorf("resumes from %+v", r)
	}
	if other, err := readKept(t.Context(), store, "c", 0); err != nil || len(other.Kept) != 0 {
		t.Errorf("an island without anything: %+v, error %v", other, err)
	}
	if err := store.PutObject(t.Context(), keptName("c", 0), []byte("damaged")); err != nil {
		t.Fatal(err)
	}
	_, err := readKept(t.Context(), store, "c", 0)
	if err == nil || !strings.Contains(err.Error(), "island 1 has found so far cannot be read") {
		t.Errorf("a damaged object: %v", err)
	}
}

// WatchCalls adds up the calls that all islands report. It ignores values that it cannot read, and those of unknown
// islands.
func TestWatchCalls(t *testing.T) {
	store, _ := campaigntest.Serve(t)
	d := &Distributed{store: store, calls: make([]atomic.Int64, 2)}
	board := store.Board("c")
	for unit, value := range map[string]any{"0": usecase.UnitProgress{Calls: 30}, "1": usecase.UnitProgress{Calls: 12}, "2": 5, "x": 1} {
		if err := board.Put(t.Context(), campaign.ProgressPrefix+"."+unit, value); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := d.WatchCalls(ctx, "c"); err != nil {
		t.Fatal(err)
	}
	for d.Calls() != 42 {
		select {
		case <-ctx.Done():
			t.Fatalf("counted %d calls", d.Calls())
		case <-time.After(5 * time.Millisecond):
		}
	}
}
